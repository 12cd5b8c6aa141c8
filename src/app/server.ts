import {join, resolve} from 'node:path'
import {usageError} from '../errors.js'
import {readTextIfThere, sizeIfThere} from '../platform/files/files.js'
import type {Processes} from '../platform/processes.js'
import type {LogLevel} from '../platform/terminal/logger.js'
import {type Announcement, requireServer} from '../shop/announcement.js'
import {askReport, type ServerReport} from '../shop/control/control.js'
import {createFaultClient, type FaultClient} from '../shop/control/fault-client.js'
import {readCredentials, requireCredentials} from '../shop/credentials.js'
import type {RunDeps, RunOptions} from '../shop/run-server.js'
import type {ServerWorld} from '../shop/runtime/shop-host.js'
import {buildServerStatus, type ServerStatus} from '../shop/status.js'
import type {ShopCounts} from '../shop/store/counts.js'
import type {DatabaseLocation} from '../storage/engine/database.js'
import {ignoreMissing} from '../storage/storage.js'
import type {Adapters} from './adapters/adapters.js'
import {createServerWorld, findRunningServer} from './adapters/local-shop.js'
import {locateDatabase} from './adapters/locate-database.js'
import type {Host} from './host.js'

/** The bundled shop of a data folder, and the machine as it needs it. */
export interface LocalShopDeps {
  readonly dataFolder: string
  readonly world: ServerWorld
  readonly signal: AbortSignal
}

/** Dependencies of opening the bundled shop in this process. @param given `--data` */
export async function buildLocalShopDeps(
  host: Host,
  {home}: Adapters,
  given: string | undefined,
): Promise<LocalShopDeps> {
  return {
    dataFolder: await locateDataFolder(host, home, given),
    world: createServerWorld(host, home),
    signal: host.interruption.stopping,
  }
}

export type StartDeps = Omit<RunDeps, 'onReady'> & Required<Pick<RunOptions, 'dataFolder' | 'viewer'>>

/** Dependencies of a server that listens, but for what it prints. */
export async function buildStartDeps(
  host: Host,
  {home}: Adapters,
  given: string | undefined,
  logLevel: LogLevel,
): Promise<StartDeps> {
  const {openLog} = await import('../platform/terminal/logger.js')
  const {servedFolder} = await import('../platform/files/static-files.js')
  return {
    dataFolder: await locateDataFolder(host, home, given),
    viewer: servedFolder(join(host.root, 'dist', 'viewer')),
    world: createServerWorld(host, home),
    logger: openLog(host.stderr, logLevel),
    sleep: host.clock.sleep,
    stopping: host.interruption.stopping,
  }
}

/** Dependencies of stopping the server of a data folder. */
export async function buildStopDeps(
  host: Host,
  {home}: Adapters,
  given: string | undefined,
): Promise<{readonly server: Announcement | undefined; readonly processes: Processes}> {
  const {processes} = await import('../platform/processes.js')
  const server = findRunningServer(await locateDataFolder(host, home, given))
  return {server, processes: processes(host.clock)}
}

/**
 * The faults of the server that listens on a data folder.
 *
 * @throws StorectlError `unavailable.server_down`, `auth.no_local_credentials`
 */
export async function buildFaultClient(
  host: Host,
  {home, openHttp}: Adapters,
  given: string | undefined,
): Promise<FaultClient> {
  const folder = await locateDataFolder(host, home, given)
  const server = requireServer(folder, findRunningServer(folder))
  const credentials = requireCredentials(folder, {readTextIfThere})
  host.redaction.hide(credentials.clientSecret)
  return createFaultClient((await openHttp('direct')).to(new URL(server.url)), credentials)
}

/** The status of the shop of a data folder, whether a server runs there or not. Nothing is made or changed. */
export async function readServerStatus(
  host: Host,
  adapters: Adapters,
  given: string | undefined,
): Promise<ServerStatus> {
  const {home} = adapters
  const data = await locateDataFolder(host, home, given)
  const database = await locateDatabase(join(data, 'shop.db'), await home.settings(), host)
  const sizeBytes = await readSize(database)
  const server = findRunningServer(data)
  const report = server && (await requestReport(host, adapters, server, data))
  const answers = server !== undefined && (report !== undefined || (await isAlive(adapters, server)))
  const now = host.clock.now()
  const counts = report?.counts ?? (sizeBytes > 0 ? await readCounts(database, now) : undefined)
  return buildServerStatus({data, sizeBytes, server, answers, report, counts, now})
}

/**
 * The bundled shop's data folder: the given one, seen from the working folder, or its own.
 *
 * @throws StorectlError `usage.data` for an empty name, which would be the working folder: an unset variable's value
 */
async function locateDataFolder(
  {folder}: Host,
  home: Adapters['home'],
  given: string | undefined,
): Promise<string> {
  if (given === '') throw usageError('data', '--data is empty: name a folder, or leave it out.')
  return given === undefined ? home.shopFolder() : resolve(folder(), given)
}

async function readSize(place: DatabaseLocation): Promise<number> {
  if (typeof place === 'string') return sizeIfThere(place) + sizeIfThere(`${place}-wal`)
  const {inspectDatabase} = await import('../storage/maintenance.js')
  const {SHOP} = await import('../shop/store/schema/contents.js')
  return (await inspectDatabase(place, SHOP).catch(ignoreMissing))?.sizeBytes ?? 0
}

async function requestReport(
  {redaction}: Host,
  {openHttp}: Adapters,
  {url}: Announcement,
  data: string,
): Promise<ServerReport | undefined> {
  const credentials = readCredentials(data, {readTextIfThere})
  if (!credentials) return undefined
  redaction.hide(credentials.clientSecret)
  return askReport((await openHttp('direct')).to(new URL(url)), credentials).catch(() => undefined)
}

async function isAlive({openHttp}: Adapters, {url}: Announcement): Promise<boolean> {
  const caller = (await openHttp('direct')).to(new URL(url))
  return caller.call({method: 'GET', path: '/api/_info/health-check'}).then(
    ({status}) => status === 200,
    () => false,
  )
}

/** A database of another time, or one that is damaged, is no reason to say nothing of the rest. */
async function readCounts(database: DatabaseLocation, now: Date): Promise<ShopCounts | undefined> {
  const {countThingsIn} = await import('../shop/store/counts.js')
  return countThingsIn(database, () => now).catch(() => undefined)
}
