import {beforeEach, expect, test} from 'vitest'
import {AdaptiveRate, type TimedCall} from '../../src/runs/pool/adaptive-rate.js'

const well = {wasAnswered: true, isBusy: false, tookMs: 100}
const busy = {...well, isBusy: true}
let nowMs = 0
let rate: AdaptiveRate
beforeEach(() => {
  nowMs = 0
  rate = new AdaptiveRate({now: () => new Date(nowMs)})
})

/** Makes calls for a time, as many as the rate allows. */
function call(seconds: number, each: TimedCall, share = 1): number {
  for (const endMs = nowMs + 1000 * seconds; nowMs < endMs; ) {
    nowMs += 1000 / (rate.perSecond * share)
    rate.note(each)
  }
  return rate.perSecond
}

test('an adaptive rate begins with 5 calls a second and doubles every 10 s that go well', () => {
  expect(rate.perSecond).toBe(5)
  expect([call(9, well), call(2, well), call(10, well), call(10, well)]).toEqual([5, 10, 20, 40])
})

test('an adaptive rate halves when a response asks for fewer calls, once for those that were in flight', () => {
  call(21, well)
  expect(rate.perSecond).toBe(20)
  for (let count = 0; count < 4; count++) rate.note(busy)
  expect(rate.perSecond).toBe(10)
  nowMs += 2000
  rate.note(busy)
  expect(rate.perSecond).toBe(5)
  expect(call(60, busy)).toBe(0.5)
})

test('an adaptive rate halves when the median latency is over twice that of the first 20 calls', () => {
  call(21, well)
  call(1, {...well, tookMs: 190})
  expect(rate.perSecond).toBe(20)
  call(1, {...well, tookMs: 250})
  expect(rate.perSecond).toBe(10)
})

test('an adaptive rate compares with the first 20 calls and with none after them', () => {
  for (const tookMs of [...Array<number>(10).fill(100), ...Array<number>(10).fill(300)])
    rate.note({...well, tookMs})
  rate.note(well)
  for (let count = 0; count < 40; count++) rate.note({...well, tookMs: 500})
  expect(rate.perSecond).toBe(5)
  for (let count = 0; count < 40; count++) rate.note({...well, tookMs: 601})
  expect(rate.perSecond).toBe(2.5)
})

test('an adaptive rate does not halve for a few milliseconds', () => {
  expect(call(21, {...well, tookMs: 4})).toBe(20)
  expect(call(1, {...well, tookMs: 48})).toBe(20)
  expect(call(2, {...well, tookMs: 60})).toBe(10)
})

test('an adaptive rate that is not used does not grow', () => {
  expect(call(60, well, 0.5)).toBe(5)
})
