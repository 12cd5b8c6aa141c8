import {expect, test} from 'vitest'
import {PerTickCache} from '../../../src/shop/runtime/event-loop.js'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('a result is cached by key until the turn ends', async () => {
  const turn = new PerTickCache<number>()
  let found = 0
  const ask = (key: string) => turn.get(key, () => ++found)
  expect([ask('a'), ask('a'), ask('b')]).toEqual([1, 1, 2])
  await Promise.resolve()
  expect(ask('a')).toBe(1)
  await nextTurn()
  expect(ask('a')).toBe(3)
})
