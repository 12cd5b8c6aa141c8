import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {sql} from 'kysely'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {
  createEntityTables,
  dropIndices,
  finishTables,
} from '../../../../src/shop/store/entities/entity-tables.js'
import {insertEntities} from '../../../../src/shop/store/entities/insert-entities.js'
import type {ShopDatabase} from '../../../../src/shop/store/schema/schema.js'
import {openShopStore} from '../../../../src/shop/store/store.js'
import {entity, text} from '../../../../src/shopware/describe.js'
import {ENTITIES} from '../../../../src/shopware/entities/entities.js'
import {EntityModel} from '../../../../src/shopware/entity.js'

let folder: string
let store: ShopDatabase
const open = () => openShopStore(join(folder, 'shop.db'), () => new Date(0))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'schema-'))
  store = await open()
})
afterEach(async () => {
  await store.close()
  await rm(folder, {recursive: true, force: true})
})

const columns = async (table: string) =>
  (await store.reads.introspection.getTables()).find(one => one.name === table)?.columns.map(one => one.name)

test('an entity that is described anew gains its columns and keeps its rows', async () => {
  const first = entity('tag', {fields: [text('name'), text('colour', {indexed: true})]})
  await store.writes.run(transaction =>
    sql`insert into tag (id, name) values ('1', 'VIP')`.execute(transaction),
  )
  await store.writes.run(transaction => createEntityTables(transaction, [first]))
  expect(await columns('tag')).toEqual(expect.arrayContaining(['name', 'colour', 'colour_folded']))
  const {rows} = await sql`select name, colour from tag`.execute(store.reads)
  expect(rows).toEqual([{name: 'VIP', colour: null}])
})

test('an older program’s descriptions take nothing away', async () => {
  const before = await columns('customer')
  await store.writes.run(transaction => createEntityTables(transaction, [entity('customer', {fields: []})]))
  expect(await columns('customer')).toEqual(before)
  await store.close()
  store = await open()
  expect(await columns('customer')).toEqual(before)
})

test('every entity has its table, and what is looked up by number, e-mail or provider’s id has an index', async () => {
  for (const {name} of ENTITIES) expect([name, (await columns(name)) !== undefined]).toEqual([name, true])
  const plan = async (query: string) => {
    const {rows} = await sql<{detail: string}>`explain query plan ${sql.raw(query)}`.execute(store.reads)
    return rows.map(row => row.detail).join()
  }
  for (const query of [
    "select 1 from customer where email_folded = 'x'",
    "select 1 from customer where customer_number_folded = 'x'",
    "select 1 from customer where last_name_folded >= 'a' and last_name_folded < 'b'",
    'select 1 from customer where auto_increment > 5',
    "select 1 from customer_address where customer_id = 'x'",
    "select 1 from order_transaction where order_id = 'x'",
    `select 1 from order_transaction where custom_fields_folded ->> '$."swag_paypal_order_id"' = 'x'`,
    `select 1 from order_transaction where custom_fields_folded ->> '$."swag_paypal_transaction_id"' = 'x'`,
    "select 1 from fulfillment_order where reference = 'x'",
  ]) {
    expect([query, await plan(query)]).toEqual([query, expect.stringMatching(/^SEARCH/)])
  }
})

test('a shop from before the index of parts gains it, with the customers that it has', async () => {
  const customer = new EntityModel(ENTITIES).get('customer')
  await store.writes.run(async db => {
    for (const kind of ['inserted', 'deleted', 'updated'])
      await sql.raw(`drop trigger customer_trigram_${kind}`).execute(db)
    await sql`drop table customer_trigram`.execute(db)
    await sql`drop table customer_trigram_until`.execute(db)
    await sql`delete from system_config where configuration_key = 'storectl.entities'`.execute(db)
    await insertEntities(db, customer, [{id: '1', lastName: 'Müller'}], new Date(0))
  })
  await store.close()
  store = await open()
  const {rows} = await sql`select rowid from customer_trigram where customer_trigram match '"ull"'`.execute(
    store.reads,
  )
  expect(rows).toHaveLength(1)
})

const indices = async () => {
  const {rows} = await sql<{
    name: string
  }>`select name from sqlite_master where type = 'index' order by name`.execute(store.reads)
  return rows.map(({name}) => name)
}

test('indices that were put off are made when the work is done, one a commit', async () => {
  const before = await indices()
  await store.writes.run(transaction => dropIndices(transaction, ENTITIES))
  expect(before.filter(name => name.startsWith('customer_email'))).toHaveLength(1)
  expect((await indices()).filter(name => name.startsWith('customer_email'))).toHaveLength(0)
  expect(await indices()).toContain('fulfillment_order_reference_unique')
  await finishTables(store, ENTITIES)
  expect(await indices()).toEqual(before)
})

test('indices that were put off by somebody who is gone are made by the next who opens the shop', async () => {
  const before = await indices()
  await store.writes.run(transaction => dropIndices(transaction, ENTITIES))
  await store.close()
  store = await open()
  expect(await indices()).toEqual(before)
})
