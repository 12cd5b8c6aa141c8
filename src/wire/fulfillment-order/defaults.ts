import type {FulfillmentLine, FulfillmentOrder} from './fulfillment-order.js'

/** An order that says everything it can leave out. */
export type CompleteOrder = Omit<FulfillmentOrder, 'lines'> &
  Required<Pick<FulfillmentOrder, 'shippingMethod' | 'hold' | 'fillPolicy'>> & {
    lines: (FulfillmentLine & {reference: string})[]
  }

/**
 * The order with its defaults filled in: what two orders are compared by. A line's reference is its position,
 * from 1. What was given stays as it was given.
 *
 * @param order one without faults
 * @see fulfillment-order.md "Request"
 */
export function withDefaults(order: FulfillmentOrder): CompleteOrder {
  return {
    ...order,
    lines: order.lines.map((line, index) => ({...line, reference: lineReference(line, index)})),
    shippingMethod: order.shippingMethod ?? 'standard',
    hold: order.hold ?? false,
    fillPolicy: order.fillPolicy ?? 'all-or-nothing',
  }
}

/** A line's own reference, or its position from 1. @param index from 0 */
export function lineReference(line: {reference?: string | undefined}, index: number): string {
  return line.reference ?? String(index + 1)
}
