import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {copyRecords} from '../../../src/database/copy-records.js'
import {openRecords} from '../../../src/records/index.js'
import {RECORDS, recordsMigrations} from '../../../src/records/schema/contents.js'
import {shopMigrations} from '../../../src/shop/store/schema/initial-schema.js'
import {openDatabase} from '../../../src/storage/index.js'
import {loadSqlite} from '../../../src/storage/sqlite/connection.js'
import {begun, openMarking} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, ndjson} from '../../webhook/support.js'

const ENV = {STORECTL_URL: 'https://shop.example'}

async function homeWith(count: number) {
  const home = temporaryFolder()
  const run = (words: string[], stdin = '') => storectl(words, {home, stdin, env: ENV})
  const json = async (...words: string[]) => {
    const ended = await run([...words, '-o', 'json'])
    return {...ended, row: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  if (count > 0)
    await run(['webhook', 'import', '-'], ndjson(Array.from({length: count}, (_, at) => event(at))))
  return {home, run, json}
}

test('status makes nothing where there is nothing', async () => {
  const {home, json} = await homeWith(0)
  const {exit, row} = await json('database', 'status', '--check')
  expect(exit).toBe(0)
  expect(row).toMatchObject([
    {name: 'records', state: 'none', exists: false, sizeBytes: 0, check: null},
    {name: 'shop', state: 'none'},
  ])
  expect(existsSync(join(home, 'records.db'))).toBe(false)
})

/** A file as a program leaves it that has made these steps and no tables. */
async function fileWithSteps(home: string, steps: readonly string[]): Promise<string> {
  const file = join(home, 'records.db')
  const Sqlite = await loadSqlite()
  const database = new Sqlite(file)
  database.exec(
    'create table schema_version (version integer primary key, name text not null, breaks_older integer not null, applied_at text not null)',
  )
  for (const [at, name] of steps.entries())
    database.exec(`insert into schema_version values (${at + 1}, '${name}', 0, '2026-01-02')`)
  database.close()
  return file
}

async function tablesAndSteps(file: string): Promise<unknown[]> {
  const Sqlite = await loadSqlite()
  const database = new Sqlite(file, {readOnly: true})
  const found = [
    ...database.prepare('select name from sqlite_master').all(),
    ...database.prepare('select name from schema_version order by version').all(),
  ]
  database.close()
  return found
}

test('status says what there is, and changes nothing of an older file; migrate brings it up to date', async () => {
  const {home, json} = await homeWith(0)
  const file = await fileWithSteps(home, [])
  const bytes = () => readFileSync(file).toString('base64')
  const before = bytes()
  const names = recordsMigrations.map(({name}) => name)
  expect(names.filter(name => name.length < 5)).toEqual([])
  const [records] = (await json('database', 'status')).row
  expect(records).toMatchObject({state: 'pending', version: null, pending: names, counts: {}})
  expect((await json('database', 'migrate', '--dry-run')).row).toMatchObject([
    {name: 'records', steps: names},
    {steps: []},
  ])
  expect(bytes()).toBe(before)
  expect((await json('database', 'migrate')).row).toMatchObject([
    {name: 'records', steps: names},
    {steps: []},
  ])
  expect((await json('database', 'migrate')).row).toMatchObject([{steps: []}, {steps: []}])
  expect((await json('database', 'status')).row[0]).toMatchObject({
    ...{state: 'current', pending: [], version: recordsMigrations.at(-1)?.version},
    counts: {events: 0},
  })
})

test('status counts what the records hold', async () => {
  const {home, json} = await homeWith(3)
  const {runs, close} = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(runs, new StoppedClock(), {})
  for (const item of ['a', 'b'])
    await run.journal.write({kind: 'intent', ...{item, orderingKey: item, contentHash: 'c0ffee', attempt: 1}})
  await run.end({isComplete: true})
  await close()
  const {counts} = (await json('database', 'status')).row[0]
  expect(counts).toEqual({events: 3, runs: 1, runRecords: 2, ledger: 0})
})

test.each([
  ['runs', 'webhooks'],
  ['initial schema', 'control of runs', 'signatures'],
])(
  'a file from before the first release is refused and left alone, with what to do: %s, …',
  async (...steps) => {
    const {home, run, json} = await homeWith(0)
    const file = await fileWithSteps(home, steps)
    for (const words of [
      ['webhook', 'list'],
      ['run', 'list'],
      ['database', 'migrate'],
    ]) {
      const {exit, stderr} = await run(words)
      expect([words, exit]).toEqual([words, 2])
      expect(stderr).toContain(
        `${file} is a database from before storectl 0.1.0, and cannot be used. Nothing was read or written.`,
      )
      expect(stderr).toContain(`mv ${file} ${file}.old`)
      expect(stderr).toContain('export STORECTL_HOME=')
    }
    const {exit, row} = await json('database', 'status')
    expect([exit, row[0].state]).toEqual([1, 'unreadable'])
    expect(row[0].problem).toContain('from before storectl 0.1.0')
    expect(await tablesAndSteps(file)).toEqual(['schema_version', ...steps].map(name => ({name})))
  },
)

test.each([
  [
    recordsMigrations,
    ['initial schema of 2026-11-26', 'senders, ledger of runs, watches and incidents'],
    'e73f0a269f05ae73932068b6a1d1400ced5dcedf02a6cc1c119bf0462861ace7',
  ],
  [
    shopMigrations,
    ['initial schema of 2026-11-27'],
    '1dcb77ac7d14a7a39082c5b5a884738e4ae724a8ecd6d788d6534fa1c8a73649',
  ],
])(
  'a schema that changes before the first release gets another name: %#',
  async (migrations, names, hash) => {
    const file = join(temporaryFolder(), 'new.db')
    await (await openDatabase(file, {migrations, now: currentTime})).close()
    const Sqlite = await loadSqlite()
    const database = new Sqlite(file, {readOnly: true})
    const made = JSON.stringify(database.prepare('select name, sql from sqlite_master order by name').all())
    database.close()
    expect([migrations.map(step => step.name), createHash('sha256').update(made).digest('hex')]).toEqual([
      names,
      hash,
    ])
  },
)

test('a damaged file is told by --check, with exit 1', async () => {
  const {home, json} = await homeWith(200)
  expect((await json('database', 'status', '--check')).exit).toBe(0)
  // Into a home of its own: what a log beside it still holds would hide the damage.
  const other = temporaryFolder()
  const bytes = readFileSync(join(home, 'records.db'))
  bytes.fill(0xab, 4096 * 5, 4096 * 8)
  writeFileSync(join(other, 'records.db'), bytes)
  const words = ['database', 'status', '--check', '-o', 'json']
  const {exit, stdout} = await storectl(words, {home: other, env: ENV})
  expect(exit).toBe(1)
  expect(JSON.parse(stdout)[0].check).not.toBe('ok')
})

test('a file that is no database is told beside the other one, with exit 1', async () => {
  const {home, json} = await homeWith(0)
  writeFileSync(
    join(home, 'records.db'),
    'no database at all, but as long as its header would be '.repeat(99),
  )
  for (const words of [[], ['--check']]) {
    const {exit, row} = await json('database', 'status', ...words)
    expect([exit, row[0].state, row[1].state]).toEqual([1, 'unreadable', 'none'])
    expect(row[0].problem).toContain('not a database')
  }
  expect((await json('database', 'migrate')).exit).toBe(1)
  expect((await json('database', 'backup', join(home, 'copy.db'))).exit).toBe(1)
  expect(readdirSync(home).filter(name => name.startsWith('copy'))).toEqual([])
})

test('a backup is whole and of one moment while others write, and for the owner alone', async () => {
  const {home, json} = await homeWith(500)
  const other = await openRecords(join(home, 'records.db'), currentTime)
  const path = join(home, 'copy.db')
  let writing = true
  const marking = await openMarking(other.runs, ENV.STORECTL_URL)
  const writer = (async () => {
    for (let at = 0; writing; at++) await other.inbox.resolve(ENV.STORECTL_URL, [eventId(at % 500)], marking)
  })()
  const {exit, row} = await json('database', 'backup', path)
  writing = false
  await writer
  await other.close()
  expect(exit).toBe(0)
  expect(row).toMatchObject({file: path, counts: {events: 500}})
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(row.sizeBytes).toBe(statSync(path).size)
  expect(readdirSync(home).filter(name => name.includes('.tmp'))).toEqual([])
  const restored = temporaryFolder()
  copyFileSync(path, join(restored, 'records.db'))
  const list = await storectl(['webhook', 'list', '--all', '-o', 'id'], {home: restored, env: ENV})
  expect(list.stdout.trim().split('\n')).toHaveLength(500)
})

test('a backup replaces nothing unless told to, and never a database in use', async () => {
  const {home, run} = await homeWith(2)
  const path = join(home, 'copy.db')
  writeFileSync(path, 'mine')
  expect((await run(['database', 'backup', path])).exit).toBe(2)
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect((await run(['database', 'backup', path, '--force'])).exit).toBe(0)
  expect(readFileSync(path, 'latin1')).toContain('SQLite format 3')
  for (const own of ['records.db', 'records.db-wal']) {
    const {exit, stderr} = await run(['database', 'backup', join(home, own), '--force'])
    expect([exit, stderr.includes('in use')]).toEqual([2, true])
  }
  expect((await run(['webhook', 'list', '-o', 'id'])).stdout.trim().split('\n')).toHaveLength(2)
  expect((await run(['database', 'backup', join(home, 'no', 'folder', 'x.db')])).exit).toBe(2)
})

/** Puts a row in that its table does not allow, which a copy takes over. */
async function spoil(file: string): Promise<void> {
  const Sqlite = await loadSqlite()
  const database = new Sqlite(file)
  database.exec('create table spoilt (count integer null    ); insert into spoilt values (null)')
  database.prepare('pragma wal_checkpoint(truncate)').all()
  database.close()
  writeFileSync(file, readFileSync(file, 'latin1').replace('null    )', 'not null)'), 'latin1')
}

test('a backup that cannot be read back is told, and takes no name', async () => {
  const {home, run} = await homeWith(2)
  await spoil(join(home, 'records.db'))
  const path = join(home, 'copy.db')
  const {exit, stderr} = await run(['database', 'backup', path])
  expect([exit, stderr]).toEqual([1, expect.stringContaining('The copy could not be read back: NULL value')])
  expect(readdirSync(home).filter(name => name.startsWith('copy'))).toEqual([])
  writeFileSync(path, 'mine')
  expect((await run(['database', 'backup', path, '--force'])).exit).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

const mount = mkdtempSync(join(tmpdir(), 'storectl-tiny-'))
afterAll(() => rmdirSync(mount))
const mountTiny = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mount]).status === 0
const canMount = mountTiny()
if (canMount) spawnSync('umount', [mount])

const FULL_DISK = nameOf('a full disk leaves no half of a backup behind, and says so', !canMount && 'mount')

test.skipIf(!canMount)(FULL_DISK, async () => {
  mountTiny()
  try {
    const {run} = await homeWith(500)
    const {exit, stderr} = await run(['database', 'backup', join(mount, 'copy.db')])
    expect(exit).toBe(1)
    expect(stderr).toContain('full')
    expect(readdirSync(mount)).toEqual([])
  } finally {
    spawnSync('umount', [mount])
  }
})

test('a copy tells how many rows it has so far, of all tables', async () => {
  const {home} = await homeWith(700)
  const progress: number[] = []
  const listener = {onTableCopied: async () => {}, onProgress: (rows: number) => void progress.push(rows)}
  const locations = {sqlite: join(home, 'records.db'), postgres: join(temporaryFolder(), 'records.db')}
  const copied = await copyRecords(
    {contents: RECORDS, locations},
    {from: 'sqlite', to: 'postgres'},
    {now: currentTime, listener, copySeen: async () => {}},
  )
  expect(progress.at(-1)).toBe(copied.reduce((sum, {rows}) => sum + rows, 0))
  expect(progress.at(-1)).toBeGreaterThanOrEqual(1400)
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
})
