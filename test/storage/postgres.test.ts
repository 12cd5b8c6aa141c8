import {sql} from 'kysely'
import pg from 'pg'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {Database, Migration, PostgresLocation} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/index.js'
import {type Break, breakingProxy} from '../support/postgres/breaking-proxy.js'
import {newDatabase, placeAt} from '../support/postgres/database.js'

interface Tables {
  note: {id: number; text: string}
}

const NOTES: Migration = {
  version: 1,
  name: 'notes',
  up: async db => {
    await db.schema
      .createTable('note')
      .addColumn('id', 'integer', column => column.primaryKey())
      .addColumn('text', 'text', column => column.notNull())
      .execute()
  },
}

const opening = {migrations: [NOTES], now: () => new Date(0)}

let url: string
let place: PostgresLocation
let opened: Database<Tables>[]

beforeEach(async () => {
  url = await newDatabase()
  place = placeAt(url)
  opened = []
})
afterEach(async () => {
  for (const database of opened) await database.close()
})

async function open(options: Partial<Parameters<typeof openDatabase>[1]> = {}): Promise<Database<Tables>> {
  const database = await openDatabase<Tables>(place, {...opening, ...options})
  opened.push(database)
  return database
}

const insert = (database: Database<Tables>, id: number, text = `note ${id}`) =>
  database.writes.run(db => db.insertInto('note').values({id, text}).execute())

const ids = async ({reads}: Database<Tables>) =>
  (await reads.selectFrom('note').select('id').orderBy('id').execute()).map(({id}) => id)

/** Ends every connection to the database but its own, as a restart does. */
async function breakConnections(): Promise<void> {
  const client = new pg.Client({connectionString: url})
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
}

describe('a database in PostgreSQL', () => {
  test('keeps what was written, and gives whole numbers as numbers', async () => {
    const database = await open()
    await Promise.all(Array.from({length: 300}, (_, id) => insert(database, id)))
    expect((await ids(database)).slice(0, 3)).toEqual([0, 1, 2])
    expect(await ids(database)).toHaveLength(300)
  })

  test('undoes only the write that throws, though it shares its commit', async () => {
    const database = await open()
    const failing = database.writes.run(async db => {
      await db.insertInto('note').values({id: 2, text: 'gone'}).execute()
      throw new Error('changed my mind')
    })
    const others = [insert(database, 1), insert(database, 3)]
    await expect(failing).rejects.toThrow('changed my mind')
    await Promise.all(others)
    expect(await ids(database)).toEqual([1, 3])
  })

  test('orders texts by their bytes, whatever the language of the database', async () => {
    const database = await open()
    for (const [id, text] of ['b', 'A', 'a', 'B', '_'].entries()) await insert(database, id, text)
    const rows = await database.reads.selectFrom('note').select('text').orderBy('text').execute()
    expect(rows.map(({text}) => text)).toEqual(['A', 'B', '_', 'a', 'b'])
  })

  test('is made once by two who open it at the same time', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await insert(one, 1)
    expect(await ids(other)).toEqual([1])
  })

  test('holds records and shop side by side, each with steps of its own', async () => {
    await open({name: 'records'})
    const sheets = {...NOTES, up: async () => {}}
    await open({name: 'shop', migrations: [sheets]})
    const {rows} = await sql<{name: string}>`
      select table_name as name from information_schema.tables where table_name like '%schema_version' order by 1`.execute(
      (opened[0] as Database<Tables>).reads,
    )
    expect(rows.map(({name}) => name)).toEqual(['records_schema_version', 'shop_schema_version'])
  })

  test('lets two writes under one name follow each other, whoever makes them', async () => {
    const [one, other] = await Promise.all([open(), open()])
    await insert(one, 1, '0')
    const countUp = ({writes}: Database<Tables>) =>
      writes.run(
        async db => {
          const {text} = await db
            .selectFrom('note')
            .select('text')
            .where('id', '=', 1)
            .executeTakeFirstOrThrow()
          await db
            .updateTable('note')
            .set({text: String(Number(text) + 1)})
            .where('id', '=', 1)
            .execute()
        },
        {exclusive: 'the counter'},
      )
    await Promise.all(Array.from({length: 40}, (_, at) => countUp(at % 2 === 0 ? one : other)))
    expect(await one.reads.selectFrom('note').select('text').execute()).toEqual([{text: '40'}])
  })

  test('runs a write again that met another with the same key', async () => {
    const [one, other] = await Promise.all([open(), open()])
    const addOnce = ({writes}: Database<Tables>) =>
      writes.run(async db => {
        const there = await db.selectFrom('note').select('id').where('id', '=', 7).executeTakeFirst()
        if (there) return 'known'
        await db.insertInto('note').values({id: 7, text: 'x'}).execute()
        return 'added'
      })
    const came = await Promise.all(Array.from({length: 20}, (_, at) => addOnce(at % 2 === 0 ? one : other)))
    expect(came.filter(word => word === 'added')).toHaveLength(1)
  })

  test('goes on after its connections broke, and loses nothing that was answered', async () => {
    const database = await open()
    const answered: number[] = []
    const writing = (async () => {
      for (let id = 0; id < 200; id++) {
        await insert(database, id)
        answered.push(id)
      }
    })()
    for (let times = 0; times < 5; times++) {
      await breakConnections()
      await ids(database)
    }
    await writing
    expect(await ids(database)).toEqual(answered)
  })

  test.each<Break>(['before commit', 'before its answer'])(
    'writes once, however a connection breaks: %s',
    async how => {
      const proxy = await breakingProxy(place)
      const database = await openDatabase<Tables>(proxy.place, opening)
      try {
        await insert(database, 1, 'x')
        const append = () =>
          database.writes.run(db =>
            db.updateTable('note').set({text: sql<string>`text || 'x'`}).where('id', '=', 1).execute(),
          )
        for (let times = 0; times < 5; times++) {
          proxy.breakNext(how)
          await append()
        }
        expect(proxy.broken).toBe(5)
        expect(await database.reads.selectFrom('note').select('text').execute()).toEqual([{text: 'xxxxxx'}])
      } finally {
        await database.close()
        await proxy.close()
      }
    },
  )

  test('streams rows in pieces', async () => {
    const database = await open()
    await Promise.all(Array.from({length: 25}, (_, id) => insert(database, id)))
    const seen: number[] = []
    for await (const {id} of database.reads.selectFrom('note').select('id').orderBy('id').stream(10)) {
      seen.push(id)
    }
    expect(seen).toEqual(await ids(database))
  })

  test('is not made by who only reads', async () => {
    await expect(open({readOnly: true})).rejects.toMatchObject({code: 'internal.database_not_opened'})
  })

  test.each([
    ['a wrong password', (there: PostgresLocation) => ({...there, password: 'wrong'}), 'auth.database'],
    [
      'a database that is not there',
      (there: PostgresLocation) => ({...there, database: 'nowhere'}),
      'usage.no_such_database',
    ],
    [
      'a port where nobody listens',
      (there: PostgresLocation) => ({...there, port: 1}),
      'unavailable.database',
    ],
  ] as const)('says of %s what it is, and no password', async (_, change, code) => {
    const wrong = change(place) as PostgresLocation
    const failure = await openDatabase(wrong, opening).catch(error => error)
    expect(failure).toMatchObject({code})
    expect(JSON.stringify([failure.message, failure.nextSteps])).not.toContain(placeAt(url).password)
  })
})
