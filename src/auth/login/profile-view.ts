import type {Look} from '../credentials/credentials.js'
import type {SignIn} from '../credentials/secrets.js'
import {formatBaseUrl} from '../profile/base-url.js'
import {LOCAL, PRESUME_LOST_AFTER, type Profile, type StoreName, UNNAMED} from '../profile/profile.js'
import {buildProfile, type StoredProfiles} from '../profile/stored-profiles.js'
import {getProviderUrl} from '../token/provider-access.js'

/** A profile in a list: of secrets, only whether there is one. */
interface ProfileRow {
  readonly name: string
  readonly current: boolean
  /** `null` for the bundled shop. */
  readonly url: string | null
  readonly provider: string | null
  readonly tokenPrefix: string | null
  readonly grant: string
  readonly clientId: string | null
  readonly username: string | null
  readonly protected: boolean
  /** Where its secrets are or would be stored; `shop` for the bundled one. */
  readonly store: StoreName | 'shop'
  /** A file's path, or the account of the keyring's entry. */
  readonly storedIn: string | null
  /** `null` when the keyring cannot be read; so are the next ones. */
  readonly hasClientSecret: boolean | null
  readonly hasWebhookToken: boolean | null
  /** Names of the extra headers. */
  readonly headers: readonly string[]
  /** Base URL of the provider's own API. */
  readonly providerUrl: string | null
  readonly providerClientId: string | null
  /** Whether there is one that may be sent to `parseProviderUrl`. */
  readonly hasProviderSecret: boolean | null
  /** As the profile sets them, for a shop that does not report them. */
  readonly shopVersion: string | null
  readonly pluginVersion: string | null
  /** `10m`, or `none` for never. */
  readonly presumeLostAfter: string
}

export const PROFILE_VIEW = {
  noun: ['profile', 'profiles'] as const,
  id: 'name',
  columns: [{path: 'name'}, {path: 'current'}, {path: 'url'}, {path: 'protected'}, {path: 'provider'}],
} as const

/** What `profile show` prints in a table: all of it. */
export const PROFILE_DETAIL = {
  ...PROFILE_VIEW,
  columns: [
    {path: 'name'},
    {path: 'current'},
    {path: 'url'},
    {path: 'provider'},
    {path: 'tokenPrefix'},
    {path: 'grant'},
    {path: 'clientId'},
    {path: 'username'},
    {path: 'protected'},
    {path: 'store', label: 'Secret store'},
    {path: 'storedIn'},
    {path: 'hasClientSecret', label: 'Client secret stored'},
    {path: 'hasWebhookToken', label: 'Webhook token stored'},
    {path: 'headers', label: 'Extra headers'},
    {path: 'providerUrl'},
    {path: 'providerClientId'},
    {path: 'hasProviderSecret', label: 'Provider secret stored'},
    {path: 'shopVersion'},
    {path: 'pluginVersion'},
    {path: 'presumeLostAfter'},
  ],
} as const

export interface ProfileSources {
  readonly stored: StoredProfiles
  /** Name of the current profile. */
  readonly current: string
  readonly look: (owner: {name: string; url: URL}) => Promise<Look>
}

/** The bundled shop first, then the stored profiles by name. */
export async function listProfileRows(sources: ProfileSources): Promise<ProfileRow[]> {
  const names = Object.keys(sources.stored).sort()
  return [buildLocalRow(sources), ...(await Promise.all(names.map(name => buildProfileRow(name, sources))))]
}

/** One stored profile; `undefined` when there is none of that name. */
export async function findProfileRow(name: string, sources: ProfileSources): Promise<ProfileRow | undefined> {
  if (name === LOCAL) return buildLocalRow(sources)
  return Object.hasOwn(sources.stored, name) ? buildProfileRow(name, sources) : undefined
}

async function buildProfileRow(name: string, {stored, current, look}: ProfileSources): Promise<ProfileRow> {
  const profile = buildProfile(name, stored[name] ?? {url: ''})
  const {kept, store, location, problem} = await look(profile)
  const {clientSecret, webhookToken, headers = {}, providerSecret} = kept
  const showIfKnown = (is: boolean) => (problem ? null : is)
  const providerUrl = formatBaseUrl(getProviderUrl(profile))
  return {
    name,
    current: name === current,
    url: formatBaseUrl(profile.url),
    provider: profile.provider,
    tokenPrefix: profile.tokenPrefix,
    grant: profile.grant,
    clientId: profile.clientId ?? null,
    username: profile.username ?? null,
    protected: profile.protected,
    store,
    storedIn: location,
    hasClientSecret: showIfKnown(clientSecret !== undefined),
    hasWebhookToken: showIfKnown(webhookToken !== undefined),
    headers: Object.keys(headers),
    providerUrl,
    providerClientId: profile.providerClientId ?? null,
    hasProviderSecret: showIfKnown(providerSecret?.url === providerUrl),
    shopVersion: profile.shopVersion ?? null,
    pluginVersion: profile.pluginVersion ?? null,
    presumeLostAfter: stored[name]?.presumeLostAfter ?? PRESUME_LOST_AFTER,
  }
}

function buildLocalRow({current}: ProfileSources): ProfileRow {
  return {
    name: LOCAL,
    current: current === LOCAL,
    url: null,
    provider: null,
    tokenPrefix: null,
    grant: 'client_credentials',
    clientId: null,
    username: null,
    protected: false,
    store: 'shop',
    storedIn: null,
    hasClientSecret: true,
    hasWebhookToken: true,
    headers: [],
    providerUrl: null,
    providerClientId: null,
    hasProviderSecret: true,
    shopVersion: null,
    pluginVersion: null,
    presumeLostAfter: PRESUME_LOST_AFTER,
  }
}

/** The sources of a profile's values: a flag, a variable, a file, an entry of the keyring. */
export interface Origins {
  /** `null` for the bundled shop, whose URL is stored nowhere. */
  readonly urlFrom: string | null
  /** Of the client id or the user name; `null` where there is none. */
  readonly asFrom: string | null
  /** Of the token, the secret or the password; `null` where there is none. */
  readonly secretFrom: string | null
}

interface Sources {
  /** The environment's credentials, if it signs in. */
  readonly signIn: SignIn | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** What chose the shop: a flag, a variable, a file. */
  readonly chosenBy: string | null
  readonly settingsFile: string
  readonly storedIn: string | null
}

/** Of the bundled shop, which knows its own. */
export const NO_ORIGINS: Origins = {urlFrom: null, asFrom: null, secretFrom: null}

const VARIABLES = {
  token: {as: undefined, secret: 'STORECTL_TOKEN'},
  client: {as: 'STORECTL_CLIENT_ID', secret: 'STORECTL_CLIENT_SECRET'},
  password: {as: 'STORECTL_USERNAME', secret: 'STORECTL_PASSWORD'},
} as const

/** The sources of a profile's URL, name and secret. */
export function findOrigins(
  profile: Profile,
  {signIn, env, chosenBy, settingsFile, storedIn}: Sources,
): Origins {
  const isByUrl = chosenBy === '--url' || chosenBy === 'STORECTL_URL'
  const stored = profile.name === UNNAMED ? null : settingsFile
  const urlFrom = isByUrl ? chosenBy : stored
  if (!signIn) {
    const hasName = (profile.clientId ?? profile.username) !== undefined
    return {urlFrom, asFrom: hasName ? stored : null, secretFrom: storedIn}
  }
  const {as, secret} = VARIABLES[signIn.kind]
  return {urlFrom, asFrom: as === undefined ? null : env[as] ? as : stored, secretFrom: secret}
}
