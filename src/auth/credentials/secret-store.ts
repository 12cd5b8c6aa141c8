import type {JsonStore} from '../../platform/files/json-store.js'
import type {StoreName} from '../profile/profile.js'
import {
  type Owner,
  parseStoredCredentials,
  type StoredCredentials,
  serializeCredentials,
} from './stored-credentials.js'

/** A store for the secrets of profiles. */
export interface SecretStore {
  readonly name: StoreName
  /** Where it stores a profile's secrets, for messages: a file's path, or the account of an entry. */
  describeLocation(owner: Owner): string
  /** What is stored for this profile at this base URL; empty if nothing is, or for another URL. */
  read(owner: Owner): Promise<StoredCredentials>
  /**
   * Changes what is stored; secrets in the same place for another base URL are deleted.
   *
   * @param change gets the present value; returning `undefined` changes nothing
   */
  change(owner: Owner, change: (now: StoredCredentials) => StoredCredentials | undefined): Promise<void>
  /** Deletes everything stored for the profile at this base URL, if anything. */
  forget(owner: Owner): Promise<void>
}

/** A store that may be unreachable. */
export interface ReachableStore extends SecretStore {
  /** Writes, reads and deletes a test entry. @returns why that fails, `undefined` if it works */
  probe(): Promise<string | undefined>
  /** Replaces everything that is stored. @returns why that failed, `undefined` if it worked */
  put(owner: Owner, kept: StoredCredentials): Promise<string | undefined>
}

/** Secrets in a file of their own, one entry per profile. */
export function createFileStore(store: JsonStore): SecretStore {
  return {
    name: 'file',
    describeLocation: () => store.file,
    read: async owner => parseStoredCredentials(owner, readEntry(owner.name, await store.read())),
    change: (owner, change) =>
      store.update(all => {
        const next = change(parseStoredCredentials(owner, readEntry(owner.name, all)))
        return next && {...all, [owner.name]: serializeCredentials(owner, next)}
      }),
    forget: ({name}) =>
      store.update(all => {
        if (!Object.hasOwn(all, name)) return undefined
        const {[name]: _, ...others} = all
        return others
      }),
  }
}

function readEntry(name: string, all: Readonly<Record<string, unknown>>): unknown {
  return Object.hasOwn(all, name) ? all[name] : undefined
}
