import type {EngineName} from '../database.js'
import {postgresRecords} from '../postgres/records.js'
import {sqliteRecords} from '../sqlite/records.js'
import type {RecordsDialect} from './dialect.js'

const DIALECTS: Readonly<Record<EngineName, RecordsDialect>> = {
  sqlite: sqliteRecords,
  postgres: postgresRecords,
}

/** The dialect of an open database. */
export function chooseRecordsDialect({engine}: {readonly engine: EngineName}): RecordsDialect {
  return DIALECTS[engine]
}
