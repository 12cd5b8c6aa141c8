import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {recordsMigrations} from '../../../src/records/schema/contents.js'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {ask, newDatabase} from '../../support/postgres/database.js'
import {type TestShop, testShop} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, ndjson} from '../../webhook/support.js'

const SHOP = {STORECTL_URL: 'https://shop.example'}

/** A home, and a PostgreSQL database that commands use when they are told to share. */
async function shared(count = 0) {
  const home = temporaryFolder()
  const url = await newDatabase()
  const runWith =
    (env: Record<string, string>) =>
    async (words: string[], stdin = '') => {
      const ended = await storectl([...words, '-o', 'json'], {home, stdin, env: {...SHOP, ...env}})
      return {...ended, rows: ended.stdout === '' ? [] : JSON.parse(ended.stdout)}
    }
  const alone = runWith({})
  if (count > 0) {
    await alone(['webhook', 'import', '-'], ndjson(Array.from({length: count}, (_, at) => event(at))))
  }
  return {home, url, alone, together: runWith({STORECTL_DATABASE_URL: url})}
}

const COPY = ['database', 'copy', '--from', 'sqlite', '--to', 'postgres']

test('an empty database is shown as it is, and nothing is made in it', async () => {
  const {url, together} = await shared()
  const {exit, rows} = await together(['database', 'status', '--check'])
  expect(exit).toBe(0)
  expect(rows).toMatchObject([
    {name: 'records', state: 'none', exists: false, file: null, engine: null},
    {name: 'shop', state: 'none'},
  ])
  const {rows: tables} = await ask(url, 'select 1 from pg_tables where schemaname = current_schema()')
  expect(tables).toHaveLength(0)
})

test('migrate makes every step once, also where two do so at the same time, and says how long it took', async () => {
  const {home, together} = await shared()
  const [one, other] = await Promise.all([
    together(['database', 'migrate']),
    together(['database', 'migrate']),
  ])
  for (const {exit} of [one, other]) expect(exit).toBe(0)
  const names = recordsMigrations.map(({name}) => name)
  expect(one.rows[0]).toMatchObject({name: 'records', steps: names, tookMs: expect.any(Number)})
  const {rows} = await together(['database', 'status', '--check'])
  expect(rows[0]).toMatchObject({
    ...{state: 'current', pending: [], check: 'ok', brokenIndices: [], logBytes: 0, mode: null},
    ...{version: recordsMigrations.at(-1)?.version, engine: expect.stringMatching(/^PostgreSQL 1\d\./)},
    location: expect.stringMatching(/^postgres:\/\/127\.0\.0\.1:\d+\/test_\w+$/),
  })
  expect(existsSync(join(home, 'records.db'))).toBe(false)
})

test('a database without a free connection is said to be full, and nothing is made in it', async () => {
  const {url, home} = await shared()
  const crowded = new URL(url)
  crowded.username = `crowded_${crowded.pathname.slice(6, 20)}`
  await ask(url, `create role ${crowded.username} login password 'x' connection limit 0`)
  crowded.password = 'x'
  const env = {...SHOP, STORECTL_DATABASE_URL: crowded.href}
  const {exit, stderr} = await storectl(['run', 'list', '-o', 'json'], {home, env})
  expect(exit).toBe(6)
  const {error} = JSON.parse(stderr)
  expect(error).toMatchObject({
    code: 'unavailable.database_full',
    message: expect.stringContaining('has no free connections.'),
  })
  expect(stderr).not.toContain('too many connections')
})

test('a database from before the first release is refused, with what to do', async () => {
  const {url, home} = await shared()
  await ask(
    url,
    `create table records_schema_version (version bigint primary key, name text, breaks_older bigint, applied_at text);
     insert into records_schema_version values (1, 'runs', 0, '2026-01-02')`,
  )
  const env = {...SHOP, STORECTL_DATABASE_URL: url}
  const {exit, stderr} = await storectl(['run', 'list'], {home, env})
  expect(exit).toBe(2)
  expect(stderr).toMatch(/postgres:\/\/127\.0\.0\.1:\d+\/test_\w+ is a database from before storectl 0\.1\.0/)
  expect(stderr).toContain('export STORECTL_DATABASE_URL=')
})

