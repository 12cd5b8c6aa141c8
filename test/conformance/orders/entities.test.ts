import {describe, expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {told} from '../writes/told.js'

const row = conformance()

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
const LIVE_VERSION = '0fa91ce3e96a4bc2be4bd9ce752c3425'

/** The fields of the table, entity by entity. */
const FIELDS: Record<string, string> = {
  order:
    'id versionId orderNumber orderDateTime stateId salesChannelId currencyId billingAddressId orderCustomer lineItems deliveries transactions customFields amountTotal amountNet positionPrice taxStatus shippingTotal',
  order_delivery:
    'orderId shippingOrderAddressId shippingMethodId stateId trackingCodes shippingDateEarliest shippingDateLatest shippingCosts customFields positions',
  order_delivery_position: 'orderDeliveryId orderLineItemId price customFields unitPrice totalPrice quantity',
  order_line_item:
    'orderId identifier referencedId productId quantity label payload type states position good removable stackable price unitPrice totalPrice',
  order_address:
    'orderId countryId firstName lastName street city zipcode company department phoneNumber additionalAddressLine1 additionalAddressLine2 countryStateId salutationId vatId',
}
const hyphenated = (entity: string) => entity.replaceAll('_', '-')

/** The first thing of each kind in an order that was made. */
const partsOf = (order: Made): Record<string, Values> => {
  const first = (list: unknown) => (list as Values[])[0] as Values
  const delivery = first(order.deliveries)
  return {
    order,
    order_delivery: delivery,
    order_delivery_position: first(delivery.positions),
    order_line_item: first(order.lineItems),
    order_address: first(order.addresses),
  }
}

const read = async (shop: Target, entity: string, id: unknown) =>
  (await shop.search(hyphenated(entity), {ids: [id]})).json().data[0] as Values

describe('§5.2 what an order consists of', () => {
  row.each(
    Object.entries(FIELDS).map(([entity, fields]) => [`${entity} has its fields`, entity, fields] as const),
    async (shop, entity, fields) => {
      const order = await shop.make.order()
      const one = await read(shop, entity, partsOf(order)[entity]?.id)
      expect(Object.keys(one)).toEqual(expect.arrayContaining(fields.split(' ')))
      expect(one).toMatchObject({versionId: LIVE_VERSION, apiAlias: entity})
      expect(one.createdAt).toMatch(ISO)
    },
  )
  row('computed fields of an order', async shop => {
    const {id} = await shop.make.order()
    expect(await read(shop, 'order', id)).toMatchObject({
      amountTotal: 119,
      amountNet: 119,
      positionPrice: 119,
      taxStatus: 'gross',
      shippingTotal: 0,
    })
  })
  row('computed fields of a line item and of its place in a delivery', async shop => {
    const parts = partsOf(await shop.make.order())
    const prices = {unitPrice: 119, totalPrice: 119}
    expect(await read(shop, 'order_line_item', parts.order_line_item?.id)).toMatchObject(prices)
    const position = await read(shop, 'order_delivery_position', parts.order_delivery_position?.id)
    expect(position).toMatchObject({...prices, quantity: 1})
  })
  row.each(
    ['amountTotal', 'amountNet', 'positionPrice', 'taxStatus', 'shippingTotal'].map(
      name => [`${name} of an order is write-protected`, name] as const,
    ),
    async (shop, name) => {
      const {id} = await shop.make.order()
      const value = name === 'taxStatus' ? 'net' : 5
      const reply = await shop.send('PATCH', `/api/order/${id}`, {[name]: value})
      expect([400, 403]).toContain(reply.status)
      expect((await read(shop, 'order', id))[name]).not.toBe(value)
    },
  )

  const required: Record<string, string> = {
    order_delivery: 'shippingOrderAddressId shippingMethodId stateId shippingDateEarliest shippingDateLatest',
    order_address: 'countryId firstName lastName street city',
  }
  row.each(
    Object.entries(required).flatMap(([entity, names]) =>
      names.split(' ').map(name => [`${name} of ${entity} is required`, entity, name] as const),
    ),
    async (shop, entity, name) => {
      const order = await shop.make.order()
      const id = shop.newId()
      const {[name]: _, positions: __, ...values} = partsOf(order)[entity] as Values
      const reply = await shop.post(`/api/${hyphenated(entity)}`, {...values, id, orderId: order.id})
      expect([reply.status, reply.json().errors[0].source.pointer]).toEqual([400, `/0/${name}`])
      expect(await read(shop, entity, id)).toBeUndefined()
    },
  )
})

describe('§5.2 tracking codes', () => {
  row('are written by PATCH, the whole list replaced', async shop => {
    const delivery = partsOf(await shop.make.order()).order_delivery as Made
    for (const trackingCodes of [['A1', 'B2'], ['C3'], []]) {
      const reply = await shop.send('PATCH', `/api/order-delivery/${delivery.id}`, {trackingCodes})
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect((await read(shop, 'order_delivery', delivery.id)).trackingCodes).toEqual(trackingCodes)
    }
  })
  row('are a list of strings', async shop => {
    const delivery = partsOf(await shop.make.order()).order_delivery as Made
    for (const [trackingCodes, pointer, kind] of [
      ['A1', '/0/trackingCodes', 'array'],
      [[1], '/0/trackingCodes/0', 'string'],
    ]) {
      const reply = await shop.send('PATCH', `/api/order-delivery/${delivery.id}`, {trackingCodes})
      expect(told(reply)).toEqual([400, [pointer, `This value should be of type ${kind}.`]])
    }
    expect((await read(shop, 'order_delivery', delivery.id)).trackingCodes).toEqual([])
  })
})
