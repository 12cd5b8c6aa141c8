import {sql} from 'kysely'
import type {EngineLooks} from '../engine/database.js'

/** What SQLite says of itself. */
export const sqliteLooks: EngineLooks = {
  versionTable: () => 'schema_version',
  version: async db => {
    const {rows} = await sql<{version: string}>`select sqlite_version() as version`.execute(db)
    return `SQLite ${rows[0]?.version}`
  },
  tables: async db => {
    // What an index of texts keeps its own things in, and what remembers how far it has come, are no tables of rows.
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not like '%\\_trigram\\_%' escape '\\' order by name`.execute(db)
    return rows.map(({name}) => name)
  },
  primaryKey: async (db, table) => {
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
    return rows.map(({name}) => name)
  },
  sizeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  freeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  // Its indices are never half made; whether one is damaged takes a look at all of the file.
  brokenIndices: async () => [],
  afterCopying: async () => {},
}