test('a copy has every row and says so by count and hash; it goes back the same way', async () => {
  const {alone, together, url} = await shared(700)
  const {exit, rows} = await together(COPY)
  expect(exit).toBe(0)
  const events = rows.find(({table}: {table: string}) => table === 'webhook_event')
  expect(events).toMatchObject({
    database: 'records',
    rows: 700,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const list = ['webhook', 'list', '--limit', '1000']
  expect((await together(list)).rows).toEqual((await alone(list)).rows)
  const other = temporaryFolder()
  const back = await storectl(['database', 'copy', '--from', 'postgres', '--to', 'sqlite', '-o', 'json'], {
    home: other,
    env: {...SHOP, STORECTL_DATABASE_URL: url},
  })
  const sums = (copied: {table: string; sha256: string; rows: number}[]) =>
    new Map(copied.map(({table, sha256, rows: count}) => [table, [count, sha256]]))
  expect(sums(JSON.parse(back.stdout)).get('webhook_event')).toEqual(sums(rows).get('webhook_event'))
  expect(sums(JSON.parse(back.stdout)).get('webhook_body')).toEqual(sums(rows).get('webhook_body'))
  const listed = await storectl([...list, '-o', 'json'], {home: other, env: SHOP})
  expect(JSON.parse(listed.stdout)).toHaveLength(700)
})

test('the ledger of runs goes with a copy, and continues there', async () => {
  const {alone, together} = await shared(2)
  const resolve = (index: number) => ['webhook', 'resolve', eventId(index), '--reason', 'ticket', '--yes']
  const verify = ['run', 'verify', '--all']
  expect((await alone(resolve(0))).exit).toBe(0)
  await together(COPY)
  expect(await together(verify)).toMatchObject({
    exit: 0,
    rows: [{kind: 'resolve'}, {kind: 'ledger', records: 2}],
  })
  await together(resolve(1))
  const both = [{kind: 'resolve'}, {kind: 'resolve'}, {kind: 'ledger', records: 4}]
  expect(await together(verify)).toMatchObject({exit: 0, rows: both})
})

test('bundled shops of two machines each bring what they received into records that they share', async () => {
  const {url, together, home} = await shared()
  const ofMachine = async (folder: string) => {
    await storectl(['server', 'seed', '--customers', '1', '--orders', '0'], {home: folder})
    return testShop({dataFolder: join(folder, 'shop')})
  }
  const other = temporaryFolder()
  const [one, two] = [await ofMachine(home), await ofMachine(other)]
  const told = async (shop: TestShop, seed: number) => (await shop.deliver(captureCompleted({seed}))).status
  expect([await told(two, 1), await told(one, 2)]).toEqual([400, 400])
  const list = ['webhook', 'list', '--profile', 'local']
  expect((await together(list)).rows).toHaveLength(1)
  const env = {STORECTL_DATABASE_URL: url}
  for (const _ of [1, 2]) {
    const {stdout} = await storectl([...list, '-o', 'json'], {home: other, env})
    expect(JSON.parse(stdout).map(({attempts}: {attempts: number}) => attempts)).toEqual([1, 1])
  }
})

test('a copy goes into an empty database or nowhere', async () => {
  const {together} = await shared(3)
  await together(['webhook', 'import', '-'], ndjson([event(9)]))
  const {exit, stderr} = await together(COPY)
  expect(exit).toBe(2)
  expect(stderr).toContain('has rows in webhook_')
  expect((await together(['webhook', 'list'])).rows).toHaveLength(1)
})

test.each([
  ['another value', "new.type := 'changed'; return new;"],
  ['fewer rows', "if new.id like '%1' then return null; end if; return new;"],
])('a copy that reads back with %s is given up, and nothing of it is kept', async (_, body) => {
  const {url, together} = await shared(3)
  await together(['database', 'migrate'])
  await ask(url, `create function spoil() returns trigger language plpgsql as $$ begin ${body} end $$`)
  await ask(url, 'create trigger spoil before insert on webhook_event for each row execute function spoil()')
  const {exit, stderr} = await together(COPY)
  expect(exit).toBe(1)
  expect(stderr).toContain('internal.copy_differs')
  expect((await together(['webhook', 'list'])).rows).toEqual([])
})

test.each([
  ['without a PostgreSQL', COPY, {}, 'Missing PostgreSQL address'],
  ['onto itself', ['database', 'copy', '--from', 'sqlite', '--to', 'sqlite'], {}, 'are both sqlite'],
])('a copy %s is refused', async (_, words, env, said) => {
  const {home} = await shared(1)
  const {exit, stderr} = await storectl(words, {home, env: {...SHOP, ...env}})
  expect(exit).toBe(2)
  expect(stderr).toContain(said)
})

test('a backup of what lies in PostgreSQL is left to its own programs, which are named', async () => {
  const {home, together} = await shared()
  const {exit, stderr} = await together(['database', 'backup', join(home, 'copy.db')])
  expect(exit).toBe(2)
  expect(stderr).toContain('pg_dump')
})

test('an index that cannot be used is told by status and doctor, with what fixes it', async () => {
  const {url, together} = await shared()
  await together(['database', 'migrate'])
  await ask(
    url,
    `update pg_index set indisvalid = false where indexrelid = 'webhook_event_revision'::regclass`,
  )
  const {exit, rows} = await together(['database', 'status'])
  expect(exit).toBe(1)
  expect(rows[0].brokenIndices).toEqual(['webhook_event_revision'])
  const doctor = await together(['doctor'])
  const finding = doctor.rows.find(({check}: {check: string}) => check === 'records')
  expect(finding).toMatchObject({state: 'failed', fix: [expect.stringContaining('reindex index')]})
})
