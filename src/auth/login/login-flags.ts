import {createUsageError} from '../../errors.js'
import type {GlobalFlags} from '../../flags/global-flags.js'
import type {LoginFlags} from '../../flags/login-flags.js'
import type {Env} from '../../platform/processes.js'
import type {SecretSource} from '../../platform/terminal/secret-input.js'
import {type OneTimeCode, requireWholePair} from '../credentials/secrets.js'
import {STORES} from '../profile/profile.js'
import type {LoginSettings} from './login.js'
import type {LoginWords} from './login-words.js'

type Flags = LoginFlags & Pick<GlobalFlags, 'url' | 'profile'>

export interface FlagSources {
  readonly env: Env
  readonly readSecret: (source: SecretSource) => Promise<string | undefined>
}

/** What a sign-in sets besides the credentials, from flags, else from the environment. */
export async function parseLoginSettings(
  flags: Flags,
  {env, readSecret}: FlagSources,
): Promise<LoginSettings> {
  return {
    provider: flags.provider,
    tokenPrefix: flags['token-prefix'],
    webhookToken:
      (await readSecret(buildSecretSource(flags, 'webhook-token'))) ??
      readFilled(env, 'STORECTL_WEBHOOK_TOKEN'),
    protected: flags.protected,
    remember: flags.remember,
    store: STORES.find(name => name === flags.store),
  }
}

/** The credentials of a sign-in, from flags, else from the environment. */
export async function parseLoginWords(flags: Flags, {env, readSecret}: FlagSources): Promise<LoginWords> {
  const {url, profile, username} = flags
  const clientSecret = await readSecret(buildSecretSource(flags, 'client-secret'))
  const password = await readSecret(buildSecretSource(flags, 'password'))
  if (!flags['client-id'] && clientSecret === undefined)
    requireWholePair(env, 'STORECTL_CLIENT_ID', 'STORECTL_CLIENT_SECRET')
  if (!username && password === undefined) requireWholePair(env, 'STORECTL_USERNAME', 'STORECTL_PASSWORD')
  return {
    profile: profile ?? (url === undefined ? readFilled(env, 'STORECTL_PROFILE') : undefined),
    url: url ?? readFilled(env, 'STORECTL_URL'),
    clientId: flags['client-id'] ?? readFilled(env, 'STORECTL_CLIENT_ID'),
    clientSecret: clientSecret ?? readFilled(env, 'STORECTL_CLIENT_SECRET'),
    username: username ?? readFilled(env, 'STORECTL_USERNAME'),
    password: password ?? readFilled(env, 'STORECTL_PASSWORD'),
    otp: await readOneTimeCode(flags, readSecret),
  }
}

/** One that is empty counts as unset. */
function readFilled(env: Env, name: string): string | undefined {
  return env[name] || undefined
}

/** Members of the sign-in that mean something else. */
const TAKEN = new Set(['grant_type', 'client_id', 'client_secret', 'username', 'password', 'scope'])

async function readOneTimeCode(
  flags: Flags,
  readSecret: FlagSources['readSecret'],
): Promise<OneTimeCode | undefined> {
  if (!flags['otp-stdin']) return undefined
  const field = flags['otp-field'] ?? 'otp'
  if (!/^[a-z_][\w.-]{0,63}$/i.test(field) || TAKEN.has(field.toLowerCase()))
    throw createUsageError('otp_field', `"${field}" cannot be the member that holds the one-time code.`)
  const value = (await readSecret({stdin: true, file: undefined, what: 'one-time code'}))?.trim()
  return value === undefined ? undefined : {field, value}
}

function buildSecretSource(flags: Flags, name: 'client-secret' | 'password' | 'webhook-token'): SecretSource {
  return {stdin: flags[`${name}-stdin`], file: flags[`${name}-file`], what: name.replace('-', ' ')}
}
