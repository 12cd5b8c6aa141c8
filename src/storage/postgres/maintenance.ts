import {sql} from 'kysely'
import type {EngineInspector} from '../engine/database.js'

/** Inspects the PostgreSQL schema in which tables are created. */
export const postgresInspector: EngineInspector = {
  nameVersionTable: name => `${name}_schema_version`,
  readVersion: async db => {
    const {rows} = await sql<{version: string}>`select current_setting('server_version') as version`.execute(
      db,
    )
    return `PostgreSQL ${rows[0]?.version.split(' ')[0]}`
  },
  listTables: async db => {
    const {rows} = await sql<{name: string}>`
      select c.relname as name from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') order by 1`.execute(
      db,
    )
    return rows.map(({name}) => name)
  },
  readPrimaryKey: async (db, table) => {
    const {rows} = await sql<{name: string}>`
      select a.attname as name from pg_index i
      cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indisprimary and i.indrelid = ${`"${table}"`}::regclass order by k.place`.execute(db)
    return rows.map(({name}) => name)
  },
  readSizeBytes: async (db, tables) => {
    const {rows} = await sql<{bytes: number}>`
      select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relname = any(${tables})`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  // Vacuum reuses this space for new rows and never returns it to the system, so none is reported.
  readFreeBytes: async () => 0,
  listBrokenIndices: async (db, tables) => {
    const {rows} = await sql<{name: string}>`
      select index.relname as name from pg_index i
      join pg_class index on index.oid = i.indexrelid join pg_class owner on owner.oid = i.indrelid
      where owner.relnamespace = current_schema()::regnamespace and owner.relname = any(${tables})
        and not (i.indisvalid and i.indisready) order by 1`.execute(db)
    return rows.map(({name}) => name)
  },
  restartNumbering: async (db, table) => {
    const {rows} = await sql<{name: string; sequence: string}>`
      select a.attname as name, pg_get_serial_sequence(${`"${table}"`}, a.attname) as sequence
      from pg_attribute a where a.attrelid = ${`"${table}"`}::regclass and a.attidentity <> ''`.execute(db)
    for (const {name, sequence} of rows) {
      await sql`
        select setval(${sequence}::regclass, (select max(${sql.ref(name)}) from ${sql.table(table)}))
        where exists (select 1 from ${sql.table(table)})`.execute(db)
    }
  },
}
