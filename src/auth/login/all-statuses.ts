import type {Clock} from '../../platform/clock.js'
import type {Look} from '../credentials/credentials.js'
import {type SignIn, signInFrom} from '../credentials/secrets.js'
import type {Chosen} from '../profile/choose-profile.js'
import type {Profile} from '../profile/profile.js'
import {profileOf, type StoredProfiles} from '../profile/stored-profiles.js'
import {originsOf} from './origins.js'
import {localStatus, type Status, statusOf} from './sign-in-status.js'

export interface StatusSources {
  /** The place that commands use as things are now. */
  readonly chosen: Chosen
  readonly stored: StoredProfiles
  readonly look: (profile: Profile) => Promise<Look>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Path of the settings file. */
  readonly settingsFile: string
  /** URL of the bundled server, `null` when none runs. */
  readonly localUrl: string | null
}

/** The chosen place first, then the other stored profiles by name. */
export async function allStatuses(sources: StatusSources): Promise<Status[]> {
  const {chosen, stored} = sources
  const others = Object.keys(stored)
    .filter(name => name !== chosen.name)
    .sort()
  return Promise.all([
    chosenStatus(sources),
    ...others.map(name => otherStatus(profileOf(name, stored[name] ?? {url: ''}), sources)),
  ])
}

async function chosenStatus(sources: StatusSources): Promise<Status> {
  const {chosen, env, localUrl} = sources
  const how = {current: true, chosenBy: chosen.from || null}
  const {profile} = chosen
  return profile ? stand(profile, how, signInFrom(env, profile), sources) : localStatus(how, localUrl)
}

function otherStatus(profile: Profile, sources: StatusSources): Promise<Status> {
  return stand(profile, {current: false, chosenBy: null}, undefined, sources)
}

async function stand(
  profile: Profile,
  how: {readonly current: boolean; readonly chosenBy: string | null},
  signIn: SignIn | undefined,
  {look, env, clock, settingsFile}: StatusSources,
): Promise<Status> {
  const status = statusOf(profile, {look: await look(profile), signIn}, how, clock)
  const {chosenBy} = how
  return {...status, ...originsOf(profile, {signIn, env, chosenBy, settingsFile, storedIn: status.storedIn})}
}
