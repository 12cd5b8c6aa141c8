import type {View} from '../../output/view.js'
import type {Planned, ReplayPlan} from './plan.js'

export const PLAN_VIEW: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'verdict'},
    {path: 'id'},
    {path: 'type'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
    {path: 'state'},
    {path: 'reason'},
  ],
}

/** What one event of a plan is printed as. Keys are stable. */
export interface PlanRow {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  readonly verdict: string
  readonly reason: string | null
  readonly state: string | null
  readonly lane: string
  readonly status: string
  readonly [key: string]: unknown
}

export function toPlanRow({event, verdict, why, state, orderingKey}: Planned): PlanRow {
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    verdict,
    reason: why,
    state,
    lane: orderingKey,
    status: event.status,
  }
}

/** `12 to send, 3 hold:stale, 40 skip:delivered`. */
export function describePlan({counts, sends}: ReplayPlan): string {
  const others = [...counts].filter(([verdict]) => verdict !== 'send').sort()
  return [`${sends} to send`, ...others.map(([verdict, count]) => `${count} ${verdict}`)].join(', ')
}
