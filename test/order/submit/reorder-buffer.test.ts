import {expect, test} from 'vitest'
import {ReorderBuffer} from '../../../src/order/submit/reorder-buffer.js'

test('values come out in the order of their index', () => {
  const order = new ReorderBuffer<string>(10)
  expect([...order.take(2, 'c')]).toEqual([])
  expect([...order.take(0, 'a')]).toEqual(['a'])
  expect([...order.take(1, 'b')]).toEqual(['b', 'c'])
  expect([...order.take(5, 'f')]).toEqual([])
  expect([...order.take(4, 'e')]).toEqual([])
  expect([...order.drain()]).toEqual(['e', 'f'])
})

test('the source waits while too many values are kept for a late one', async () => {
  const order = new ReorderBuffer<string>(2)
  await order.waitForRoom(2)
  let isThere = false
  const room = order.waitForRoom(3).then(() => {
    isThere = true
  })
  await Promise.resolve()
  expect(isThere).toBe(false)
  expect([...order.take(0, 'a')]).toEqual(['a'])
  await room
  const held = order.waitForRoom(100)
  order.release()
  await held
})
