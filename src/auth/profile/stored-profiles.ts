import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import {type ErrorCode, StorectlError} from '../../errors.js'
import {suggestNearest} from '../../language/nearest-word.js'
import {parseDurationMs} from '../../language/quantities.js'
import {parseBaseUrl} from './base-url.js'
import {DEFAULT_TOKEN_PREFIX, LOCAL, PRESUME_LOST_AFTER, type Profile, type StoreName} from './profile.js'

/** A profile in the settings file, without secrets. */
export interface StoredProfile {
  readonly url: string
  readonly provider?: string
  readonly tokenPrefix?: string
  readonly grant?: 'client_credentials' | 'password'
  readonly clientId?: string
  readonly username?: string
  readonly protected?: boolean
  /** Where its secrets are stored; default: the file. */
  readonly store?: StoreName
  readonly providerUrl?: string
  readonly providerClientId?: string
  readonly shopVersion?: string
  readonly pluginVersion?: string
  /** As typed: `10m`, or `none` for never. */
  readonly presumeLostAfter?: string
}

export type StoredProfiles = Readonly<Record<string, StoredProfile>>

/**
 * The profiles in the settings file.
 *
 * @param settings what the file holds
 * @throws StorectlError `usage.stored_profile` if one of them was made invalid by an edit
 */
export function parseStoredProfiles(settings: {readonly profiles?: unknown}): StoredProfiles {
  const {profiles = {}} = settings
  if (typeof profiles !== 'object' || profiles === null)
    throw createMisshapenError('"profiles" is not an object')
  for (const [name, value] of Object.entries(profiles)) check(name, value)
  return profiles as StoredProfiles
}

/**
 * The profiles in the settings file. If flag or environment give the URL, invalid profiles are ignored.
 *
 * @throws StorectlError `usage.stored_profile` if no URL is given
 */
export function readUsableProfiles(
  settings: {readonly profiles?: unknown},
  url: string | undefined,
): StoredProfiles {
  try {
    return parseStoredProfiles(settings)
  } catch (error) {
    if (url) return {}
    throw error
  }
}

/** A stored profile with its defaults. */
export function buildProfile(name: string, stored: StoredProfile): Profile {
  const {url, provider, tokenPrefix, grant, clientId, username, providerUrl, providerClientId} = stored
  const {shopVersion, pluginVersion, presumeLostAfter} = stored
  return {
    name,
    url: parseBaseUrl(url),
    provider: provider ?? DEFAULT_PROVIDER,
    tokenPrefix: tokenPrefix ?? DEFAULT_TOKEN_PREFIX,
    grant: grant ?? (username === undefined ? 'client_credentials' : 'password'),
    ...(clientId === undefined ? {} : {clientId}),
    ...(username === undefined ? {} : {username}),
    protected: stored.protected === true,
    ...(providerUrl === undefined ? {} : {providerUrl: parseBaseUrl(providerUrl)}),
    ...(providerClientId === undefined ? {} : {providerClientId}),
    ...(shopVersion ? {shopVersion} : {}),
    ...(pluginVersion ? {pluginVersion} : {}),
    presumeLostAfterMs: parsePresumeLost(presumeLostAfter ?? PRESUME_LOST_AFTER),
  }
}

/**
 * How long after a lost call its missing effect counts as not applied.
 *
 * @param text `10m`, or `none` for never
 * @returns milliseconds; `undefined` for never
 * @throws StorectlError `usage.duration`
 */
export function parsePresumeLost(text: string): number | undefined {
  return text === 'none' ? undefined : parseDurationMs(text)
}

const TEXTS = [
  ...['url', 'provider', 'tokenPrefix', 'grant', 'clientId', 'username'],
  ...['providerUrl', 'providerClientId', 'shopVersion', 'pluginVersion', 'presumeLostAfter'],
]

function check(name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null)
    throw createMisshapenError(`profile "${name}" is not an object`)
  const fields = value as Record<string, unknown>
  const wrong = TEXTS.find(key => fields[key] !== undefined && typeof fields[key] !== 'string')
  if (wrong) throw createMisshapenError(`"${wrong}" of profile "${name}" is not text`)
  if (![undefined, 'file', 'keyring'].includes(fields.store as undefined)) {
    throw createMisshapenError(`"store" of profile "${name}" is neither "file" nor "keyring"`)
  }
  if (fields.url === undefined) throw createMisshapenError(`profile "${name}" has no URL`)
}

function createMisshapenError(what: string): StorectlError {
  return new StorectlError('usage.stored_profile', `In the settings file, ${what}.`, {
    nextSteps: ['storectl config list --path', 'storectl profile set NAME --url URL'],
  })
}

/** The error for a setting, variable or flag with a profile that does not exist, with the nearest one that does. */
export function createUnknownProfileError(name: string, stored: Iterable<string>, from = ''): StorectlError {
  return createProfileError('usage.unknown_profile', name, stored, from)
}

/** The error for the single profile of a command, if it does not exist. */
export function createMissingProfileError(name: string, stored: Iterable<string>): StorectlError {
  return createProfileError('empty.no_profile', name, stored)
}

function createProfileError(code: ErrorCode, name: string, stored: Iterable<string>, from = '') {
  const where = from && !from.startsWith('--') ? ` (from ${from})` : ''
  const message = `Unknown profile "${name}"${where}.${suggestNearest(name, [LOCAL, ...stored])}`
  return new StorectlError(code, message, {
    nextSteps: ['storectl profile list', `storectl login --profile ${name} --url URL`],
  })
}
