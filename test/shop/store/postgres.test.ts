import {sql} from 'kysely'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {addDelivery, streamDeliveries} from '../../../src/shop/store/deliveries.js'
import {dropIndices, finishTables} from '../../../src/shop/store/entities/entity-tables.js'
import {insertEntities} from '../../../src/shop/store/entities/insert-entities.js'
import {hasAny} from '../../../src/shop/store/entities/read-entities.js'
import type {ShopDatabase} from '../../../src/shop/store/schema/shop-dialect.js'
import {searchPage} from '../../../src/shop/store/search/search.js'
import {CLAIM_MS, claimSeeding, endSeeding, isSeeding} from '../../../src/shop/store/seed-claims.js'
import {openShopStore} from '../../../src/shop/store/store.js'
import {ENTITIES} from '../../../src/shopware/entities/entities.js'
import {EntityModel} from '../../../src/shopware/entity.js'
import {generateId} from '../../../src/shopware/ids.js'
import {plainDelivery} from '../../support/plain-delivery.js'
import {newDatabase, placeAt} from '../../support/postgres/database.js'
import {until} from '../../support/until.js'
import {idOf, person} from '../people.js'

const model = new EntityModel(ENTITIES)
const customer = model.get('customer')
const clock = () => new Date(0)

let address: string
let store: ShopDatabase
beforeEach(async () => {
  address = await newDatabase()
  store = await openShopStore(placeAt(address), clock)
})
afterEach(() => store.close())

const add = (of: ShopDatabase, numbers: number[]) =>
  of.writes.run(db =>
    insertEntities(
      db,
      customer,
      numbers.map(number => ({...person(number, {lastName: `Byron${number}`}), autoIncrement: null})),
      new Date(0),
    ),
  )

const deliver = async (id: string, gate: Promise<void> = Promise.resolve(), begun = () => {}) =>
  store.writes.run(async db => {
    await addDelivery(db, ...plainDelivery(id))
    begun()
    await gate
  })

/** Whoever writes elsewhere in this PostgreSQL holds deliveries back for as long. */
const soon = (holds: () => Promise<void>) => until('the deliveries are those, in that order', holds)

async function inOrder(after?: string): Promise<string[]> {
  const ids: string[] = []
  for await (const {id} of streamDeliveries(store.reads, after)) ids.push(id)
  return ids
}

test('a delivery is not passed over while one that was begun before it is still being written', async () => {
  const [first, slow, quick] = [1, 2, 3].map(at => generateId(new Date(at))) as [string, string, string]
  await deliver(first)
  await soon(async () => expect(await inOrder()).toEqual([first]))
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const begun = new Promise<void>(resolve => {
    void deliver(slow, gate, resolve)
  })
  await begun
  await deliver(quick)
  expect(await inOrder(first)).toEqual([])
  open()
  await store.writes.waitUntilIdle()
  await soon(async () => expect(await inOrder(first)).toEqual([slow, quick]))
  await soon(async () => expect(await inOrder(slow)).toEqual([quick]))
})

test('deliveries of a restored backup come before those that are new', async () => {
  const [old, recent] = [generateId(new Date(1)), generateId(new Date(2))]
  await deliver(old)
  await store.writes.run(db => sql`update webhook_delivery set written_in = written_in + 1000000`.execute(db))
  expect(await inOrder()).toEqual([])
  await store.close()
  store = await openShopStore(placeAt(address), clock)
  await deliver(recent)
  await soon(async () => expect(await inOrder()).toEqual([old, recent]))
  await soon(async () => expect(await inOrder(old)).toEqual([recent]))
})

