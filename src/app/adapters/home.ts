import {type Paths, resolvePaths, resolveShopFolder} from '../../config/paths.js'
import type {Settings} from '../../config/settings.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import {requirePrivateFolder} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import type {Stores, UserSettings} from './stores.js'

/** Settings, profiles and secrets of the person who runs the command. */
export interface Home {
  /** @throws StorectlError `usage.no_home`, `usage.folder_not_private` */
  readonly paths: Paths
  /** The bundled shop's secrets and what its server announces: a folder for each database that it may be stored in. */
  findShopFolder(): Promise<string>
  /** The files of settings and of secrets. */
  openStores(): Promise<Stores>
  /** What the settings file holds at this moment. */
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
    findShopFolder: async () => {
      const settings = await home.openSettings().catch(() => undefined)
      return resolveShopFolder(home.paths.shopFolder, settings, env)
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

/** Where files are stored, once it is sure that nobody else can put any there. */
function findPaths(...where: Parameters<typeof resolvePaths>): Paths {
  const paths = resolvePaths(...where)
  for (const folder of new Set([paths.config, paths.state])) requirePrivateFolder(folder)
  return paths
}
