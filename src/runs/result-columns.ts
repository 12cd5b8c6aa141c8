import type {Result} from './journal/item.js'

/** What happened to one payment, in the rows of a replay and of a run of repairs. Keys are stable. */
export interface ResultColumns {
  /** `applied`, `unchanged`, `accepted`, `rejected`, `failed`, `unknown`, `held`, `skipped`, `invalid`. */
  readonly result: string
  readonly detail: string | null
  /** HTTP status of the last response. */
  readonly status: number | null
  /** State of the transaction before and after, if checked. */
  readonly before: string | null
  readonly after: string | null
  readonly attempts: number
}

/**
 * @param end an item's result, or what replaces sending it
 * @param state of the transaction when it was planned
 */
export function toResultColumns(
  {result, detail, status, facts, attempts}: Result & {readonly attempts: number},
  state: string | null,
): ResultColumns {
  return {
    ...{result, detail: detail ?? null, status: status ?? null},
    before: (facts?.before as string | undefined) ?? state,
    after: (facts?.after as string | undefined) ?? null,
    attempts,
  }
}
