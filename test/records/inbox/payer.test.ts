import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openRecords, type Records} from '../../../src/records/index.js'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {openDatabase} from '../../../src/storage/index.js'
import type {ArrivedEvent} from '../../../src/webhook/event/event.js'
import {parseEventCondition} from '../../../src/webhook/event/event-fields.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {all, openMarking} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {ENGINES, type Fresh} from '../../support/engines.js'

const SHOP = 'https://shop.example'
const OTHER_SHOP = 'https://other.example'
const NAME = {given_name: 'Ada', surname: 'Lovelace'}
const EMAIL = 'Ada@Example.org'

/** Resources that name one person, each in another form, and two that do not. */
const RESOURCES: Readonly<Record<string, object>> = {
  order: {payer: {name: NAME, email_address: EMAIL, payer_id: 'PAYER1'}},
  v1: {payer: {payer_info: {email: EMAIL, first_name: 'Ada', last_name: 'Lovelace', payer_id: 'PAYER1'}}},
  subscription: {subscriber: {name: NAME, email_address: EMAIL, payer_id: 'PAYER1'}},
  token: {payment_source: {paypal: {name: NAME, email_address: EMAIL, account_id: 'PAYER1'}}},
  other: {
    payer: {name: {...NAME, surname: 'Lovelace-King'}, email_address: `x${EMAIL}`, payer_id: 'PAYER12'},
  },
  capture: {id: 'no payer'},
}

function arrived(id: string, resource: object): ArrivedEvent {
  const body = {id, create_time: currentTime().toISOString(), event_type: 'CHECKOUT.ORDER.APPROVED', resource}
  const headers = [['Paypal-Transmission-Id', `T-${id}`]] as const
  const event = readEvent(Buffer.from(JSON.stringify(body)), 'file', currentTime(), headers)
  if ('unusable' in event) throw new Error(event.unusable)
  return event
}

const EVENTS = Object.entries(RESOURCES).map(([id, resource]) => arrived(id, resource))
const OF_ADA = ['order', 'subscription', 'token', 'v1']

describe.each(ENGINES)('who pays, in $name', engine => {
  let fresh: Fresh
  let records: Records
  beforeAll(async () => {
    fresh = await engine.fresh()
    records = await openRecords(fresh.place, currentTime)
    await records.inbox.add(SHOP, EVENTS)
  })
  afterAll(async () => {
    await records.close()
    await fresh.drop()
  })
  const list = async (condition: string, target = SHOP) => {
    const events = await all(records.inbox.list(target, {where: parseEventCondition(condition)}))
    return events.map(({id}) => id).sort()
  }

  test('is found by address, id and name, each whole, in any case, wherever the body has it', async () => {
    for (const text of ['ada@example.org', EMAIL, 'PAYER1', 'Ada Lovelace', 'ADA LOVELACE'])
      expect(await list(`payer = "${text}"`), text).toEqual(OF_ADA)
    for (const text of ['ada@example', 'PAYER', 'Ada', 'Lovelace', 'da@example.org', "x' or '1' = '1"])
      expect(await list(`payer = "${text}"`), text).toEqual([])
    expect(await list('payer all ("payer1", "ada@example.org")')).toEqual(OF_ADA)
    expect(await list('payer all ("payer1", "payer12")')).toEqual([])
    expect(await list('payer != "PAYER1"')).toEqual(['capture', 'other'])
    expect(await list('payer is null')).toEqual(['capture'])
    expect(await list('payer is not null and not payer = "PAYER12"')).toEqual(OF_ADA)
    expect(() => parseEventCondition('payer contains "Ada"')).toThrow('does not work on payer')
  })

  test('is erased with all that belongs to the events, also aside, and nobody else is', async () => {
    const {inbox, runs, signatures} = records
    await inbox.add('aside:01', EVENTS)
    await inbox.add(OTHER_SHOP, EVENTS)
    const verified = {result: 'verified', reason: null} as const
    for (const event of EVENTS)
      await signatures.store(SHOP, [{...event, transmissionId: `T-${event.id}`, ...verified}])
    const {end, ...marking} = await openMarking(runs, SHOP)
    await inbox.resolve(SHOP, ['order', 'other'], marking)
    await end()
    const elsewhere = await openMarking(runs, OTHER_SHOP)
    await inbox.resolve(OTHER_SHOP, ['order'], elsewhere)
    await elsewhere.end()
    await runs.appendRunLedgerRow({kind: 'backed-up', content: {}})
    const what = {keepFailed: false, where: parseEventCondition('payer = "ada@example.org"')}
    const counts = await inbox.countOutdated(SHOP, what)
    expect(counts).toMatchObject({held: {runs: 1, backups: 1}, inUse: 0})
    expect(Object.values(counts.statuses).reduce((sum, count) => sum + count, 0)).toBe(8)
    const countEach = async (more: object) => (await inbox.countOutdated(SHOP, {...what, ...more})).statuses
    expect(await countEach({keepFailed: true})).toEqual({resolved: 1})
    expect(await countEach({before: new Date(0)})).toEqual({})
    expect(await inbox.prune(SHOP, what, {who: 'ada', events: 8})).toBe(8)
    expect(await inbox.prune(SHOP, what)).toBe(0)
    const left = async (target: string) => (await all(inbox.list(target, {}))).map(({id}) => id).sort()
    expect([await left(SHOP), await left('aside:01')]).toEqual([
      ['capture', 'other'],
      ['capture', 'other'],
    ])
    expect(await left(OTHER_SHOP)).toHaveLength(6)
    expect((await inbox.readContents(SHOP, OF_ADA)).size).toBe(0)
    expect(await inbox.listResolutions(SHOP, 'order')).toEqual([])
    expect(await inbox.listResolutions(SHOP, 'other')).toHaveLength(1)
    const database = await openDatabase<RecordsTables>(fresh.place, {
      migrations: recordsMigrations,
      now: currentTime,
    })
    const known = await database.reads.selectFrom('webhook_transmission').select('id').orderBy('id').execute()
    await database.close()
    expect(known).toEqual([{id: 'capture'}, {id: 'other'}])
    const rows = await all(runs.listRunLedger())
    expect(JSON.stringify(rows.map(({content}) => content))).not.toContain('example.org')
    expect(rows.at(-1)).toMatchObject({
      kind: 'pruned',
      content: expect.stringContaining('"hasCondition":true'),
    })
  })
})
