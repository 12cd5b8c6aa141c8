import fc from 'fast-check'
import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {HttpResponse} from '../../src/http/http.js'
import {computeRetryDelayMs, readRetryAfterMs, withRetries} from '../../src/http/retry.js'
import {StoppedClock} from '../support/clock.js'

const now = new Date('2026-11-21T12:00:00Z')
const answer = (status: number, headers: HttpResponse['headers'] = {}, body: unknown = ''): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
})
const throttled = (seconds: number) =>
  answer(429, {}, {errors: [{code: 'FRAMEWORK__AUTH_THROTTLED', meta: {parameters: {seconds}}}]})

test.each([
  [answer(503, {'retry-after': '7'}), 7000],
  [answer(503, {'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT'}), 9000],
  [answer(503, {'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT'}), 0],
  [answer(503, {'retry-after': 'soon'}), undefined],
  [answer(503), undefined],
  [throttled(10), 10_000],
])('reads how long to wait', (end, ms) => {
  expect(readRetryAfterMs(end, now)).toBe(ms)
})

test.each([200, 301, 400, 401, 403, 404, 409, 422, 501])('%i is not tried again', status => {
  expect(computeRetryDelayMs(answer(status), 1, now, Math.random)).toBeUndefined()
})

test('waits as long as the server asks, and up to a tenth more', () => {
  const end = answer(503, {'retry-after': '10'})
  expect(computeRetryDelayMs(end, 1, now, () => 0)).toBe(10_000)
  expect(computeRetryDelayMs(end, 1, now, () => 1)).toBe(11_000)
})

test('a wait of more than a minute is left to the person', () => {
  expect(computeRetryDelayMs(answer(503, {'retry-after': '61'}), 1, now, () => 0)).toBeUndefined()
})

test('backoff doubles, is spread over the whole interval, and has a ceiling', () => {
  const ends = [answer(500), new StorectlError('unavailable.no_answer', 'x')]
  fc.assert(
    fc.property(
      fc.constantFrom(...ends),
      fc.integer({min: 1, max: 100}),
      fc.double({min: 0, max: 0.999, noNaN: true}),
      (end, attempt, random) => {
        const waitMs = computeRetryDelayMs(end, attempt, now, () => random) ?? Number.NaN
        expect(waitMs).toBeGreaterThanOrEqual(0)
        expect(waitMs).toBeLessThanOrEqual(Math.min(30_000, 250 * 2 ** (attempt - 1)))
      },
    ),
  )
})

test('an error that is not about availability is not tried again', () => {
  expect(
    computeRetryDelayMs(new StorectlError('auth.not_signed_in', 'x'), 1, now, Math.random),
  ).toBeUndefined()
})

test('gives up after so many retries, with the last answer', async () => {
  const clock = new StoppedClock()
  let calls = 0
  const end = await withRetries(async () => answer(500 + (calls++ % 2) * 3), {
    retries: 2,
    clock,
    random: () => 0.5,
  })
  expect([end.status, calls, clock.sleeps]).toEqual([500, 3, [125, 250]])
})

test('throws the last error, and bugs at once', async () => {
  const clock = new StoppedClock()
  const options = {retries: 5, clock, random: () => 0}
  const unavailable = new StorectlError('unavailable.no_answer', 'gone')
  await expect(withRetries(() => Promise.reject(unavailable), options)).rejects.toBe(unavailable)
  expect(clock.sleeps).toHaveLength(5)
  await expect(withRetries(() => Promise.reject(new TypeError('bug')), options)).rejects.toThrow('bug')
  expect(clock.sleeps).toHaveLength(5)
})

test('a stop ends the wait with the last response', async () => {
  const clock = new StoppedClock()
  const stop = new AbortController()
  const end = await withRetries(async () => answer(503), {
    retries: 5,
    clock,
    random: () => 0.5,
    signal: stop.signal,
    onWait: () => stop.abort(),
  })
  expect([end.status, clock.sleeps]).toEqual([503, []])
})
