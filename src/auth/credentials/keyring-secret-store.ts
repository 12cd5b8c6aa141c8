import {StorectlError} from '../../errors.js'
import type {Keyring} from '../../platform/keyring.js'
import {formatBaseUrl} from '../profile/base-url.js'
import type {ReachableStore} from './secret-store.js'
import {
  type Owner,
  parseStoredCredentials,
  type StoredCredentials,
  serializeCredentials,
} from './stored-credentials.js'

export interface KeyringDeps {
  readonly keyring: Keyring
  /** Distinguishes the entries of other homes; `undefined` for a user's default home. */
  readonly home: string | undefined
  readonly warn: (text: string) => Promise<void>
}

/**
 * Secrets in the keyring of the operating system, one entry per profile and base URL.
 *
 * A command that has read or changed an entry continues with its copy if the keyring stops answering later: a run of
 * hours outlives a screen lock.
 */
export function createKeyringStore({keyring, home, warn}: KeyringDeps): ReachableStore {
  const known = new Map<string, StoredCredentials>()
  const describeLocation = ({name, url}: Owner) =>
    `${name} ${formatBaseUrl(url)}${home === undefined ? '' : ` in ${home}`}`
  const read = async (owner: Owner) => {
    const answer = await keyring({act: 'read', account: describeLocation(owner)})
    if (answer.failure !== undefined) throw createUnreachableError(owner, answer.failure)
    const kept = parseStoredCredentials(owner, parseEntry(answer.text))
    known.set(describeLocation(owner), kept)
    return kept
  }
  const put = async (owner: Owner, kept: StoredCredentials) => {
    known.set(describeLocation(owner), kept)
    const text = JSON.stringify(serializeCredentials(owner, kept))
    return (await keyring({act: 'write', account: describeLocation(owner), text})).failure
  }
  return {
    name: 'keyring',
    describeLocation,
    read: async owner => {
      const before = known.get(describeLocation(owner))
      if (!before) return read(owner)
      return read(owner).catch(async error => {
        if (!isUnreachable(error)) throw error
        await warn(`${error.message} Using the secrets that were read before.`)
        return before
      })
    },
    change: async (owner, change) => {
      const now = await read(owner).catch(error => {
        const next = change(known.get(describeLocation(owner)) ?? {})
        if (next) known.set(describeLocation(owner), next)
        throw error
      })
      const next = change(now)
      if (!next) return
      const failure = await put(owner, next)
      if (failure !== undefined) throw createUnreachableError(owner, failure)
    },
    forget: async owner => {
      known.delete(describeLocation(owner))
      const answer = await keyring({act: 'remove', account: describeLocation(owner)})
      if (answer.failure !== undefined) throw createUnreachableError(owner, answer.failure)
    },
    put,
    probe: async () => (await keyring({act: 'probe'})).failure,
  }
}

/** An entry written by another program counts as missing. */
function parseEntry(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an error means that the keyring cannot be used. */
export function isUnreachable(error: unknown): error is StorectlError {
  return error instanceof StorectlError && error.code === 'auth.keyring'
}

/** The error for unreachable secrets. @param why the keyring's message */
function createUnreachableError({name}: Owner, why: string): StorectlError {
  return new StorectlError(
    'auth.keyring',
    `The secrets of "${name}" are in the OS keyring, which is not available: ${why}.`,
    {
      cause: why,
      nextSteps: [
        'unlock the keyring and run the command again',
        `storectl login --profile ${name} --store file   # stores them in a file with mode 0600`,
      ],
    },
  )
}
