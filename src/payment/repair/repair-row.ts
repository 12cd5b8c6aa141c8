import type {PlannedRepair, RepairRow} from '../../contract/payment-rows.js'
import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import {toResultColumns} from '../../runs/result-columns.js'
import {describeRepair} from './repair.js'

export const REPAIR_VIEW: View = {
  hasAnyField: true,
  noun: ['payment', 'payments'],
  id: 'transaction',
  columns: [
    {path: 'result', priority: 1},
    {path: 'kind', priority: 2},
    {path: 'orderNumber', header: 'ORDER', priority: 4},
    {path: 'transaction'},
    {path: 'amount', kind: 'money', priority: 6},
    {path: 'repair', priority: 8},
    {path: 'detail', priority: 5},
  ],
}

export function toRepairRow(
  planned: PlannedRepair,
  end: Result & {readonly attempts: number},
  run: string | null,
): RepairRow {
  const {transaction, orderNumber, kind, amount, state} = planned
  const payment = {transaction, orderNumber, kind, amount, repair: describeRepair(planned)}
  return {...payment, ...toResultColumns(end, state), run}
}
