import type {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse, SignInFixes} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import type {JsonObject, JsonStore} from '../../platform/files/json-store.js'
import type {CredentialStore, SecretLocation, StoredCredentials} from '../credentials/credentials.js'
import type {AccessToken} from '../credentials/secrets.js'
import {suggestLoginFix} from '../credentials/sign-in-commands.js'
import {formatBaseUrl, parsePathSegment} from '../profile/base-url.js'
import {DEFAULT_ROUTE, type StoreName} from '../profile/profile.js'
import {buildProfile, parseStoredProfiles, type StoredProfile} from '../profile/stored-profiles.js'
import {addCallerHeaders, createAuthenticatedCaller} from '../token/authenticated-client.js'
import {requestToken} from '../token/token-client.js'
import {type LoginInput, type LoginSources, readLoginInput} from './login-input.js'
import type {LoginWords} from './login-words.js'
import {obtainToken} from './obtain-token.js'
import {fetchShopVersion} from './shop-version.js'
import {type ChosenWebhookToken, chooseWebhookToken, type WebhookTokenApi} from './webhook-token.js'

/** What a sign-in sets besides the credentials; `undefined` leaves it unchanged. */
export interface LoginSettings {
  readonly provider?: string | undefined
  readonly tokenPrefix?: string | undefined
  readonly webhookToken?: string | undefined
  readonly protected?: boolean | undefined
  /** Whether to store the client secret or refresh token that renews the token. */
  readonly remember: boolean
  readonly store?: StoreName | undefined
}

export interface LoginDeps {
  readonly createCaller: (url: URL) => Promise<HttpClient>
  readonly clock: Clock
  /** Ends the wait for the shop. */
  readonly signal: AbortSignal
  readonly credentials: CredentialStore
  readonly settings: JsonStore
  readonly refusal: (answer: HttpResponse, url: URL, doing: string, hints: SignInFixes) => StorectlError
  readonly prompts: LoginSources['prompts']
  /** What the shop knows about its webhook. @param shop with calls that carry the new token */
  readonly openWebhook: (shop: WebhookShop) => WebhookTokenApi | 'not-asked' | 'not-needed'
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
  readonly profileName: LoginSources['profileName']
  /** Removes a secret from all output from now on. */
  readonly hide: (secret: string | undefined) => void
}

/** The shop of the sign-in, for checks of its webhook. */
export interface WebhookShop {
  readonly profile: {readonly provider: string; readonly tokenPrefix: string}
  readonly signed: HttpClient
  readonly unsigned: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
}

/** A sign-in that worked. Secrets are not in it. */
export interface LoggedIn {
  readonly profile: string
  readonly url: string
  readonly grant: string
  /** The client id or the user name. */
  readonly as: string
  readonly version: string | null
  /** UTC, ISO 8601. */
  readonly expiresAt: string | null
  readonly renewsItself: boolean
  /** How far the shop's clock is ahead of ours. */
  readonly clockSkewMs: number
  /** Where the token is stored. */
  readonly store: StoreName
  /** A file's path, or the account of the keyring's entry. */
  readonly storedIn: string
  /** Whether replays have a webhook token: `set`, `missing`, `refused` by the shop, or `not-needed`. */
  readonly webhookToken: ChosenWebhookToken['state']
  /** Whether commands use this profile when none is named. */
  readonly current: boolean
}

/**
 * Signs in, checks the token with a real call, and only then stores anything.
 *
 * The first profile becomes the current one; a later one does not, so that a job that names no profile stays where it
 * was.
 *
 * @throws StorectlError as `requestToken` and `fetchShopVersion` list them; nothing is stored then
 */
export async function signIn(words: LoginWords, set: LoginSettings, deps: LoginDeps): Promise<LoggedIn> {
  const typed = await readInput(words, set, deps)
  const {name, url} = typed
  const hints = suggestLoginFix({name, url}, typed.stored !== undefined)
  const {headers = {}, webhookToken: storedToken} = (await deps.credentials.look({name, url})).kept
  for (const value of Object.values(headers)) deps.hide(value)
  const caller = addCallerHeaders(await deps.createCaller(url), headers)
  const {token, input} = await obtainToken(typed, {
    ...deps,
    request: signIn => {
      deps.hide(signIn.kind === 'client' ? signIn.clientSecret : signIn.password)
      if (signIn.kind === 'password') deps.hide(signIn.otp?.value)
      return requestToken(signIn, {caller, clock: deps.clock, hints}, false, deps.signal)
    },
  })
  const {signIn} = input
  deps.hide(token.value)
  deps.hide(token.refreshToken)
  const signed = createAuthenticatedCaller(caller, {obtain: async () => token, renew: async () => undefined})
  const refusal = (answer: HttpResponse, doing: string) => deps.refusal(answer, url, doing, hints)
  const version = await fetchShopVersion(signed, refusal, deps.signal)
  const shop = {profile: chooseRoute(input, set), signed, unsigned: caller, refusal}
  const webhook = await findWebhookToken(set.webhookToken ?? storedToken, deps.openWebhook(shop), deps)
  const {current, location} = await keep(input, {...set, webhookToken: webhook.token}, token, deps)
  return {
    profile: name,
    url: formatBaseUrl(url),
    grant: token.grant,
    as: signIn.kind === 'client' ? signIn.clientId : signIn.username,
    version: version ?? null,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    renewsItself: set.remember,
    clockSkewMs: token.skewMs,
    store: location.store,
    storedIn: location.location,
    webhookToken: webhook.state,
    current,
  }
}

