import type {StorectlError} from '../../errors.js'
import type {Presenter} from '../../output/presenter.js'
import type {Clock} from '../../platform/clock.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import {describeVersions} from '../../shopware/versions/versions.js'
import type {Look, StoredCredentials} from '../credentials/credentials.js'
import {type SignIn, signInFrom} from '../credentials/secrets.js'
import {createSignInError} from '../credentials/sign-in-commands.js'
import {formatBaseUrl} from '../profile/base-url.js'
import type {ChosenProfile as AllStatusesChosen, ChosenProfile} from '../profile/choose-profile.js'
import {type Connection, LOCAL, type Profile, type StoreName} from '../profile/profile.js'
import {buildProfile, type StoredProfiles} from '../profile/stored-profiles.js'
import {describeClockSkew, endsWithin, readTokenTimes} from '../token/token-times.js'
import {findOrigins, NO_ORIGINS, type Origins} from './profile-view.js'
import {fetchShopVersion} from './shop-version.js'

/** The sign-in status of one profile, without secrets. */
export interface Status extends Origins {
  readonly profile: string
  /** Whether commands use it at present. */
  readonly current: boolean
  /** What chose it: `--url`, `STORECTL_PROFILE`, a file; `null` for the default and for those that were not chosen. */
  readonly chosenBy: string | null
  /** `null` for the bundled shop, which has one only while it runs. */
  readonly url: string | null
  readonly signedIn: boolean
  readonly grant: Profile['grant'] | 'given' | null
  /** Client id or user name. */
  readonly as: string | null
  /** UTC; of the stored token. */
  readonly expiresAt: string | null
  /** `client-secret`, `refresh-token` or `password`; `null` if the token cannot be renewed. */
  readonly renewedBy: 'client-secret' | 'refresh-token' | 'password' | null
  /** How far the shop's clock is ahead of ours, as of the last token. */
  readonly clockSkewMs: number | null
  /** Where its secrets are stored: `shop` for the bundled one, `null` for nothing. */
  readonly store: StoreName | 'environment' | 'shop' | null
  /** A file's path, or the account of the keyring's entry. */
  readonly storedIn: string | null
  /** Why its secrets could not be read; it counts as signed out then. */
  readonly problem: StorectlError | null
  readonly protected: boolean
  /** Of the shop and its payment plugin, as the profile sets them or a check found them; `null` where neither says. */
  readonly shopVersion: string | null
  readonly pluginVersion: string | null
}

const STATUS_VIEW = {
  noun: ['profile', 'profiles'] as const,
  id: 'profile',
  columns: [
    {path: 'profile'},
    {path: 'current'},
    {path: 'chosenBy'},
    {path: 'url'},
    {path: 'signedIn'},
    {path: 'grant'},
    {path: 'as', label: 'Account'},
    {path: 'expiresAt', kind: 'time', label: 'Token expires'},
    {path: 'renewedBy', label: 'Token renewed by'},
    {path: 'clockSkewMs', kind: 'milliseconds', label: 'Clock skew'},
    {path: 'store', label: 'Secret store'},
    {path: 'storedIn'},
    {path: 'urlFrom'},
    {path: 'asFrom', label: 'Account from'},
    {path: 'secretFrom'},
    {path: 'protected'},
    {path: 'shopVersion'},
    {path: 'pluginVersion'},
  ],
} as const

interface Chosen {
  readonly current: boolean
  readonly chosenBy: string | null
}

/** The status of a stored profile, or of one that the environment makes. */
function buildStatus(
  profile: Profile,
  {look, signIn}: {readonly look: Look; readonly signIn: SignIn | undefined},
  {current, chosenBy}: Chosen,
  clock: Clock,
): Omit<Status, keyof Origins> {
  const base = {
    profile: profile.name,
    current,
    chosenBy,
    url: formatBaseUrl(profile.url),
    protected: profile.protected,
    shopVersion: profile.shopVersion ?? null,
    pluginVersion: profile.pluginVersion ?? null,
  }
  if (signIn) return {...base, ...describeEnvironment(signIn)}
  const {kept, problem = null} = look
  const {token, clientSecret} = kept
  const isKept = [problem, token, clientSecret].some(Boolean)
  const renewedBy = describeRenewal(kept)
  return {
    ...base,
    signedIn: renewedBy !== null || (token !== undefined && !endsWithin(token, clock.now(), 0)),
    grant: profile.grant,
    as: profile.clientId ?? profile.username ?? null,
    expiresAt: token?.expiresAt?.toISOString() ?? null,
    renewedBy,
    clockSkewMs: token?.skewMs ?? null,
    store: isKept ? look.store : null,
    storedIn: isKept ? look.location : null,
    problem,
  }
}

/** The status of the bundled shop, which signs in automatically. */
function buildLocalStatus({current, chosenBy}: Chosen, url: string | null): Status {
  return {
    profile: LOCAL,
    current,
    chosenBy,
    url,
    signedIn: true,
    grant: 'client_credentials',
    as: null,
    expiresAt: null,
    renewedBy: 'client-secret',
    clockSkewMs: null,
    store: 'shop',
    storedIn: null,
    problem: null,
    ...NO_ORIGINS,
    protected: false,
    shopVersion: null,
    pluginVersion: null,
  }
}

