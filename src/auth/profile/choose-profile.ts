import {DEFAULT_PROVIDER} from '../../config/default-provider.js'
import type {Settings} from '../../config/settings.js'
import {createUsageError, StorectlError} from '../../errors.js'
import {formatBaseUrl, parseBaseUrl} from './base-url.js'
import {DEFAULT_TOKEN_PREFIX, LOCAL, PRESUME_LOST_MS, type Profile, UNNAMED} from './profile.js'
import {
  buildProfile,
  createUnknownProfileError,
  readUsableProfiles,
  type StoredProfiles,
} from './stored-profiles.js'

/** What decides which shop a command uses. */
export interface Choice {
  readonly flags: {readonly url?: string | undefined; readonly profile?: string | undefined}
  readonly env: Readonly<Record<string, string | undefined>>
  /** The name from project file, current profile or default, if neither flag nor environment gives one. */
  readonly fallback: {readonly name: string; readonly from: string}
  readonly stored: StoredProfiles
}

/** The chosen shop; `profile` is `undefined` for the bundled one, whose URL is known once it runs. */
export interface ChosenProfile {
  readonly name: string
  readonly profile: Profile | undefined
  /** What chose the shop: `--url`, `STORECTL_PROFILE`, a file; empty for the default. */
  readonly from: string
}

/** What decides which shop a command uses, as settings and command line hold it. */
export interface ChoiceSources {
  readonly flags: Choice['flags']
  readonly env: Choice['env']
  readonly settings: Pick<Settings, 'resolve'>
  /** The settings file. */
  readonly user: {
    readonly file: string
    readonly content: {readonly profiles?: unknown}
    readonly isBroken: boolean
    /** The file that broken settings were moved to. */
    readonly setAside: string | undefined
  }
}

/**
 * The shop that flags, environment, project file and settings choose.
 *
 * @throws StorectlError `usage.broken_settings` where nothing says the shop and the file that would is lost;
 * `usage.stored_profile`, and as `resolveProfile` does
 */
export function chooseProfile({flags, env, settings, user}: ChoiceSources): ChosenProfile {
  const isNamed = flags.url ?? flags.profile ?? (env.STORECTL_URL || env.STORECTL_PROFILE)
  const fallback = isNamed ? {text: '', from: ''} : settings.resolve('profile')
  if (!isNamed && fallback.from === '') {
    if (user.isBroken) throw createBrokenSettingsError(user.file)
    if (user.setAside !== undefined) throw createForgottenProfileError(user.setAside)
  }
  return resolveProfile({
    ...{flags, env},
    fallback: {name: fallback.text ?? '', from: fallback.from},
    stored: readUsableProfiles(user.content, flags.url ?? env.STORECTL_URL),
  })
}

/**
 * A job that names no shop would report success for a shop that it never asked.
 *
 * @param word the flag or command that needs a chosen shop; `undefined` where any does, because the bundled shop was
 *   never used
 */
export function createNoShopChosenError(word: string | undefined): StorectlError {
  const what =
    word === undefined
      ? 'no shop is chosen, and the bundled shop was never started.'
      : `${word} needs a chosen shop.`
  return createUsageError(
    'no_shop_chosen',
    `Unattended (no terminal, or CI is set): ${what} Nothing was sent or changed.`,
    [
      'add --profile local   # the bundled shop',
      'or add --profile NAME, after storectl login',
      'or export STORECTL_PROFILE=NAME',
    ],
  )
}

/** The file that would say which shop is meant: without it a job would work, successfully, on the bundled one. */
function createBrokenSettingsError(file: string): StorectlError {
  return new StorectlError(
    'usage.broken_settings',
    `${file} is no longer valid JSON, so the current profile is unknown. Nothing was sent or changed.`,
    {
      nextSteps: [
        `correct ${file}`,
        'or add --profile NAME after storectl login --profile NAME',
        'or --profile local',
      ],
    },
  )
}

