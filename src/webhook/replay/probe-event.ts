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

/** What was known before the attempt; empty if another process made it. */
interface Before {
  readonly transaction: Pick<Transaction, 'state'> | undefined
  readonly activity: PaymentActivity
}

/** Dependencies of a probe. */
export interface ProbeDeps {
  readonly transport: Pick<DeliveryTransport, 'mayStillArrive'>
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly findActivity: ActivityLookup
  readonly rules: Rules
}

/** What the payment shows about an attempt without a clear answer. */
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
  // A delivery requested from the provider is not one of our own attempts.
  const except = before && !isExpected ? undefined : item.key
  const since = before?.activity.countAttempts(except) ?? (item.attemptFacts?.others as Attempts | undefined)
  const activity = await deps.findActivity(event.traits.keyText)
  if (activity.isInFlight && isExpected) return 'not-now'
  // For an attempt of another process: even if the event was delivered since, that attempt may still take effect.
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

/** An attempt without the state check: an effect of another event since does not show that this one was lost. */
function isMovedSince({key, attemptFacts}: Event, activity: PaymentActivity): boolean {
  const endedMs = readAttemptEnd(attemptFacts)?.getTime() ?? Number.NEGATIVE_INFINITY
  return activity.isOtherDeliveredSince(endedMs, key)
}

/**
 * Whether a state shows the effect of an attempt: one that others may have changed since, or may be changing, does not.
 *
 * @param since attempts to deliver events of the payment up to now
 * @param except the event whose own attempts are left out; the inbox does not have those of this run yet
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
