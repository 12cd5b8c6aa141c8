import type {StorectlError} from '../../errors.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import type {StoreName} from '../profile/profile.js'
import type {StoredProfile, StoredProfiles} from '../profile/stored-profiles.js'
import {isUnreachable} from './keyring-secret-store.js'
import type {ReachableStore, SecretStore} from './secret-store.js'
import type {Owner, StoredCredentials} from './stored-credentials.js'

/** Where the secrets of a profile are stored. */
export interface SecretLocation {
  readonly store: StoreName
  /** A file's path, or the account of the keyring's entry. */
  readonly location: string
}

/** The secrets of a profile, as far as they can be read. */
export interface Look extends SecretLocation {
  readonly kept: StoredCredentials
  /** Why the keyring could not be read; then it is unknown what is stored. */
  readonly problem?: StorectlError
}

export type {StoredCredentials} from './stored-credentials.js'

/** The secrets of all profiles, each in the store that its sign-in chose. */
export interface CredentialStore {
  /**
   * What is stored for this profile at this base URL; empty if it is stored for another URL.
   *
   * @throws StorectlError `auth.keyring` if it is in a keyring that cannot be used
   */
  read(owner: Owner): Promise<StoredCredentials>
  /** The same, with its location, and without an error for the keyring. */
  look(owner: Owner): Promise<Look>
  /**
   * Changes what is stored for the profile; secrets of another base URL of it are deleted.
   *
   * @param change gets the present value; returning `undefined` changes nothing
   * @throws StorectlError `auth.keyring`
   */
  change(owner: Owner, change: (now: StoredCredentials) => StoredCredentials | undefined): Promise<void>
  /**
   * Stores the secrets of a sign-in in one store, and deletes those in the other. If the keyring cannot be used, a note
   * says so, and the file is used.
   *
   * @param wanted the store; `undefined`: the present one, else the file
   * @param saveLocation saves the chosen store in the settings
   */
  put(
    owner: Owner,
    wanted: StoreName | undefined,
    change: (now: StoredCredentials) => StoredCredentials,
    saveLocation: (location: SecretLocation) => Promise<void>,
  ): Promise<SecretLocation>
  /** Deletes everything stored for a profile. An unusable keyring is a warning. */
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

/** Secrets besides the credentials have not been moved yet. */
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

/** Puts the secrets into the wanted store, or into the file. @returns the store that has them */
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
