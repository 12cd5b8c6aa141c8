import {expect, test} from 'vitest'
import {readEvents} from '../../../src/webhook/import/read-events.js'
import {eventId} from '../support.js'

const BODY = `{"id":"${eventId(1)}","event_type":"PAYMENT.CAPTURE.COMPLETED"}`

/** The longest record, and what is read ahead of it. */
const MOST_TAKEN = 18 * 1024 * 1024

test.each([
  ['an object', 'got {\n', '  "a": 1,\n'],
  ['a text', 'said "\n', 'and more\n'],
  ['a row of a table', 'id,body\n1,"\n', 'and, more\n'],
  ['a list', 'all [\n', '  {"a": 1},\n'],
  ['a part of a line', '', '2026-11-25T17:50:06.0Z stdout P a{\n'],
  ['a comment', '/*\n', 'INFO done\n'],
  ['a statement', "INSERT INTO `a` VALUES (1,'\n", 'text\n'],
])(
  '%s that never ends is held in memory up to the longest record, and no further',
  async (_, beginning, line) => {
    let taken = 0
    async function* chunks() {
      const [first, more] = [Buffer.from(beginning), Buffer.from(line.repeat(5000))]
      yield first
      for (; taken < 4 * MOST_TAKEN; taken += more.length) yield more
      yield Buffer.from(`\n${BODY}\n`)
    }
    for await (const _read of readEvents({name: 'f', chunks: chunks()}, () => new Date(0))) break
    expect(taken).toBeLessThan(MOST_TAKEN)
  },
)
