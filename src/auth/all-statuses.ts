import type {Clock} from '../platform/clock.js'
import type {Chosen} from './chosen-profile.js'
import type {Look} from './credentials.js'
import type {Profile} from './profile.js'
import {signInFrom} from './secrets.js'
import {localStatus, type Status, statusOf} from './status.js'
import {profileOf, type StoredProfiles} from './stored-profiles.js'

export interface StatusSources {
  /** The place that commands use as things are now. */
  readonly chosen: Chosen
  readonly stored: StoredProfiles
  readonly look: (profile: Profile) => Promise<Look>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
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

async function chosenStatus({chosen, look, env, clock, localUrl}: StatusSources): Promise<Status> {
  const how = {current: true, chosenBy: chosen.from || null}
  const {profile} = chosen
  if (!profile) return localStatus(how, localUrl)
  return statusOf(profile, {look: await look(profile), signIn: signInFrom(env, profile)}, how, clock)
}

async function otherStatus(profile: Profile, {look, clock}: StatusSources): Promise<Status> {
  const secrets = {look: await look(profile), signIn: undefined}
  return statusOf(profile, secrets, {current: false, chosenBy: null}, clock)
}
