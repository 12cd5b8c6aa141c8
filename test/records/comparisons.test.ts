import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sql} from 'kysely'
import {expect, test} from 'vitest'
import type {ProviderMovement} from '../../src/payment/drift/payment-facts.js'
import type {StoredComparison} from '../../src/payment/reconcile/comparison.js'
import {openComparisonFiles} from '../../src/records/comparisons/comparison-files.js'
import {openDatabase} from '../../src/storage/index.js'
import {temporaryFolder} from '../support/home.js'

const AT = new Date('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000

/** A comparison that began so many days ago. */
function comparison(id: string, days: number, target = 'shop'): StoredComparison {
  const startedAt = new Date(AT.getTime() - days * DAY_MS).toISOString()
  return {
    ...{id, target, startedAt, completedAt: null, since: startedAt, until: AT.toISOString()},
    ...{salesChannel: null, where: null, pendingAfterMs: 0, minAgeMs: 0},
  }
}

const MOVEMENT: ProviderMovement = {
  ...{id: 'c1', kind: 'capture', status: 'done', units: 1050, currency: 'EUR', at: AT},
  ...{orderId: 'o1', transactionId: null, invoiceId: null, captureId: null},
}

function open() {
  const folder = join(temporaryFolder(), 'comparisons')
  return {folder, files: openComparisonFiles(folder, () => AT)}
}

test('comparisons of a shop are listed newest first, and other files are ignored', async () => {
  const {folder, files} = open()
  for (const each of [
    comparison('b', 2),
    comparison('a', 3),
    comparison('c', 1),
    comparison('d', 1, 'other'),
  ])
    await (await files.hold(each)).close()
  writeFileSync(join(folder, 'cut.json'), '{"id":"x","target":"shop",')
  writeFileSync(join(folder, 'half.json'), '{"id":"y","startedAt":"2026-11-21T12:00:00.000Z"}')
  expect(files.list('shop').map(({id}) => id)).toEqual(['c', 'b', 'a'])
})

test('a complete comparison keeps what was found alone, and earlier complete ones of its shop go whole', async () => {
  const {folder, files} = open()
  const complete = async (each: StoredComparison) => {
    const held = await files.hold(each)
    await held.complete(AT)
    await held.close()
  }
  await (await files.hold(comparison('open', 2))).close()
  await complete(comparison('elsewhere', 2, 'other'))
  await complete(comparison('early', 2))
  // A killed process leaves these.
  for (const ending of ['db-wal', 'db-shm']) writeFileSync(join(folder, `early.${ending}`), '')
  await complete(comparison('late', 1))
  const left = new Set(readdirSync(folder).map(name => name.split('.')[0]))
  expect([...left].sort()).toEqual(['elsewhere', 'late', 'open'])
  expect(files.list('shop').map(({id, completedAt}) => [id, completedAt])).toEqual([
    ['late', AT.toISOString()],
    ['open', null],
  ])
})

test('the rest is listed payment by payment, whatever names the payment', async () => {
  const {files} = open()
  const held = await files.hold(comparison('a', 1))
  const movement = (id: string, names: Partial<ProviderMovement>): ProviderMovement => ({
    ...{...MOVEMENT, id, orderId: null},
    ...names,
  })
  await held.store.add([
    movement('by-transaction-1', {transactionId: 'a', orderId: 'z1'}),
    movement('by-transaction-2', {transactionId: 'a', orderId: 'z2'}),
    movement('by-order-1', {orderId: 'b'}),
    movement('by-order-2', {orderId: 'b', captureId: 'z'}),
    movement('c', {}),
    movement('by-capture', {kind: 'refund', captureId: 'c'}),
    movement('d', {}),
  ])
  const pages: string[][] = []
  for (let after = ''; ; ) {
    const page = await held.store.listRest({since: new Date(0), until: AT, after, size: 1})
    if (page.movements.length === 0) break
    pages.push(page.movements.map(({id}) => id).sort())
    after = page.last
  }
  await held.close()
  expect(pages).toEqual([
    ['by-transaction-1', 'by-transaction-2'],
    ['by-order-1', 'by-order-2'],
    ['by-capture', 'c'],
    ['d'],
  ])
})

test('what was found reads back with its times', async () => {
  const held = await open().files.hold(comparison('a', 0))
  const authorization = {...MOVEMENT, kind: 'authorization' as const, expiresAt: AT}
  const provider = {movements: [authorization], voidedOrderIds: []}
  const found = {drift: {kind: 'pending', detail: ''}, facts: {provider}} as never
  const progress = {payments: 1, movements: 1, asked: 1, found: 1}
  const step = {position: {phase: 'done'}, progress, taken: [], isLookedUp: true, candidates: []} as const
  await held.store.save({...step, found: [found]})
  for await (const read of held.store.readFound()) expect(read).toEqual([found])
  await held.close()
  expect.assertions(1)
})

test('what only an unfinished comparison needs leaves its database when it is complete', async () => {
  const {folder, files} = open()
  const held = await files.hold(comparison('a', 0))
  await held.store.add([MOVEMENT])
  expect(await held.store.countMovements()).toBe(1)
  await held.complete(AT)
  await held.close()
  const {default: sqlite} = await import('@photostructure/sqlite')
  const database = new sqlite.DatabaseSync(join(folder, 'a.db'))
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
  database.close()
  const names = tables.map(row => (row as {name: string}).name)
  expect(names).toContain('found')
  expect(names).not.toContain('movement')
})

test('an unfinished comparison is kept a week, or as long as somebody is at it', async () => {
  const {files} = open()
  for (const [id, days] of [
    ['week', 7.1],
    ['days', 6.9],
  ] as const)
    await (await files.hold(comparison(id, days))).close()
  const done = await files.hold(comparison('done', 30))
  await done.complete(AT)
  await done.close()
  const held = await files.hold(comparison('held', 31))
  await files.removeOld(AT)
  expect(files.list('shop').map(({id}) => id)).toEqual(['days', 'done', 'held'])
  await held.close()
  await files.removeOld(AT)
  expect(files.list('shop').map(({id}) => id)).toEqual(['days', 'done'])
})

test('several rows of one movement are stored side by side, and the same row once', async () => {
  const {files} = open()
  const {store, close} = await files.hold(comparison('a', 1))
  const rows = [MOVEMENT, {...MOVEMENT, status: 'pending'}, {...MOVEMENT, reversed: 'all'}] as const
  await store.add(rows)
  await store.add(rows)
  const found = await store.find({transactionIds: [], orderIds: ['o1']})
  expect(found).toEqual(
    expect.arrayContaining([
      {...MOVEMENT, reversed: 'all'},
      {...MOVEMENT, status: 'pending'},
    ]),
  )
  expect(found.length).toBe(2)
  await close()
})

test('an unfinished comparison of an earlier version starts again, and a complete one keeps its findings', async () => {
  const {folder, files} = open()
  for (const [id, phase] of [
    ['open', 'shop'],
    ['whole', 'done'],
  ] as const) {
    await (await files.hold(comparison(id, 1))).close()
    const db = await openDatabase<{step: object; found: object; schema_version: object}>(
      join(folder, `${id}.db`),
      {migrations: [], now: () => AT},
    )
    await db.writes.run(async writes => {
      await sql`delete from schema_version where version = 2`.execute(writes)
      await sql`drop table movement`.execute(writes)
      await sql`create table movement (id text primary key)`.execute(writes)
      await sql`insert into step values (1, ${JSON.stringify({phase})}, '{}')`.execute(writes)
      const found = {drift: {kind: 'pending'}, facts: {provider: {movements: []}}}
      await sql`insert into found values (1, 'pending', ${JSON.stringify(found)})`.execute(writes)
    })
    await db.close()
  }
  const read = async (id: string) => {
    const store = await files.openFound(comparison(id, 1))
    const found = []
    for await (const some of store.readFound()) found.push(...some)
    await store.add([MOVEMENT])
    const step = await store.readStep()
    await store.close()
    return [step?.position.phase, found.length]
  }
  expect([await read('open'), await read('whole')]).toEqual([
    [undefined, 0],
    ['done', 1],
  ])
})
