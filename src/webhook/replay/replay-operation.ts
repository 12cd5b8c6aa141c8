import {StorectlError} from '../../errors.js'
import type {FindOrdered} from '../../payment/compare-amounts.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import {findEventType} from '../../providers/providers.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {DeliveryTransport} from '../delivery/delivery.js'
import {decideByStates} from '../delivery/state-check.js'
import type {EventContent} from '../event/event.js'
import type {ActivityLookup, PaymentActivity} from '../inbox/payment-activity.js'
import {judgeByState} from '../plan/action.js'
import {type Action, describeAction, type Rules} from '../plan/judged.js'
import {findOrdered} from '../plan/known-captures.js'
import type {Planned} from '../plan/planned.js'
import {findChange} from './find-change.js'
import {type Before, LookAhead} from './look-ahead.js'
import {isProof, probeEvent} from './probe-event.js'
import {toReplayRow} from './replay-row.js'

/** An event to send, with its bytes. */
export interface PlannedDelivery extends Planned {
  readonly content: EventContent
}

export interface ReplayOperationDeps {
  readonly run: string
  readonly transport: DeliveryTransport
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  /** What is known about a payment at that moment. */
  readonly findActivity: ActivityLookup
  /** `undefined` if the provider is not asked. */
  readonly findOrdered?: FindOrdered | undefined
  readonly rules: Rules
  readonly now: () => Date
}

type Event = Item<PlannedDelivery>

/**
 * How an event is sent: the state of its transaction is checked, the event is sent unless that would do harm, and the
 * state is checked again to see the effect.
 */
export function createReplayOperation(
  deps: ReplayOperationDeps,
): Operation<PlannedDelivery, ReturnType<typeof toReplayRow>> {
  const {run, transport} = deps
  const before = new WeakMap<Event, Before>()
  // An event that waits for the end of a pause is prepared again; it was not sent.
  const sent = new WeakSet<Event>()
  const lookAhead = new LookAhead(deps)
  return {
    lookAhead: item => {
      if (!item.unsure) lookAhead.begin(item.value)
    },
    prepare: item =>
      prepare(item, {...deps, lookAhead, earlier: sent.has(item) ? before.get(item) : undefined}, before),
    describeIntent: item => ({...describeBefore(item, before.get(item)), via: transport.via}),
    execute: async (item, attempt, onAnswered) => {
      const {event, content} = item.value
      if (await hasChangedSince(item, before.get(item), deps)) return CHANGED
      sent.add(item)
      const sentMs = deps.now().getTime()
      const noteAnswer = lookAhead.noteSend()
      const result = await transport.deliver(
        {event, content, run, attempt},
        before.get(item)?.transaction,
        () => {
          noteAnswer()
          onAnswered()
        },
      )
      noteAnswer()
      const isOverdue = deps.now().getTime() - sentMs >= HELD_MS
      const end = isOverdue ? await checkOthers(item, result, before.get(item), deps) : result
      const isOpen = end.resultClass === 'unknown' || end.resultClass === 'later'
      return isOpen ? {...end, facts: describeBefore(item, before.get(item))} : end
    },
    probe: async item => {
      // A person releases earlier attempts, not those of this run.
      const isReleased = deps.rules.includeUnknown && !before.has(item)
      const probed = await probeEvent(item, before.get(item), deps)
      return isReleased && probed === 'cannot-tell' ? 'not-applied' : probed
    },
    toRow: result => toReplayRow(result.item.value, result, run),
  }
}

/** For this long after an intent, a capture forwards no other event of the payment; later it may. @see payment-holds.ts */
const HELD_MS = 60_000

/** The result of a long attempt: a state that others may have changed meanwhile does not show it. */
async function checkOthers(
  {key, value}: Event,
  result: Result,
  before: Before | undefined,
  {findActivity}: Pick<ReplayOperationDeps, 'findActivity'>,
): Promise<Result> {
  if (result.result !== 'applied' || !before) return result
  const activity = await findActivity(value.event.traits.keyText)
  if (isProof(result, before.activity.countAttempts(key), activity, key)) return result
  const detail = `${result.detail}; another event of its payment was forwarded meanwhile`
  return {...result, resultClass: 'unknown', result: 'unknown', detail, exit: 'unavailable'}
}

function describeBefore({key}: Event, before: Before | undefined): Result['facts'] {
  return before?.transaction && {before: before.transaction.state, others: before.activity.countAttempts(key)}
}

/** The intent is durable now: a capture that begins later sees it and waits. */
async function hasChangedSince(
  {value: {event}}: Event,
  before: Before | undefined,
  {findActivity}: Pick<ReplayOperationDeps, 'findActivity'>,
): Promise<boolean> {
  const now = await findActivity(event.traits.keyText)
  return now.isInFlight || now.countAttempts().all !== before?.activity.countAttempts().all
}

