import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import type {Planned} from '../plan/plan.js'

export const REPLAY_VIEW: View = {
  hasAnyField: true,
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'result', priority: 1},
    {path: 'id'},
    {path: 'type', priority: 4},
    {path: 'status', kind: 'number', priority: 3},
    {path: 'attempts', kind: 'number', priority: 5},
    {path: 'detail', priority: 2},
  ],
}

/** What became of one event, as it is printed. Keys are stable. */
export interface ReplayRow {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly transaction: string | null
  /** `applied`, `unchanged`, `accepted`, `rejected`, `failed`, `unknown`, `held`, `skipped`, `invalid`. */
  readonly result: string
  readonly detail: string | null
  /** HTTP status of the last response. */
  readonly status: number | null
  /** State of the transaction before and after, where it was checked. */
  readonly before: string | null
  readonly after: string | null
  readonly attempts: number
  readonly durationMs: number | null
  readonly run: string | null
  readonly [key: string]: unknown
}

/** @param end an item's result, or what takes the place of sending it */
export function toReplayRow(
  {event, state}: Planned,
  end: Result & {readonly attempts: number; readonly durationMs?: number},
  run: string | null,
): ReplayRow {
  const {result, detail, status, facts, attempts, durationMs} = end
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    result,
    detail: detail ?? null,
    status: status ?? null,
    before: (facts?.before as string | undefined) ?? state,
    after: (facts?.after as string | undefined) ?? null,
    attempts,
    durationMs: durationMs ?? null,
    run,
  }
}
