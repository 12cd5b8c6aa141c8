import {contentHash} from '../../wire/fulfillment-order/content-hash.js'
import {withDefaults} from '../../wire/fulfillment-order/defaults.js'
import {ORDER, type Shape} from '../../wire/fulfillment-order/field-rules.js'
import type {FulfillmentOrder} from '../../wire/fulfillment-order/fulfillment-order.js'
import {faultsOf} from '../../wire/fulfillment-order/validate-order.js'
import {withLostZeros} from './lost-zeros.js'

/** One thing that keeps an order from being sent. */
export interface RuleFault {
  /** JSON pointer into the order. @see RFC 6901 */
  readonly pointer: string
  /** The rest of a sentence that begins with the field. */
  readonly message: string
  /** What stands there, `undefined` when nothing does. */
  readonly value: unknown
}

/** An order without faults, by whatever rules. */
export interface SoundOrder {
  readonly reference: string
  readonly [field: string]: unknown
}

/** What an order has to be. */
export interface OrderRules {
  /** Everything that is wrong with an order, in the order of its fields. */
  faultsOf(order: unknown, now: Date): RuleFault[]
  /** Whether it counts that a value was found doubtful while it was read: a name that stands twice, a number cut short. */
  minds(pointer: string): boolean
  /** The same for two orders that say the same. @returns 64 lower-case hex digits */
  contentHash(order: SoundOrder): string
  /** The order as the shop keeps it, with what it may leave out; `all` when whatever the shop shows beside it is another content. */
  kept(order: SoundOrder): {readonly order: Readonly<Record<string, unknown>>; readonly all: boolean}
  /** What the columns of a table may fill; `undefined` where there are no tables. */
  readonly shape: Shape | undefined
}

/**
 * Our own contract, by which the bundled shop decides too; and what no shop can want: postal codes without their leading
 * zeros.
 *
 * @see fulfillment-order.md
 */
export const CONTRACT: OrderRules = {
  faultsOf: (order, now) => withLostZeros(faultsOf(order, now), order),
  minds: () => true,
  contentHash: order => contentHash(order as unknown as FulfillmentOrder),
  kept: order => ({
    order: withDefaults(order as unknown as FulfillmentOrder) as unknown as Record<string, unknown>,
    all: true,
  }),
  shape: ORDER,
}
