import type {FaultInjector} from '../faults/active-faults.js'
import {listCaptures, sumSaleRefunds} from '../store/provider-events.js'
import type {ShopConnection} from '../store/schema/schema.js'

/** The result of a request to the payment provider. */
export type ProviderAnswer<T> =
  | {readonly kind: 'found'; readonly value: T}
  /** The provider's `RESOURCE_NOT_FOUND`, which the shop treats as a success. */
  | {readonly kind: 'not-found'}
  | {readonly kind: 'failed'}

/** A transaction, for requests to the provider. */
export interface AskedTransaction {
  readonly id: string
  readonly amountTotal: number
}

export interface Capture {
  /** Decimal string. */
  readonly amount: string
  readonly final: boolean
}

export type SaleState = 'completed' | 'partially_refunded' | 'refunded'

/**
 * The part of the payment provider's API that handlers use. Requests run inside the write that handles the
 * notification, so an implementation awaits only queries.
 *
 * @see protocol.md §4.4
 */
export interface PaymentProvider {
  /** The captures of the order that pays for a transaction (`GET /v2/checkout/orders/{id}`). */
  fetchCaptures(
    db: ShopConnection,
    transaction: AskedTransaction,
  ): Promise<ProviderAnswer<readonly Capture[]>>
  /** The state of a v1 sale (`GET /v1/payments/sale/{id}`). */
  fetchSaleState(
    db: ShopConnection,
    saleId: string,
    transaction: AskedTransaction,
  ): Promise<ProviderAnswer<SaleState>>
}

/** Faults of the provider: down, not found, or changes to event lists and resends. */
export type ProviderFaults = Pick<FaultInjector, 'drawProviderFault' | 'drawEventsFaults'>

/** Tolerance for sums of doubles. */
const HALF_A_CENT = 0.005

/**
 * The bundled shop is its own provider: captures and refunds are those of its notifications so far.
 *
 * @param path for matching the routes of faults
 */
export function createBundledProvider(faults: ProviderFaults | undefined, path: string): PaymentProvider {
  let drawn: {answer: ReturnType<FaultInjector['drawProviderFault']>} | undefined
  // A write may run twice, but a fault affects a request only once.
  const drawFailure = <T>(): ProviderAnswer<T> | undefined => {
    drawn ??= {answer: faults?.drawProviderFault(path)}
    const {answer} = drawn
    return answer && {kind: answer === 'down' ? 'failed' : answer}
  }
  return {
    fetchCaptures: async (db, {id}) =>
      drawFailure<readonly Capture[]>() ?? {kind: 'found', value: await listCaptures(db, id)},
    fetchSaleState: async (db, saleId, {amountTotal}) => {
      const failure = drawFailure<SaleState>()
      if (failure) return failure
      const refunded = await sumSaleRefunds(db, saleId)
      return {kind: 'found', value: deriveSaleState(refunded, amountTotal)}
    },
  }
}

function deriveSaleState(refunded: number, total: number): SaleState {
  if (refunded === 0) return 'completed'
  return refunded + HALF_A_CENT < total ? 'partially_refunded' : 'refunded'
}
