import type {JsonObject} from '../../platform/files/json-store.js'
import {formatBaseUrl} from '../profile/base-url.js'
import type {Grant, Profile} from '../profile/profile.js'
import type {AccessToken} from './secrets.js'

/** All secrets stored for a profile, and the one base URL to which they may be sent. */
export interface StoredCredentials {
  readonly clientSecret?: string
  readonly webhookToken?: string
  /** Sent with every call, for a shop behind a gate. Names as given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: AccessToken
  /** Credentials for the payment provider's own API, and the one base URL to which they may be sent. */
  readonly providerSecret?: {readonly url: string; readonly value: string}
}

/** Texts that are removed from all output. */
export interface HiddenTexts {
  hide(secret: string | undefined): void
  /** The value of a header, which may be or contain a credential. */
  hideHeader(value: string): void
}

/** Removes stored secrets from all output from now on. */
export function hideSecrets(kept: StoredCredentials, texts: HiddenTexts): void {
  const {clientSecret, webhookToken, headers = {}, token, providerSecret} = kept
  const secrets = [clientSecret, webhookToken, token?.value, token?.refreshToken, providerSecret?.value]
  for (const secret of secrets) texts.hide(secret)
  for (const value of Object.values(headers)) texts.hideHeader(value)
}

/** Whose secrets: a profile, at one base URL. */
export type Owner = Pick<Profile, 'name' | 'url'>

/**
 * The contents of an entry, as `serializeCredentials` wrote it; empty if it is for a base URL other than the owner's.
 *
 * @param entry any value found
 */
export function parseStoredCredentials(owner: Owner, entry: unknown): StoredCredentials {
  if (typeof entry !== 'object' || entry === null) return {}
  const fields = entry as JsonObject
  return fields.url === formatBaseUrl(owner.url) ? parseFields(fields) : {}
}

/** The stored form, with the base URL that it belongs to. */
export function serializeCredentials({url}: Owner, kept: StoredCredentials): JsonObject {
  return {url: formatBaseUrl(url), ...kept}
}

function parseFields(entry: JsonObject): StoredCredentials {
  const token = entry.token as JsonObject | undefined
  return {
    ...readText(entry, 'clientSecret'),
    ...readText(entry, 'webhookToken'),
    ...(typeof entry.headers === 'object' && entry.headers !== null
      ? {headers: entry.headers as Record<string, string>}
      : {}),
    ...(typeof token?.value === 'string' ? {token: readToken(token, token.value)} : {}),
    ...readProviderSecret(entry.providerSecret),
  }
}

function readText<Key extends string>(entry: JsonObject, key: Key): {[K in Key]?: string} {
  const value = entry[key]
  return (typeof value === 'string' ? {[key]: value} : {}) as {[K in Key]?: string}
}

function readProviderSecret(entry: unknown): Pick<StoredCredentials, 'providerSecret'> {
  const {url, value} = (entry ?? {}) as Record<string, unknown>
  return typeof url === 'string' && typeof value === 'string' ? {providerSecret: {url, value}} : {}
}

function readToken(token: JsonObject, value: string): AccessToken {
  return {
    value,
    expiresAt: readDate(token.expiresAt),
    obtainedAt: readDate(token.obtainedAt),
    grant: token.grant === 'password' ? 'password' : ('client_credentials' satisfies Grant),
    ...readText(token, 'refreshToken'),
    skewMs: typeof token.skewMs === 'number' ? token.skewMs : 0,
  }
}

/** An invalid date counts as long past, so that the token is renewed. */
function readDate(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date(0) : time
}
