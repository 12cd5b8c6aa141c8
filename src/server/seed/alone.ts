import {join} from 'node:path'
import {StorectlError} from '../../errors.js'
import type {Shop} from '../shop.js'
import type {ProcessIdentity, ServerWorld} from '../world.js'

/**
 * Seeds a shop as the only process that does. What a process that was killed left behind is no hindrance.
 *
 * @throws StorectlError `conflict.seeding` while another process seeds the shop; nothing is added then
 */
export async function alone<T>(
  shop: Pick<Shop, 'store'>,
  dataFolder: string,
  world: ServerWorld,
  seed: () => Promise<T>,
): Promise<T> {
  const file = claimIn(dataFolder)
  // The database's own lock decides between two that begin at once; a write may be run again.
  let isOurs = false
  await shop.store.db.writes.run(async () => {
    const other = isOurs ? undefined : whoSeeds(dataFolder, world)
    if (other) throw busy(dataFolder, other.pid)
    const {pid, start} = world.process
    world.files.writeWhole(file, `${JSON.stringify({pid, start})}\n`)
    isOurs = true
  })
  try {
    return await seed()
  } finally {
    world.files.removeIfThere(file)
  }
}

function claimIn(dataFolder: string): string {
  return join(dataFolder, 'seeding.json')
}

/** The process that seeds the shop of a folder, `undefined` when none does. */
export function whoSeeds(
  dataFolder: string,
  {files, isRunning}: Pick<ServerWorld, 'files' | 'isRunning'>,
): ProcessIdentity | undefined {
  const text = files.readTextIfThere(claimIn(dataFolder))
  if (text === undefined) return undefined
  try {
    const {pid, start} = JSON.parse(text) as ProcessIdentity
    return isRunning(pid, start) ? {pid, start} : undefined
  } catch {
    return undefined
  }
}

function busy(dataFolder: string, pid: number): StorectlError {
  return new StorectlError(
    'conflict.seeding',
    `Process ${pid} is seeding the shop in ${dataFolder} already; nothing was added.`,
    {nextSteps: ['storectl server status', 'storectl server seed --data OTHER_FOLDER']},
  )
}
