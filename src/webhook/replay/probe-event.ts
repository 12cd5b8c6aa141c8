import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import {readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {DeliveryTransport} from '../delivery/delivery.js'
import {probeDelivery} from '../delivery/state-check.js'
import type {InboxEvent} from '../event/event.js'
import type {ActivityLookup, Attempts, PaymentActivity} from '../inbox/payment-activity.js'
import type {Rules} from '../plan/judged.js'
import {readStateBefore} from '../plan/unknown-result.js'

type Event = Pick<Item<{readonly event: InboxEvent}>, 'key' | 'value' | 'attemptFacts'>

/** What was known before the attempt; nothing of it where another process made it. */
interface Before {
  readonly transaction: Pick<Transaction, 'state'> | undefined
  readonly activity: PaymentActivity
}

/** What a look needs. */
export interface ProbeDeps {
  readonly transport: Pick<DeliveryTransport, 'mayStillArrive'>
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly findActivity: ActivityLookup
  readonly rules: Rules
}

/** What a look at the payment shows of an attempt that is not answered for. */
export async function probeEvent(
  item: Event,
  before: Before | undefined,
  deps: ProbeDeps,
): Promise<ProbeResult> {
  const {event} = item.value
  const isExpected = deps.transport.mayStillArrive(event.id)
  const probed = await probeState(item, before, deps)
  if (probed === 'not-applied' && isExpected) return 'cannot-tell'
  if (probed === 'cannot-tell' || probed === 'not-now') return probed
  // What the provider was asked to deliver comes as an attempt that is none of ours.
  const except = before && !isExpected ? undefined : item.key
  const since = before?.activity.countAttempts(except) ?? (item.attemptFacts?.others as Attempts | undefined)
  const activity = await deps.findActivity(event.traits.keyText)
  if (activity.isInFlight && isExpected) return 'not-now'
  // Of an attempt of another process: whoever delivered the event since, its own call may still be at work.
  const isElsewhere = !before && activity.isDelivered(item.key)
  return !isElsewhere && isShown(probed, item, {since, except, activity}) ? probed : 'cannot-tell'
}

async function probeState(
  {value: {event}, attemptFacts}: Event,
  before: Before | undefined,
  deps: ProbeDeps,
) {
  const state = before?.transaction?.state ?? readStateBefore(attemptFacts)
  return probeDelivery(event, {...deps, before: state === undefined ? undefined : {state}})
}

/** @param shown.since as it was stored with the attempt; `undefined` for one without the state check */
function isShown(
  probed: Result | 'not-applied',
  item: Event,
  {
    since,
    except,
    activity,
  }: {
    readonly since: Attempts | undefined
    readonly except: string | undefined
    readonly activity: PaymentActivity
  },
): boolean {
  return since ? isProof(probed, since, activity, except) : !isMovedSince(item, activity)
}

/** An attempt without the state check: what another event led to since is no sign that this one was lost. */
function isMovedSince({key, attemptFacts}: Event, activity: PaymentActivity): boolean {
  const endedMs = readAttemptEnd(attemptFacts)?.getTime() ?? Number.NEGATIVE_INFINITY
  return activity.isOtherDeliveredSince(endedMs, key)
}

/**
 * Whether a state shows what came of an attempt: one that others may have changed since, or may be changing, does not.
 *
 * @param since attempts to deliver events of the payment by then
 * @param except the event whose own attempts are not among them; of those of this run the inbox knows nothing yet
 */
export function isProof(
  decided: Result | 'not-applied',
  since: Attempts,
  activity: PaymentActivity,
  except?: string,
): boolean {
  if (activity.isInFlight) return false
  const now = activity.countAttempts(except)
  return decided === 'not-applied' ? now.delivered === since.delivered : now.all === since.all
}
