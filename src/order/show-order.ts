import {StorectlError} from '../errors.js'
import type {Row, View} from '../output/view.js'
import {findOrders, type OrderShop} from './order-client.js'

/** How an order is shown. */
export const ORDER_VIEW: View = {
  noun: ['order', 'orders'],
  columns: [
    {path: 'reference'},
    {path: 'id'},
    {path: 'status'},
    {path: 'createdAt', kind: 'time'},
    {path: 'orderNumber'},
    {path: 'orderDate', kind: 'time'},
    {path: 'shipTo'},
    {path: 'lines'},
    {path: 'shippingMethod'},
    {path: 'shipNotBefore'},
    {path: 'hold'},
    {path: 'fillPolicy'},
    {path: 'note'},
    {path: 'customFields'},
  ],
  id: 'id',
}

/**
 * The order that a shop has under a reference, as the shop shows it.
 *
 * @throws StorectlError `empty.no_order`; `usage.no_such_route` for a shop that cannot say; and as `findOrders` does
 */
export async function showOrder(
  reference: string,
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
): Promise<Row> {
  const found = await findOrders(shop, [reference])
  if (found === 'no-route') {
    throw new StorectlError('usage.no_such_route', 'This shop cannot be asked for submitted orders.')
  }
  const order = found.get(reference)
  if (!order)
    throw new StorectlError('empty.no_order', `The shop has no order with the reference ${reference}.`)
  return order
}
