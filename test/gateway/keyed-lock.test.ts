import {expect, test} from 'vitest'
import {KeyedLock, SharedKeyedLock} from '../../src/gateway/keyed-lock.js'
import type {Turns} from '../../src/webhook/inbox/capture-inbox.js'
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

/** Turns that the test decides about, and who has them. */
function openTurns(given: {take?: () => Promise<boolean>; leave?: () => Promise<void>} = {}) {
  const taken: [target: string, keys: readonly string[], holder: string, ms: number][] = []
  const left: string[] = []
  const turns: Turns = {
    take: async (...which) => {
      taken.push(which)
      return given.take?.() ?? true
    },
    leave: async (_, holder) => {
      left.push(holder)
      await given.leave?.()
    },
  }
  return {lock: new SharedKeyedLock(new KeyedLock(), turns, 'shop', 7), taken, left}
}

test('who is in among all captures holds the keys under a name of its own, and gives them back', async () => {
  const {lock, taken, left} = openTurns()
  for (const turn of [0, 1]) {
    const leave = await lock.enter(['a', 'b'], LONG)
    expect(left).toHaveLength(turn)
    leave?.()
    await until('it is given back', () => left.length === turn + 1)
  }
  const [[, , first], [, , second]] = taken as [(typeof taken)[0], (typeof taken)[0]]
  expect(taken).toEqual([
    ['shop', ['a', 'b'], first, 7],
    ['shop', ['a', 'b'], second, 7],
  ])
  expect(left).toEqual([first, second])
  expect([first.length, first === second]).toEqual([24, false])
})

test('a key that another capture holds is asked for until it is free', async () => {
  let asked = 0
  const {lock, taken} = openTurns({take: async () => ++asked === 3})
  expect(await lock.enter(['a'], LONG)).toBeDefined()
  expect(new Set(taken.map(([, , holder]) => holder)).size).toBe(1)
  expect(taken).toHaveLength(3)
})

test.each([
  ['another capture holds', async () => false],
  ['nobody can be asked about', () => Promise.reject(new Error('no database'))],
])('who waits in vain for a key that %s lets the next of its own capture try', async (_, take) => {
  const {lock, taken, left} = openTurns({take})
  expect(await lock.enter(['a'], 30)).toBeUndefined()
  const asked = taken.length
  expect(await lock.enter(['a'], 30)).toBeUndefined()
  expect(taken.length).toBeGreaterThan(asked)
  expect(left).toEqual([])
})

test('the time that is waited for those of the same capture counts', async () => {
  const {lock, taken} = openTurns()
  const leave = await lock.enter(['a'], LONG)
  expect(await lock.enter(['a'], 20)).toBeUndefined()
  expect(taken).toHaveLength(1)
  leave?.()
})

test('a key that cannot be given back keeps nobody of the same capture out', async () => {
  const {lock} = openTurns({leave: () => Promise.reject(new Error('no database'))})
  const leave = await lock.enter(['a'], LONG)
  leave?.()
  expect(await lock.enter(['a'], LONG)).toBeDefined()
})
