import {describe, expect, test} from 'vitest'
import {readEventHead} from '../../src/providers/event-head.js'
import type {BodyDefinition} from '../../src/providers/provider.js'
import {PROVIDERS} from '../../src/providers/providers.js'
import {readEvents} from '../../src/webhook/import/read-events.js'
import {rawShop, runCapture} from '../gateway/support.js'
import {event, eventId, ndjson} from '../webhook/support.js'

/** What a shell makes more, or something else, of than one word. */
const HOSTILE = [
  ...[
    'WH-$(touch x)',
    'WH-`touch x`',
    'WH-1;touch',
    'WH-1 2',
    'WH-1\n2',
    "WH-'1",
    'WH-"1',
    'WH-\\1',
    'WH-1\t',
  ],
  ...['WH-*', 'WH-{1,2}', 'WH-!1', 'WH-1|2', 'WH-1&', 'WH-1#', 'WH-1>x', '\u001b[2JWH', 'WH-ä', 'WH-1\0'],
  ...['=ls', '~root', '-', '--yes', '-rf'],
  'W'.repeat(129),
]

/** A body that lacks nothing but an id that may be meant. */
function readHead(id: string, body: BodyDefinition) {
  return readEventHead({id, event_type: 'PAYMENT.CAPTURE.COMPLETED'}, body, undefined)
}

describe.each([...PROVIDERS.values()])('an event of $displayName', ({body, sampleIds}) => {
  test.each(HOSTILE)('is none with the id %j', id => {
    for (const each of body.idPattern ? [`tr_${id}`, id] : [id])
      expect(readHead(each, body)).toEqual({
        unusable: expect.stringContaining('not an event of the provider'),
      })
  })

  test('is one with an id of 128 letters, digits and signs that mean nothing', () => {
    const ids = body.idPattern
      ? ['tr_1', `ord_${'1'.repeat(64)}`]
      : [...sampleIds, `W_.,:@/+=-${'1'.repeat(118)}`]
    for (const id of ids) expect(readHead(id, body)).toMatchObject({id})
  })
})

test('a capture keeps an event with a hostile id under its hash, and hands it on as it came', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  for (const id of HOSTILE) await capture.send({...event(1), id})
  await capture.send('id=tr_$(touch x)', {headers: ['Content-Type', 'application/x-www-form-urlencoded']})
  const rows = [...(await capture.inbox()).values()]
  expect(rows).toHaveLength(HOSTILE.length + 1)
  for (const {id} of rows) expect(id).toMatch(/^body-[0-9a-f]{32}$/)
  expect(rows.filter(({type}) => type === 'PAYMENT.CAPTURE.COMPLETED')).toHaveLength(HOSTILE.length)
  expect(shop.arrived.slice(0, -1).map(({body}) => JSON.parse(body.toString()).id)).toEqual(HOSTILE)
})

test('a file or a list of the provider has such an entry named, and the others read', async () => {
  const hostile = HOSTILE.map(id => ({...event(1), id}))
  for (const text of [ndjson([...hostile, event(2)]), JSON.stringify({events: [...hostile, event(2)]})]) {
    const reads = []
    const chunks = (async function* () {
      yield Buffer.from(text)
    })()
    for await (const each of readEvents({name: 'f', chunks}, () => new Date(0))) reads.push(each)
    expect(reads.filter(each => 'fault' in each)).toHaveLength(HOSTILE.length)
    expect(reads.at(-1)).toMatchObject({event: {id: eventId(2)}})
  }
})
