import {StorectlError} from '../../errors.js'
import type {SignInFixes} from '../../http/http.js'
import {formatBaseUrl} from '../profile/base-url.js'
import {type Connection, LOCAL, type Profile, UNNAMED} from '../profile/profile.js'
import type {AccessToken, SignIn} from './secrets.js'

type Env = Readonly<Record<string, string | undefined>>

/** Variables for each way to sign in. */
const VARIABLES = {
  token: 'STORECTL_TOKEN=…',
  client: 'STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…',
  password: 'STORECTL_USERNAME=… STORECTL_PASSWORD=…',
} as const

/**
 * How to fix a refused sign-in to a shop: in the environment if its credentials come from there, else by signing in to
 * the profile again.
 *
 * @param signIn from the environment, `undefined` if the profile's own credentials are used
 */
export function suggestSignIn(
  profile: Pick<Profile, 'name' | 'url'>,
  signIn: SignIn | undefined,
  env: Env,
): SignInFixes {
  const login = formatLoginCommand(profile)
  const url = env.STORECTL_URL ? (text: string) => `export STORECTL_URL=${text}` : formatUrlOption(profile)
  return {
    signIn: signIn ? `export ${VARIABLES[signIn.kind]}` : login,
    atUrl: signIn ? url : formatUrlOption(profile),
    ...suggestHeaderFix(profile, profile.name === UNNAMED),
  }
}

/** How to fix a refused `login`. @param isStored whether a profile of that name already exists */
export function suggestLoginFix(profile: Pick<Profile, 'name' | 'url'>, isStored: boolean): SignInFixes {
  const again = isStored ? '' : ` --url ${formatBaseUrl(profile.url)}`
  return {
    signIn: `storectl login --profile ${profile.name}${again}`,
    atUrl: formatUrlOption(profile),
    ...suggestHeaderFix(profile, !isStored),
  }
}

/** How to fix the sign-in to the bundled shop, which is automatic. */
export function suggestBundledSignIn(): SignInFixes {
  const signIn = 'storectl server credentials --reset'
  return {signIn, atUrl: () => 'storectl server status', basicAuth: signIn, header: signIn}
}

/** The command line that signs in to the profile. */
function formatLoginCommand({name, url}: Pick<Profile, 'name' | 'url'>): string {
  return name === UNNAMED ? `storectl login --url ${formatBaseUrl(url)}` : `storectl login --profile ${name}`
}

function formatUrlOption({name}: Pick<Profile, 'name'>): (text: string) => string {
  const words = name === UNNAMED || name === LOCAL ? '' : ` --profile ${name}`
  return text => `storectl login${words} --url ${text}`
}

/** Headers are stored with a profile; the same command creates a missing one. */
function suggestHeaderFix({name, url}: Pick<Profile, 'name' | 'url'>, isNew: boolean) {
  const profile = `${name === UNNAMED ? 'NAME' : name}${isNew ? ` --url ${formatBaseUrl(url)}` : ''}`
  return {
    basicAuth: `storectl profile set ${profile} --basic-auth-stdin   # reads user:password`,
    header: `storectl profile set ${profile} --header-stdin   # reads "Name: value"`,
  }
}

/** The error for a shop without a sign-in. */
export function createNotSignedInError(profile: Profile): StorectlError {
  const where =
    profile.name === UNNAMED ? formatBaseUrl(profile.url) : `${profile.name} (${formatBaseUrl(profile.url)})`
  return new StorectlError('auth.not_signed_in', `Not signed in to ${where}. Nothing was sent.`, {
    nextSteps: [formatLoginCommand(profile), 'or export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…'],
  })
}

/** The error for a stored token that has expired and cannot be renewed. */
export function createSessionEndedError(
  profile: Profile,
  {expiresAt}: Pick<AccessToken, 'expiresAt'>,
): StorectlError {
  const ended = expiresAt ? ` at ${expiresAt.toISOString()}` : ''
  return new StorectlError(
    'auth.session_ended',
    `The session of profile "${profile.name}" ended${ended}, and no credentials are stored to renew it.`,
    {nextSteps: [formatLoginCommand(profile)]},
  )
}

/** @param expiresAt of the stored token, ISO 8601 */
export function createSignInError(profile: Profile, expiresAt: string | null | undefined): StorectlError {
  return expiresAt
    ? createSessionEndedError(profile, {expiresAt: new Date(expiresAt)})
    : createNotSignedInError(profile)
}

/** The error for a given token that is refused because it has expired. */
export function createTokenEndedError(endedAt: Date, signIn: string): StorectlError {
  return new StorectlError(
    'auth.token_expired',
    `The access token from STORECTL_TOKEN expired at ${endedAt.toISOString()}.`,
    {nextSteps: [signIn, 'or export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…, which renew themselves']},
  )
}

/** The error for a shop whose webhook route cannot be called. */
export function createNoWebhookTokenError({name}: Pick<Profile, 'name'>): StorectlError {
  const keep = `storectl profile set ${name === UNNAMED ? 'NAME --url URL' : name} --webhook-token-stdin`
  return new StorectlError('auth.no_webhook_token', `No webhook token for "${name}". Nothing was sent.`, {
    nextSteps: ['export STORECTL_WEBHOOK_TOKEN=…', keep],
  })
}

/** The webhook token of a shop, `undefined` if none is known. */
export async function findWebhookToken(
  connection: Pick<Connection, 'webhookToken'>,
): Promise<string | undefined> {
  return connection.webhookToken().catch((error: unknown) => {
    if (error instanceof StorectlError && error.code === 'auth.no_webhook_token') return undefined
    throw error
  })
}
