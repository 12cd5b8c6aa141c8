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

test('an adaptive rate begins with 5 calls a second and doubles every 5 s that go well', () => {
  expect(rate.perSecond).toBe(5)
  expect([call(4, well), call(2, well), call(5, well), call(5, well)]).toEqual([5, 10, 20, 40])
})

test('an adaptive rate halves when a response asks for fewer calls, once for those that were in flight', () => {
  call(11, well)
  expect(rate.perSecond).toBe(20)
  for (let count = 0; count < 4; count++) rate.note(busy)
  expect(rate.perSecond).toBe(10)
  nowMs += 2000
  rate.note(busy)
  expect(rate.perSecond).toBe(5)
  expect(call(60, busy)).toBe(0.5)
})

test('an adaptive rate halves when the median latency is over twice that of the first 20 calls', () => {
  call(11, well)
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
  expect(call(11, {...well, tookMs: 4})).toBe(20)
  expect(call(1, {...well, tookMs: 48})).toBe(20)
  expect(call(2, {...well, tookMs: 60})).toBe(10)
})

test('an adaptive rate that is not used does not grow', () => {
  expect(call(60, well, 0.5)).toBe(5)
})

test('what may be in flight doubles and halves with the rate, from 4 up to 16 and down to 1', () => {
  const inFlight = [rate.inFlight]
  for (let count = 0; count < 3; count++) {
    call(5.1, well)
    inFlight.push(rate.inFlight)
  }
  expect([inFlight, rate.perSecond]).toEqual([[4, 8, 16, 16], 40])
  rate.note(busy)
  expect(rate.inFlight).toBe(8)
  call(60, busy)
  expect(rate.inFlight).toBe(1)
})

test('an adaptive rate does not change for look-ups, but halves for one whose response asks for fewer calls', () => {
  const lookUp = {...well, isLookUp: true}
  expect(call(11, {...lookUp, tookMs: 5000})).toBe(5)
  rate.note({...lookUp, isBusy: true})
  expect(rate.perSecond).toBe(2.5)
})

test('an adaptive rate halves after the clock was set back', () => {
  call(1, well)
  rate.note(busy)
  nowMs -= 3_600_000
  rate.note(busy)
  expect(rate.perSecond).toBe(1.25)
})
