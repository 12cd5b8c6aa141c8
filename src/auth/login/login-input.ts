import {createUsageError} from '../../errors.js'
import type {AnswerCheck, Prompts} from '../../platform/terminal/prompts.js'
import type {SignIn} from '../credentials/secrets.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import {type Grant, LOCAL} from '../profile/profile.js'
import type {StoredProfile, StoredProfiles} from '../profile/stored-profiles.js'

/** What was typed, and what the environment adds. Secrets have been read from where they were said to be. */
export interface LoginWords {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** Everything that a sign-in needs. */
export interface LoginInput {
  readonly name: string
  readonly url: URL
  readonly stored: StoredProfile | undefined
  readonly signIn: Extract<SignIn, {kind: 'client' | 'password'}>
}

export interface LoginSources {
  readonly stored: StoredProfiles
  readonly prompts: Pick<Prompts, 'possible' | 'askText' | 'askSecret' | 'choose'>
  /** The client secret that is kept for this profile at this URL. */
  readonly findStoredSecret: (name: string, url: URL) => Promise<string | undefined>
  /** Checks a profile's name; throws when it cannot be one. */
  readonly profileName: (text: string) => string
}

/**
 * What to sign in with: as typed, else as kept for the profile, else asked for.
 *
 * @throws StorectlError `usage.missing_flag` for what is missing where nobody can be asked, `usage.url`,
 * `usage.two_grants`, `usage.empty`
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
  const url = parseBaseUrl(
    words.url ??
      known?.url ??
      (await ask(
        '--url URL',
        sources,
        prompts => prompts.askText('URL of the shop:', parseBaseUrl),
        describeKnownProfile(stored),
      )),
  )
  const name = named ?? nameFor(url, stored)
  const profile = Object.hasOwn(stored, name) ? stored[name] : undefined
  const grant = await grantFor(words, profile, sources)
  const signIn =
    grant === 'password'
      ? await readUser(words, profile, sources)
      : await readClient(words, profile, sources, () => sources.findStoredSecret(name, url))
  return {name, url, stored: profile, signIn}
}

/** As many as fit a screen beside the rest. */
const PROFILES_NAMED = 3

/** A profile knows its URL, and is named rather than taken: signing in to the wrong one would send it a secret. */
function describeKnownProfile(stored: StoredProfiles): string[] {
  return Object.entries(stored)
    .slice(0, PROFILES_NAMED)
    .map(([name, {url}]) => `storectl login --profile ${name} …   # again to ${url}`)
}

/** The profile that has this URL already, else a name made of its host. */
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
      'A sign-in is by client id and secret or by user name and password, not both.',
    )
  }
  if (isClient) return 'client_credentials'
  if (isUser) return 'password'
  if (profile?.grant) return profile.grant
  return ask('--client-id ID or --username NAME', sources, prompts =>
    prompts.choose<Grant>('Sign in as', [
      {name: 'an integration (access key and secret)', value: 'client_credentials'},
      {name: 'a user (name and password)', value: 'password'},
    ]),
  )
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
    (await ask('--client-id ID', sources, prompts =>
      prompts.askText('Access key id (SWIA…):', createAnswerCheck('client id')),
    ))
  const isSameClient = clientId === profile?.clientId
  const kept = isSameClient && !sources.prompts.possible ? await keptSecret() : undefined
  const clientSecret =
    words.clientSecret ??
    kept ??
    (await ask('--client-secret-stdin', sources, prompts =>
      prompts.askSecret('Secret access key:', createAnswerCheck('secret')),
    ))
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
    (await ask('--username NAME', sources, prompts =>
      prompts.askText('User name:', createAnswerCheck('user name')),
    ))
  const password =
    words.password ??
    (await ask('--password-stdin', sources, prompts =>
      prompts.askSecret('Password:', createAnswerCheck('password')),
    ))
  return {
    kind: 'password',
    username: requireFilled(username, 'user name'),
    password: requireFilled(password, 'password'),
  }
}

async function ask<T>(
  flag: string,
  {prompts}: LoginSources,
  question: (prompts: LoginSources['prompts']) => Promise<T>,
  others: readonly string[] = [],
): Promise<T> {
  if (prompts.possible) return question(prompts)
  throw createUsageError('missing_flag', `A sign-in needs ${flag}, and nobody can be asked here.`, [
    `storectl login … ${flag}`,
    ...others,
  ])
}

function createAnswerCheck(what: string): AnswerCheck {
  return text => requireFilled(text, what)
}

function requireFilled(text: string, what: string): string {
  const trimmed = text.trim()
  if (trimmed !== '') return trimmed
  throw createUsageError('empty', `The ${what} is empty. Nothing was sent.`)
}
