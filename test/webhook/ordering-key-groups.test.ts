import fc from 'fast-check'
import {expect, test} from 'vitest'
import {listOrderingKeys} from '../../src/providers/paypal/event-traits.js'
import {OrderingKeyGroups} from '../../src/webhook/plan/ordering-key-groups.js'
import {transactionId} from './support.js'

test('an event names its transaction and every id of the provider that ties it to others', () => {
  const keys = listOrderingKeys({
    resource: {
      id: 'REFUND1',
      custom_id: JSON.stringify({orderTransactionId: transactionId(1), pluginVersion: '9.6.2'}),
      supplementary_data: {related_ids: {order_id: 'ORDER1', authorization_id: 'AUTH1'}},
      links: [
        {rel: 'self', href: 'https://api.example/v2/payments/refunds/REFUND1'},
        {rel: 'up', href: 'https://api.example/v2/payments/captures/CAP1?x=1'},
      ],
    },
  })
  expect(keys).toEqual([
    `transaction:${transactionId(1)}`,
    'provider:REFUND1',
    'provider:ORDER1',
    'provider:AUTH1',
    'provider:CAP1',
  ])
})

test('an event of version 1 names its transaction under another name, and nothing else there counts', () => {
  const sale = {id: 'SALE1', parent_payment: 'PAYID-1'}
  const ids = ['provider:SALE1', 'provider:PAYID-1']
  expect(listOrderingKeys({resource: {...sale, custom: transactionId(1)}})).toEqual([
    `transaction:${transactionId(1)}`,
    ...ids,
  ])
  expect(listOrderingKeys({resource: {...sale, custom: 'my shop'}})).toEqual(ids)
})

test('whatever is missing or of another type ties nothing together', () => {
  for (const body of [
    {},
    {resource: null},
    {resource: {id: 1, links: 'x', custom_id: {}}},
    {resource: [1]},
  ]) {
    expect(listOrderingKeys(body)).toEqual([])
  }
})

test('events that share any key, directly or through others, are in one group; all others are not', () => {
  const keys = fc.array(fc.integer({min: 0, max: 12}).map(String), {maxLength: 4})
  fc.assert(
    fc.property(fc.array(keys, {maxLength: 12}), events => {
      const finder = new OrderingKeyGroups()
      for (const each of events) finder.joinKeys(each)
      const lanes = events.map((each, index) => finder.findGroup(each, String(index)))
      const groups = connected(events)
      for (const [a, groupA] of groups.entries()) {
        for (const [b, groupB] of groups.entries()) expect(lanes[a] === lanes[b]).toBe(groupA === groupB)
      }
    }),
  )
})

test('thousands of keys keep their groups apart, and a group has the same name whatever the order', () => {
  const count = 3000
  const events = Array.from({length: count}, (_, index) => [`CAP${index}`, `ORD${index % (count / 2)}`])
  const lanesOf = (order: readonly string[][]) => {
    const finder = new OrderingKeyGroups()
    for (const keys of order) finder.joinKeys(keys)
    return events.map(keys => finder.findGroup(keys, ''))
  }
  const lanes = lanesOf(events)
  expect(new Set(lanes).size).toBe(count / 2)
  expect(lanes.slice(0, count / 2)).toEqual(lanes.slice(count / 2))
  expect(lanesOf([...events].reverse())).toEqual(lanes)
})

/** The same by brute force: a group's number for each event. */
function connected(events: readonly string[][]): number[] {
  const groups = events.map((_, index) => index)
  for (let changed = true; changed; ) {
    changed = false
    for (const [a, keysA] of events.entries()) {
      for (const [b, keysB] of events.entries()) {
        if (groups[a] === groups[b] || !keysA.some(key => keysB.includes(key))) continue
        const smaller = Math.min(groups[a] as number, groups[b] as number)
        groups[a] = smaller
        groups[b] = smaller
        changed = true
      }
    }
  }
  return groups
}
