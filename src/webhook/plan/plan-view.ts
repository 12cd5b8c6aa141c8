import type {View} from '../../output/view.js'
import type {Planned, ReplayPlan} from './plan.js'

export const PLAN_VIEW: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'action'},
    {path: 'id'},
    {path: 'type'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
    {path: 'state'},
    {path: 'reason'},
    {path: 'detail'},
  ],
}

/** What one event of a plan is printed as. Keys are stable. */
export interface PlanRow {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  readonly action: string
  readonly reason: string | null
  readonly detail: string | null
  readonly state: string | null
  readonly orderingKey: string
  readonly status: string
  readonly [key: string]: unknown
}

export function toPlanRow({event, action, reason, detail, state, orderingKey}: Planned): PlanRow {
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    action,
    reason,
    detail,
    state,
    orderingKey,
    status: event.status,
  }
}

/** `12 to send, 3 hold (out-of-order), 40 skip (delivered)`. */
export function describePlan({counts, sends}: ReplayPlan): string {
  const others = [...counts].filter(([action]) => action !== 'send').sort()
  return [`${sends} to send`, ...others.map(([action, count]) => `${count} ${action}`)].join(', ')
}
