import {hideSecrets} from '../auth/credentials/stored-credentials.js'
import type {LogoutDeps} from '../auth/login/logout.js'
import type {ProfileSources} from '../auth/login/profile-view.js'
import type {StatusSources} from '../auth/login/sign-in-status.js'
import {LOCAL, UNNAMED} from '../auth/profile/profile.js'
import {buildProfile, parseStoredProfiles, readUsableProfiles} from '../auth/profile/stored-profiles.js'
import {writeNote} from '../output/write-note.js'
import type {ShopVersions} from '../shopware/versions/version-range.js'
import type {Adapters} from './adapters/adapters.js'
import {findRunningServer} from './adapters/local-shop.js'
import type {Host} from './host.js'

/** The profiles and the current one's name, regardless of this command's flags and environment. */
export async function buildProfileSources(host: Host, {home}: Adapters): Promise<ProfileSources> {
  const {settings, credentials} = await home.openStores()
  return {
    stored: parseStoredProfiles(await settings.read()),
    current: (await home.openSettings()).resolve('profile').text ?? LOCAL,
    look: async owner => {
      const look = await credentials.look(owner)
      // A profile is listed even if parts of it cannot be read.
      if (look.problem) await writeNote(host.stderr, `warning: ${look.problem.message}`)
      return look
    },
  }
}

/** The chosen shop and the stored profiles, with what is known of their tokens. @param isAsked whether the shop is asked */
export async function buildStatusSources(
  host: Host,
  adapters: Adapters,
  isAsked: boolean,
): Promise<StatusSources & {readonly findVersions: () => Promise<ShopVersions>}> {
  const {home, options} = adapters
  const {clock, env, redaction} = host
  const chosen = await (isAsked ? adapters.chooseProfile() : adapters.findChosenProfile())
  const server = chosen.profile ? undefined : findRunningServer(home.paths.shopFolder)
  const {content, file: settingsFile} = await home.readUser()
  return {
    ...{chosen, settingsFile, env, clock, localUrl: server?.url ?? null},
    findVersions: async () => (await import('./adapters/versions.js')).findVersionsIfPossible(host, adapters),
    stored: readUsableProfiles(content, options.url ?? env.STORECTL_URL),
    look: async profile => {
      if (profile.name === UNNAMED) return {store: 'file', location: '', kept: {}}
      const look = await (await home.openStores()).credentials.look(profile)
      hideSecrets(look.kept, redaction)
      return look
    },
  }
}

/** The stores of profiles and secrets; a profile's new webhook token is also stored as one of its shop. */
export async function openWatchedStores(host: Host, adapters: Adapters) {
  const stores = await adapters.home.openStores()
  const {watchWebhookTokens} = await import('./signatures/watch-tokens.js')
  return {...stores, credentials: watchWebhookTokens(host, adapters, stores.credentials)}
}

/** Dependencies of `logout`. @param isAll every profile, or only the chosen one */
export async function buildLogoutDeps(
  {env}: Host,
  {home, findChosenProfile}: Adapters,
  isAll: boolean,
): Promise<LogoutDeps> {
  const {settings, credentials} = await home.openStores()
  const stored = Object.entries(parseStoredProfiles(await settings.read()))
  const {profile} = isAll ? {} : await findChosenProfile()
  const chosen = profile ? [profile] : []
  return {owners: isAll ? stored.map(([name, each]) => buildProfile(name, each)) : chosen, credentials, env}
}
