import type {Env} from '../../platform/processes.js'
import type {SecretSource} from '../../platform/terminal/secret-input.js'
import type {LoginSettings} from './login.js'
import type {LoginWords} from './login-input.js'

/** Stores that a sign-in can choose. */
export const STORES = ['file', 'keyring'] as const

/** Flags of a sign-in, as they are typed. */
export interface LoginFlags {
  readonly url?: string | undefined
  readonly profile?: string | undefined
  readonly 'client-id'?: string | undefined
  readonly 'client-secret-stdin'?: boolean
  readonly 'client-secret-file'?: string | undefined
  readonly username?: string | undefined
  readonly 'password-stdin'?: boolean
  readonly 'password-file'?: string | undefined
  readonly 'webhook-token-stdin'?: boolean
  readonly 'webhook-token-file'?: string | undefined
  readonly provider?: string | undefined
  readonly 'token-prefix'?: string | undefined
  readonly protected?: boolean
  readonly remember: boolean
  readonly store?: string | undefined
}

export interface FlagSources {
  readonly env: Env
  readonly readSecret: (source: SecretSource) => Promise<string | undefined>
}

/** What a sign-in sets besides the credentials; what no flag says comes from the environment. */
export async function parseLoginSettings(
  flags: LoginFlags,
  {env, readSecret}: FlagSources,
): Promise<LoginSettings> {
  return {
    provider: flags.provider,
    tokenPrefix: flags['token-prefix'],
    webhookToken: (await readSecret(buildSecretSource(flags, 'webhook-token'))) ?? env.STORECTL_WEBHOOK_TOKEN,
    protected: flags.protected,
    remember: flags.remember,
    store: STORES.find(name => name === flags.store),
  }
}

/** What to sign in with; what no flag says comes from the environment. */
export async function parseLoginWords(
  flags: LoginFlags,
  {env, readSecret}: FlagSources,
): Promise<LoginWords> {
  const {url, profile, username} = flags
  return {
    profile: profile ?? (url === undefined ? env.STORECTL_PROFILE : undefined),
    url: url ?? env.STORECTL_URL,
    clientId: flags['client-id'] ?? env.STORECTL_CLIENT_ID,
    clientSecret: (await readSecret(buildSecretSource(flags, 'client-secret'))) ?? env.STORECTL_CLIENT_SECRET,
    username: username ?? env.STORECTL_USERNAME,
    password: (await readSecret(buildSecretSource(flags, 'password'))) ?? env.STORECTL_PASSWORD,
  }
}

function buildSecretSource(
  flags: LoginFlags,
  name: 'client-secret' | 'password' | 'webhook-token',
): SecretSource {
  return {stdin: flags[`${name}-stdin`], file: flags[`${name}-file`], what: name.replace('-', ' ')}
}
