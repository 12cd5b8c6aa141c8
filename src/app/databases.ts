import {join} from 'node:path'
import type {Databases} from '../database/database.js'
import {createDatabases} from '../database/databases.js'
import {makePrivateFolder, readTextIfThere, writeWhole} from '../platform/files/files.js'
import {describeMachine} from '../platform/processes.js'
import {NOTHING_SEEN} from '../runs/ledger/seen-records.js'
import {keepCredentials, readCredentials} from '../shop/credentials.js'
import type {Adapters} from './adapters/adapters.js'
import {locatePostgres} from './adapters/locate-database.js'
import type {Host} from './host.js'
import {openSeenStore, type SeenStore} from './seen/seen-store.js'

/** The databases of this home: the records and the bundled shop's, in files or in PostgreSQL. */
export async function buildDatabases(host: Host, {home, openRecords}: Adapters): Promise<Databases> {
  const {RECORDS} = await import('../records/schema/contents.js')
  const {SHOP} = await import('../shop/store/schema/initial-schema.js')
  const {recordsDatabase, shopFolder: fileFolder} = home.paths
  const sharedFolder = await home.findShopFolder()
  const postgres = await locatePostgres(await home.openSettings(), host)
  return createDatabases({
    kinds: [
      {contents: RECORDS, file: recordsDatabase},
      {contents: SHOP, file: join(fileFolder, 'shop.db')},
    ],
    postgres,
    now: () => host.clock.now(),
    copying: {program: join(host.root, 'bin', 'backup.js'), signal: host.interruption.stopping},
    noteBackup: async () => {
      const {runs} = await openRecords()
      await runs.appendRunLedgerRow({kind: 'backed-up', content: {who: describeMachine(host.env).who}})
    },
    copySeen: async from => {
      if (!postgres) return
      const [file, shared] = [recordsDatabase, postgres].map(each => openSeenStore(home.paths, each)) as [
        SeenStore,
        SeenStore,
      ]
      const [source, target] = from === 'postgres' ? [shared, file] : [file, shared]
      await target.update(() => source.read() ?? NOTHING_SEEN)
    },
    copyCredentials: from => {
      const [source, target] = from === 'postgres' ? [sharedFolder, fileFolder] : [fileFolder, sharedFolder]
      const credentials = readCredentials(source, {readTextIfThere})
      if (!credentials) return
      makePrivateFolder(target)
      keepCredentials(target, credentials, {files: {writeWhole}})
    },
  })
}
