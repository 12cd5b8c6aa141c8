import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import {type ResultColumns, toResultColumns} from '../../runs/result-columns.js'
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
    {path: 'amount', kind: 'number', priority: 6},
    {path: 'currency', priority: 7},
    {path: 'repair', priority: 8},
    {path: 'detail', priority: 5},
  ],
}

/** What became of one payment, as it is printed. Keys are stable. */
export interface RepairRow extends ResultColumns {
  readonly transaction: string | null
  readonly orderNumber: string | null
  readonly kind: string
  /** What is to be paid, a decimal string. */
  readonly amount: string | null
  /** ISO 4217. */
  readonly currency: string | null
  readonly repair: string
  readonly run: string | null
  readonly [key: string]: unknown
}

export function toRepairRow(
  planned: PlannedRepair,
  end: Result & {readonly attempts: number},
  run: string | null,
): RepairRow {
  const {transaction, orderNumber, kind, amount, currency, state} = planned
  const payment = {transaction, orderNumber, kind, amount, currency, repair: describeRepair(planned)}
  return {...payment, ...toResultColumns(end, state), run}
}
