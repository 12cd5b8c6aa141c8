import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import {describeRepair, type PlannedRepair} from './repair.js'

export const REPAIR_VIEW: View = {
  hasAnyField: true,
  noun: ['payment', 'payments'],
  id: 'transaction',
  columns: [
    {path: 'result', priority: 1},
    {path: 'kind', priority: 2},
    {path: 'orderNumber', header: 'ORDER', priority: 4},
    {path: 'transaction', priority: 3},
    {path: 'repair', priority: 6},
    {path: 'detail', priority: 5},
  ],
}

/** What became of one payment, as it is printed. Keys are stable. */
export interface RepairRow {
  readonly transaction: string | null
  readonly orderNumber: string | null
  readonly kind: string
  readonly repair: string
  /** `applied`, `unchanged`, `accepted`, `rejected`, `failed`, `unknown`, `held`, `skipped`. */
  readonly result: string
  readonly detail: string | null
  /** HTTP status of the last response. */
  readonly status: number | null
  /** State of the transaction. */
  readonly before: string | null
  readonly after: string | null
  readonly attempts: number
  readonly run: string | null
  readonly [key: string]: unknown
}

export function toRepairRow(
  {transaction, orderNumber, kind, repair, state}: PlannedRepair,
  end: Result & {readonly attempts: number},
  run: string | null,
): RepairRow {
  const {result, detail, status, facts, attempts} = end
  return {
    ...{transaction, orderNumber, kind, repair: describeRepair(repair), result},
    ...{detail: detail ?? null, status: status ?? null},
    before: (facts?.before as string | undefined) ?? state,
    after: (facts?.after as string | undefined) ?? null,
    ...{attempts, run},
  }
}
