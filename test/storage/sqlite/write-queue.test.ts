import {copyFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {sql} from 'kysely'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {Database} from '../../../src/storage/engine/database.js'
import {openDatabase} from '../../../src/storage/index.js'
import {loadSqlite, SqliteConnection} from '../../../src/storage/sqlite/connection.js'
import {foldLog} from '../../../src/storage/sqlite/sqlite.js'
import {createSqliteWriteQueue} from '../../../src/storage/sqlite/write-queue.js'
import {until} from '../../support/until.js'

interface Tables {
  note: {id: number; text: string}
}

const migrations = [
  {
    version: 1,
    name: 'notes',
    up: async (db: Database<Tables>['reads']) => {
      await sql`create table note (id integer primary key, text text not null)`.execute(db)
    },
  },
]

let folder: string
let db: Database<Tables>
const opening = {migrations, now: () => new Date(0), lockTimeoutMs: 200}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'writes-'))
  db = await openDatabase<Tables>(join(folder, 'notes.db'), opening)
})
afterEach(async () => {
  await db.close()
  await rm(folder, {recursive: true, force: true})
})

const insert = (id: number) =>
  db.writes.run(transaction =>
    transaction
      .insertInto('note')
      .values({id, text: `note ${id}`})
      .execute(),
  )
const ids = async () =>
  (await db.reads.selectFrom('note').select('id').orderBy('id').execute()).map(row => row.id)

