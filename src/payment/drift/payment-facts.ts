/** One attempt of a customer to pay an order, as the shop has it. */
export interface ShopTransaction {
  /** Of the order transaction. */
  readonly id: string
  /** Technical name. */
  readonly state: string
  readonly createdAt: Date
  /** The provider's order; `null` if another payment method was chosen. */
  readonly providerOrderId: string | null
}

/** An order that was cancelled, or whose deliveries were all returned. */
export interface OrderEnding {
  readonly how: 'cancelled' | 'returned'
  /** The latest possible time of that: the last change of the order, or of its deliveries. */
  readonly at: Date
}

/** The shop's side of one order's payment. */
export interface ShopPayment {
  readonly orderId: string
  readonly orderNumber: string
  /** Technical name. */
  readonly orderState: string
  readonly salesChannelId: string | null
  /** The amount due, smallest units of the currency. */
  readonly units: number
  /** ISO 4217. */
  readonly currency: string
  /** The last attempt: the only one that counts for the shop. */
  readonly live: ShopTransaction
  /** How the order ended without a sale; absent if it did not. */
  readonly ending?: OrderEnding
  /** Earlier attempts, in any order. */
  readonly earlier: readonly ShopTransaction[]
  /** Why its amount cannot be read, so that `units` is invalid; absent if it can. */
  readonly doubt?: string
}

/**
 * - `done`: the money moved, or was authorized
 * - `pending`: the provider holds it back
 * - `declined`: it did not move, and will not
 */
export type MovementStatus = 'done' | 'pending' | 'declined'

/**
 * - `dispute`: a dispute in the report; no money of the payment. `pending` while it is open, `done` once it has ended
 * - `other`: a row that only a look-up of the order explains; no money of the payment
 */
export type MovementKind = 'authorization' | 'capture' | 'refund' | 'dispute' | 'other'

/** One movement of money at the provider. */
export interface ProviderMovement {
  /** The provider's id of the capture, refund or authorization. */
  readonly id: string
  readonly kind: MovementKind
  readonly status: MovementStatus
  /** Smallest units of the currency, never negative. */
  readonly units: number
  /** ISO 4217. */
  readonly currency: string
  readonly at: Date
  /** The provider's order; `null` if not named. */
  readonly orderId: string | null
  /** The shop's transaction that it names in `custom_id`. */
  readonly transactionId: string | null
  /** The shop's order number, as sent to the provider. */
  readonly invoiceId: string | null
  /** The capture that a refund gives back. */
  readonly captureId: string | null
  /** Whether a capture is the last of its order; `undefined` if unknown. */
  readonly isFinal?: boolean | undefined
  /** When an authorization ends, if the provider says so. */
  readonly expiresAt?: Date
  /** How much of a capture was given back, according to the capture itself; absent for nothing. */
  readonly reversed?: 'all' | 'part' | undefined
}

/** A dispute about a payment that the buyer or their bank has begun. */
export interface Dispute {
  readonly id: string
  /** The provider's name for it: `REQUIRED_ACTION`. */
  readonly state: string
  /** Until when the merchant must answer; `null` if nothing is due. */
  readonly dueAt: Date | null
}

/** The provider's side of one order's payment, all attempts together. */
export interface ProviderPayment {
  readonly movements: readonly ProviderMovement[]
  /** Orders of the provider that were cancelled there before any money moved. */
  readonly voidedOrderIds: readonly string[]
  /** Why an answer is not about this payment or cannot be read, a sentence each: a person decides. Absent for none. */
  readonly doubts?: readonly string[]
  /** An open dispute; absent for none. */
  readonly dispute?: Dispute
}

/** Everything that is known about one payment. One of the two sides may be missing. */
export interface PaymentFacts {
  readonly shop: ShopPayment | undefined
  readonly provider: ProviderPayment
}
