import type {StateMove} from '../../contract/payment-rows.js'
import {type PaymentShop, searchRows} from '../search-rows.js'

/** Most moves of some transactions. */
const MOST_MOVES = 250

interface HistoryRow {
  readonly referencedId?: string
  readonly createdAt?: string
  readonly transitionActionName?: string | null
  readonly fromStateMachineState?: {readonly technicalName?: string} | null
  readonly toStateMachineState?: {readonly technicalName?: string} | null
}

/**
 * The changes of transactions' states, the oldest first.
 *
 * @throws StorectlError as `HttpClient` and `refusal` do
 */
export async function fetchHistory(
  transactionIds: readonly string[],
  shop: PaymentShop,
  signal: AbortSignal,
): Promise<StateMove[]> {
  const rows = await searchRows<HistoryRow>('state-machine-history', shop, signal, {
    filter: [{type: 'equalsAny', field: 'referencedId', value: transactionIds}],
    sort: [{field: 'createdAt', order: 'ASC'}],
    associations: {fromStateMachineState: {}, toStateMachineState: {}},
    limit: MOST_MOVES,
  })
  return rows.map(row => ({
    at: new Date(row.createdAt ?? 0).toISOString(),
    transaction: row.referencedId ?? '',
    from: row.fromStateMachineState?.technicalName ?? '',
    to: row.toStateMachineState?.technicalName ?? '',
    action: row.transitionActionName ?? null,
  }))
}
