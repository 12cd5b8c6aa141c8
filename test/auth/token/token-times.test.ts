import {expect, test} from 'vitest'
import {computeRenewalMarginMs, endsWithin} from '../../../src/auth/token/token-times.js'

const now = new Date('2026-11-21T12:00:00Z')
const token = (lifeMs: number) => ({
  value: 'x',
  obtainedAt: now,
  expiresAt: new Date(now.getTime() + lifeMs),
  grant: 'client_credentials' as const,
  skewMs: 0,
})

test.each([
  [600_000, 60_000],
  [3_600_000, 60_000],
  [100_000, 10_000],
  [0, 0],
  [-5000, 0],
])('a token that lives %i ms is renewed %i ms before its end', (lifeMs, marginMs) => {
  expect(computeRenewalMarginMs(token(lifeMs))).toBe(marginMs)
})

test('a token without an end never ends', () => {
  expect(endsWithin({expiresAt: undefined}, now, Number.MAX_SAFE_INTEGER)).toBe(false)
})

test('the margin itself counts as ending', () => {
  expect(endsWithin(token(1000), now, 1000)).toBe(true)
  expect(endsWithin(token(1001), now, 1000)).toBe(false)
})
