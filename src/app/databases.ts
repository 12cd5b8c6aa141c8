import {join} from 'node:path'
import type {Databases} from '../database/database.js'
import {createDatabases} from '../database/databases.js'
import {describeMachine} from '../platform/processes.js'
import {NOTHING_SEEN} from '../runs/ledger/seen-records.js'
import {describeDatabase, openShopDatabase} from '../shop/index.js'
import type {Adapters} from './adapters/adapters.js'
import {locatePostgres} from './adapters/locate-database.js'
import type {Host} from './host.js'
import {openSeenStore, type SeenStore} from './seen/seen-store.js'

/** The databases of this home: the records, in a file or in PostgreSQL, and the bundled shop's, in a file. */
export async function buildDatabases(host: Host, {home, openRecords}: Adapters): Promise<Databases> {
  const {RECORDS} = await import('../records/schema/contents.js')
  const {recordsDatabase, shopFolder} = home.paths
  const shopFile = join(shopFolder, 'shop.db')
  const postgres = await locatePostgres(await home.openSettings(), host)
  const now = () => host.clock.now()
  return createDatabases({
    records: {
      contents: RECORDS,
      location: postgres ?? recordsDatabase,
      open: async () => (await import('../records/index.js')).openRecords(postgres ?? recordsDatabase, now),
    },
    shop: {
      contents: await describeDatabase(),
      location: shopFile,
      open: () => openShopDatabase(shopFile, now),
    },
    locations: {sqlite: recordsDatabase, postgres},
    now,
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
  })
}
