import {Ajv2020} from 'ajv/dist/2020.js'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isFullDate, readDateTime} from '../../../src/wire/fulfillment-order/field-rules.js'
import {findFaults} from '../../../src/wire/fulfillment-order/validate-order.js'
import {FulfillmentOrderSchema} from '../../../src/wire/schemas/fulfillment-order.js'
import {sized} from '../../support/sized.js'

const ajv = new Ajv2020()
ajv.addFormat('date-time', text => typeof readDateTime(text) === 'number')
ajv.addFormat('date', isFullDate)
const publishes = ajv.compile(FulfillmentOrderSchema)

/** Values that are right, values just beyond a limit, and values of another type, for every field. */
const text = (max: number) =>
  fc.constantFrom<unknown>('a', 'x'.repeat(max), 'x'.repeat(max + 1), '', 7, null, true, {}, [], undefined)
const maybe = (...values: unknown[]) => fc.constantFrom<unknown>(...values, undefined, null, 7, {})

const orders = fc.record({
  reference: fc.constantFrom<unknown>('SO-1', 'a b', '', 'x'.repeat(65), 3),
  orderNumber: text(64),
  orderDate: maybe('2024-10-24T21:30:46Z', '2024-10-24', '2024-13-01T00:00:00Z', ''),
  lines: fc.array(
    fc.record({
      sku: text(64),
      quantity: fc.constantFrom<unknown>(1, 1_000_000, 0, 1.5, 1_000_001, '1', undefined),
      unitPrice: maybe({amount: '1.50', currency: 'EUR'}, {amount: '1,5', currency: 'EUR'}, {amount: '1'}),
    }),
    {maxLength: 3},
  ),
  shipTo: fc.record({
    name: text(100),
    street: fc.constantFrom<unknown>('s', 'x'.repeat(101)),
    city: fc.constantFrom<unknown>('c', undefined),
    postalCode: fc.constantFrom<unknown>('1', 'x'.repeat(17)),
    country: fc.constantFrom<unknown>('DE', 'de', 'DEU'),
    company: text(100),
    email: text(254),
    phone: text(40),
    state: text(100),
    additionalLine: text(100),
  }),
  shippingMethod: maybe('standard', 'fast'),
  shipNotBefore: maybe('2024-02-29', '2023-02-29'),
  hold: maybe(true, 'true'),
  fillPolicy: maybe('what-is-available', 'some'),
  note: text(500),
  customFields: maybe({a: 1}, [], 'x'),
})

const good = {
  reference: 'SO-1',
  lines: [{sku: 'A', quantity: 1}],
  shipTo: {name: 'n', street: 's', city: 'c', postalCode: '1', country: 'DE'},
}

/** A good order with a few members taken from a random one. */
const nearlyGood = fc
  .tuple(orders, fc.subarray(Object.keys(good).concat('note', 'hold', 'orderDate', 'customFields')))
  .map(([random, taken]) =>
    JSON.parse(
      JSON.stringify({
        ...good,
        ...Object.fromEntries(taken.map(name => [name, random[name as keyof typeof random]])),
      }),
    ),
  )

test('the published schema and the checks by hand take the same orders', () => {
  let accepted = 0
  fc.assert(
    fc.property(
      fc.oneof(
        orders.map(value => JSON.parse(JSON.stringify(value))),
        nearlyGood,
      ),
      order => {
        const isAcceptable = findFaults(order, new Date('2030-01-01T00:00:00Z')).length === 0
        if (isAcceptable) accepted += 1
        expect(publishes(order)).toBe(isAcceptable)
      },
    ),
    {seed: 5, numRuns: sized(500, 2000)},
  )
  expect(accepted).toBeGreaterThan(50)
})
