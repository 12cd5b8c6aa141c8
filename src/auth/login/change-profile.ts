import {createUsageError} from '../../errors.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import type {ProfileFlags} from '../../flags/profile-flags.js'
import type {JsonObject, JsonStore} from '../../platform/files/json-store.js'
import type {SecretSource} from '../../platform/terminal/secret-input.js'
import {parseVersion} from '../../shopware/versions/versions.js'
import {parseHeaderField} from '../../wire/intermediaries.js'
import type {CredentialStore} from '../credentials/credentials.js'
import {formatBaseUrl, parseBaseUrl, parsePathSegment} from '../profile/base-url.js'
import {LOCAL, type Profile} from '../profile/profile.js'
import {buildProfile, parseStoredProfiles, type StoredProfile} from '../profile/stored-profiles.js'
import {getProviderUrl, parseProviderUrl} from '../token/provider-access.js'

/** Changes to a profile; `undefined` members stay unchanged. */
export interface ProfileChange {
  readonly url?: string | undefined
  readonly provider?: string | undefined
  readonly tokenPrefix?: string | undefined
  readonly clientId?: string | undefined
  readonly protected?: boolean | undefined
  readonly webhookToken?: string | undefined
  /** `live`, `sandbox` or the base URL of the provider's own API. */
  readonly providerUrl?: string | undefined
  readonly providerClientId?: string | undefined
  readonly providerSecret?: string | undefined
  /** For a shop that does not report it; empty removes it. */
  readonly shopVersion?: string | undefined
  readonly pluginVersion?: string | undefined
  /** `10m`, or `none` for never. */
  readonly presumeLostAfter?: string | undefined
  /** `Basic …` for a gate, stored with the extra headers; empty removes it. */
  readonly authorization?: string | undefined
  /** All extra headers; empty removes them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ProfileFiles {
  readonly settings: JsonStore
  readonly credentials: CredentialStore
}

/**
 * Creates or changes a profile.
 *
 * Secrets belong to a URL: changing it deletes those of the old one.
 *
 * @returns whether the profile is new
 * @throws StorectlError `usage.local_profile`, `usage.nothing_to_set`, `usage.missing_flag`, `usage.url`,
 *   `usage.path_segment`
 */
export async function setProfile(name: string, change: ProfileChange, files: ProfileFiles): Promise<boolean> {
  refuseLocal(name, 'changed')
  if (Object.values(change).every(value => value === undefined)) {
    throw createUsageError('nothing_to_set', `No settings given for profile "${name}".`, [
      'storectl profile set --help',
    ])
  }
  let isNew = false
  let stored: StoredProfile = {url: ''}
  let old: StoredProfile | undefined
  await files.settings.update(content => {
    const profiles = parseStoredProfiles(content)
    const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    isNew = before === undefined
    stored = applyChange(name, before, change)
    old = before?.url === stored.url ? undefined : before
    return {...content, profiles: {...profiles, [name]: stored}}
  })
  if (old) await files.credentials.forget(name, old)
  await keepSecrets(buildProfile(name, stored), change, files.credentials)
  return isNew
}

function applyChange(name: string, before: StoredProfile | undefined, change: ProfileChange): StoredProfile {
  const url = change.url === undefined ? before?.url : formatBaseUrl(parseBaseUrl(change.url))
  if (url === undefined) {
    throw createUsageError('missing_flag', `Profile "${name}" does not exist yet, so it needs --url.`, [
      `storectl profile set ${name} --url https://shop.example`,
    ])
  }
  const {provider, tokenPrefix, clientId} = change
  const next = {
    ...before,
    url,
    ...(provider === undefined ? {} : {provider: parsePathSegment(provider, 'provider')}),
    ...(tokenPrefix === undefined ? {} : {tokenPrefix: parsePathSegment(tokenPrefix, 'token prefix')}),
    ...(clientId === undefined ? {} : {clientId}),
    ...(change.protected === undefined ? {} : {protected: change.protected}),
    ...(change.providerUrl === undefined
      ? {}
      : {providerUrl: formatBaseUrl(parseProviderUrl(change.providerUrl))}),
    ...(change.providerClientId === undefined ? {} : {providerClientId: change.providerClientId}),
    ...(change.shopVersion === undefined ? {} : {shopVersion: change.shopVersion}),
    ...(change.pluginVersion === undefined ? {} : {pluginVersion: change.pluginVersion}),
    ...(change.presumeLostAfter === undefined ? {} : {presumeLostAfter: change.presumeLostAfter}),
  }
  buildProfile(name, next)
  return next
}

async function keepSecrets(
  owner: Profile,
  {webhookToken, headers, authorization, providerSecret}: ProfileChange,
  credentials: CredentialStore,
): Promise<void> {
  const given = [webhookToken, headers, authorization, providerSecret]
  if (given.every(each => each === undefined)) return
  await credentials.change(owner, ({headers: before, ...now}) => {
    const next = setAuthorization(headers ?? before ?? {}, authorization)
    return {
      ...now,
      ...(webhookToken === undefined ? {} : {webhookToken}),
      ...(providerSecret === undefined
        ? {}
        : {providerSecret: {url: formatBaseUrl(getProviderUrl(owner)), value: providerSecret}}),
      ...(Object.keys(next).length === 0 ? {} : {headers: next}),
    }
  })
}

/**
 * Removes a profile with all its secrets.
 *
 * @returns whether it was the current one; the bundled shop is current then
 * @throws StorectlError `usage.local_profile`
 */
export async function removeProfile(name: string, {settings, credentials}: ProfileFiles): Promise<boolean> {
  refuseLocal(name, 'removed')
  let wasCurrent = false
  let stored: StoredProfile | undefined
  await settings.update(content => {
    const {[name]: removed, ...profiles} = parseStoredProfiles(content)
    stored = removed
    const {profile, ...own} = (content.settings ?? {}) as JsonObject
    wasCurrent = profile === name
    return {...content, settings: wasCurrent || profile === undefined ? own : {...own, profile}, profiles}
  })
  if (stored) await credentials.forget(name, stored)
  return wasCurrent
}

function refuseLocal(name: string, being: string): void {
  if (name !== LOCAL) return
  throw createUsageError('local_profile', `"${LOCAL}" is the bundled shop and cannot be ${being}.`, [
    'storectl server start --help',
  ])
}

/**
 * The change that a command line requests; its secrets are read from the sources that flags name.
 *
 * @param hide removes a secret from stderr
 * @throws StorectlError `usage.header`, `usage.basic_auth`, and as reading secrets does
 */
export async function parseProfileChange(
  flags: ProfileFlags & Pick<GlobalFlags, 'url'>,
  readSecret: (source: SecretSource) => Promise<string | undefined>,
  hide: (secret: string | undefined) => void,
): Promise<ProfileChange> {
  const read = (
    name: 'webhook-token' | 'header' | 'basic-auth' | 'provider-client-secret',
    what: string,
    mayBeEmpty = false,
  ) => readSecret({stdin: flags[`${name}-stdin`], file: flags[`${name}-file`], what, mayBeEmpty})
  const webhookToken = await read('webhook-token', 'webhook token')
  const headers = await read('header', 'headers', true)
  const basicAuth = await read('basic-auth', 'Basic auth credentials', true)
  hide(basicAuth?.split(/:(.*)/s)[1]?.trim())
  const providerSecret = await read('provider-client-secret', "provider's client secret")
  return {
    url: flags.url,
    provider: flags.provider,
    tokenPrefix: flags['token-prefix'],
    clientId: flags['client-id'],
    protected: flags.protected,
    webhookToken: webhookToken?.trim(),
    providerUrl: flags['provider-url'],
    providerClientId: flags['provider-client-id'],
    providerSecret: providerSecret?.trim(),
    shopVersion: parseOptionalVersion(flags['shop-version'], 'shop'),
    pluginVersion: parseOptionalVersion(flags['plugin-version'], 'plugin'),
    presumeLostAfter: flags['presume-lost-after'],
    authorization: basicAuth?.trim() ? buildBasicAuthorization(basicAuth) : basicAuth?.trim(),
    headers: headers === undefined ? undefined : parseHeaderLines(headers),
  }
}

function parseOptionalVersion(text: string | undefined, what: string): string | undefined {
  return text === undefined ? undefined : parseVersion(text, what)
}

/** Headers that belong to the call; a profile's own would break it. */
const TAKEN = new Set(['host', 'content-length', 'content-type', 'connection', 'transfer-encoding', 'accept'])

/**
 * Reads extra headers, one `Name: value` per line; empty lines are ignored.
 *
 * @throws StorectlError `usage.header`, which names the line and never repeats a value
 * @see RFC 9110 §5.5, §5.6.2
 */
function parseHeaderLines(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const {name = '', value = ''} = parseHeaderField(line) ?? {}
    if (value === '') {
      throw createUsageError('header', `Line ${at + 1} is not a header: write "Name: value", in ASCII.`)
    }
    if (TAKEN.has(name.toLowerCase())) {
      throw createUsageError('header', `Line ${at + 1}: the header "${name}" is set by storectl itself.`)
    }
    headers[name] = value
  }
  return headers
}

/**
 * The header that sends a gate a user and a password.
 *
 * @param text `user:password`; the password may contain colons
 * @throws StorectlError `usage.basic_auth`, which never repeats what was given
 * @see RFC 7617 §2
 */
function buildBasicAuthorization(text: string): string {
  const line = text.trim()
  const hasUser = /^[^:]+:/.test(line)
  if (hasUser && ![...line].some(isControl)) return `Basic ${Buffer.from(line).toString('base64')}`
  throw createUsageError('basic_auth', 'Invalid Basic auth credentials: write "user:password" on one line.')
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code < 0x20 || code === 0x7f
}

/**
 * Extra headers with the one for a gate in place of any other `Authorization`.
 *
 * @param authorization from `buildBasicAuthorization`; `undefined` changes nothing, `''` removes it
 */
function setAuthorization(
  headers: Readonly<Record<string, string>>,
  authorization: string | undefined,
): Record<string, string> {
  if (authorization === undefined) return {...headers}
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization')
  return {...Object.fromEntries(others), ...(authorization === '' ? {} : {Authorization: authorization})}
}
