import {createUsageError} from '../../errors.js'
import type {AnswerCheck, Prompts} from '../../platform/terminal/prompts.js'
import type {SignIn} from '../credentials/secrets.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import {type Grant, LOCAL} from '../profile/profile.js'
import type {StoredProfile, StoredProfiles} from '../profile/stored-profiles.js'
import {type LoginWords, listMissingFlags} from './login-words.js'

/** Everything that a sign-in needs. */
export interface LoginInput {
  readonly name: string
  readonly url: URL
  readonly stored: StoredProfile | undefined
  readonly signIn: Extract<SignIn, {kind: 'client' | 'password'}>
  /** Whether the secret or password was typed at a prompt, where it may be typed again. */
  readonly isSecretAsked: boolean
}

export interface LoginSources {
  readonly stored: StoredProfiles
  readonly prompts: Pick<Prompts, 'possible' | 'askText' | 'askSecret' | 'choose'>
  /** The stored client secret of this profile at this URL. */
  readonly findStoredSecret: (name: string, url: URL) => Promise<string | undefined>
  /** Checks a profile's name; throws when it cannot be one. */
  readonly profileName: (text: string) => string
}

/**
 * The credentials of a sign-in: as typed, else as stored for the profile, else asked for.
 *
 * @throws StorectlError `usage.missing_flag` for missing values when not running interactively, `usage.url`,
 *   `usage.two_grants`, `usage.empty`
 */
export async function readLoginInput(words: LoginWords, sources: LoginSources): Promise<LoginInput> {
  const {stored} = sources
  const named = words.profile === undefined ? undefined : sources.profileName(words.profile)
  if (named === LOCAL) {
    throw createUsageError('local_profile', `"${LOCAL}" is the bundled shop; it signs in by itself.`, [
      'storectl auth status --profile local --check',
    ])
  }
  const known = named !== undefined && Object.hasOwn(stored, named) ? stored[named] : undefined
  if (!sources.prompts.possible) await requireComplete(words, named, sources)
  const {prompts} = sources
  const given = words.url ?? known?.url
  const url = parseBaseUrl(given ?? (await prompts.askText('URL of the shop:', parseBaseUrl)))
  const name = named ?? (given === undefined ? await askName(url, sources) : nameFor(url, stored))
  const profile = Object.hasOwn(stored, name) ? stored[name] : undefined
  const grant = await grantFor(words, profile, sources)
  if (words.otp !== undefined && grant !== 'password') {
    throw createUsageError('otp', 'A one-time code goes with a user name and a password.', [
      'omit --otp-stdin',
    ])
  }
  const signIn =
    grant === 'password'
      ? await readUser(words, profile, sources)
      : await readClient(words, profile, sources, () => sources.findStoredSecret(name, url))
  const isSecretAsked = prompts.possible && (words.clientSecret ?? words.password) === undefined
  return {name, url, stored: profile, signIn, isSecretAsked}
}

/**
 * Checks that nothing is missing when not running interactively.
 *
 * @throws StorectlError `usage.missing_flag` with all missing flags in one line
 */
async function requireComplete(
  words: LoginWords,
  named: string | undefined,
  {stored, findStoredSecret}: LoginSources,
): Promise<void> {
  const known = named !== undefined && Object.hasOwn(stored, named) ? stored[named] : undefined
  const text = words.url ?? known?.url
  const url = text === undefined ? undefined : parseBaseUrl(text)
  const name = named ?? (url && nameFor(url, stored))
  const missing = await listMissingFlags(words, {
    hasUrl: url !== undefined,
    profile: known ?? (url && findProfileOf(url, stored)),
    hasStoredSecret: async () =>
      url !== undefined && name !== undefined && (await findStoredSecret(name, url)) !== undefined,
  })
  if (missing.length === 0) return
  const flags = missing.map(flag => flag.replace(/ or .*/, '')).join(' ')
  throw createUsageError(
    'missing_flag',
    `A sign-in needs ${missing.join(', ')}: not running interactively.`,
    [`storectl login … ${flags}`, ...(url === undefined ? describeKnownProfile(stored) : [])],
  )
}

/** The name proposed for Enter is that of the profile with this URL, or else the shop's host. */
async function askName(url: URL, {prompts, stored, profileName}: LoginSources): Promise<string> {
  const proposed = nameFor(url, stored)
  const check: AnswerCheck = text => refuseLocal(profileName(text.trim() || proposed))
  const typed = await prompts.askText('Name of the profile:', check, proposed)
  return profileName(typed.trim() || proposed)
}

