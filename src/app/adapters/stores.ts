import {join} from 'node:path'
import {credentialsIn} from '../../auth/credentials/credentials.js'
import {keyringStore} from '../../auth/credentials/keyring-secret-store.js'
import {fileStore, type ReachableStore} from '../../auth/credentials/secret-store.js'
import {storedProfiles} from '../../auth/profile/stored-profiles.js'
import {projectProfile} from '../../config/project-file.js'
import {SET_ASIDE, Settings} from '../../config/settings.js'
import type {Context, Stores} from '../../context.js'
import {visibleLines} from '../../output/escape-controls.js'
import {withLock} from '../../platform/files/exclusive-lock.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {type JsonObject, openJsonStore} from '../../platform/files/json-store.js'
import {processKeyring} from '../../platform/keyring.js'

/** Somebody may be asked to unlock a keyring while another process waits. */
const SECRETS_LOCK_MS = 60_000

/** The files of settings and of secrets; of a broken one the person is told, and where a change has put it. */
export async function openStores(context: Context): Promise<Stores> {
  const {paths, host} = context
  const locks = join(paths.config, 'locks')
  const onBroken = (file: string, movedTo?: string) => {
    const then = movedTo ? `it was kept as ${movedTo}` : 'nothing in it is used'
    return host.stderr.write(visibleLines(`warning: ${file} is not JSON any more; ${then}\n`))
  }
  const options = {clock: host.clock, locks, onBroken}
  let keyring: Promise<ReachableStore> | undefined
  const settings = openJsonStore(paths.settingsFile, {
    ...options,
    afresh: movedTo => ({[SET_ASIDE]: movedTo}),
  })
  const credentials = credentialsIn({
    file: fileStore(openJsonStore(paths.credentialsFile, options)),
    keyring: () => {
      keyring ??= import('./stores.js').then(({openKeyring}) => openKeyring(context))
      return keyring
    },
    profiles: async () => storedProfiles(await settings.read()),
    alone: (name, work) => withLock(join(locks, `secrets-${name}`), SECRETS_LOCK_MS, work),
    warn: text => host.stderr.write(visibleLines(`warning: ${text}\n`)),
  })
  return {settings, credentials, locks}
}

/** Settings with what each source says at this moment. */
export async function openSettings(context: Context): Promise<Settings> {
  const {flags, host} = context
  const {profile, output, json, timeout, cert, key, database} = flags
  const {file, content} = await userSettings(context)
  const values = content.settings
  return new Settings({
    flags: {
      profile,
      output: json ? 'json' : output,
      timeout: timeout === undefined ? undefined : `${timeout}ms`,
      'ca-file': flags['ca-file'],
      cert,
      key,
      database,
    },
    env: host.env,
    project: () => projectProfile(host.folder(), readTextIfThere),
    user: {file, values: typeof values === 'object' && values !== null ? (values as JsonObject) : {}},
  })
}

export interface UserSettings {
  readonly file: string
  readonly content: JsonObject
  /** Whether there is a file that cannot be understood. */
  readonly isBroken: boolean
}

/**
 * What the settings file holds. Where flags or environment name the shop, a home that cannot be used is passed over:
 * such a command needs none.
 */
export async function userSettings(context: Context): Promise<UserSettings> {
  try {
    const {settings} = await context.stores()
    return {file: settings.file, content: await settings.read(), isBroken: settings.isBroken()}
  } catch (error) {
    if (context.flags.url ?? context.host.env.STORECTL_URL) return {file: '', content: {}, isBroken: false}
    throw error
  }
}

/** A person who is asked to unlock the keyring has to find the password. */
const LIMIT_WITH_PERSON_MS = 30_000

/** Where nobody is there, a keyring answers in a tenth of a second or not at all. */
const LIMIT_MS = 5000

/** The keyring of the operating system, once for all that a command asks of it. */
export function openKeyring(context: Context): ReachableStore {
  const {host, paths, prompts} = context
  const say = (text: string) => host.stderr.write(visibleLines(`${text}\n`))
  const keyring = processKeyring({
    program: join(host.root, 'bin', 'keyring.js'),
    env: host.env,
    clock: host.clock,
    interruption: host.interruption,
    limitMs: prompts.possible ? LIMIT_WITH_PERSON_MS : LIMIT_MS,
    onWait: async () => {
      if (prompts.possible) await say('waiting for the keyring; it may be asking to be unlocked')
    },
  })
  return keyringStore({
    keyring,
    home: host.env.STORECTL_HOME ? paths.config : undefined,
    warn: text => say(`warning: ${text}`),
  })
}
