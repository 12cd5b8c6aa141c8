import {expect, test} from 'vitest'
import {PerTickCache} from '../../../src/shop/runtime/event-loop.js'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('what was found out is known until the turn ends, and to nobody else', async () => {
  const turn = new PerTickCache<number>()
  let found = 0
  const ask = (key: string) => turn.get(key, () => ++found)
  expect([ask('a'), ask('a'), ask('b')]).toEqual([1, 1, 2])
  await Promise.resolve()
  expect(ask('a')).toBe(1)
  await nextTurn()
  expect(ask('a')).toBe(3)
})