function refuseLocal(name: string): void {
  if (name === LOCAL) throw createUsageError('local_profile', `"${LOCAL}" is the bundled shop.`)
}

/** Asks for the secret again after the shop refused it; Enter keeps the id or the user name. */
export async function askSecretAgain(
  signIn: LoginInput['signIn'],
  prompts: LoginSources['prompts'],
): Promise<LoginInput['signIn']> {
  const askAgain = async (question: string, before: string) =>
    (await prompts.askText(question, undefined, before)).trim() || before
  if (signIn.kind === 'client') {
    const clientId = await askAgain('Access key id (SWIA…):', signIn.clientId)
    const clientSecret = await prompts.askSecret('Secret access key:', createAnswerCheck('secret'))
    return {kind: 'client', clientId, clientSecret: requireFilled(clientSecret, 'secret')}
  }
  const username = await askAgain('User name:', signIn.username)
  const password = await prompts.askSecret('Password:', createAnswerCheck('password'))
  const {otp} = signIn
  return {kind: 'password', username, password: requireFilled(password, 'password'), otp}
}

/** Most profiles shown, so that they fit on a screen. */
const PROFILES_NAMED = 3

/** A profile knows its URL, and is named rather than taken: signing in to the wrong one would send it a secret. */
function describeKnownProfile(stored: StoredProfiles): string[] {
  return Object.entries(stored)
    .slice(0, PROFILES_NAMED)
    .map(([name, {url}]) => `storectl login --profile ${name} …   # again to ${url}`)
}

function findProfileOf(url: URL, stored: StoredProfiles): StoredProfile | undefined {
  return Object.values(stored).find(each => each.url === formatBaseUrl(url))
}

/** The profile that already has this URL, else a name made from its host. */
function nameFor(url: URL, stored: StoredProfiles): string {
  const known = Object.entries(stored).find(([, each]) => each.url === formatBaseUrl(url))
  if (known) return known[0]
  const words = `${url.host}${url.pathname}`.match(/[A-Za-z0-9.]+/g) ?? []
  const name = words.join('-').replace(/^\.+/, '')
  return name === LOCAL ? `${name}-shop` : name.slice(0, 64)
}

async function grantFor(
  {clientId, clientSecret, username, password}: LoginWords,
  profile: StoredProfile | undefined,
  sources: LoginSources,
): Promise<Grant> {
  const [isClient, isUser] = [clientId ?? clientSecret, username ?? password].map(word => word !== undefined)
  if (isClient && isUser) {
    throw createUsageError(
      'two_grants',
      'Sign in with a client id and secret, or with a user name and password, not both.',
    )
  }
  if (isClient) return 'client_credentials'
  if (isUser) return 'password'
  if (profile?.grant) return profile.grant
  return sources.prompts.choose<Grant>('Sign in as', [
    {name: 'an integration (access key and secret)', value: 'client_credentials'},
    {name: 'a user (name and password)', value: 'password'},
  ])
}

async function readClient(
  words: LoginWords,
  profile: StoredProfile | undefined,
  sources: LoginSources,
  keptSecret: () => Promise<string | undefined>,
): Promise<LoginInput['signIn']> {
  const clientId =
    words.clientId ??
    profile?.clientId ??
    (await sources.prompts.askText('Access key id (SWIA…):', createAnswerCheck('client id')))
  const isSameClient = clientId === profile?.clientId
  const kept = isSameClient && !sources.prompts.possible ? await keptSecret() : undefined
  const clientSecret =
    words.clientSecret ??
    kept ??
    (await sources.prompts.askSecret('Secret access key:', createAnswerCheck('secret')))
  return {
    kind: 'client',
    clientId: requireFilled(clientId, 'client id'),
    clientSecret: requireFilled(clientSecret, 'secret'),
  }
}

async function readUser(
  words: LoginWords,
  profile: StoredProfile | undefined,
  sources: LoginSources,
): Promise<LoginInput['signIn']> {
  const username =
    words.username ??
    profile?.username ??
    (await sources.prompts.askText('User name:', createAnswerCheck('user name')))
  const password =
    words.password ?? (await sources.prompts.askSecret('Password:', createAnswerCheck('password')))
  return {
    kind: 'password',
    username: requireFilled(username, 'user name'),
    password: requireFilled(password, 'password'),
    ...(words.otp === undefined ? {} : {otp: words.otp}),
  }
}

function createAnswerCheck(what: string): AnswerCheck {
  return text => requireFilled(text, what)
}

function requireFilled(text: string, what: string): string {
  const trimmed = text.trim()
  if (trimmed !== '') return trimmed
  throw createUsageError('empty', `The ${what} is empty. Nothing was sent.`)
}