async function findWebhookToken(
  known: string | undefined,
  api: ReturnType<LoginDeps['openWebhook']>,
  deps: LoginDeps,
): Promise<ChosenWebhookToken> {
  if (api === 'not-needed') return {token: known, state: api}
  return chooseWebhookToken(known, {...deps, api: api === 'not-asked' ? undefined : api})
}

function chooseRoute({stored}: LoginInput, {provider, tokenPrefix}: LoginSettings): WebhookShop['profile'] {
  return {
    provider: provider ?? stored?.provider ?? DEFAULT_ROUTE.provider,
    tokenPrefix: tokenPrefix ?? stored?.tokenPrefix ?? DEFAULT_ROUTE.tokenPrefix,
  }
}

async function readInput(
  words: LoginWords,
  {provider, tokenPrefix}: LoginSettings,
  {prompts, profileName, settings, credentials}: LoginDeps,
): Promise<LoginInput> {
  if (provider !== undefined) parsePathSegment(provider, 'provider')
  if (tokenPrefix !== undefined) parsePathSegment(tokenPrefix, 'token prefix')
  return readLoginInput(words, {
    stored: parseStoredProfiles(await settings.read()),
    prompts,
    findStoredSecret: async (name, url) => (await credentials.look({name, url})).kept.clientSecret,
    profileName,
  })
}

/** Stores the secrets first, so that no profile names a store that does not have them. */
async function keep(
  input: LoginInput,
  set: LoginSettings,
  token: AccessToken,
  deps: LoginDeps,
): Promise<{readonly location: SecretLocation; readonly current: boolean}> {
  const {name, url, signIn} = input
  const {refreshToken, ...alone} = token
  let current = false
  const changeCredentials = ({clientSecret: _, ...now}: StoredCredentials): StoredCredentials => ({
    ...now,
    ...(set.remember && signIn.kind === 'client' ? {clientSecret: signIn.clientSecret} : {}),
    ...(set.webhookToken === undefined ? {} : {webhookToken: set.webhookToken}),
    token: set.remember && refreshToken !== undefined ? {...alone, refreshToken} : alone,
  })
  const saveStore = async ({store}: SecretLocation) => {
    current = await keepProfile(input, {...set, store}, deps)
  }
  const location = await deps.credentials.put({name, url}, set.store, changeCredentials, saveStore)
  return {location, current}
}

async function keepProfile(input: LoginInput, set: LoginSettings, {settings}: LoginDeps): Promise<boolean> {
  let current = false
  await settings.update(content => {
    const profiles = parseStoredProfiles(content)
    const own = (content.settings ?? {}) as JsonObject
    const chosen = own.profile ?? input.name
    current = chosen === input.name
    return {
      ...content,
      settings: {...own, profile: chosen},
      profiles: {...profiles, [input.name]: readStoredProfile(input, set)},
    }
  })
  return current
}

/** The profile to store; it is read back first, so that nothing is stored that could not be read. */
function readStoredProfile(
  {name, url, stored: before, signIn}: LoginInput,
  set: LoginSettings,
): StoredProfile {
  const {clientId: _, username: __, store: ___, ...kept} = before ?? {}
  const changeCredentials: StoredProfile = {
    ...kept,
    url: formatBaseUrl(url),
    ...(signIn.kind === 'client'
      ? {grant: 'client_credentials', clientId: signIn.clientId}
      : {grant: 'password', username: signIn.username}),
    ...(set.provider === undefined ? {} : {provider: set.provider}),
    ...(set.tokenPrefix === undefined ? {} : {tokenPrefix: set.tokenPrefix}),
    ...(set.protected === undefined ? {} : {protected: set.protected}),
    ...(set.store === 'keyring' ? {store: set.store} : {}),
  }
  buildProfile(name, changeCredentials)
  return changeCredentials
}
