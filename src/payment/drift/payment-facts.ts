/** One attempt of a customer to pay an order, as the shop has it. */
export interface ShopTransaction {
  /** Of the order transaction. */
  readonly id: string
  /** Technical name. */
  readonly state: string
  readonly createdAt: Date
  /** The provider's order; `null` where another way to pay was chosen. */
  readonly providerOrderId: string | null
}

/** An order that was cancelled, or whose deliveries all came back. */
export interface OrderEnding {
  readonly how: 'cancelled' | 'returned'
  /** When that was at the latest: the last change of the order, or of its deliveries. */
  readonly at: Date
}

/** What the shop has of one order's payment. */
export interface ShopPayment {
  readonly orderId: string
  readonly orderNumber: string
  /** Technical name. */
  readonly orderState: string
  readonly salesChannelId: string | null
  /** What is to be paid, smallest units of the currency. */
  readonly units: number
  /** ISO 4217. */
  readonly currency: string
  /** The last attempt: the only one that counts for the shop. */
  readonly live: ShopTransaction
  /** How the order ended without a sale; absent for one that has not. */
  readonly ending?: OrderEnding
  /** Earlier attempts, in any order. */
  readonly earlier: readonly ShopTransaction[]
  /** Why its amount cannot be read, so that `units` is none; absent where it can. */
  readonly doubt?: string
}

/**
 * - `done`: the money moved, or was authorized
 * - `pending`: the provider holds it back
 * - `declined`: it did not move and never will
 */
export type MovementStatus = 'done' | 'pending' | 'declined'

/**
 * - `dispute`: what the report has of one; no money of the payment. `pending` while it is open, `done` once it has ended
 * - `other`: what only a look-up of the order explains; no money of the payment
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
  /** The provider's order; `null` where it is not named. */
  readonly orderId: string | null
  /** The shop's transaction that it names in `custom_id`. */
  readonly transactionId: string | null
  /** The shop's order number, as the provider was given it. */
  readonly invoiceId: string | null
  /** The capture that a refund gives back. */
  readonly captureId: string | null
  /** Whether a capture is the last of its order; `undefined` where nothing says so. */
  readonly isFinal?: boolean | undefined
  /** When an authorization ends, as the provider says; absent where it does not. */
  readonly expiresAt?: Date
  /** How much of a capture was given back, as the provider says of the capture itself; absent for nothing. */
  readonly reversed?: 'all' | 'part' | undefined
}

/** A dispute about a payment that the buyer or their bank has begun. */
export interface Dispute {
  readonly id: string
  /** As the provider names it: `REQUIRED_ACTION`. */
  readonly state: string
  /** Until when the merchant has to answer; `null` where nothing is due. */
  readonly dueAt: Date | null
}

/** What the provider has of one order's payment, all attempts together. */
export interface ProviderPayment {
  readonly movements: readonly ProviderMovement[]
  /** Orders of the provider that were cancelled there before any money moved. */
  readonly voidedOrderIds: readonly string[]
  /** Why an answer cannot be believed or read, a sentence each: a person decides. Absent for none. */
  readonly doubts?: readonly string[]
  /** An open dispute; absent for none. */
  readonly dispute?: Dispute
}

/** Everything that is known of one payment. One of the two sides may have nothing. */
export interface PaymentFacts {
  readonly shop: ShopPayment | undefined
  readonly provider: ProviderPayment
}
