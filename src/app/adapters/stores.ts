import {join} from 'node:path'
import {type CredentialStore, createCredentials} from '../../auth/credentials/credentials.js'
import {createFileStore} from '../../auth/credentials/secret-store.js'
import {parseStoredProfiles} from '../../auth/profile/stored-profiles.js'
import type {Paths} from '../../config/paths.js'
import {projectProfile} from '../../config/project-file.js'
import {SET_ASIDE, Settings} from '../../config/settings.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import {writeNote} from '../../output/write-note.js'
import {withLock} from '../../platform/files/exclusive-lock.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {type JsonObject, type JsonStore, openJsonStore} from '../../platform/files/json-store.js'
import {memoize} from '../../platform/memoize.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'

/** A person may have to unlock a keyring while another process waits. */
const SECRETS_LOCK_MS = 60_000

/** The files that storectl stores for its user. */
export interface Stores {
  readonly settings: JsonStore
  readonly credentials: CredentialStore
  /** Folder of locks. */
  readonly locks: string
}

/** The files of settings and of secrets. A broken file is reported on stderr, with the place to which a change moved it. */
export async function openStores(
  host: Host,
  paths: Paths,
  prompts: () => Pick<Prompts, 'possible'>,
): Promise<Stores> {
  const {clock, stderr} = host
  const locks = join(paths.config, 'locks')
  const onBroken = (file: string, movedTo?: string) => {
    const then = movedTo ? `it was kept as ${movedTo}` : 'its settings are ignored'
    return writeNote(stderr, `warning: ${file} is no longer valid JSON; ${then}`)
  }
  const options = {clock, locks, onBroken}
  const settings = openJsonStore(paths.settingsFile, {
    ...options,
    afresh: movedTo => ({[SET_ASIDE]: movedTo}),
  })
  const credentials = createCredentials({
    file: createFileStore(openJsonStore(paths.credentialsFile, options)),
    keyring: memoize(async () => (await import('./keyring.js')).openKeyring(host, paths, prompts().possible)),
    profiles: async () => parseStoredProfiles(await settings.read()),
    withExclusiveLock: (name, work) => withLock(join(locks, `secrets-${name}`), SECRETS_LOCK_MS, work),
    warn: text => writeNote(stderr, `warning: ${text}`),
  })
  return {settings, credentials, locks}
}

/** Settings by flag > environment > project > user > default. */
export function openSettings({env, folder}: Host, options: GlobalFlags, user: UserSettings): Settings {
  const {profile, output, json, timeout, cert, key, database} = options
  const {file, content} = user
  const values = content.settings
  return new Settings({
    flags: {
      profile,
      output: json ? 'json' : output,
      timeout: timeout === undefined ? undefined : `${timeout}ms`,
      'ca-file': options['ca-file'],
      cert,
      key,
      database,
    },
    env,
    project: () => projectProfile(folder(), readTextIfThere),
    user: {file, values: typeof values === 'object' && values !== null ? (values as JsonObject) : {}},
  })
}

/** The settings file, as it is at one moment. */
export interface UserSettings {
  readonly file: string
  readonly content: JsonObject
  /** Whether there is a file that is not JSON. */
  readonly isBroken: boolean
  /** The file to which broken settings were moved, `undefined` for none. */
  readonly setAside: string | undefined
}

/**
 * Reads the settings file.
 *
 * @param isShopNamed whether flags or environment name the shop: such a command needs no home, and an unusable one
 *   counts as empty
 */
export async function readUserSettings(
  openStores: () => Promise<Stores>,
  isShopNamed: boolean,
): Promise<UserSettings> {
  try {
    const {settings} = await openStores()
    const content = await settings.read()
    const setAside = content[SET_ASIDE]
    return {
      ...{file: settings.file, content, isBroken: settings.isBroken()},
      setAside: typeof setAside === 'string' ? setAside : undefined,
    }
  } catch (error) {
    if (isShopNamed) return {file: '', content: {}, isBroken: false, setAside: undefined}
    throw error
  }
}
