import type {View} from '../../output/view.js'
import type {Result} from '../../runs/journal/item.js'
import type {Difference} from '../compare-orders.js'

/** The result of one order. */
export type OrderStatus =
  | 'created'
  | 'exists'
  | 'rejected'
  | 'conflict'
  | 'failed'
  | 'unknown'
  | 'new'
  | 'not-sent'

/** One line of the result, in the order of the input. */
export interface OrderRow {
  readonly reference: string
  /**
   * - `created`, `exists`: the shop has it
   * - `rejected`, `conflict`: the shop refuses it
   * - `failed`: the shop does not have it, and may take it later
   * - `unknown`: it is unknown whether the shop has it
   * - `new`: it would be sent (`--dry-run`)
   * - `not-sent`: the run ended before its turn came, or there was neither connection nor access token
   */
  readonly status: OrderStatus
  /** The shop's id of it, `null` if there is none or it is unknown. */
  readonly id: string | null
  readonly detail: string | null
  /** How often it was sent in this run. */
  readonly attempts: number
  /** Status of the last answer, `null` when nothing was sent or nothing answered. */
  readonly httpStatus: number | null
  /** How the order differs from the shop's, with both contents; `null` except for a conflict. */
  readonly differences: readonly Difference[] | null
  /** `null` when nothing was to be sent. */
  readonly run: string | null
  readonly [key: string]: unknown
}

export function toOrderRow(
  reference: string,
  {result, facts, detail, status}: Result,
  attempts: number,
  run: string | null,
): OrderRow {
  return {
    reference,
    status: result as OrderStatus,
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

const FAILED: ReadonlySet<OrderStatus> = new Set(['rejected', 'conflict', 'failed', 'not-sent', 'unknown'])

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
