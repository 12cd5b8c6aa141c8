import type {ReplayRow} from '../../contract/replay-rows.js'
import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import {toResultColumns} from '../../runs/result-columns.js'
import type {Planned} from '../plan/planned.js'

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
    {path: 'orderNumber', header: 'ORDER', priority: 6},
    {path: 'amount', kind: 'money', priority: 7},
  ],
}

/** @param end an item's result, or what replaces sending it */
export function toReplayRow(
  {event, state}: Planned,
  end: Result & {readonly attempts: number; readonly durationMs?: number},
  run: string | null,
): ReplayRow {
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    sender: event.sender,
    orderNumber: event.orderNumber,
    amount: event.traits.amount ?? null,
    ...toResultColumns(end, state),
    durationMs: end.durationMs ?? null,
    run,
  }
}
