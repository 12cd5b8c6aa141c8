import {expect, test} from 'vitest'
import {KeyedLock} from '../../src/gateway/keyed-lock.js'
import {until} from '../support/until.js'

const LONG = 10_000

test('who shares any key waits for all that came before, in order', async () => {
  const lanes = new KeyedLock()
  const order: string[] = []
  const first = await lanes.enter(['a', 'b'], LONG)
  const second = lanes.enter(['b', 'c'], LONG).then(leave => {
    order.push('second')
    leave?.()
  })
  const third = lanes.enter(['c'], LONG).then(leave => {
    order.push('third')
    leave?.()
  })
  const other = await lanes.enter(['d'], LONG)
  order.push('other')
  other?.()
  first?.()
  await Promise.all([second, third])
  expect(order).toEqual(['other', 'second', 'third'])
})

test('who gives up lets nobody past those that are still there', async () => {
  const lanes = new KeyedLock()
  const first = await lanes.enter(['a'], LONG)
  expect(await lanes.enter(['a'], 1)).toBeUndefined()
  let isThrough = false
  const third = lanes.enter(['a'], LONG).then(leave => {
    isThrough = true
    leave?.()
  })
  await new Promise(resolve => setImmediate(resolve))
  expect(isThrough).toBe(false)
  first?.()
  await third
  expect(isThrough).toBe(true)
})

test('an empty lane is forgotten', async () => {
  const lanes = new KeyedLock()
  for (let turn = 0; turn < 3; turn++) {
    const leave = await lanes.enter(['a', `b${turn}`], LONG)
    leave?.()
  }
  await until('no key is held', () => lanes.size === 0)
})
