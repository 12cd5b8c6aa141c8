import {join} from 'node:path'
import {StorectlError} from '../../errors.js'
import {readRunning} from '../runtime/announcement.js'
import type {ProcessIdentity, ServerHost, ShopHost} from '../runtime/runtime.js'
import {updateAllOrderTotals} from '../store/entities/order-totals.js'
import type {ShopConnection, ShopDatabase} from '../store/schema/schema.js'
import {readConfig, removeConfig, writeConfig} from '../store/schema/system-config.js'

/**
 * Seeds a shop as the only process. Leftovers of a killed process do not matter.
 *
 * @throws StorectlError `conflict.seeding` while another process seeds the shop; then nothing is added
 */
export async function runExclusively<T>(
  db: ShopDatabase,
  dataFolder: string,
  host: ServerHost,
  seed: () => Promise<T>,
): Promise<T> {
  const file = claimIn(dataFolder)
  // The database decides between two that begin at once; a write may run again.
  let isOurs = false
  await db.writes.run(async () => {
    const other = isOurs ? undefined : findSeedingProcess(dataFolder, host)
    if (other) throw createBusyError(dataFolder, other.pid)
    const {pid, start} = host.process
    host.files.writeWhole(file, `${JSON.stringify({pid, start})}\n`)
    isOurs = true
  })
  try {
    return await seed()
  } finally {
    host.files.removeIfThere(file)
  }
}

function claimIn(dataFolder: string): string {
  return join(dataFolder, 'seeding.json')
}

/** The process that is seeding the shop of a folder, `undefined` when there is none. */
function findSeedingProcess(
  dataFolder: string,
  host: Pick<ServerHost, 'files' | 'isRunning'>,
): ProcessIdentity | undefined {
  return readRunning(claimIn(dataFolder), host)
}

function createBusyError(dataFolder: string, pid: number): StorectlError {
  return new StorectlError(
    'conflict.seeding',
    `Process ${pid} is seeding the shop in ${dataFolder} already; nothing was added.`,
    {nextSteps: ['storectl server status', 'storectl server seed --data OTHER_FOLDER']},
  )
}

/** Setting that exists while customers have totals of orders that are not added yet. */
const PROMISED = 'storectl.seed.promised'

/** Sets the marker, as part of a write: customers added from now on have totals of later orders. */
export function setPendingMarker(db: ShopConnection): Promise<void> {
  return writeConfig(db, PROMISED, '1')
}

/** Removes the marker once all orders are added. */
export async function keep({writes}: ShopDatabase): Promise<void> {
  await writes.run(write => removeConfig(write, PROMISED))
}

/**
 * Corrects the customers' totals to existing orders, where a seeding was interrupted before the rest was added. Ignores
 * one that still runs.
 */
export async function clearStaleMarker(
  {reads, writes}: ShopDatabase,
  dataFolder: string,
  host: ShopHost & Partial<Pick<ServerHost, 'isRunning'>>,
): Promise<void> {
  const {files, isRunning} = host
  if (!isRunning || (await readConfig(reads, PROMISED)) === undefined) return
  await writes.run(async write => {
    if (findSeedingProcess(dataFolder, {files, isRunning})) return
    await updateAllOrderTotals(write)
    await removeConfig(write, PROMISED)
  })
}
