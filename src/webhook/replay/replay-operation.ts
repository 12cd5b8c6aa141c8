import {StorectlError} from '../../errors.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import {findHandler} from '../../wire/notification/handlers.js'
import type {DeliveryTransport} from '../delivery/delivery.js'
import {decideByStates, probeDelivery} from '../delivery/state-check.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import type {IsBusy} from '../inbox/inbox.js'
import type {NewestDelivery} from '../inbox/newest-delivery.js'
import {type Action, describeAction, type Judged, judgeByState, type Rules} from '../plan/action.js'
import type {Planned} from '../plan/plan.js'
import {type ReplayRow, toReplayRow} from './replay-row.js'

/** An event that is to be sent, with its bytes. */
export interface PlannedDelivery extends Planned {
  readonly content: EventContent
  /** The transaction's state before an earlier attempt whose result is unknown; `undefined` where none was stored. */
  readonly stateBefore?: string | undefined
}

export interface ReplayOperationDeps {
  readonly run: string
  readonly transport: DeliveryTransport
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  /** The newest deliveries, those since the plan was made too. */
  readonly newestDelivery: NewestDelivery
  readonly isBusy: IsBusy
  readonly rules: Rules
  readonly now: () => Date
}

type Event = Item<PlannedDelivery>

/**
 * How an event is sent: the state of its transaction is checked, the event is sent unless that would do harm, and the
 * state is checked again to see what came of it.
 */
export function createReplayOperation(deps: ReplayOperationDeps): Operation<PlannedDelivery, ReplayRow> {
  const {run, transport} = deps
  const before = new WeakMap<Event, Transaction>()
  return {
    prepare: item => prepare(item, deps, before),
    describeIntent: item => describeState(before.get(item)),
    execute: async (item, attempt) => {
      const {event, content} = item.value
      const result = await transport.deliver({event, content, run, attempt}, before.get(item))
      const isOpen = result.resultClass === 'unknown' || result.resultClass === 'later'
      return isOpen ? {...result, facts: describeState(before.get(item))} : result
    },
    probe: async item => {
      const {event, stateBefore} = item.value
      const stored = stateBefore === undefined ? undefined : {state: stateBefore}
      const probed = await probeDelivery(event, {...deps, before: before.get(item) ?? stored})
      return probed === 'not-applied' && transport.mayStillArrive(event.id) ? 'cannot-tell' : probed
    },
    toRow: result => toReplayRow(result.item.value, result, run),
  }
}

function describeState(transaction: Transaction | undefined): Result['facts'] {
  return transaction && {before: transaction.state}
}

/** The plan's action may be old: what would do harm now is held. */
async function prepare(
  item: Event,
  {rules, now, transactions, newestDelivery, isBusy}: ReplayOperationDeps,
  before: WeakMap<Event, Transaction>,
): Promise<'send' | Result> {
  const {event, isNamed, isUnsure} = item.value
  const {key, keyText} = event.traits
  try {
    if (await isBusy(keyText)) return BUSY
    const [transaction, deliveredUpTo] = await Promise.all([transactions?.find(key), newestDelivery(keyText)])
    const sent = before.get(item)
    const applied = sent && transaction && decideSent(event, transaction, sent, rules)
    if (applied) return applied
    if (transaction) before.set(item, transaction)
    const judged =
      deliveredUpTo?.id === event.id
        ? DELIVERED_MEANWHILE
        : judgeByState(event, rules, {
            ...{now: now(), isNamed, isUnsure, ledger: undefined, transaction, deliveredUpTo},
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
 * What an attempt that asked to come back later came to meanwhile.
 *
 * @returns `undefined` where it may be sent again
 */
function decideSent(
  event: InboxEvent,
  now: Transaction,
  before: Transaction,
  {includeUnknown}: Rules,
): Result | undefined {
  if (!findHandler(event.type) || now.state === before.state) return undefined
  const decided = decideByStates(event, now, before)
  if (typeof decided !== 'string') return decided
  if (decided === 'not-applied' || includeUnknown) return undefined
  return {
    resultClass: 'unknown',
    result: 'unknown',
    detail: `the transaction went from ${before.state} to ${now.state} after an attempt that failed`,
    facts: {before: before.state},
    exit: 'unavailable',
  }
}

/** Two at once for one payment would give double invoices. */
const BUSY: Result = {
  resultClass: 'held',
  result: 'held',
  detail: 'in-flight: a capture is handing on an event of its payment at this moment',
}

const DELIVERED_MEANWHILE: Judged = {
  action: 'skip',
  reason: 'delivered',
  detail: 'somebody else delivered it since the plan was made',
}

/** The result of an event that is not sent. */
export function classifyAction(action: Action): string {
  if (action === 'invalid') return 'invalid'
  return action === 'skip' ? 'skipped' : 'held'
}

/** Nothing is sent when nobody can say what it would do. */
function createStateCheckFailure(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const result = {
    resultClass: 'failed',
    result: 'failed',
    detail: `not sent, because its state could not be looked at: ${error.message}`,
    exit: error.exitName,
  } as const
  return error.exitName === 'unavailable' ? result : {...result, halt: error}
}