/** The plan's action may be old: an event that would do harm now is held. */
async function prepare(
  item: Event,
  deps: ReplayOperationDeps & {readonly lookAhead: LookAhead; readonly earlier: Before | undefined},
  before: WeakMap<Event, Before>,
): Promise<'send' | Result> {
  const {event, isNamed, isUnsure} = item.value
  const {key, keyText} = event.traits
  const {rules, now, transactions, findActivity, lookAhead, earlier} = deps
  try {
    const seen = await lookAhead.take(item.value)
    // Before the state: what is delivered in between shows as a difference later.
    const activity = await findActivity(keyText)
    if (activity.isInFlight) return BUSY
    // The plan judged its earlier attempts, and the state those of this run.
    const known = item.unsure || earlier ? event.id : ''
    const atWork = findAtWork(known, activity, rules, now())
    if (atWork !== undefined) return atWork === event.id ? IN_DOUBT_MEANWHILE : holdBehind(atWork)
    const isSame = seen && seen.activity.countAttempts().all === activity.countAttempts().all
    const transaction = isSame ? seen.transaction : await transactions?.find(key)
    const change = findChange(event, activity, rules)
    const sent = change ? undefined : earlier
    const applied = sent && (await decideSent(item, transaction, sent, {rules, findActivity}))
    if (applied) return applied
    before.set(item, {transaction, activity})
    const {newest: deliveredUpTo, captures} = activity
    const ordered = await findOrdered(event, {transaction, captures}, deps.findOrdered)
    const judged =
      change ??
      judgeByState(event, rules, {
        ...{now: now(), isNamed, isUnsure, ledger: undefined},
        ...{transaction, deliveredUpTo, captures, ordered},
      })
    if (judged.action === 'send') return 'send'
    const held = {
      resultClass: 'held',
      result: classifyAction(judged.action),
      detail: describeAction(judged),
    } as const
    return transaction ? {...held, facts: {before: transaction.state}} : held
  } catch (error) {
    return createStateCheckFailure(error)
  }
}

/**
 * The result of an attempt whose answer asked to retry later.
 *
 * @returns `undefined` if it may be sent again
 */
async function decideSent(
  item: Event,
  now: Transaction | undefined,
  sent: Before,
  {rules, findActivity}: Pick<ReplayOperationDeps, 'rules' | 'findActivity'>,
): Promise<Result | undefined> {
  const {event} = item.value
  const {transaction: before} = sent
  if (!now || !before || !findEventType(event)) return undefined
  const decided = now.state === before.state ? 'not-applied' : decideByStates(event, now, before, rules)
  if (decided !== 'cannot-tell') {
    const activity = await findActivity(event.traits.keyText)
    const isShown = isProof(decided, sent.activity.countAttempts(), activity)
    if (isShown) return decided === 'not-applied' ? undefined : decided
  }
  return {
    resultClass: 'unknown',
    result: 'unknown',
    detail: describeDoubt(before, now),
    facts: describeBefore(item, sent),
    exit: 'unavailable',
  }
}

function describeDoubt({state: before}: Transaction, {state: now}: Transaction): string {
  return before === now
    ? `other events of its payment, which is ${now}, were delivered after an attempt that failed`
    : `the transaction went from ${before} to ${now} after an attempt that failed`
}

/** The shop may still be working on another event of the payment, from any sender: the state may change at any moment. */
function findAtWork(
  except: string,
  activity: PaymentActivity,
  {includeUnknown, presumeLostAfterMs = Number.POSITIVE_INFINITY}: Rules,
  now: Date,
): string | undefined {
  return includeUnknown ? undefined : activity.findUnknownSince(now.getTime() - presumeLostAfterMs, except)
}

const IN_DOUBT_MEANWHILE: Result = {
  resultClass: 'held',
  result: 'held',
  detail: 'unknown-result: somebody else sent it since the plan, and the shop may still be at work on it',
}

function holdBehind(id: string): Result {
  const detail = `blocked: the shop may still be at work on ${id}, another event of its payment`
  return {resultClass: 'held', result: 'held', detail}
}

/** Two at once for one payment would create duplicate invoices. */
const BUSY: Result = {
  resultClass: 'held',
  result: 'held',
  detail: 'in-flight: a capture is forwarding an event of its payment',
}

/** The knowledge about its payment is outdated: the next replay decides again. */
const CHANGED: Result = {
  resultClass: 'held',
  result: 'held',
  detail: 'in-flight: a capture forwarded an event of its payment meanwhile',
}

/** The result of an event that is not sent. */
export function classifyAction(action: Action): string {
  if (action === 'invalid') return 'invalid'
  return action === 'skip' ? 'skipped' : 'held'
}

/** Nothing is sent if its effect is unknown. */
function createStateCheckFailure(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const result = {
    resultClass: 'failed',
    result: 'failed',
    detail: `not sent, because the state check failed: ${error.message}`,
    exit: error.exitName,
  } as const
  return error.exitName === 'unavailable' ? result : {...result, halt: error}
}
