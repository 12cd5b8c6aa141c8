import type {RepairRow} from '../contract/payment-rows.js'
import type {Result} from './journal/item.js'

/**
 * What became of one payment, in the rows of a replay and of a run of repairs.
 *
 * @param end an item's result, or what replaces sending it
 * @param state of the transaction when it was planned
 */
export function toResultColumns(
  {result, detail, status, facts, attempts}: Result & {readonly attempts: number},
  state: string | null,
): Pick<RepairRow, 'result' | 'detail' | 'status' | 'before' | 'after' | 'attempts'> {
  return {
    ...{result, detail: detail ?? null, status: status ?? null},
    before: (facts?.before as string | undefined) ?? state,
    after: (facts?.after as string | undefined) ?? null,
    attempts,
  }
}