describe('writes.run', () => {
  test('has committed when it resolves', async () => {
    await insert(1)
    expect(await ids()).toEqual([1])
  })

  test('undoes only the write that throws, though it shares its commit', async () => {
    const failing = db.writes.run(async transaction => {
      await transaction.insertInto('note').values({id: 2, text: 'gone'}).execute()
      throw new Error('changed my mind')
    })
    const outcomes = await Promise.allSettled([insert(1), failing, insert(3)])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await ids()).toEqual([1, 3])
  })

  test('runs the others no second time when one throws before it changed anything', async () => {
    let runs = 0
    const counted = db.writes.run(async transaction => {
      runs += 1
      await transaction.insertInto('note').values({id: 1, text: 'kept'}).execute()
    })
    const refused = db.writes.run(async transaction => {
      await transaction.selectFrom('note').selectAll().execute()
      throw new Error('not this one')
    })
    await expect(refused).rejects.toThrow('not this one')
    await counted
    expect([runs, await ids()]).toEqual([1, [1]])
  })

  test('undoes what was neither inserted nor changed, but made', async () => {
    const failing = db.writes.run(async transaction => {
      await sql`create table other (id integer)`.execute(transaction)
      throw new Error('changed my mind')
    })
    await Promise.allSettled([insert(1), failing])
    const tables = await db.reads.introspection.getTables()
    expect(tables.map(({name}) => name)).not.toContain('other')
    expect(await ids()).toEqual([1])
  })

  test('goes on after a write that broke a constraint', async () => {
    await insert(1)
    await expect(insert(1)).rejects.toThrow(/UNIQUE/)
    await insert(2)
    expect(await ids()).toEqual([1, 2])
  })

  test('shares one commit among all that wait', async () => {
    const statements: string[] = []
    const queue = createSqliteWriteQueue<Tables>({
      connection: {execute: text => statements.push(text), changes: 0},
      db: db.reads,
      isLockedByOther: () => false,
      explain: error => error,
      sync: async () => {},
      foldLog: () => {},
      lockTimeoutMs: 100,
    })
    await Promise.all(Array.from({length: 40}, () => queue.run(async () => {})))
    expect(statements.filter(text => text === 'commit')).toHaveLength(1)
    expect(statements).toEqual(['begin immediate', 'commit'])
  })

  test('fails every write of a group whose commit fails', async () => {
    const queue = createSqliteWriteQueue<Tables>({
      connection: {
        execute: text => {
          if (text === 'commit') throw new Error('no space left')
        },
        changes: 0,
      },
      db: db.reads,
      isLockedByOther: () => false,
      explain: error => error,
      sync: async () => {},
      foldLog: () => {},
      lockTimeoutMs: 100,
    })
    const outcomes = await Promise.allSettled([queue.run(async () => 1), queue.run(async () => 2)])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected'])
  })

  test('resolves no sooner than its commit is on disk, and gathers what comes meanwhile for the next', async () => {
    const statements: string[] = []
    const synced: (() => void)[] = []
    const queue = createSqliteWriteQueue<Tables>({
      connection: {execute: text => statements.push(text), changes: 0},
      db: db.reads,
      isLockedByOther: () => false,
      explain: error => error,
      sync: () => new Promise(resolve => synced.push(resolve)),
      foldLog: () => {},
      lockTimeoutMs: 100,
    })
    const settled: number[] = []
    const write = (id: number) => queue.run(async () => id).then(one => settled.push(one))
    const first = write(1)
    await until('the log is synced once', () => synced.length === 1)
    const others = [write(2), write(3)]
    await new Promise(resolve => setImmediate(resolve))
    expect(statements.filter(text => text === 'commit')).toHaveLength(1)
    expect(settled).toEqual([])
    synced[0]?.()
    await first
    await until('the log is synced twice', () => synced.length === 2)
    expect(settled).toEqual([1])
    synced[1]?.()
    await Promise.all(others)
    expect(statements.filter(text => text === 'commit')).toHaveLength(2)
  })

  test('fails every write of a group that does not reach the disk', async () => {
    const queue = createSqliteWriteQueue<Tables>({
      connection: {execute: () => {}, changes: 0},
      db: db.reads,
      isLockedByOther: () => false,
      explain: error => error,
      sync: () => Promise.reject(new Error('the disk failed')),
      foldLog: () => {},
      lockTimeoutMs: 100,
    })
    const outcomes = await Promise.allSettled([queue.run(async () => 1), queue.run(async () => 2)])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected'])
  })

  test('acknowledges nothing after a failed sync until the log is in the file', async () => {
    const file = join(folder, 'gap.db')
    const Sqlite = await loadSqlite()
    const connection = new SqliteConnection(Sqlite, file, {readOnly: false, busyTimeoutMs: 10})
    connection.execute('create table note (id integer primary key, text text not null)')
    const reader = new SqliteConnection(Sqlite, file, {readOnly: true, busyTimeoutMs: 10})
    let syncs = 0
    const queue = createSqliteWriteQueue<Tables>({
      ...{
        connection,
        db: db.reads,
        isLockedByOther: () => false,
        explain: error => error,
        lockTimeoutMs: 100,
      },
      sync: async () => {
        if (++syncs === 1) throw new Error('EIO')
      },
      foldLog: () => foldLog(connection),
    })
    const write = (id: number) =>
      queue.run(async () => connection.execute(`insert into note values (${id}, 'text')`))
    /** What a power cut leaves that takes all of the log. */
    const surviving = () => {
      copyFileSync(file, join(folder, 'left.db'))
      const left = new SqliteConnection(Sqlite, join(folder, 'left.db'), {readOnly: true, busyTimeoutMs: 10})
      const rows = left.readObjects('select id from note order by id', []) as {id: number}[]
      left.close()
      return rows.map(({id}) => id)
    }
    await expect(write(1)).rejects.toThrow('EIO')
    reader.execute('begin')
    reader.readObjects('select id from note', [])
    await expect(write(2)).rejects.toThrow('the log is being read')
    reader.execute('commit')
    await write(3)
    expect(surviving()).toEqual([1])
    await write(4)
    expect(surviving()).toEqual([1])
    reader.close()
    connection.close()
  })

  test('waits for a lock of somebody else, and gives up in the end', async () => {
    const other = new SqliteConnection(await loadSqlite(), db.location, {readOnly: false, busyTimeoutMs: 10})
    other.execute('begin immediate')
    await expect(insert(1)).rejects.toMatchObject({code: 'unavailable.database_locked', exit: 6})
    const patient = insert(2)
    setTimeout(() => other.execute('commit'), 50)
    await patient
    other.close()
    expect(await ids()).toEqual([2])
  })

  test('says that the disk is full, keeps nothing of it, and carries on', async () => {
    await db.writes.run(transaction => sql`pragma max_page_count = 8`.execute(transaction))
    const large = db.writes.run(transaction =>
      transaction
        .insertInto('note')
        .values({id: 1, text: 'x'.repeat(100_000)})
        .execute(),
    )
    await expect(large).rejects.toMatchObject({code: 'internal.disk_full'})
    await insert(2)
    expect(await ids()).toEqual([2])
  })
})
