import {StorectlError} from '../errors.js'
import {urlText} from './base-url.js'
import {type Profile, UNNAMED} from './profile.js'
import type {AccessToken} from './secrets.js'

/** The error for a place that nobody has signed in to. */
export function notSignedIn(profile: Profile): StorectlError {
  const where = profile.name === UNNAMED ? urlText(profile.url) : `${profile.name} (${urlText(profile.url)})`
  return new StorectlError('auth.not_signed_in', `Not signed in to ${where}. Nothing was sent.`, {
    nextSteps: [loginCommand(profile), 'or export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…'],
  })
}

/** The error for a kept token that is over and cannot be renewed. */
export function sessionEnded(profile: Profile, {expiresAt}: AccessToken): StorectlError {
  const ended = expiresAt ? ` at ${expiresAt.toISOString()}` : ''
  return new StorectlError(
    'auth.session_ended',
    `The session of profile "${profile.name}" ended${ended}, and nothing is kept to renew it with.`,
    {nextSteps: [loginCommand(profile)]},
  )
}

/** The command line that signs in to the profile. */
export function loginCommand({name, url}: Profile): string {
  return name === UNNAMED ? `storectl login --url ${urlText(url)}` : `storectl login --profile ${name}`
}
