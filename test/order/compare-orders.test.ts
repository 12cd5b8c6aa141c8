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
