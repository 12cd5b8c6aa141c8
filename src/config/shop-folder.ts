import {StorectlError} from '../errors.js'
import {databaseNames} from './database-address.js'
import type {Settings} from './settings.js'

/**
 * Folder of the bundled shop's secrets, and of what its server announces. A shop in PostgreSQL has one of its own, named
 * after its database: its secrets are not those of the shop in a file.
 *
 * @param folder that of the shop in a file
 */
export function shopFolderOf(
  folder: string,
  settings: Settings | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const address = addressIn(settings)
  if (!address) return folder
  const {host, port, database} = databaseNames(address, env)
  return `${folder}-${[host, port, database].join('-').replace(/[^A-Za-z0-9.-]+/g, '_')}`
}

/** An address that is wrong is refused where the database is opened. */
function addressIn(settings: Settings | undefined) {
  try {
    return settings?.value('database')
  } catch (error) {
    if (error instanceof StorectlError) return undefined
    throw error
  }
}
