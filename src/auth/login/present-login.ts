import {formatDuration} from '../../output/cell.js'
import type {Presenter} from '../../output/presenter.js'
import {describeClockSkew} from '../token/token-times.js'
import type {LoggedIn} from './login.js'

const LOGIN_VIEW = {
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
    {path: 'webhookToken'},
    {path: 'current'},
  ],
} as const

/** Notes that a sign-in worked, and prints it if a format was requested. */
export async function presentLogin(signedIn: LoggedIn, now: Date, presenter: Presenter): Promise<void> {
  await presenter.note(formatLogin(signedIn, now))
  if (presenter.requested) await presenter.printOne({...signedIn}, LOGIN_VIEW)
}

/** The message of a sign-in: where, as whom, how long, and where the token is stored. */
function formatLogin(signedIn: LoggedIn, now: Date): string {
  const {profile, url, as, version, expiresAt, renewsItself, store, storedIn, current} = signedIn
  const lifeMs = expiresAt === null ? 0 : Date.parse(expiresAt) - now.getTime()
  const renewal = renewsItself ? 'It renews automatically.' : `It expires at ${expiresAt} and is not renewed.`
  const where =
    store === 'keyring' ? `the OS keyring, entry "${storedIn}" of storectl` : `${storedIn} (mode 0600)`
  const lines = [
    `Signed in to ${url}${version === null ? '' : ` (Shopware ${version})`} as ${as}.`,
    `Token stored in ${where}, expires in ${formatDuration(lifeMs).replace(/ 00 s$/, '')}. ${renewal}`,
    current
      ? `Profile "${profile}" is the current one.`
      : `Saved as profile "${profile}"; to switch to it: storectl profile use ${profile}`,
  ]
  const missing = describeMissing(signedIn)
  if (missing !== undefined) lines.push(missing)
  const skew = describeClockSkew(signedIn.clockSkewMs, url)
  if (skew) lines.push(skew)
  if (isInTheClear(url)) lines.push(`warning: ${url} is not https; secrets go over the network in the clear.`)
  return lines.join('\n')
}

function describeMissing({profile, webhookToken}: LoggedIn): string | undefined {
  if (webhookToken === 'set' || webhookToken === 'not-needed') return undefined
  const what =
    webhookToken === 'missing' ? 'Not set yet: webhook token' : 'The shop refuses the webhook token'
  return `${what} (needed by replays): storectl webhook register --profile ${profile}`
}

function isInTheClear(text: string): boolean {
  const {protocol, hostname} = new URL(text)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
