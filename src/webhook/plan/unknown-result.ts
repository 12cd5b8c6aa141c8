import type {Transaction} from '../../payment/transactions.js'
import {findEventType} from '../../providers/providers.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {describeGivenUp, isPresumedLost, readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {InboxEvent} from '../event/event.js'
import {findApplied, isShownUnapplied} from './forecast.js'
import {hold, type Judged, type Rules} from './judged.js'

/** Whether an earlier attempt may have been applied. */
export function isResultUnknown(event: InboxEvent, ledger: LedgerEntry | undefined): boolean {
  return ledger?.resultClass === 'unknown' || event.status === 'unknown'
}

/** What decides about an unknown result. */
export interface Evidence {
  readonly ledger: LedgerEntry | undefined
  readonly rules: Rules
  /** The transaction as it is, without the plan's effects. */
  readonly now: Transaction | undefined
  /** The time of the plan. */
  readonly at: Date
}

/** Holds an event that an attempt, known or lost with the records, may have applied, if no state shows whether. */
export function holdUnknown(event: InboxEvent, judged: Judged, evidence: Evidence): Judged {
  if (judged.action !== 'send') return judged
  const open = describeOpenResult(event, evidence) ?? describeRestored(event, evidence)
  return open === undefined ? judged : hold('unknown-result', open)
}

/** Whether an earlier attempt of an event may have been applied, and nothing shows it or releases it. */
export function isResultOpen(event: InboxEvent, evidence: Evidence): boolean {
  return describeOpenResult(event, evidence) !== undefined
}

const NOT_SHOWN = 'an earlier attempt may have been applied, and the state of its payment does not show it'

/** Why the result of an earlier attempt is unknown; `undefined` if it is known, or nothing was open. */
function describeOpenResult(event: InboxEvent, {ledger, rules, now, at}: Evidence): string | undefined {
  const {key} = event.traits
  if (rules.includeUnknown || !isResultUnknown(event, ledger)) return undefined
  if (!findEventType(event) || key.by === 'fault') return undefined
  if (!rules.checkState || key.by === 'nothing' || key.by === 'provider-order') return NOT_SHOWN
  if (!now) return undefined
  const applied = findApplied(event, now, readStateBefore(ledger?.facts), rules.versions)
  if (applied === 'cannot-tell') return NOT_SHOWN
  const {presumeLostAfterMs: afterMs} = rules
  const endedAt = findAttemptEnd(event, ledger)
  if (applied === 'applied' || !endedAt || isPresumedLost(endedAt, at, afterMs)) return undefined
  return describeGivenUp(endedAt, afterMs, 'a change of the state')
}

const NOT_SHOWN_SINCE =
  'the records were restored from a backup, and the state of its payment does not show whether it was sent since'

/** Why it is unknown whether an event was sent since the backup from which the records were restored. */
function describeRestored(event: InboxEvent, {rules, now}: Evidence): string | undefined {
  const {key} = event.traits
  if (rules.isRestored !== true || rules.includeUnknown) return undefined
  if (!findEventType(event) || key.by === 'fault') return undefined
  const isShown = rules.checkState && now !== undefined && isShownUnapplied(event, now, rules.versions)
  return isShown ? undefined : NOT_SHOWN_SINCE
}

/** When the attempt with the unknown result ended: a run's, or one that the inbox knows from elsewhere. */
export function findAttemptEnd(
  {status, changedAt}: Pick<InboxEvent, 'status' | 'changedAt'>,
  ledger: LedgerEntry | undefined,
): Date | undefined {
  const ofRun = ledger?.resultClass === 'unknown' ? (readAttemptEnd(ledger.facts) ?? ledger.at) : undefined
  // A result of a run is noted in the inbox, too, when its grace period is over.
  const isNewer = status === 'unknown' && changedAt.getTime() > (ledger?.at.getTime() ?? 0)
  return isNewer ? changedAt : ofRun
}

/** The transaction's state that was stored with an attempt. */
export function readStateBefore(facts: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof facts?.before === 'string' ? facts.before : undefined
}
