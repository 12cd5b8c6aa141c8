import type {RecordedCause} from '../../contract/run-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'
import {findProvider} from '../../providers/providers.js'
import type {Cause} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import type {Judged} from './judged.js'

/** What totals of a plan need of an event. */
export interface Counted extends Pick<Judged, 'action' | 'reason'> {
  readonly event: InboxEvent
}

/** Counts events of a plan by why they had failed: by diagnosis, else by hold, else by answer. */
export class FailureCauses {
  readonly #causes = new Map<
    Cause,
    {count: number; firstMs: number; lastMs: number; readonly amounts: AmountTotals}
  >()

  /** Delivered or resolved events had not failed. */
  add({event, action, reason}: Counted): void {
    if (event.status === 'delivered' || event.status === 'resolved') return
    const cause = event.cause ?? findHoldCause({action, reason}) ?? findDeliveryCause(event)
    const atMs = event.createdAt.getTime()
    const known = this.#causes.get(cause) ?? {
      ...{count: 0, firstMs: atMs, lastMs: atMs, amounts: new AmountTotals()},
    }
    this.#causes.set(cause, known)
    known.count++
    known.firstMs = Math.min(known.firstMs, atMs)
    known.lastMs = Math.max(known.lastMs, atMs)
    known.amounts.add(event.traits.amount)
  }

  clear(): void {
    this.#causes.clear()
  }

  /** The most frequent first. */
  list(): RecordedCause[] {
    return [...this.#causes]
      .map(([cause, {count, firstMs, lastMs, amounts}]) => ({
        ...{cause, count, amounts: amounts.list()},
        ...{firstAt: new Date(firstMs).toISOString(), lastAt: new Date(lastMs).toISOString()},
      }))
      .sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1))
  }
}

/** Why a plan does not send an event; `undefined` if it does, or only its age or an earlier run prevents it. */
export function findHoldCause({action, reason}: Pick<Judged, 'action' | 'reason'>): Cause | undefined {
  if (action === 'invalid') return 'malformed'
  return reason === null || reason === 'expired' || reason === 'delivered' ? undefined : reason
}

const GATE = [401, 403, 412]

/** What prevented the last delivery, by its answer, and must be set up before the next one. */
export function findAnswerCause({answer, message, traits}: InboxEvent) {
  if (message !== null && message === findProvider(traits.provider).answers.wrongToken)
    return 'token-mismatch'
  if (answer === null) return undefined
  if (GATE.includes(answer)) return 'access-denied'
  const isElsewhere = answer === 404 || answer === 405 || (answer >= 300 && answer < 400)
  return isElsewhere ? 'wrong-address' : undefined
}

/** What prevented the last delivery and is gone, or cannot be set up. */
export function findPassingCause({answer, attempts, status}: InboxEvent) {
  if (status === 'pending' && attempts === 0) return 'not-sent'
  const isAway = answer === null || answer === 408 || answer === 429 || answer >= 500
  return isAway ? 'shop-unavailable' : 'temporary'
}

function findDeliveryCause(event: InboxEvent): Cause {
  const {emptyBody} = findProvider(event.traits.provider).answers
  const wasEmpty = event.message !== null && event.message === emptyBody
  return findAnswerCause(event) ?? (wasEmpty ? 'content-type' : findPassingCause(event))
}
