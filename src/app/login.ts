import type {Look} from '../auth/credentials/credentials.js'
import type {Owner} from '../auth/credentials/stored-credentials.js'
import type {LoginDeps} from '../auth/login/login.js'
import type {ProfileSources} from '../auth/login/profile-view.js'
import type {StatusSources} from '../auth/login/sign-in-status.js'
import {LOCAL, UNNAMED} from '../auth/profile/profile.js'
import {storedProfiles} from '../auth/profile/stored-profiles.js'
import {profileName} from '../config/setting-definitions.js'
import type {Context} from '../context.js'
import {refusalOf} from '../http/response-errors.js'
import {visibleLines} from '../output/escape-controls.js'
import {hideSecrets, profilesIn, signingIn} from './adapters/connect.js'
import {userSettings} from './adapters/stores.js'

/** What signing in needs of the host. */
export async function loginDeps(context: Context): Promise<LoginDeps> {
  const {settings, credentials} = await context.stores()
  const {clock, interruption} = context.host
  return {
    callerTo: async url => signingIn(context, (await context.http()).to(url)),
    clock,
    signal: interruption.stopping,
    credentials,
    settings,
    refusal: (answer, url, doing, mend) => refusalOf(answer, url, doing, clock.now(), mend),
    prompts: context.prompts,
    profileName,
    hide: secret => context.redaction.hide(secret),
  }
}

/** What there is to say about profiles and their tokens. */
export async function statusSources(context: Context): Promise<StatusSources> {
  const chosen = await context.chosen()
  const server = chosen.profile ? undefined : await context.bundledServer()
  const {content, file: settingsFile} = await userSettings(context)
  return {
    chosen,
    settingsFile,
    stored: profilesIn(context, content),
    look: async profile => {
      if (profile.name === UNNAMED) return {store: 'file', place: '', kept: {}}
      const look = await (await context.stores()).credentials.look(profile)
      hideSecrets(context, look.kept)
      return look
    },
    env: context.host.env,
    clock: context.host.clock,
    localUrl: server?.url ?? null,
  }
}

/** The profiles and the current one's name, whatever flags and environment choose for this command. */
export async function profileSources(context: Context): Promise<ProfileSources> {
  const {settings} = await context.stores()
  const stored = storedProfiles(await settings.read())
  const current = (await context.settings()).resolved('profile').text ?? LOCAL
  return {stored, current, look: owner => warningLook(context, owner)}
}

/** What is to be listed anyway is listed without what cannot be read. */
async function warningLook(context: Context, owner: Owner): Promise<Look> {
  const {credentials} = await context.stores()
  const look = await credentials.look(owner)
  if (look.problem) await context.host.stderr.write(visibleLines(`warning: ${look.problem.message}\n`))
  return look
}
