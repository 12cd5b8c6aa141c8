import type {EngineName} from '../../storage/engine/database.js'
import type {RecordsDialect} from './dialect.js'
import {postgresRecordsDialect} from './postgres-dialect.js'
import {sqliteRecordsDialect} from './sqlite-dialect.js'

const DIALECTS: Readonly<Record<EngineName, RecordsDialect>> = {
  sqlite: sqliteRecordsDialect,
  postgres: postgresRecordsDialect,
}

/** The dialect of an open database. */
export function chooseRecordsDialect({engine}: {readonly engine: EngineName}): RecordsDialect {
  return DIALECTS[engine]
}
