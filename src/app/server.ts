import {join, resolve} from 'node:path'
import {confirmWrite} from '../auth/profile/confirm-write.js'
import {LOCAL} from '../auth/profile/profile.js'
import {createUsageError} from '../errors.js'
import type {StartFlags} from '../flags/start-flags.js'
import {readTextIfThere} from '../platform/files/files.js'
import {createProcesses as processes} from '../platform/processes.js'
import {requireBundledProvider} from '../providers/capabilities.js'
import {requireCredentials, requireOwnCredentials} from '../server/credentials.js'
import {createFaultClient, type FaultClient} from '../server/fault-client.js'
import {requireServer} from '../server/running-server.js'
import type {StatusDeps} from '../server/status.js'
import {
  type Announcement,
  countRows,
  readCredentials,
  renewCredentials,
  type SeedDeps,
  type Seeded,
  type SeedSelection,
  type ServeDeps,
  type ServeOptions,
  type ShopCredentials,
  seed,
} from '../shop/index.js'
import type {Adapters} from './adapters/adapters.js'
import {createServerHost, findRunningServer, readShopSize} from './adapters/local-shop.js'
import type {Host} from './host.js'

/** The bundled shop of a data folder, opened in this process. */
export interface LocalShop {
  readonly dataFolder: string
  /** @throws StorectlError `usage.no_shop_yet` */
  readonly readCredentials: () => ShopCredentials
  /** @throws StorectlError as opening the shop does */
  readonly renewCredentials: () => Promise<void>
  /** @throws StorectlError `conflict.seeding`, and as opening the shop does */
  readonly seed: (selection: SeedSelection, output: SeedDeps['output']) => Promise<Seeded>
  /** Resolves when the person agrees to a change of it. @throws StorectlError as `confirmWrite` does */
  readonly confirm: (what: string) => Promise<void>
}

/** The bundled shop of a data folder. @param data `--data` */
export async function buildLocalShop(
  host: Host,
  adapters: Adapters,
  data: string | undefined,
): Promise<LocalShop> {
  const {options, prompts} = adapters
  const {yes = false, confirm} = options
  const dataFolder = await locateDataFolder(host, adapters, data)
  const machine = createServerHost(host)
  const signal = host.interruption.stopping
  return {
    dataFolder,
    readCredentials: () => requireOwnCredentials(dataFolder, machine.files),
    renewCredentials: () => renewCredentials(dataFolder, machine),
    seed: (selection, output) => seed(selection, {dataFolder, host: machine, signal, output}),
    confirm: what => confirmWrite(what, {profile: {name: LOCAL, protected: false}, yes, confirm, prompts}),
  }
}

export type StartDeps = Omit<ServeDeps, 'onReady'> & Required<Pick<ServeOptions, 'dataFolder' | 'viewer'>>

/**
 * Dependencies of a listening server, except its output.
 *
 * @throws StorectlError `usage.provider_not_bundled`
 */
export async function buildStartDeps(
  host: Host,
  adapters: Adapters,
  {data, provider, log, 'log-level': logLevel}: Pick<StartFlags, 'data' | 'provider' | 'log' | 'log-level'>,
): Promise<StartDeps> {
  requireBundledProvider(provider)
  const {openLog} = await import('../platform/terminal/logger.js')
  const {serveFolder} = await import('../platform/files/files.js')
  return {
    dataFolder: await locateDataFolder(host, adapters, data),
    viewer: serveFolder(name => host.readPackageFile(`dist/viewer/${name}`)),
    host: createServerHost(host),
    logger: openLog(host.stderr, logLevel, log),
    sleep: host.clock.sleep,
    stopping: host.interruption.stopping,
  }
}

export interface StopDeps {
  readonly server: Announcement | undefined
  /** Asks a process to end; `false` if it still runs after that time. */
  readonly end: (pid: number, start: string, graceMs: number) => Promise<boolean>
}

/** Dependencies of stopping the server of a data folder. */
export async function buildStopDeps(
  host: Host,
  adapters: Adapters,
  data: string | undefined,
): Promise<StopDeps> {
  return {
    server: findRunningServer(await locateDataFolder(host, adapters, data)),
    end: (pid, start, graceMs) => processes(host.clock).end(pid, start, graceMs),
  }
}

/**
 * The faults of the server that listens on a data folder.
 *
 * @throws StorectlError `unavailable.server_down`, `auth.no_local_credentials`
 */
export async function buildFaultClient(
  host: Host,
  adapters: Adapters,
  data: string | undefined,
): Promise<FaultClient> {
  const {caller, administrator} = await openControl(host, adapters, data)
  return createFaultClient(caller, administrator)
}

/** A client of the server of a data folder. @throws StorectlError as `buildFaultClient` */
export async function openControl(host: Host, adapters: Adapters, data: string | undefined) {
  const folder = await locateDataFolder(host, adapters, data)
  const server = requireServer(folder, findRunningServer(folder))
  const administrator = requireCredentials(folder, {readTextIfThere})
  host.redaction.hide(administrator.clientSecret)
  return {caller: (await adapters.openHttp('direct')).to(new URL(server.url)), administrator}
}

/** Dependencies of the status of a data folder's shop. */
export async function buildStatusDeps(
  host: Host,
  adapters: Adapters,
  given: string | undefined,
): Promise<StatusDeps> {
  const {openHttp} = adapters
  const data = await locateDataFolder(host, adapters, given)
  const database = join(data, 'shop.db')
  const now = host.clock.now()
  const server = findRunningServer(data)
  const administrator = server && readCredentials(data, {readTextIfThere})
  host.redaction.hide(administrator?.clientSecret)
  return {
    ...{data, server, administrator, now},
    openCaller: async url => (await openHttp('direct')).to(new URL(url)),
    readSize: async () => readShopSize(database),
    countRows: () => countRows(database, () => now),
  }
}

/**
 * The bundled shop's data folder: the given one, relative to the working folder, or the default.
 *
 * @throws StorectlError `usage.data` for an empty name, which would be the working folder: an unset variable's value;
 *   `usage.shop_in_file` for `--database`; `usage.unknown_profile`
 */
async function locateDataFolder(
  {folder}: Host,
  adapters: Adapters,
  given: string | undefined,
): Promise<string> {
  const {home, options} = adapters
  // The server is the same for every profile, but an unknown name is still an error.
  if (options.profile !== undefined) await adapters.findChosenProfile()
  if (options.database !== undefined) throw createShopInFileError()
  if (given === '') throw createUsageError('data', '--data is empty: name a folder, or omit the flag.')
  return given === undefined ? home.paths.shopFolder : resolve(folder(), given)
}

/** A database named by environment or settings is for the records, which is not an error. */
function createShopInFileError() {
  return createUsageError(
    'shop_in_file',
    '--database is for the records: the bundled shop is stored in a file.',
    ['use --data DIR for another shop'],
  )
}