function describeEnvironment(signIn: SignIn) {
  return {
    signedIn: true,
    grant: GRANTS[signIn.kind],
    as: signIn.kind === 'client' ? signIn.clientId : signIn.kind === 'password' ? signIn.username : null,
    expiresAt: (signIn.kind === 'token' && readTokenTimes(signIn.token).expiresAt?.toISOString()) || null,
    renewedBy: RENEWALS[signIn.kind],
    clockSkewMs: null,
    store: 'environment',
    storedIn: null,
    problem: null,
  } as const
}

const GRANTS = {token: 'given', client: 'client_credentials', password: 'password'} as const
const RENEWALS = {token: null, client: 'client-secret', password: 'password'} as const

function describeRenewal({clientSecret, token}: StoredCredentials): Status['renewedBy'] {
  if (clientSecret !== undefined) return 'client-secret'
  return token?.refreshToken === undefined ? null : 'refresh-token'
}

export interface StatusSources {
  /** The shop that commands use at present. */
  readonly chosen: AllStatusesChosen
  readonly stored: StoredProfiles
  readonly look: (profile: Profile) => Promise<Look>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Path of the settings file. */
  readonly settingsFile: string
  /** URL of the bundled server, `null` when none runs. */
  readonly localUrl: string | null
}

/** The chosen shop first, then the other stored profiles by name. */
export async function listStatuses(sources: StatusSources): Promise<Status[]> {
  const {chosen, stored} = sources
  const others = Object.keys(stored)
    .filter(name => name !== chosen.name)
    .sort()
  return Promise.all([
    readChosenStatus(sources),
    ...others.map(name => readOtherStatus(buildProfile(name, stored[name] ?? {url: ''}), sources)),
  ])
}

async function readChosenStatus(sources: StatusSources): Promise<Status> {
  const {chosen, env, localUrl} = sources
  const how = {current: true, chosenBy: chosen.from || null}
  const {profile} = chosen
  return profile
    ? readStatus(profile, how, signInFrom(env, profile), sources)
    : buildLocalStatus(how, localUrl)
}

function readOtherStatus(profile: Profile, sources: StatusSources): Promise<Status> {
  return readStatus(profile, {current: false, chosenBy: null}, undefined, sources)
}

async function readStatus(
  profile: Profile,
  how: {readonly current: boolean; readonly chosenBy: string | null},
  signIn: SignIn | undefined,
  {look, env, clock, settingsFile}: StatusSources,
): Promise<Status> {
  const status = buildStatus(profile, {look: await look(profile), signIn}, how, clock)
  const {chosenBy} = how
  return {
    ...status,
    ...findOrigins(profile, {signIn, env, chosenBy, settingsFile, storedIn: status.storedIn}),
  }
}

/** The sign-ins with versions that a check found, of the chosen shop, which is the first. */
export function addFoundVersions(statuses: readonly Status[], {shop, plugin}: ShopVersions): Status[] {
  return statuses.map((status, index) =>
    index === 0
      ? {
          ...status,
          shopVersion: shop ?? status.shopVersion,
          pluginVersion: plugin ?? status.pluginVersion,
        }
      : status,
  )
}

/** Prints the sign-ins, the chosen shop first, and warns of clocks and of secrets that cannot be read. */
export async function presentStatuses(statuses: readonly Status[], presenter: Presenter): Promise<void> {
  const rows = statuses.map(status => ({...status, problem: status.problem?.message ?? null}))
  await presenter.printBlocks(rows, STATUS_VIEW)
  for (const {profile, clockSkewMs} of statuses) {
    const skew = describeClockSkew(clockSkewMs, profile)
    if (skew) await presenter.note(skew)
  }
  // The first one's problem ends the command.
  const [, ...others] = statuses
  for (const {problem} of others) if (problem) await presenter.note(`warning: ${problem.message}`)
}

/** @throws StorectlError for a chosen shop that cannot be signed in to */
export function requireSignIn({profile}: ChosenProfile, status: Status | undefined): void {
  if (!profile || status?.signedIn) return
  throw status?.problem ?? createSignInError(profile, status?.expiresAt)
}

/**
 * Asks the shop whether it accepts the token, and returns its versions.
 *
 * @param versions of the shop and its payment plugin
 * @throws StorectlError as `fetchShopVersion` does
 */
export async function presentCheck(
  {signed, refusal, profile}: Connection,
  {signal, versions}: {readonly signal: AbortSignal; readonly versions: ShopVersions},
  presenter: Presenter,
): Promise<void> {
  const shop = (await fetchShopVersion(signed, refusal, signal)) ?? null
  const known = describeVersions({...versions, shop: versions.shop ?? shop})
  await presenter.note(`${formatBaseUrl(profile.url)} accepts the token; ${known}.`)
}
