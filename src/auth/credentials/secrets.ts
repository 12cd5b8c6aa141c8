import {createUsageError} from '../../errors.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import type {Grant, Profile} from '../profile/profile.js'

/** An access token and what is needed to renew it. */
export interface AccessToken {
  readonly value: string
  /** By this machine's clock; `undefined` for a given token without an end. */
  readonly expiresAt: Date | undefined
  readonly obtainedAt: Date | undefined
  readonly grant: Grant | 'given'
  /** Works once; only the password grant has one. */
  readonly refreshToken?: string
  /** How far the shop's clock is ahead of this machine's, milliseconds. */
  readonly skewMs: number
}

/** The second factor of a user, as a plugin for two-factor sign-in expects it. It works once and is never stored. */
export interface OneTimeCode {
  /** Member of the request: `otp`. */
  readonly field: string
  readonly value: string
}

/** The credentials of a sign-in. */
export type SignIn =
  | {readonly kind: 'token'; readonly token: string}
  | {readonly kind: 'client'; readonly clientId: string; readonly clientSecret: string}
  | {
      readonly kind: 'password'
      readonly username: string
      readonly password: string
      readonly otp?: OneTimeCode | undefined
    }

type Env = Readonly<Record<string, string | undefined>>

/**
 * Credentials from the environment for this shop.
 *
 * If `STORECTL_URL` is set, they are only for that shop: a command for another shop does not send them there.
 *
 * @throws StorectlError `usage.half_credentials` if one half of a pair is missing
 */
export function signInFrom(env: Env, profile: Profile): SignIn | undefined {
  if (!isFor(env, profile)) return undefined
  if (env.STORECTL_TOKEN) return {kind: 'token', token: env.STORECTL_TOKEN}
  requireWholePair(env, 'STORECTL_CLIENT_ID', 'STORECTL_CLIENT_SECRET')
  requireWholePair(env, 'STORECTL_USERNAME', 'STORECTL_PASSWORD')
  if (env.STORECTL_CLIENT_SECRET) {
    const clientId = env.STORECTL_CLIENT_ID || profile.clientId
    if (!clientId) throw createHalfSetError('STORECTL_CLIENT_SECRET', 'STORECTL_CLIENT_ID')
    return {kind: 'client', clientId, clientSecret: env.STORECTL_CLIENT_SECRET}
  }
  if (env.STORECTL_PASSWORD) {
    const username = env.STORECTL_USERNAME || profile.username
    if (!username) throw createHalfSetError('STORECTL_PASSWORD', 'STORECTL_USERNAME')
    return {kind: 'password', username, password: env.STORECTL_PASSWORD}
  }
  requireOwnName(env, 'STORECTL_CLIENT_ID', profile.clientId, 'STORECTL_CLIENT_SECRET')
  requireOwnName(env, 'STORECTL_USERNAME', profile.username, 'STORECTL_PASSWORD')
  return undefined
}

/** Refuses an id without its secret if the stored profile would sign in as somebody else. */
function requireOwnName(env: Env, id: string, stored: string | undefined, secret: string): void {
  if (env[id] && env[id] !== stored) throw createHalfSetError(id, secret)
}

/** The webhook token from the environment for this shop. */
export function readWebhookToken(env: Env, profile: Profile): string | undefined {
  return (isFor(env, profile) && env.STORECTL_WEBHOOK_TOKEN) || undefined
}

/** Whether the environment's secrets are for this shop. */
export function isFor(env: Env, profile: Pick<Profile, 'url'>): boolean {
  return !env.STORECTL_URL || formatBaseUrl(parseBaseUrl(env.STORECTL_URL)) === formatBaseUrl(profile.url)
}

/**
 * Refuses an id with an empty secret, and a secret with an empty id: a secret store returns an empty text for a missing
 * one, and the stored profile would sign in as somebody else.
 *
 * @throws StorectlError `usage.half_credentials`
 */
export function requireWholePair(env: Env, id: string, secret: string): void {
  const [empty, set] = env[secret] === '' ? [secret, id] : [id, secret]
  if (env[empty] !== '' || !env[set]) return
  throw createUsageError('half_credentials', `${empty} is empty, but ${set} is set.`, [
    `export ${empty}=…`,
    `or unset ${empty} ${set}`,
  ])
}

function createHalfSetError(set: string, missing: string) {
  return createUsageError('half_credentials', `${set} is set, but ${missing} is not.`, [
    `export ${missing}=…`,
  ])
}

/** Environment variables that hold a secret. */
export const SECRET_VARIABLES = [
  'STORECTL_TOKEN',
  'STORECTL_CLIENT_SECRET',
  'STORECTL_PASSWORD',
  'STORECTL_WEBHOOK_TOKEN',
  'STORECTL_PROVIDER_CLIENT_SECRET',
  'PGPASSWORD',
] as const

/** Variables that hold addresses, and with some of them a password. */
const ADDRESSES = /(?:_proxy|_url)$/i

/** The secrets in the environment: those of our own variables, and the passwords in addresses of proxies. */
export function findEnvironmentSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const own = SECRET_VARIABLES.map(variable => env[variable] ?? '')
  const addresses = Object.keys(env).filter(name => ADDRESSES.test(name))
  return [...own, ...addresses.flatMap(name => findPasswords(env[name] ?? ''))]
}

/** Encoded and decoded; a user without a password is a token. */
function findPasswords(address: string): string[] {
  const [, user = '', password = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#:]*)(?::([^/?#]*))?@/i.exec(address) ?? []
  const secret = password || user
  try {
    return [secret, decodeURIComponent(secret)]
  } catch {
    return [secret]
  }
}
