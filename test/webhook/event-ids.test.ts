import {expect, test} from 'vitest'
import {countIds, readEventIds} from '../../src/webhook/event/event-ids.js'
import {all} from '../runs/support.js'

async function* inPieces(text: string, size = 7) {
  for (let from = 0; from < text.length; from += size) yield Buffer.from(text.slice(from, from + size))
}

/** The ids that words name, with this on standard input. */
const read = (words: readonly string[], pieces: AsyncIterable<Uint8Array> = inPieces('')) =>
  readEventIds(words, async () => ({read: () => pieces}))

const NO_ID = {code: 'usage.no_id', exit: 2, nextSteps: ['storectl webhook list -o id | …']}

test('ids come from words and from lines of standard input, of which the first word counts', async () => {
  const lines = inPieces('id\ttype\nWH-2\tPAYMENT\r\n\nWH-3 later\nid\nWH-4')
  expect(await all(read(['WH-1', '-', 'WH-5'], lines))).toEqual([
    ...['WH-1', 'WH-2', 'WH-3', 'id', 'WH-4', 'WH-5'],
  ])
})

test('ids are handed on in groups, and counted', async () => {
  const text = Array.from({length: 600}, (_, index) => `WH-${index}\n`).join('')
  const sizes: number[] = []
  for await (const {length} of read(['-'], inPieces(text))) sizes.push(length)
  expect(sizes).toEqual([250, 250, 100])
  expect(await countIds(read(['-'], inPieces(text)))).toBe(600)
})

test.each(['{"id": "WH-1"}', '["WH-1"]', '"WH-1"', 'x'.repeat(201)])('%s is no id', async text => {
  await expect(all(read(['-'], inPieces(`WH-1\n${text}\n`)))).rejects.toMatchObject({
    ...NO_ID,
    message: 'Line 2 of stdin is not an event id.',
  })
})

test('an id may have 200 characters', async () => {
  const id = 'x'.repeat(200)
  expect(await all(read(['-'], inPieces(`${id}\n`)))).toEqual([id])
})

test('a line that does not end is refused before it fills the memory', async () => {
  let pieces = 0
  async function* endless() {
    for (;;) {
      pieces++
      yield Buffer.from('x'.repeat(100))
    }
  }
  await expect(all(read(['-'], endless()))).rejects.toMatchObject(NO_ID)
  expect(pieces).toBeLessThan(5)
})
