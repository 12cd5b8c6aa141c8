import type {DatabaseName} from '../open.js'

/** Records and shop may lie in one database; each has steps of its own. */
export function versionTable(name: DatabaseName): string {
  return `${name}_schema_version`
}
