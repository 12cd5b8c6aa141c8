import {copyFileSync, cpSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {homeOn, restoreFile} from '../../app/seen/support.js'
import {signedInTo} from '../../support/customer-pages.js'
import {ENGINES, type Engine} from '../../support/engines.js'
import {temporaryFolder} from '../../support/home.js'
import {orderShop, ordersOf} from '../../support/order-shop.js'
import {newDatabase} from '../../support/postgres/database.js'
import {storectl} from '../../support/storectl.js'
import {ndjson, openPayments, testShop} from '../../webhook/support.js'

const [SQLITE, POSTGRES] = ENGINES as [Engine, Engine]
const CHECKED = ['database', 'restored', '--checked', '--reason', 'compared, ticket 1']

/** A home whose inbox has events of three open payments, one of them sent. */
async function homeWithRun(engine: Engine = SQLITE) {
  const {states, events} = openPayments(3)
  const shop = await testShop(states)
  const home = await homeOn(engine)
  await home.run(['webhook', 'import', '-'], shop.env, ndjson(events))
  const restore = await home.backUp()
  const replay = (id: string) =>
    home.run(['webhook', 'replay', id, '--yes', '--rate', '0', '-o', 'ndjson'], shop.env)
  await replay(events[0]?.id ?? '')
  const look = async (env: Record<string, string> = home.env, folder = home.home) => {
    const {stdout, stderr} = await storectl(['database', 'restored', '-o', 'json'], {home: folder, env})
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  return {...home, shop, events, restore, replay, look}
}

test('restored records count as such until they were checked', async () => {
  const {run, restore, look, home, replay, events} = await homeWithRun()
  expect(await look()).toEqual({restored: false, why: null, row: 2, seen: 2})
  expect(statSync(join(home, 'seen-records.json')).mode & 0o777).toBe(0o600)
  await restore()
  const why = 'this home has seen row 2 of the ledger of runs, and the records end at row 0'
  expect(await look()).toEqual({restored: true, why, row: 0, seen: 2})
  await replay(events[1]?.id ?? '')
  await replay(events[2]?.id ?? '')
  // More rows than were lost do not hide it.
  expect(await look()).toEqual({restored: true, why, row: 4, seen: 2})
  expect((await run([...CHECKED.slice(0, 4), ' '])).stderr).toContain('Missing --reason')
  const shown = await run(['database', 'restored'])
  expect(shown.stderr).toContain('storectl database restored --checked --reason TEXT')
  expect((await run(CHECKED)).exit).toBe(0)
  expect(await look()).toEqual({restored: false, why: null, row: 5, seen: 5})
  expect((await run(['run', 'verify', '--all'])).exit).toBe(0)
  const again = await run(CHECKED)
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('Nothing was changed')])
})

test('a backup by storectl is known to be older, whatever came after it', async () => {
  const {home, run, look} = await homeWithRun()
  const copy = join(home, 'copy.db')
  await run(['database', 'backup', copy])
  expect(await look()).toMatchObject({restored: false, row: 3, seen: 3})
  restoreFile(join(home, 'records.db'), copy)
  expect(await look()).toMatchObject({restored: true, row: 2, seen: 3})
})

test('a file that was deleted and begun anew counts as restored', async () => {
  const {home, run, look} = await homeWithRun()
  for (const end of ['', '-wal', '-shm']) rmSync(join(home, `records.db${end}`), {force: true})
  expect(await look()).toMatchObject({restored: true, row: 0, seen: 2})
  await run(CHECKED)
  expect(await look()).toMatchObject({restored: false, row: 1, seen: 1})
})

test('other records with as many rows are others', async () => {
  const one = await homeWithRun()
  const other = await homeWithRun()
  const file = join(one.home, 'records.db')
  restoreFile(file, join(other.home, 'records.db'))
  expect((await one.look()).why).toContain('the records have another one')
})

test('a home that was copied knows what it knew', async () => {
  const {home, look} = await homeWithRun()
  const copy = temporaryFolder()
  cpSync(home, copy, {recursive: true})
  expect(await look({}, copy)).toMatchObject({restored: false, row: 2, seen: 2})
  restoreFile(join(copy, 'records.db'), join(home, 'records.db.backup'))
  expect(await look({}, copy)).toMatchObject({restored: true})
})

