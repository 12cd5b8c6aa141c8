import {join} from 'node:path'
import {StorectlError} from '../../errors.js'
import {readRunning} from '../runtime/announcement.js'
import type {ProcessIdentity, ServerHost, ShopHost} from '../runtime/runtime.js'
import {updateAllOrderTotals} from '../store/entities/order-totals.js'
import type {ShopConnection, ShopDatabase} from '../store/schema/schema.js'
import {readConfig, removeConfig, writeConfig} from '../store/schema/system-config.js'

/**
 * Seeds a shop as the only process that does. What a process that was killed left behind is no hindrance.
 *
 * @throws StorectlError `conflict.seeding` while another process seeds the shop; nothing is added then
 */
export async function runExclusively<T>(
  db: ShopDatabase,
  dataFolder: string,
  host: ServerHost,
  seed: () => Promise<T>,
): Promise<T> {
  const file = claimIn(dataFolder)
  // The database decides between two that begin at once; a write may be run again.
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

/** The process that seeds the shop of a folder, `undefined` when none does. */
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

/** Stands in the shop while customers know of orders that are still to come. */
const PROMISED = 'storectl.seed.promised'

/** As part of a write: customers that are added from now on know of orders that come later. */
export function setPendingMarker(db: ShopConnection): Promise<void> {
  return writeConfig(db, PROMISED, '1')
}

/** All of them have come. */
export async function keep({writes}: ShopDatabase): Promise<void> {
  await writes.run(write => removeConfig(write, PROMISED))
}

/**
 * Lets customers know of the orders alone that there are, where a seeding was broken off before the rest of them came.
 * One that goes on is left alone.
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
