import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {LOCAL, type Profile} from '../../auth/profile/profile.js'
import {type Paths, resolvePaths} from '../../config/paths.js'
import type {Settings} from '../../config/settings.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import {readTextIfThere, requirePrivateFolder} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import {isRunning} from '../../platform/processes.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import type {Stores, UserSettings} from './stores.js'

/** Settings, profiles and secrets of the user. */
export interface Home {
  /** @throws StorectlError `usage.no_home`, `usage.folder_not_private` */
  readonly paths: Paths
  /** The files of settings and of secrets. */
  openStores(): Promise<Stores>
  /** The present contents of the settings file. */
  readUser(): Promise<UserSettings>
  /** Settings by flag > environment > project > user > default. */
  openSettings(): Promise<Settings>
}

export function openHome(host: Host, options: GlobalFlags, prompts: () => Prompts): Home {
  const {env, home: folder, platform} = host
  let paths: Paths | undefined
  const home: Home = {
    get paths() {
      paths ??= findPaths(env, folder, platform)
      return paths
    },
    openStores: memoize(async () => (await import('./stores.js')).openStores(host, home.paths, prompts)),
    readUser: async () => {
      const {readUserSettings} = await import('./stores.js')
      return readUserSettings(home.openStores, Boolean(options.url ?? env.STORECTL_URL))
    },
    openSettings: memoize(async () => {
      const {openSettings} = await import('./stores.js')
      return openSettings(host, options, await home.readUser())
    }),
  }
  return home
}

/** Where files are stored, after a check that nobody else can write there. */
function findPaths(...where: Parameters<typeof resolvePaths>): Paths {
  const paths = resolvePaths(...where)
  for (const folder of new Set([paths.config, paths.state])) requirePrivateFolder(folder)
  return paths
}

/**
 * The name of a shop in inbox, runs and ledger: its base URL, or `local` for the bundled shop, whose port changes. A
 * profile with the address of the bundled server is the bundled shop, however it signs in.
 */
export async function findTarget(home: Pick<Home, 'paths'>, profile: Profile | undefined): Promise<string> {
  if (!profile || profile.name === LOCAL) return LOCAL
  return (await isBundledShop(home, profile)) ? LOCAL : formatBaseUrl(profile.url)
}

/** While no server runs, another program may use its last address: then a client id must be the bundled shop's own. */
async function isBundledShop(home: Pick<Home, 'paths'>, {url, clientId}: Profile): Promise<boolean> {
  const {isLoopback} = await import('../../http/listener.js')
  if (!isLoopback(url.hostname)) return false
  const {findServer, readCredentials, readLastAddress} = await import('../../shop/index.js')
  const folder = home.paths.shopFolder
  const address = readLastAddress(folder, {readTextIfThere})
  if (address === undefined || !isSameAddress(url, address)) return false
  if (clientId === undefined || findServer(folder, {files: {readTextIfThere}, isRunning})) return true
  return readCredentials(folder, {readTextIfThere})?.clientId === clientId
}

/** Whether a base URL on this machine leads to a server, whatever name it uses for the machine. */
function isSameAddress(url: URL, address: string): boolean {
  const {protocol, port} = new URL(address)
  return url.protocol === protocol && url.port === port && url.pathname.replace(/\/$/, '') === ''
}
