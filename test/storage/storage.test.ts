import {chmod, copyFile, mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {Migration} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/index.js'
import {currentTime} from '../support/clock.js'
import {nameOf} from '../support/skipped.js'

interface Tables {
  note: {id: number; text: string}
}

const notes: Migration[] = [
  {
    version: 1,
    name: 'notes',
    up: async db => {
      await db.schema
        .createTable('note')
        .addColumn('id', 'integer', column => column.primaryKey())
        .addColumn('text', 'text', column => column.notNull().unique())
        .execute()
    },
  },
]

let folder: string
const isRoot = process.getuid?.() === 0
const now = () => new Date('2026-01-02T03:04:05Z')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(folder, {recursive: true, force: true}))

const open = (migrations = notes) => openDatabase<Tables>(join(folder, 'a', 'notes.db'), {migrations, now})
const texts = async (db: Awaited<ReturnType<typeof open>>) =>
  (await db.reads.selectFrom('note').select('text').orderBy('id').execute()).map(row => row.text)

/** Bytes of the log; 0 where there is none. */
const sizeOfLog = (file: string) =>
  stat(`${file}-wal`).then(
    ({size}) => size,
    () => 0,
  )

describe('openDatabase', () => {
  test('makes the folder and a file that only the owner can read, and keeps what was written', async () => {
    const first = await open()
    await first.writes.run(db => db.insertInto('note').values({id: 1, text: 'kept'}).execute())
    await first.close()
    const second = await open()
    expect(await texts(second)).toEqual(['kept'])
    const modes = ['', '-wal', '-shm'].map(async end => (await stat(`${second.location}${end}`)).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600])
    await second.close()
  })

  test('once closed, the log is empty, so that the next command reads and checkpoints none', async () => {
    const first = await open()
    await first.writes.run(db => db.insertInto('note').values({id: 1, text: 'kept'}).execute())
    expect((await stat(`${first.location}-wal`)).size).toBeGreaterThan(0)
    await first.close()
    expect(await sizeOfLog(first.location)).toBe(0)
    const second = await open()
    expect(await texts(second)).toEqual(['kept'])
    await second.close()
  })

  test('a log that somebody reads stays, is in the file all the same, and nobody waits for them', async () => {
    const first = await open()
    await first.writes.run(db => db.insertInto('note').values({id: 1, text: 'kept'}).execute())
    const reader = await open()
    await reader.readSnapshot(async db => {
      await db.selectFrom('note').selectAll().execute()
      const begun = currentTime().getTime()
      await first.close()
      expect(currentTime().getTime() - begun).toBeLessThan(1000)
      expect(await sizeOfLog(first.location)).toBeGreaterThan(0)
      await copyFile(first.location, join(folder, 'a', 'copy.db'))
    })
    await reader.close()
    const copy = await openDatabase<Tables>(join(folder, 'a', 'copy.db'), {migrations: notes, now})
    expect(await texts(copy)).toEqual(['kept'])
    await copy.close()
  })

  test('once closed, a copy of the file alone has everything', async () => {
    const first = await open()
    const other = await open()
    await first.writes.run(db => db.insertInto('note').values({id: 1, text: 'kept'}).execute())
    await first.close()
    await copyFile(first.location, join(folder, 'copy.db'))
    await other.close()
    const copy = await openDatabase<Tables>(join(folder, 'copy.db'), {migrations: notes, now})
    expect(await texts(copy)).toEqual(['kept'])
    await copy.close()
  })

  test('brings the schema up to date once when two open it at the same time', async () => {
    const opened = await Promise.all([open(), open(), open()])
    const rows = await opened[0].reads
      .selectFrom('schema_version' as 'note')
      .selectAll()
      .execute()
    expect(rows).toMatchObject([{version: 1, name: 'notes', applied_at: '2026-01-02T03:04:05.000Z'}])
    for (const db of opened) await db.close()
  })

  test('applies only the steps that are missing', async () => {
    await (await open()).close()
    const added: Migration = {
      version: 2,
      name: 'added',
      up: async db => {
        await db.insertInto('note').values({id: 7, text: 'from step 2'}).execute()
      },
    }
    const db = await open([...notes, added])
    expect(await texts(db)).toEqual(['from step 2'])
    await db.close()
  })

  test('keeps off a database that a newer program changed in a way that breaks older ones', async () => {
    const breaking: Migration = {
      version: 2,
      name: 'renames everything',
      breaksOlder: true,
      up: async () => {},
    }
    await (await open([...notes, breaking])).close()
    await expect(open()).rejects.toMatchObject({code: 'usage.database_too_new'})
  })

  test.each([false, true])(
    'keeps off a database whose first step is another one; read only: %s',
    async readOnly => {
      const other: Migration = {version: 1, name: 'from before the first release', up: async () => {}}
      const file = join(folder, 'old.db')
      await (await openDatabase<Tables>(file, {migrations: [other], now})).close()
      await expect(openDatabase<Tables>(file, {migrations: notes, now, readOnly})).rejects.toMatchObject({
        code: 'usage.database_too_old',
      })
    },
  )

  test('reads a database whose newer steps only add', async () => {
    await (await open([...notes, {version: 2, name: 'adds', up: async () => {}}])).close()
    const db = await open()
    expect(await texts(db)).toEqual([])
    await db.close()
  })

  test('says that a file is not a database', async () => {
    const file = join(folder, 'x.db')
    await writeFile(file, 'no database '.repeat(1000))
    await expect(openDatabase(file, {migrations: notes, now})).rejects.toMatchObject({
      code: 'internal.database_unreadable',
    })
  })

  test.each([false, true])('refuses a file that was emptied; read only: %s', async readOnly => {
    const db = await open()
    await db.close()
    await writeFile(db.location, '')
    await expect(openDatabase(db.location, {migrations: notes, now, readOnly})).rejects.toMatchObject({
      code: 'internal.database_unreadable',
      message: `${db.location} is empty: something truncated or replaced it. Nothing was read or written.`,
      nextSteps: expect.arrayContaining([expect.stringContaining('storectl doctor')]),
    })
  })

  test('says that a database is damaged, also where rows are read one by one', async () => {
    const whole = await open()
    const rows = Array.from({length: 50}, (_, id) => ({id, text: `${id}`.repeat(900)}))
    await whole.writes.run(db => db.insertInto('note').values(rows).execute())
    await whole.close()
    const bytes = await readFile(whole.location)
    await writeFile(whole.location, bytes.fill('damaged ', 3 * 4096))
    const db = await open()
    const read = async () => {
      for await (const _ of db.reads.selectFrom('note').selectAll().stream());
    }
    await expect(read()).rejects.toMatchObject({code: 'internal.database_unreadable'})
    await db.close()
  })

  test('says that the folder of the database is a file', async () => {
    await writeFile(join(folder, 'a'), '')
    await expect(open()).rejects.toMatchObject({code: 'usage.folder_is_a_file'})
  })

  test('opened to read only, gives rows and refuses writes', async () => {
    const writer = await open()
    await writer.writes.run(db => db.insertInto('note').values({id: 1, text: 'one'}).execute())
    const reader = await openDatabase<Tables>(writer.location, {migrations: notes, now, readOnly: true})
    expect(await texts(reader)).toEqual(['one'])
    await expect(reader.writes.run(db => db.deleteFrom('note').execute())).rejects.toMatchObject({
      code: 'internal.database_read_only',
    })
    await reader.close()
    await writer.close()
  })

  test('does not make a database that it was told only to read', async () => {
    const file = join(folder, 'none.db')
    const options = {migrations: notes, now, readOnly: true}
    await expect(openDatabase(file, options)).rejects.toMatchObject({code: 'internal.database_not_opened'})
    await expect(stat(file)).rejects.toMatchObject({code: 'ENOENT'})
  })

  test.skipIf(isRoot)(
    nameOf('says that the folder cannot be written to', isRoot && 'a user who is not root'),
    async () => {
      await chmod(folder, 0o500)
      const refusal = {code: 'usage.file_forbidden'}
      await expect(open()).rejects.toMatchObject(refusal)
      const atOnce = openDatabase<Tables>(join(folder, 'notes.db'), {migrations: notes, now})
      await expect(atOnce).rejects.toMatchObject(refusal)
      await chmod(folder, 0o700)
    },
  )
})
