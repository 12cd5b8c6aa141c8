import type {DatabaseName} from './database.js'
import type {DatabasePlace} from './place.js'

/** Where the steps of a schema are written down: records and shop have a file each, but may share a PostgreSQL. */
export function versionTable(place: DatabasePlace, name: DatabaseName): string {
  return typeof place === 'string' ? 'schema_version' : `${name}_schema_version`
}
