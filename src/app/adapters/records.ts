import {dirname} from 'node:path'
import {makePrivateFolder} from '../../platform/files/files.js'
import {openRecords, type Records} from '../../records/index.js'
import type {Host} from '../host.js'
import type {Home} from './home.js'
import {locateDatabase} from './locate-database.js'

/** Opens inbox, runs and ledger, in their file or in PostgreSQL. */
export async function openOwnRecords(host: Host, {paths, openSettings}: Home): Promise<Records> {
  const location = await locateDatabase(paths.recordsDatabase, await openSettings(), host)
  if (typeof location === 'string') makePrivateFolder(dirname(location))
  return openRecords(location, () => host.clock.now())
}