/** A job without a profile used the current one, which is unknown once the settings file was moved aside. */
function createForgottenProfileError(setAside: string): StorectlError {
  return new StorectlError(
    'usage.broken_settings',
    `The settings were set aside as ${setAside}, so the current profile is unknown. Nothing was sent or changed.`,
    {
      nextSteps: [
        'storectl profile use NAME   # after storectl login --profile NAME',
        'storectl profile use local   # for the bundled shop',
        'or add --profile NAME',
      ],
    },
  )
}

/**
 * The shop that a command uses: flag > environment > project file > current profile > the bundled shop.
 *
 * A URL overrides a profile of a lower level, and combines with one of its own level. The URL of a stored profile means
 * that profile: a protected shop stays protected, whatever its name.
 *
 * @throws StorectlError `usage.unknown_profile`, `usage.url`, `usage.no_shop`
 */
export function resolveProfile(choice: Choice): ChosenProfile {
  const {flags, env, fallback} = choice
  if (flags.url !== undefined || flags.profile !== undefined) {
    return chooseEndpoint(choice, flags, {url: '--url', profile: '--profile'})
  }
  if (env.STORECTL_URL || env.STORECTL_PROFILE) {
    const given = {url: env.STORECTL_URL || undefined, profile: env.STORECTL_PROFILE || undefined}
    return chooseEndpoint(choice, given, {url: 'STORECTL_URL', profile: 'STORECTL_PROFILE'})
  }
  if (fallback.from === '') refuseForgottenUrl(env)
  return chooseByName(choice, fallback.name, fallback.from)
}

function chooseEndpoint(
  choice: Choice,
  given: {readonly url?: string | undefined; readonly profile?: string | undefined},
  words: {readonly url: string; readonly profile: string},
): ChosenProfile {
  if (given.url === undefined) return chooseByName(choice, given.profile ?? LOCAL, words.profile)
  const url = parseBaseUrl(given.url)
  if (given.profile === undefined) return {...chooseByUrl(choice, url), from: words.url}
  if (given.profile === LOCAL) {
    throw createUsageError('local_url', `The profile "${LOCAL}" has a fixed URL: omit ${words.url}.`)
  }
  const {profile, name} = chooseByName(choice, given.profile, words.profile)
  return {name, profile: profile && {...profile, url}, from: words.url}
}

function chooseByName({stored}: Choice, name: string, from: string): ChosenProfile {
  if (name === LOCAL) return {name, profile: undefined, from}
  const found = Object.hasOwn(stored, name) ? stored[name] : undefined
  if (found) return {name, profile: buildProfile(name, found), from}
  throw createUnknownProfileError(name, Object.keys(stored), from)
}

function chooseByUrl({stored, env, fallback}: Choice, url: URL): Omit<ChosenProfile, 'from'> {
  const same = Object.entries(stored).filter(
    ([, each]) => formatBaseUrl(parseBaseUrl(each.url)) === formatBaseUrl(url),
  )
  const [name, found] = same.find(([each]) => each === fallback.name) ?? same[0] ?? []
  if (name !== undefined && found) return {name, profile: buildProfile(name, found)}
  const password = Boolean(env.STORECTL_USERNAME) && !env.STORECTL_CLIENT_ID
  const profile: Profile = {
    name: UNNAMED,
    url,
    provider: DEFAULT_PROVIDER,
    tokenPrefix: DEFAULT_TOKEN_PREFIX,
    grant: password ? 'password' : 'client_credentials',
    protected: false,
    presumeLostAfterMs: PRESUME_LOST_MS,
  }
  return {name: UNNAMED, profile}
}

/** Credentials without an address would leave a job working, successfully, on an empty shop of its own. */
function refuseForgottenUrl(env: Choice['env']): void {
  const set = ['STORECTL_TOKEN', 'STORECTL_CLIENT_SECRET', 'STORECTL_PASSWORD'].find(name => env[name])
  if (!set) return
  throw new StorectlError('usage.no_shop', `${set} is set, but no shop is chosen for it.`, {
    nextSteps: ['export STORECTL_URL=https://shop.example', 'or add --profile local for the bundled shop'],
  })
}
