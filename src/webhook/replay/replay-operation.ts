import {StorectlError} from '../../errors.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/attempt-item.js'
import type {Outlet} from '../delivery/delivery-transport.js'
import {lookedUp} from '../delivery/state-check.js'
import type {EventContent} from '../event/event.js'
import type {IsBusy} from '../inbox/inbox.js'
import type {NewestDelivery} from '../inbox/newest-delivery.js'
import {byState, type Rules} from '../plan/action.js'
import type {Planned} from '../plan/plan.js'

/** An event that is to be sent, with its bytes. */
export interface Sending extends Planned {
  readonly content: EventContent
}

export interface SendingDeps {
  readonly outlet: Outlet
  /** `undefined` when states are not looked at. */
  readonly transactions: Transactions | undefined
  /** The newest deliveries, those since the plan was made too. */
  readonly newestDelivery: NewestDelivery
  readonly isBusy: IsBusy
  readonly rules: Rules
  readonly now: () => Date
}

/**
 * How an event is sent: the state of its transaction is looked at, the event is sent unless that would do harm, and
 * the state is looked at again to see what came of it.
 */
export function deedsOf(deps: SendingDeps): Operation<Sending> {
  const {outlet} = deps
  const before = new WeakMap<Event, Transaction>()
  return {
    before: item => heldNow(item, deps, before),
    act: (item, attempt) => outlet.deliver(item.value, attempt, before.get(item)),
    lookUp: async item => {
      const {event} = item.value
      const looked = await lookedUp(event, {...deps, before: before.get(item)})
      return looked === 'not-applied' && outlet.mayStillArrive(event.id) ? 'cannot-tell' : looked
    },
  }
}

type Event = Item<Sending>

/** The plan's verdict may be old: what would do harm now is held. */
async function heldNow(
  item: Event,
  {rules, now, transactions, newestDelivery, isBusy}: SendingDeps,
  before: WeakMap<Event, Transaction>,
): Promise<Result | undefined> {
  const {event, isNamed} = item.value
  const {key, keyText} = event.traits
  try {
    if (await isBusy(keyText)) return BUSY
    const [transaction, deliveredUpTo] = await Promise.all([transactions?.find(key), newestDelivery(keyText)])
    if (transaction) before.set(item, transaction)
    const {verdict, why} =
      deliveredUpTo?.id === event.id
        ? DELIVERED_MEANWHILE
        : byState(event, rules, {now: now(), isNamed, ledger: undefined, transaction, deliveredUpTo})
    if (verdict === 'send') return undefined
    return {
      resultClass: 'held',
      outcome: outcomeOf(verdict),
      detail: `${verdict}: ${why}`,
      ...(transaction ? {facts: {before: transaction.state}} : {}),
    }
  } catch (error) {
    return withoutState(error)
  }
}

/** Two at once for one payment would give double invoices. */
const BUSY: Result = {
  resultClass: 'held',
  outcome: 'held',
  detail: 'hold:busy: a capture is handing on an event of its payment at this moment',
}

const DELIVERED_MEANWHILE = {
  verdict: 'skip:delivered',
  why: 'somebody else delivered it since the plan was made',
} as const

/** What a verdict other than `send` comes to. */
export function outcomeOf(verdict: Planned['verdict']): string {
  if (verdict === 'invalid') return 'invalid'
  return verdict.startsWith('skip:') ? 'skipped' : 'held'
}

/** Nothing is sent when nobody can say what it would do. */
function withoutState(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const conclusion = {
    resultClass: 'failed',
    outcome: 'failed',
    detail: `not sent, because its state could not be looked at: ${error.message}`,
    exit: error.exitName,
  } as const
  return error.exitName === 'unavailable' ? conclusion : {...conclusion, halt: error}
}