test('what is searched and sorted by has an index that serves', async () => {
  await add(
    store,
    Array.from({length: 300}, (_, at) => at + 1),
  )
  await store.writes.run(db => sql`analyze customer`.execute(db))
  const plan = (query: string) =>
    store.writes.run(async db => {
      await sql`set local enable_seqscan = off`.execute(db)
      await sql`set local enable_sort = off`.execute(db)
      const {rows} = await sql.raw<{'QUERY PLAN': string}>(`explain ${query}`).execute(db)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    })
  for (const [query, index] of [
    ["select 1 from customer where email_folded = 'x'", 'customer_email_folded'],
    ['select 1 from customer where auto_increment > 5', 'customer_pkey'],
    ['select 1 from customer order by last_name_folded nulls first', 'customer_last_name_folded'],
    ['select 1 from customer order by last_name_folded desc nulls last', 'customer_last_name_folded'],
    [
      `select 1 from order_transaction where ((custom_fields_folded::json #>> '{"swag_paypal_order_id"}') collate "C") = 'x'`,
      'order_transaction_swag_paypal_order_id',
    ],
  ] as const) {
    expect([query, await plan(query)]).toEqual([query, expect.stringContaining(index)])
  }
  const {rows} = await sql<{made: string}>`
    select indexdef as made from pg_indexes where indexname like 'customer\\_trigram\\_%'`.execute(
    store.reads,
  )
  expect(rows.map(({made}) => made)).toEqual([expect.stringContaining('last_name_folded gin_trgm_ops')])
})

test('a role that may not bring an extension has a shop all the same, which finds parts by looking', async () => {
  const other = placeAt(await newDatabase())
  const owner = await openShopStore(placeAt(address), clock)
  const role = `plain_${other.database.slice(-12)}`
  await owner.writes.run(db => sql.raw(`create role ${role} login password 'plain'`).execute(db))
  await owner.close()
  const open = (await import('pg')).default
  const client = new open.Client({
    ...{host: other.host, port: other.port, database: other.database},
    ...{user: other.user, password: other.password},
  })
  await client.connect()
  await client.query(`grant all on schema public to ${role}`)
  await client.end()
  const plain = await openShopStore({...other, user: role, password: 'plain'}, clock)
  expect(plain.search.substringIndex).toBeUndefined()
  await add(plain, [1])
  const filters = [{type: 'contains' as const, field: 'lastName', value: 'yro'}]
  const criteria = {limit: 5, offset: 0, filters, postFilters: [], queries: [], sorting: []}
  const rest = {countMode: 'none', grouping: [], aggregations: [], associations: {}} as const
  const search = {entity: customer, criteria: {...criteria, ...rest}, scored: []}
  const {rows} = await searchPage(plain, search, ['id'])
  expect(rows).toEqual([[idOf(1)]])
  await plain.close()
})

const indices = async () => {
  const {rows} = await sql<{name: string}>`
    select indexname as name from pg_indexes where schemaname = current_schema() order by 1`.execute(
    store.reads,
  )
  return rows.map(({name}) => name)
}

test('indices that were put off are made by whoever is done, or opens the shop next', async () => {
  const before = await indices()
  const putOff = () => store.writes.run(transaction => dropIndices(transaction, ENTITIES))
  await putOff()
  expect((await indices()).filter(name => /email|trigram/.test(name))).toEqual([])
  await finishTables(store, ENTITIES)
  expect(await indices()).toEqual(before)
  await putOff()
  await store.close()
  store = await openShopStore(placeAt(address), clock)
  expect(await indices()).toEqual(before)
})

test('two who open a shop that is not there yet make it once', async () => {
  const place = placeAt(await newDatabase())
  const both = await Promise.all([openShopStore(place, clock), openShopStore(place, clock)])
  for (const one of both) expect(await hasAny(one.reads, 'customer')).toBe(false)
  await Promise.all(both.map(one => one.close()))
})

test('numbers that were given are not given again', async () => {
  await store.writes.run(db => insertEntities(db, customer, [person(1, {autoIncrement: 70})], new Date(0)))
  await add(store, [2])
  const {rows} = await sql<{n: number}>`select auto_increment as n from customer order by 1`.execute(
    store.reads,
  )
  expect(rows[0]?.n).toBe(70)
  expect(rows[1]?.n).toBeGreaterThan(70)
})

test('one machine seeds at a time; a claim that is not renewed ends', async () => {
  const claim = (holder: string, nowMs: number) =>
    store.writes.run(write => claimSeeding(write, holder, nowMs))
  expect(await claim('here', 1000)).toBe(true)
  expect(await claim('there', 2000)).toBe(false)
  expect(await claim('here', 30_000)).toBe(true)
  expect(await claim('there', 60_000)).toBe(false)
  expect(await claim('there', 30_000 + CLAIM_MS)).toBe(true)
  await store.writes.run(write => endSeeding(write, 'there', 75_000))
  expect(await store.writes.run(write => isSeeding(write, 75_000))).toBe(false)
})