test('homes that share a PostgreSQL: each knows what it has seen, and one check is for all', async () => {
  const {run, env, restore, look, events, replay} = await homeWithRun(POSTGRES)
  const [second, late] = [temporaryFolder(), temporaryFolder()]
  expect(await look(env, second)).toMatchObject({restored: false, row: 2, seen: 2})
  await replay(events[1]?.id ?? '')
  await restore()
  expect(await look()).toMatchObject({restored: true, row: 0, seen: 4})
  expect(await look(env, second)).toMatchObject({restored: true, row: 0, seen: 2})
  expect(await look(env, late)).toMatchObject({restored: false, row: 0, seen: 0})
  await run(CHECKED)
  expect(await look(env, second)).toEqual({restored: false, why: null, row: 1, seen: 1})
})

test('what a home knows goes with its records to another engine', async () => {
  const {home, run, look, restore} = await homeWithRun()
  const env = {STORECTL_DATABASE_URL: await newDatabase()}
  await restore()
  expect((await run(['database', 'copy', '--from', 'sqlite', '--to', 'postgres'], env)).exit).toBe(0)
  expect(await look(env)).toMatchObject({restored: true, row: 0, seen: 2})
  await storectl(CHECKED, {home, env})
  for (const end of ['', '-wal', '-shm']) rmSync(join(home, `records.db${end}`), {force: true})
  expect((await run(['database', 'copy', '--from', 'postgres', '--to', 'sqlite'], env)).exit).toBe(0)
  expect(await look()).toMatchObject({restored: false, row: 1, seen: 1})
})

test('doctor names restored records, says once that a home is new, and that one cannot note anything', async () => {
  const {home, run, env, restore} = await homeWithRun(POSTGRES)
  const examine = async (folder = home) => {
    const {stdout} = await storectl(['doctor', '-o', 'json'], {home: folder, env})
    return (JSON.parse(stdout) as {check: string}[]).find(({check}) => check === 'restored records')
  }
  expect(await examine()).toMatchObject({state: 'ok', found: expect.stringContaining('up to row 2')})
  const late = temporaryFolder()
  expect(await examine(late)).toMatchObject({state: 'warning', found: expect.stringContaining('from row 2')})
  expect(await examine(late)).toMatchObject({state: 'ok'})
  const fixed = temporaryFolder()
  writeFileSync(join(fixed, 'locks'), '')
  expect(await examine(fixed)).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('cannot be written'),
  })
  await restore()
  expect(await examine()).toMatchObject({
    state: 'failed',
    fix: expect.arrayContaining([expect.stringContaining('--checked')]),
  })
  await run(CHECKED)
  expect(await examine()).toMatchObject({state: 'ok'})
})

test.each([
  ['looked up first, and sent where the shop has none', {}, [], ['exists', 'exists', 'created']],
  ['held by a shop without an order search', {hasSearch: false}, [], ['unknown', 'unknown', 'unknown']],
  [
    ...(['sent again to a shop whose key is trusted', {hasSearch: false, knowsReferences: true}] as const),
    ...([['--trust-key'], ['exists', 'exists', 'created']] as const),
  ],
])('orders of restored records are %s', async (_, options, flags, statuses) => {
  const shop = await orderShop(options)
  const home = await homeOn(SQLITE)
  const submit = async (count: number) => {
    const words = ['order', 'submit', '-', '--yes', '-o', 'ndjson', ...flags]
    const {stdout, stderr} = await home.run(words, signedInTo(shop.url), JSON.stringify(ordersOf(count)))
    const rows = stdout.split('\n').filter(Boolean)
    return {stderr, statuses: rows.map(line => JSON.parse(line).status)}
  }
  await home.run(['run', 'list'])
  const restore = await home.backUp()
  await submit(2)
  await restore()
  const again = await submit(3)
  expect(again.stderr).toContain('restored from a backup')
  expect(again.statuses).toEqual(statuses)
})

test('a file that cannot be understood holds nothing', async () => {
  const {home, look} = await homeWithRun()
  copyFileSync(join(home, 'records.db'), join(home, 'seen-records.json'))
  expect(await look()).toMatchObject({restored: false, seen: 2})
  expect(JSON.parse(readFileSync(join(home, 'seen-records.json'), 'utf8'))).toHaveProperty(['records.db'])
})
