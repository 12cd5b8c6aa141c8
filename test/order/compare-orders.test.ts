import {expect, test} from 'vitest'
import {findDifferences} from '../../src/order/compare-orders.js'

const order = (more: object) => ({reference: 'A-1', lines: [{sku: 'X', quantity: 1}], ...more}) as never

test.each([
  ['differ', {channel: 'web'}, {channel: 'shop'}, ['customFields.channel']],
  ['are none, and the shop shows an empty object', {}, {}, []],
  ['are none, and the shop shows null', {}, null, []],
])('custom fields that %s', (_, ours, theirs, fields) => {
  const found = findDifferences(order({customFields: ours}), order({customFields: theirs}))
  expect(found.map(({field}) => field)).toEqual(fields)
})

const OTHER_RULES = {toStoredOrder: (order: object) => ({order: order as never, all: false})}

test.each([
  [
    'fewer lines',
    {lines: [{sku: 'X'}]},
    {
      lines: [
        {sku: 'X', id: 1},
        {sku: 'Y', id: 2},
      ],
    },
    ['lines[1].id', 'lines[2]'],
  ],
  ['what the shop adds to its lines', {lines: [{sku: 'X'}]}, {lines: [{sku: 'X', id: 1}]}, []],
  ['a date that is no time', {orderDate: 'soon'}, {orderDate: 'later'}, ['orderDate']],
  [
    'the same moment in two zones',
    {orderDate: '2026-11-26T01:00:00+01:00'},
    {orderDate: '2026-11-26T00:00:00Z'},
    [],
  ],
])('by the rules of another shop: %s', (_, ours, theirs, fields) => {
  const found = findDifferences(
    {reference: 'A-1', ...ours} as never,
    {id: 'o', reference: 'A-1', ...theirs},
    OTHER_RULES,
  )
  expect(found.map(({field}) => field)).toEqual(fields)
})
