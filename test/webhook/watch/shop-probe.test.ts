import {expect, test} from 'vitest'
import {judgeRoute} from '../../../src/webhook/registration/ask-route.js'
import {ShopProbe} from '../../../src/webhook/watch/shop-probe.js'
import {StoppedClock} from '../../support/clock.js'

function probeOf(answers: boolean[]) {
  const notes: string[] = []
  const clock = new StoppedClock()
  const ask = async () => {
    const isGood = answers.shift() ?? true
    return {isGood, answer: isGood ? 'takes events' : 'answered 503'}
  }
  const probe = new ShopProbe({ask, clock, note: async text => void notes.push(text)})
  return {probe, notes, clock}
}

test('a failed probe is repeated after a second, then after twice the time, at most 30 seconds', async () => {
  const {probe, notes} = probeOf(Array(8).fill(false))
  const waits = [probe.waitMs]
  for (let count = 0; count < 8; count++) {
    expect(await probe.askOnce()).toBe(false)
    waits.push(probe.waitMs)
  }
  expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect(notes).toEqual(['the shop is away: answered 503'])
})

test('two good probes in a row, a second apart, say that the shop takes events', async () => {
  const {probe, notes, clock} = probeOf([false, true, false, true, true])
  const ends: boolean[] = []
  for (let count = 0; count < 5; count++) ends.push(await probe.askOnce())
  expect(ends).toEqual([false, false, false, false, true])
  expect(probe.waitMs).toBe(1000)
  clock.advance(90_000)
  await probe.noteWell()
  expect(notes.at(-1)).toBe('the shop is back, after 1 min 30 s')
  expect(probe.awaySince).toBeNull()
})

test.each([
  [{takesToken: true, foreignStatus: undefined}, 'paypal', true],
  [{takesToken: false, foreignStatus: undefined}, 'paypal', false],
  [{takesToken: undefined, foreignStatus: undefined}, 'paypal', false],
  [{takesToken: undefined, foreignStatus: 503}, 'paypal', false],
  [{takesToken: undefined, foreignStatus: 404}, 'paypal', false],
  [{takesToken: undefined, foreignStatus: undefined}, 'mollie', true],
  [{takesToken: undefined, foreignStatus: 404}, 'mollie', true],
  [{takesToken: undefined, foreignStatus: 502}, 'mollie', false],
])('an answer of the route %o says whether a shop of %s takes events: %s', (answer, provider, isGood) => {
  expect(judgeRoute(answer, {provider}).isGood).toBe(isGood)
})
