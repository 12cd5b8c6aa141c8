import type {RecordsDialect} from '../../records/schema/dialect.js'
import {postgresRecords} from '../../records/schema/postgres-dialect.js'
import {sqliteRecords} from '../../records/schema/sqlite-dialect.js'
import type {EngineName} from '../../storage/engine/database.js'

const DIALECTS: Readonly<Record<EngineName, RecordsDialect>> = {
  sqlite: sqliteRecords,
  postgres: postgresRecords,
}

/** The dialect of an open database. */
export function chooseRecordsDialect({engine}: {readonly engine: EngineName}): RecordsDialect {
  return DIALECTS[engine]
}
