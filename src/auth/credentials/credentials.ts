import type {StorectlError} from '../../errors.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import type {StoreName} from '../profile/profile.js'
import type {StoredProfile, StoredProfiles} from '../profile/stored-profiles.js'
import {isUnreachable} from './keyring-secret-store.js'
import type {ReachableStore, SecretStore} from './secret-store.js'
import type {Owner, StoredCredentials} from './stored-credentials.js'

/** Where the secrets of a profile lie. */
export interface SecretLocation {
  readonly store: StoreName
  /** A file's path, or the account of the keyring's entry. */
  readonly location: string
}

/** What could be seen of a profile's secrets. */
export interface Look extends SecretLocation {
  readonly kept: StoredCredentials
  /** Why the keyring could not be read; nothing is known to be kept then. */
  readonly problem?: StorectlError
}

export type {StoredCredentials} from './stored-credentials.js'

/** The secrets of all profiles, each in the store that its sign-in chose. */
export interface CredentialStore {
  /**
   * What is kept for this profile at this base URL; empty when it is kept for another URL.
   *
   * @throws StorectlError `auth.keyring` when it lies in a keyring that cannot be used
   */
  read(owner: Owner): Promise<StoredCredentials>
  /** The same, with where it lies, and without failing for the keyring's sake. */
  look(owner: Owner): Promise<Look>
  /**
   * Changes what is kept for the profile; what was kept for another base URL of it is dropped.
   *
   * @param change gets what is there at that moment; `undefined` leaves all as it is
   * @throws StorectlError `auth.keyring`
   */
  change(owner: Owner, change: (now: StoredCredentials) => StoredCredentials | undefined): Promise<void>
  /**
   * Puts what a sign-in keeps into a store, and leaves nothing in the other one. A keyring that cannot be used is named
   * in one line, and the file used.
   *
   * @param wanted the store; where it lies already, else the file, when `undefined`
   * @param saveLocation writes down in the settings which store it has become
   */
  put(
    owner: Owner,
    wanted: StoreName | undefined,
    change: (now: StoredCredentials) => StoredCredentials,
    saveLocation: (location: SecretLocation) => Promise<void>,
  ): Promise<SecretLocation>
  /** Drops everything that is kept for a profile. A keyring that cannot be used is named in a warning. */
  forget(name: string, stored: StoredProfile): Promise<void>
}

export interface CredentialsDeps {
  readonly file: SecretStore
  /** Opened only for profiles that use it. */
  readonly keyring: () => Promise<ReachableStore>
  /** The profiles as the settings have them now. */
  readonly profiles: () => Promise<StoredProfiles>
  /** Does the work while no other process changes this profile's secrets. */
  readonly withExclusiveLock: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly warn: (text: string) => Promise<void>
}

/** The secrets in a file and in the keyring of the operating system. */
export function createCredentials(deps: CredentialsDeps): CredentialStore {
  const {file, withExclusiveLock} = deps
  const storeOf = async (owner: Owner) =>
    isStoredInKeyring(owner, await findStoredProfile(owner.name, deps)) ? deps.keyring() : file
  return {
    read: async owner => (await storeOf(owner)).read(owner),
    look: async owner => lookInto(await storeOf(owner), owner),
    change: (owner, change) =>
      withExclusiveLock(owner.name, async () => (await storeOf(owner)).change(owner, change)),
    put: (owner, wanted, change, saveLocation) =>
      withExclusiveLock(owner.name, async () => {
        const stored = await findStoredProfile(owner.name, deps)
        const {kept} = await lookInto(await storeOf(owner), owner)
        const to = await writeSecrets(owner, wanted ?? stored?.store ?? 'file', change(kept), deps)
        const location = {store: to.name, location: to.describeLocation(owner)}
        await saveLocation(location)
        if (to.name === 'keyring') await file.forget(owner)
        if (stored && !(to.name === 'keyring' && isStoredInKeyring(owner, stored))) {
          await forgetInKeyring(owner.name, stored, deps, ADVICE)
        }
        return location
      }),
    forget: (name, stored) =>
      withExclusiveLock(name, async () => {
        await file.forget({name, url: parseBaseUrl(stored.url)})
        await forgetInKeyring(name, stored, deps)
      }),
  }
}

/** What was kept besides the credentials has not been carried over. */
const ADVICE = ' Set its webhook token and extra headers again.'

async function findStoredProfile(
  name: string,
  {profiles}: CredentialsDeps,
): Promise<StoredProfile | undefined> {
  const all = await profiles()
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** An entry of the keyring belongs to one base URL. */
function isStoredInKeyring({url}: Owner, stored: StoredProfile | undefined): boolean {
  return stored?.store === 'keyring' && formatBaseUrl(parseBaseUrl(stored.url)) === formatBaseUrl(url)
}

async function lookInto(store: SecretStore, owner: Owner): Promise<Look> {
  const location = {store: store.name, location: store.describeLocation(owner)}
  try {
    return {...location, kept: await store.read(owner)}
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return {...location, kept: {}, problem: error}
  }
}

/** Puts the secrets into the store that is wanted, or into the file. @returns the store that has them */
async function writeSecrets(
  owner: Owner,
  wanted: StoreName,
  next: StoredCredentials,
  {file, keyring, warn}: CredentialsDeps,
): Promise<SecretStore> {
  if (wanted === 'keyring') {
    const store = await keyring()
    const failure = (await store.probe()) ?? (await store.put(owner, next))
    if (failure === undefined) return store
    await warn(
      `the OS keyring cannot be used: ${failure}. The secrets are stored in ${file.describeLocation(owner)} instead.`,
    )
  }
  await file.change(owner, () => next)
  return file
}

async function forgetInKeyring(
  name: string,
  stored: StoredProfile,
  deps: CredentialsDeps,
  advice = '',
): Promise<void> {
  if (stored.store !== 'keyring') return
  const owner = {name, url: parseBaseUrl(stored.url)}
  const store = await deps.keyring()
  await store.forget(owner).catch(error => {
    if (!isUnreachable(error)) throw error
    const entry = `entry "${store.describeLocation(owner)}" of storectl`
    return deps.warn(`the OS keyring cannot be used (${error.cause}), so ${entry} stays in it.${advice}`)
  })
}
