import {formatDuration} from '../../output/cell.js'
import type {Presenter} from '../../output/presenter.js'
import {describeClockSkew} from '../token/token-times.js'
import type {LoggedIn} from './login.js'

export const LOGIN_VIEW = {
  noun: ['sign-in', 'sign-ins'] as const,
  id: 'profile',
  columns: [
    {path: 'profile'},
    {path: 'url'},
    {path: 'as'},
    {path: 'grant'},
    {path: 'version'},
    {path: 'expiresAt', kind: 'time'},
    {path: 'renewsItself'},
    {path: 'store'},
    {path: 'storedIn'},
    {path: 'current'},
  ],
} as const

/** Says that a sign-in worked, and prints it where a format was requested. */
export async function presentLogin(signedIn: LoggedIn, now: Date, presenter: Presenter): Promise<void> {
  await presenter.note(formatLogin(signedIn, now))
  if (presenter.requested) await presenter.printOne({...signedIn}, LOGIN_VIEW)
}

/** What a sign-in says to the person: where, as whom, how long, and where the token lies. */
export function formatLogin(signedIn: LoggedIn, now: Date): string {
  const {profile, url, as, version, expiresAt, renewsItself, store, storedIn, current} = signedIn
  const lifeMs = expiresAt === null ? 0 : Date.parse(expiresAt) - now.getTime()
  const renewal = renewsItself
    ? 'It renews itself.'
    : `It ends at ${expiresAt} and is not renewed, as nothing else is kept.`
  const where =
    store === 'keyring'
      ? `the OS keyring, entry "${storedIn}" of storectl`
      : `${storedIn}, for your eyes only`
  const lines = [
    `Signed in to ${url}${version === null ? '' : `, version ${version}`}, as ${as}.`,
    `The token lasts ${formatDuration(lifeMs)} and lies in ${where}. ${renewal}`,
    current
      ? `Profile "${profile}" is the current one.`
      : `Kept as profile "${profile}"; to make it the current one: storectl profile use ${profile}`,
  ]
  const skew = describeClockSkew(signedIn.clockSkewMs, url)
  if (skew) lines.push(skew)
  if (isInTheClear(url)) lines.push(`warning: ${url} is not https; secrets go over the network in the clear.`)
  return lines.join('\n')
}

function isInTheClear(text: string): boolean {
  const {protocol, hostname} = new URL(text)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
