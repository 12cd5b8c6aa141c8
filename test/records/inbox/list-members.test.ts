import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {openDatabase} from '../../../src/storage/index.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {currentTime} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt} from '../support.js'

const SECRET = 'Ef56'.repeat(8)
const SHOP = 'https://shop.example'
const AT = new Date('2026-11-21T12:00:00Z')

const delivered = (id: string, value = '10.00') => ({
  ...{id, event_version: '1.0', create_time: AT.toISOString(), event_type: 'PAYMENT.CAPTURE.COMPLETED'},
  resource: {id: 'C1', status: 'COMPLETED', amount: {value, currency_code: 'EUR'}},
})
const listed = (id: string, value?: string) => ({
  status: 'FAILURE',
  ...delivered(id, value),
  transmissions: [
    {webhook_url: `${SHOP}/x?sw-token=${SECRET}`, response_headers: {'Set-Cookie': `session=${SECRET}`}},
  ],
})
const hashOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')
const spell = (body: object) => Buffer.from(JSON.stringify(body))
const besideOf = (id: string, body: Uint8Array) => `${id}~${hashOf(body).slice(0, 12)}`

/** Events as an earlier version stored them, with attempts and resolutions. */
async function storeAsBefore(
  place: Awaited<ReturnType<typeof freshPlace>>,
  events: readonly {readonly id: string; readonly body: Uint8Array; readonly headers?: string[][]}[],
) {
  const migrations = recordsMigrations.filter(({version}) => version < 2)
  const old = await openDatabase<RecordsTables>(place, {migrations, now: currentTime})
  const insert = (table: keyof RecordsTables, row: object) =>
    old.writes.run(db =>
      db
        .insertInto(table)
        .values(row as never)
        .execute(),
    )
  for (const {id, body, headers = []} of events) {
    await insert('webhook_event', {
      ...{target: SHOP, id, sha256: hashOf(body), size_bytes: body.length, type: 'PAYMENT.CAPTURE.COMPLETED'},
      ...{created_at_ms: AT.getTime(), received_at_ms: AT.getTime(), ordering_keys: '[]'},
      ...{traits: '{"key":{"by":"nothing"},"keyText":null}', source: 'file', status: 'failed', attempts: 0},
      ...{changed_at_ms: 1, conflict: id.includes('~') ? 1 : 0, unverified: 0},
    })
    await insert('webhook_body', {target: SHOP, id, headers: JSON.stringify(headers), body})
    const word = {at_ms: 1, who: 'till', reason: null, status_before: 'failed', kind: 'resolve', number: 1}
    await insert('webhook_resolution', {target: SHOP, id, ...word})
  }
  await old.close()
}

describe.each(ENGINES)('bodies that an earlier version stored from the list, in $name', engine => {
  test('lose what only the list has, and are compared, named and hashed without it', async () => {
    const place = await freshPlace(engine)
    const [one, other, alone] = [
      listed('WH-1'),
      listed('WH-1', '11.00'),
      {...delivered('WH-2'), status: 'SUCCESS'},
    ]
    const before = [
      {id: 'WH-1', body: spell(one)},
      {id: besideOf('WH-1', spell(other)), body: spell(other)},
      {id: 'WH-2', body: spell(alone)},
      {id: 'WH-3', body: spell(delivered('WH-3'))},
      {id: 'WH-4', body: Buffer.from('{"id":"WH-4","status":"no event"')},
    ]
    await storeAsBefore(place, before)
    const records = await recordsAt(place)
    const {inbox} = records
    const wanted: Record<string, Uint8Array> = {
      'WH-1': spell(delivered('WH-1')),
      [besideOf('WH-1', spell(delivered('WH-1', '11.00')))]: spell(delivered('WH-1', '11.00')),
      'WH-2': spell(delivered('WH-2')),
      'WH-3': spell(delivered('WH-3')),
      'WH-4': before[4]?.body as Uint8Array,
    }
    const ids = Object.keys(wanted)
    const [events, contents] = [await inbox.find(SHOP, ids), await inbox.readContents(SHOP, ids)]
    for (const [id, body] of Object.entries(wanted)) {
      const {sha256, sizeBytes} = events.get(id) ?? {}
      expect([id, String(Buffer.from(contents.get(id)?.body ?? []))]).toEqual([id, String(body)])
      expect({sha256, sizeBytes}).toEqual({sha256: hashOf(body), sizeBytes: body.length})
      expect(await inbox.listResolutions(SHOP, id)).toHaveLength(1)
    }
    // The same again, as it is delivered, is the same event, and so is the other body of its id.
    const arrivals = [delivered('WH-1'), delivered('WH-1', '11.00')].map(body => read(spell(body)))
    expect(await inbox.add(SHOP, arrivals)).toMatchObject({added: 0})
    expect(await inbox.find(SHOP, [...ids, besideOf('WH-1', spell(other))])).toHaveProperty(
      'size',
      ids.length,
    )
    if (typeof place !== 'string') return
    // What is in the log goes into the file at the end.
    await records.close()
    expect(readFileSync(place).includes(SECRET)).toBe(false)
  })

  test('stay byte for byte where they are signed', async () => {
    const place = await freshPlace(engine)
    const body = spell(listed('WH-1'))
    await storeAsBefore(place, [{id: 'WH-1', body, headers: [['PAYPAL-TRANSMISSION-SIG', 'x']]}])
    const {inbox} = await recordsAt(place)
    const stored = (await inbox.readContents(SHOP, ['WH-1'])).get('WH-1')
    expect(String(Buffer.from(stored?.body ?? []))).toBe(String(body))
    expect((await inbox.find(SHOP, ['WH-1'])).get('WH-1')?.sha256).toBe(hashOf(body))
  })
})

function read(body: Uint8Array) {
  const event = readEvent(body, 'file', AT)
  if ('unusable' in event) throw new Error(event.unusable)
  return event
}
