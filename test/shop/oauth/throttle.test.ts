import {expect, test} from 'vitest'
import {Throttle} from '../../../src/shop/oauth/throttle.js'
import {MOST_THROTTLED} from '../../../src/shop/runtime/limits.js'

/** Whether the next attempt is refused; one that is not counts. */
function isRefused(throttle: Throttle, caller: string): boolean {
  try {
    throttle.countAttempt(caller, 0)
    return false
  } catch {
    return true
  }
}
function wearOut(throttle: Throttle, caller: string): void {
  for (let attempt = 0; attempt < 10; attempt++) throttle.countAttempt(caller, 0)
}

test('long names are told apart, and forgotten by a success as short ones are', () => {
  const throttle = new Throttle()
  const [one, other] = [`${'x'.repeat(5000)}1`, `${'x'.repeat(5000)}2`]
  wearOut(throttle, one)
  expect([isRefused(throttle, one), isRefused(throttle, other)]).toEqual([true, false])
  throttle.resetAttempts(one)
  expect(isRefused(throttle, one)).toBe(false)
})

test('remembers as many callers as it may, the last ones, in little memory however long their names', () => {
  const throttle = new Throttle()
  wearOut(throttle, 'first')
  wearOut(throttle, 'second')
  const before = process.memoryUsage().heapUsed
  // The first one counts once more and is the newest then.
  throttle.countAttempt('second', 20_000)
  for (let name = 0; name < MOST_THROTTLED - 1; name++)
    throttle.countAttempt(`${name}${'x'.repeat(50_000)}`, 0)
  expect(isRefused(throttle, 'first')).toBe(false)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
})
