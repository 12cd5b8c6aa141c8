import type {Difference, OrderRow} from '../../contract/order-rows.js'
import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'

export function toOrderRow(
  reference: string,
  {result, facts, detail, status}: Result,
  attempts: number,
  run: string | null,
): OrderRow {
  return {
    reference,
    status: result as OrderRow['status'],
    id: typeof facts?.id === 'string' ? facts.id : null,
    detail: detail ?? null,
    attempts,
    httpStatus: status ?? null,
    differences: (facts?.differences as readonly Difference[] | undefined) ?? null,
    run,
  }
}

/** An order that a run did not reach. */
export function toUnsentRow(reference: string, run: string | null): OrderRow {
  const nothing = {id: null, detail: null, attempts: 0, httpStatus: null, differences: null}
  return {reference, status: 'not-sent', ...nothing, run}
}

/** Whether an order was tried and failed; one that the run did not reach has not failed. */
export function isFailedOrder({status, attempts}: Pick<OrderRow, 'status' | 'attempts'>): boolean {
  return FAILED.has(status) && (status !== 'not-sent' || attempts > 0)
}

const FAILED: ReadonlySet<OrderRow['status']> = new Set([
  'rejected',
  'conflict',
  'failed',
  'not-sent',
  'unknown',
])

/** How results are shown. */
export const ORDER_RESULTS: View = {
  hasAnyField: true,
  noun: ['order', 'orders'],
  columns: [
    {path: 'reference'},
    {path: 'status', priority: 1},
    {path: 'id'},
    {path: 'detail', priority: 2, isProse: true},
  ],
  id: 'reference',
}
