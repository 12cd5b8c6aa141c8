import {expect, test} from 'vitest'
import {applySettings, parseOverride} from '../../src/order/draft/field-overrides.js'
import {ORDER_SHAPE} from '../../src/wire/fulfillment-order/field-rules.js'

function apply(order: object, ...settings: string[]) {
  applySettings(
    order,
    settings.map(text => parseOverride(text, ORDER_SHAPE)),
  )
  return order
}

test.each<[object, string, unknown]>([
  [{}, 'line.quantity=2', [{quantity: 2}]],
  [{lines: []}, 'line.quantity=2', [{quantity: 2}]],
  [
    {lines: [{sku: 'A'}, {sku: 'B'}]},
    'line.quantity=2',
    [
      {sku: 'A', quantity: 2},
      {sku: 'B', quantity: 2},
    ],
  ],
  [{}, 'lines[2].quantity=2', [{}, {quantity: 2}]],
  [{lines: [{sku: 'A'}, {sku: 'B'}]}, 'lines[2].quantity=2', [{sku: 'A'}, {sku: 'B', quantity: 2}]],
  [{lines: [{sku: 'A'}]}, 'lines[1].quantity=2', [{sku: 'A', quantity: 2}]],
  [{lines: 'none'}, 'line.quantity=2', 'none'],
])('%j with --set %s has the lines %j', (order, setting, lines) => {
  expect(apply(order, setting)).toEqual({lines})
})

test('a field that nobody knows, and a line 0, are refused', () => {
  for (const text of ['colour=red', 'lines[0].quantity=2', 'quantity'])
    expect(() => parseOverride(text, ORDER_SHAPE)).toThrow(/--set/)
})
