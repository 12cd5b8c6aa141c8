import type {JsonObject, JsonStore} from '../platform/json-store.js'
import {urlText} from './base-url.js'
import type {Grant, Profile} from './profile.js'
import type {AccessToken} from './secrets.js'

/** Everything secret that is kept for a profile, and the one base URL that it may be sent to. */
export interface Kept {
  readonly clientSecret?: string
  readonly webhookToken?: string
  /** Sent with every call, for a shop behind a gate. Names as they were given. */
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: AccessToken
  /** Signs in to the payment provider's own API, and the one base URL that it may be sent to. */
  readonly providerSecret?: {readonly url: string; readonly value: string}
}

type Owner = Pick<Profile, 'name' | 'url'>

/** The file of secrets. */
export interface Credentials {
  /** Where it lies, for messages. */
  readonly file: string
  /** What is kept for this profile at this base URL; empty when it is kept for another URL. */
  of(owner: Owner): Promise<Kept>
  /**
   * Changes what is kept for the profile; what was kept for another base URL of it is dropped.
   *
   * @param change gets what is there at that moment; `undefined` leaves all as it is
   */
  change(owner: Owner, change: (now: Kept) => Kept | undefined): Promise<void>
  /** Drops everything that is kept for these profiles; names that are not there do no harm. */
  forget(names: readonly string[]): Promise<void>
  /** Names of the profiles that something is kept for. */
  names(): Promise<string[]>
}

/** The credentials in a JSON store. */
export function credentialsIn(store: JsonStore): Credentials {
  return {
    file: store.file,
    of: async owner => keptFor(owner, await store.read()),
    change: (owner, change) =>
      store.update(all => {
        const next = change(keptFor(owner, all))
        return next && {...all, [owner.name]: written(owner, next)}
      }),
    forget: names =>
      store.update(all => {
        const left = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))
        return Object.keys(left).length === Object.keys(all).length ? undefined : left
      }),
    names: async () => Object.keys(await store.read()),
  }
}

function keptFor(owner: Owner, all: JsonObject): Kept {
  const entry = Object.hasOwn(all, owner.name) ? (all[owner.name] as JsonObject | undefined) : undefined
  if (!entry || entry.url !== urlText(owner.url)) return {}
  const token = entry.token as JsonObject | undefined
  return {
    ...text(entry, 'clientSecret'),
    ...text(entry, 'webhookToken'),
    ...(typeof entry.headers === 'object' && entry.headers !== null
      ? {headers: entry.headers as Record<string, string>}
      : {}),
    ...(typeof token?.value === 'string' ? {token: readToken(token, token.value)} : {}),
    ...providerSecretIn(entry.providerSecret),
  }
}

function text<Key extends string>(entry: JsonObject, key: Key): {[K in Key]?: string} {
  const value = entry[key]
  return (typeof value === 'string' ? {[key]: value} : {}) as {[K in Key]?: string}
}

function providerSecretIn(entry: unknown): Pick<Kept, 'providerSecret'> {
  const {url, value} = (entry ?? {}) as Record<string, unknown>
  return typeof url === 'string' && typeof value === 'string' ? {providerSecret: {url, value}} : {}
}

function readToken(token: JsonObject, value: string): AccessToken {
  return {
    value,
    expiresAt: date(token.expiresAt),
    obtainedAt: date(token.obtainedAt),
    grant: token.grant === 'password' ? 'password' : ('client_credentials' satisfies Grant),
    ...text(token, 'refreshToken'),
    skewMs: typeof token.skewMs === 'number' ? token.skewMs : 0,
  }
}

/** A date that cannot be read counts as long past, so that the token is renewed. */
function date(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date(0) : time
}

function written({url}: Owner, kept: Kept): JsonObject {
  return {url: urlText(url), ...kept}
}
