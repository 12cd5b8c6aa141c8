import type {Presenter} from '../../output/presenter.js'
import {createSignInError} from '../credentials/sign-in-commands.js'
import {formatBaseUrl} from '../profile/base-url.js'
import type {ChosenProfile} from '../profile/choose-profile.js'
import type {Connection} from '../profile/profile.js'
import {describeClockSkew} from '../token/token-times.js'
import {fetchShopVersion} from './shop-version.js'
import {STATUS_VIEW, type Status} from './sign-in-status.js'

/** Prints the sign-ins, the chosen shop first, and warns of clocks and of secrets that cannot be read. */
export async function presentStatuses(statuses: readonly Status[], presenter: Presenter): Promise<void> {
  await printStatuses(statuses, presenter)
  for (const {profile, clockSkewMs} of statuses) {
    const skew = describeClockSkew(clockSkewMs, profile)
    if (skew) await presenter.note(skew)
  }
  // The first one's problem ends the command.
  const [, ...others] = statuses
  for (const {problem} of others) if (problem) await presenter.note(`warning: ${problem.message}`)
}

/** Too much for the columns of a terminal, so a table becomes a block of lines a profile. */
async function printStatuses(statuses: readonly Status[], presenter: Presenter): Promise<void> {
  const rows = statuses.map(status => ({...status, problem: status.problem?.message ?? null}))
  if (presenter.format !== 'table') return void (await presenter.print(rows, STATUS_VIEW))
  for (const [at, row] of rows.entries()) {
    if (at > 0) await presenter.write('\n')
    await presenter.printOne(row, STATUS_VIEW)
  }
}

/** @throws StorectlError for a chosen shop that cannot be signed in to */
export function requireSignIn({profile}: ChosenProfile, status: Status | undefined): void {
  if (!profile || status?.signedIn) return
  throw status?.problem ?? createSignInError(profile, status?.expiresAt)
}

/** Asks the shop whether it accepts the token, and says so. @throws StorectlError as `fetchShopVersion` does */
export async function presentCheck(
  {signed, refusal, profile}: Connection,
  signal: AbortSignal,
  presenter: Presenter,
): Promise<void> {
  const version = await fetchShopVersion(signed, refusal, signal)
  await presenter.note(
    `${formatBaseUrl(profile.url)} accepts the token${version ? `; version ${version}` : ''}.`,
  )
}
