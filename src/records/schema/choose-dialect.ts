import type {EngineName} from '../../storage/engine/database.js'
import type {RecordsDialect} from './dialect.js'
import {postgresRecords} from './postgres-dialect.js'
import {sqliteRecords} from './sqlite-dialect.js'

const DIALECTS: Readonly<Record<EngineName, RecordsDialect>> = {
  sqlite: sqliteRecords,
  postgres: postgresRecords,
}

/** The dialect of an open database. */
export function chooseRecordsDialect({engine}: {readonly engine: EngineName}): RecordsDialect {
  return DIALECTS[engine]
}
