import {expect, test} from 'vitest'
import {parseListOrder, sortRows} from '../../src/language/list-order.js'

async function* count(from: number, to: number) {
  for (let at = from; at < to; at++) yield at
}

const read = (row: number) => (row % 10 === 0 ? null : row % 7)

test.each([
  {text: 'amount', order: {field: 'amount', descending: false}},
  {text: 'amount:asc', order: {field: 'amount', descending: false}},
  {text: 'state:desc', order: {field: 'state', descending: true}},
])('$text is the order of a list', ({text, order}) => {
  expect(parseListOrder(text, ['amount', 'state'])).toEqual(order)
})

test.each(['', 'amont', 'amount:up', 'amount:asc:desc', ':desc'])('%j is no order', text => {
  expect(() => parseListOrder(text, ['amount', 'state'])).toThrow('expected one of amount, state')
})

test('rows are sorted, the first of equals stays first, and those without a value come last', async () => {
  const all = await sortRows(count(0, 25), {descending: true}, read, undefined)
  expect(all.slice(0, 4)).toEqual([6, 13, 5, 12])
  expect(all.slice(-3)).toEqual([0, 10, 20])
  for (const limit of [1, 3, 24, 25, 99])
    expect(await sortRows(count(0, 25), {descending: true}, read, limit)).toEqual(all.slice(0, limit))
})

test('all of more rows than fit the memory is refused, and a limit is not', async () => {
  const most = 100_000
  const sort = (to: number, limit?: number) => sortRows(count(0, to), {descending: true}, row => row, limit)
  expect(await sort(most)).toHaveLength(most)
  await expect(sort(most + 1)).rejects.toThrow('at most 100,000 rows')
  expect(await sort(3 * most, 2)).toEqual([3 * most - 1, 3 * most - 2])
})
