import {join} from 'node:path'
import {createUsageError, StorectlError} from '../errors.js'

/** Where storectl stores its files, whether or not they exist. */
export interface Paths {
  /** `settings.json` and `credentials.json`. */
  readonly config: string
  /** `records.db` and the bundled shop's default folder. */
  readonly state: string
  /** What may be deleted at any time. */
  readonly cache: string
  readonly settingsFile: string
  readonly credentialsFile: string
  readonly recordsDatabase: string
  /** The bundled shop's database, its secrets, and what its server announces. */
  readonly shopFolder: string
}

/**
 * Where storectl stores its files: everything in `STORECTL_HOME` if that is set, else the platform's own folders (XDG on
 * Linux, Library on macOS, AppData on Windows).
 *
 * @param home the user's home folder, `undefined` where there is none
 * @throws StorectlError `usage.no_home` if neither `STORECTL_HOME` nor a home folder is known
 */
export function resolvePaths(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
  platform: NodeJS.Platform,
): Paths {
  const {config, state, cache} = resolveFolders(env, home, platform)
  return {
    config,
    state,
    cache,
    settingsFile: join(config, 'settings.json'),
    credentialsFile: join(config, 'credentials.json'),
    recordsDatabase: join(state, 'records.db'),
    shopFolder: join(state, 'shop'),
  }
}

function resolveFolders(
  env: Readonly<Record<string, string | undefined>>,
  home: string | undefined,
  platform: NodeJS.Platform,
): Pick<Paths, 'config' | 'state' | 'cache'> {
  const own = env.STORECTL_HOME
  if (own?.startsWith('~')) throw createTildeError(own)
  if (own) return {config: own, state: own, cache: join(own, 'cache')}
  if (!home) {
    throw new StorectlError('usage.no_home', 'No home folder found for the settings.', {
      nextSteps: ['export STORECTL_HOME=/some/folder'],
    })
  }
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    const support = join(library, 'Application Support', 'storectl')
    return {config: support, state: support, cache: join(library, 'Caches', 'storectl')}
  }
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA || join(home, 'AppData', 'Local')
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming')
    return {
      config: join(roaming, 'storectl'),
      state: join(local, 'storectl'),
      cache: join(local, 'storectl', 'cache'),
    }
  }
  return {
    config: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'storectl'),
    state: join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'storectl'),
    cache: join(env.XDG_CACHE_HOME || join(home, '.cache'), 'storectl'),
  }
}

/** A `~` that stands for the user's own home was replaced before; another user's is not looked up. */
function createTildeError(folder: string): StorectlError {
  return createUsageError('no_home', `STORECTL_HOME=${folder}: cannot resolve "~" here.`, [
    'export STORECTL_HOME=/some/folder',
    `or export STORECTL_HOME=./${folder}   # a folder of that name`,
  ])
}
