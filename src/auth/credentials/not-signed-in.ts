import {StorectlError} from '../../errors.js'
import {urlText} from '../profile/base-url.js'
import {type Profile, UNNAMED} from '../profile/profile.js'
import type {AccessToken} from './secrets.js'
import {loginCommand} from './sign-in-commands.js'

/** The error for a place that nobody has signed in to. */
export function notSignedIn(profile: Profile): StorectlError {
  const where = profile.name === UNNAMED ? urlText(profile.url) : `${profile.name} (${urlText(profile.url)})`
  return new StorectlError('auth.not_signed_in', `Not signed in to ${where}. Nothing was sent.`, {
    nextSteps: [loginCommand(profile), 'or export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…'],
  })
}

/** The error for a kept token that is over and cannot be renewed. */
export function sessionEnded(profile: Profile, {expiresAt}: Pick<AccessToken, 'expiresAt'>): StorectlError {
  const ended = expiresAt ? ` at ${expiresAt.toISOString()}` : ''
  return new StorectlError(
    'auth.session_ended',
    `The session of profile "${profile.name}" ended${ended}, and nothing is kept to renew it with.`,
    {nextSteps: [loginCommand(profile)]},
  )
}

/** @param expiresAt of the token that is kept, ISO 8601 */
export function notOrNoMore(profile: Profile, expiresAt: string | null | undefined): StorectlError {
  return expiresAt ? sessionEnded(profile, {expiresAt: new Date(expiresAt)}) : notSignedIn(profile)
}

/** The error for a token that was handed over and is refused because it is over. */
export function givenTokenEnded(endedAt: Date, signIn: string): StorectlError {
  return new StorectlError(
    'auth.token_expired',
    `The access token from STORECTL_TOKEN expired at ${endedAt.toISOString()}.`,
    {nextSteps: [signIn, 'or export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…, which renew themselves']},
  )
}
