import type {ExitName} from '../../errors.js'
import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import type {Plan, Planned} from '../plan/plan.js'

export const REPLAYED: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'outcome'},
    {path: 'id'},
    {path: 'type'},
    {path: 'status', kind: 'number'},
    {path: 'attempts', kind: 'number'},
    {path: 'detail'},
  ],
}

/** What became of one event, as it is printed. Keys are stable. */
export interface ReplayRow {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  /** `applied`, `noop`, `accepted`, `rejected`, `failed`, `unknown`, `held`, `skipped`, `invalid`. */
  readonly outcome: string
  readonly detail: string | null
  /** HTTP status of the last answer. */
  readonly status: number | null
  /** State of the transaction before and after, where it was looked at. */
  readonly before: string | null
  readonly after: string | null
  readonly attempts: number
  readonly durationMs: number | null
  readonly run: string | null
  /** The exit that this event asks for; not printed. */
  readonly [EXIT_OF]: ExitName
  readonly [key: string]: unknown
}

export const EXIT_OF: unique symbol = Symbol('exit')

export type Outcome = Result & {readonly attempts: number; readonly durationMs?: number}

export function outcomeRow(planned: Planned, outcome: Outcome, run: string | null): ReplayRow {
  const {event, state} = planned
  const {resultClass, detail, status, facts, attempts, durationMs} = outcome
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    outcome: outcome.outcome,
    detail: detail ?? null,
    status: status ?? null,
    before: (facts?.before as string | undefined) ?? state,
    after: (facts?.after as string | undefined) ?? null,
    attempts,
    durationMs: durationMs ?? null,
    run,
    [EXIT_OF]: outcome.exit ?? (resultClass === 'failed' ? 'rejected' : 'ok'),
  }
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

/** The rows of a plan. */
export async function* planRows(plan: Plan): AsyncGenerator<PlanRow, void, void> {
  for await (const entry of plan.entries()) yield planRow(entry)
}

function planRow({event, verdict, why, state, orderingKey}: Planned): PlanRow {
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
