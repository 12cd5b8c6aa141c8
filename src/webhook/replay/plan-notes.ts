import {formatCount, formatCounted, formatDuration} from '../../output/cell.js'
import {FIRST_RATE} from '../../runs/pool/adaptive-rate.js'
import {
  canSkipFlows,
  describeVersions,
  explainFlows,
  storesResourceId,
  UNKNOWN_VERSIONS,
} from '../../shopware/versions/versions.js'
import type {Reason} from '../plan/judged.js'
import type {ReplayPlan} from '../plan/planned.js'
import type {ReplayInput, ReplayOptions} from '../plan/replay-input.js'

/** The flag that releases holds for a reason; `undefined` if none does. */
const RELEASED_BY: Partial<Record<Reason, string>> = {
  'out-of-order': '--include-out-of-order',
  'unknown-result': '--include-unknown',
  unverified: '--include-unverified',
  'wrong-token': '--include-wrong-token',
  'amount-differs': '--include-amount-differs',
  expired: '--max-age none',
  'unknown-version': 'storectl profile set NAME --shop-version VERSION --plugin-version VERSION',
}

/** `12 to send, 3 held (out-of-order), 40 skipped (delivered)`. */
export function describePlan({counts, sends}: ReplayPlan): string {
  const others = [...counts].filter(([action]) => action !== 'send').sort()
  const rest = others.map(
    ([action, count]) =>
      `${formatCount(count)} ${action.replace(/^hold/, 'held').replace(/^skip/, 'skipped')}`,
  )
  return [`${formatCount(sends)} to send`, ...rest].join(', ')
}

/** The text above a confirmation: `1,020 held, 41 skipped`, the speed, and whether flows run. */
export function listFacts(plan: ReplayPlan, options: ReplayOptions, url: string): string[] {
  const [held, skipped] = ['hold', 'skip'].map(action => formatCount(countActions(plan, action)))
  const flows = options.skipFlows === true ? 'flows skipped' : 'flows run'
  return [
    `Shop: ${url}`,
    ...listStrangers(plan),
    `${held} held, ${skipped} skipped; ${describeSpeed(plan.sends, options)}; ${flows}`,
  ]
}

/**
 * The text below the rows of a dry run: how to release held events, amounts, what would stop it, and the command that
 * sends.
 *
 * @param profile of the chosen shop
 */
export function listDryRunNotes(
  plan: ReplayPlan,
  {options, command}: Pick<ReplayInput, 'options' | 'command'>,
  profile: {readonly name: string; readonly protected: boolean},
): string[] {
  const {sends} = plan
  const notes = [`Shop: ${describeVersions(options.versions ?? UNKNOWN_VERSIONS)}`, ...listReleases(plan)]
  if (sends === 0) return notes
  const isSkippable = options.via === 'shop' && canSkipFlows(options.versions ?? UNKNOWN_VERSIONS)
  notes.push(explainFlows(options.skipFlows === true, isSkippable))
  if (options.versions && storesResourceId(options.versions))
    notes.push("Captures: this plugin also stores the provider's resource id with the payment")
  const {max} = options
  const isOver = max !== undefined && sends > max
  const isUnconfirmed = profile.protected && command?.confirm !== profile.name
  notes.push(...listAmounts(plan), `Speed: ${describeSpeed(sends, options)}`)
  if (isOver) notes.push(`Would stop: ${formatCount(sends)} events exceed --max ${max}`)
  if (isUnconfirmed)
    notes.push(`Would stop: profile "${profile.name}" is protected and needs --confirm ${profile.name}`)
  else if (command && !profile.protected && command.yes !== true)
    notes.push('Would ask for confirmation (--yes skips the question)')
  const set = {
    ...(isOver ? {max: String(sends)} : {}),
    ...(isUnconfirmed ? {confirm: profile.name} : {}),
  }
  return command ? [...notes, `To send: ${command.render(set)}`] : notes
}

/** Amounts of the events to send, and of those with unknown senders among them. */
function listAmounts(plan: ReplayPlan): string[] {
  const amount = plan.amounts.format()
  return [...(amount === '' ? [] : [`Amount: ${amount}`]), ...listStrangers(plan)]
}

/** Events to send although nothing establishes their sender: `Sender: 3 unverified, 30.00 EUR`. */
function listStrangers({totals}: ReplayPlan): string[] {
  return (['unverified', 'wrong-token'] as const)
    .map(sender => totals.describeSent(sender))
    .filter(text => text !== '')
    .map(text => `Sender: ${text}`)
}

function listReleases({counts}: ReplayPlan): string[] {
  return [...counts]
    .map(([action]) => /^hold \((.+)\)$/.exec(action)?.[1])
    .filter(reason => reason !== undefined)
    .sort()
    .map(reason => {
      const flag = RELEASED_BY[reason as Reason]
      return `Held (${reason}): ${flag === undefined ? 'no flag releases them' : `release with ${flag}`}`
    })
}

function countActions({counts}: ReplayPlan, action: string): number {
  return [...counts].filter(([name]) => name.startsWith(action)).reduce((sum, [, count]) => sum + count, 0)
}

function describeSpeed(sends: number, {ratePerSecond}: ReplayOptions): string {
  if (ratePerSecond === 0) return 'no rate limit'
  const isAuto = ratePerSecond === 'auto'
  const perSecond = isAuto ? FIRST_RATE : ratePerSecond
  const rate = `${formatCounted(perSecond, ['request', 'requests'])}/s`
  const duration = formatDuration((sends / perSecond) * 1000)
  return isAuto ? `starting at ${rate}, at most about ${duration}` : `${rate}, about ${duration}`
}
