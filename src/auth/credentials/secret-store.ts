import type {JsonStore} from '../../platform/files/json-store.js'
import type {StoreName} from '../profile/profile.js'
import {
  type Owner,
  parseStoredCredentials,
  type StoredCredentials,
  serializeCredentials,
} from './stored-credentials.js'

/** One place where the secrets of profiles may lie. */
export interface SecretStore {
  readonly name: StoreName
  /** Where in it the secrets of a profile lie, for messages: a file's path, or the account of an entry. */
  describeLocation(owner: Owner): string
  /** What is kept for this profile at this base URL; empty when nothing is, or for another URL. */
  read(owner: Owner): Promise<StoredCredentials>
  /**
   * Changes what is kept; what was kept in the same place for another base URL is dropped.
   *
   * @param change gets what is there at that moment; `undefined` leaves all as it is
   */
  change(owner: Owner, change: (now: StoredCredentials) => StoredCredentials | undefined): Promise<void>
  /** Drops all that is kept for the profile at this base URL; it does no harm where there is nothing. */
  forget(owner: Owner): Promise<void>
}

/** A store that may be out of reach. */
export interface ReachableStore extends SecretStore {
  /** Puts something in, reads it again and takes it away. @returns why that cannot be done, `undefined` when it can */
  probe(): Promise<string | undefined>
  /** Puts something in the place of all that is kept. @returns why that cannot be done, `undefined` when it was */
  put(owner: Owner, kept: StoredCredentials): Promise<string | undefined>
}

/** Secrets in a file of their own, one entry a profile. */
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
