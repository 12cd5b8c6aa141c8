import type {InboxEvent} from '../event/event.js'
import type {PaymentActivity} from '../inbox/payment-activity.js'
import type {Judged, Rules} from '../plan/judged.js'

const FORGED: Judged = {action: 'hold', reason: 'forged', detail: 'the provider did not send it'}

const DELIVERED: Judged = {
  action: 'skip',
  reason: 'delivered',
  detail: 'delivered by someone else since the plan',
}

const RESOLVED: Judged = {action: 'skip', reason: 'resolved', detail: 'resolved by hand since the plan'}

const CONFLICT: Judged = {action: 'invalid', reason: null, detail: 'several bodies have this id by now'}

const REPLACED: Judged = {
  action: 'hold',
  reason: null,
  detail: 'it has another body than when it was planned',
}

/**
 * What prevents an event from being sent since the plan, whatever caused it: a capture, an import, a check of
 * signatures, a person.
 *
 * @param activity of its payment at this moment
 */
export function findChange(
  event: InboxEvent,
  activity: PaymentActivity,
  {includeResolved}: Pick<Rules, 'includeResolved'>,
): Judged | undefined {
  const {status, hasConflict, sha256, sender} = activity.find(event.id) ?? event
  if (activity.isDelivered(event.id)) return DELIVERED
  if (event.sender === 'forged' || sender === 'forged') return FORGED
  if (hasConflict) return CONFLICT
  if (status === 'resolved' && includeResolved !== true) return RESOLVED
  return sha256 === event.sha256 ? undefined : REPLACED
}
