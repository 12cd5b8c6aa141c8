import {getEventListeners} from 'node:events'
import {expect, test} from 'vitest'
import {CircuitBreaker} from '../../src/runs/pool/circuit-breaker.js'
import {ControlMonitor} from '../../src/runs/workers/control-monitor.js'
import {RunSignals} from '../../src/runs/workers/run-signals.js'
import {StoppedClock} from '../support/clock.js'
import {begun, store} from './support.js'

test('what other workers sent successfully stops nothing, though it makes the last twenty whole', () => {
  const breaker = new CircuitBreaker({failureRate: 0.5})
  for (let count = 0; count < 12; count++)
    expect(breaker.note({resultClass: 'failed', exit: undefined})).toBeUndefined()
  expect(breaker.notePeerResults({done: 8, failed: 0})).toBeUndefined()
  expect(breaker.notePeerResults({done: 0, failed: 1})).toMatchObject({code: 'stopped.breaker_open'})
})

test('what waits while a run is paused goes on when it is resumed, and listens no longer', async () => {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const run = await begun(runs, clock)
  const signals = new RunSignals()
  const monitor = new ControlMonitor(run.id, signals, {store: runs, note: async () => {}})
  const ask = async (isPaused: boolean) => {
    const [row] = await runs.find(run.id)
    clock.advance(1)
    if (row) await runs.changeControl(row, {isPaused}, 'ada on desk')
    await monitor.check()
  }
  const {signal} = new AbortController()
  await ask(true)
  const waiting = Promise.all([1, 2, 3].map(() => signals.waitWhilePaused(signal)))
  expect(getEventListeners(signal, 'abort')).toHaveLength(3)
  await ask(false)
  await waiting
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(monitor.changes).toEqual(['paused by ada on desk', 'resumed by ada on desk'])
})

test('another rate wakes nobody while the run stays paused: what would go on then is left unsent', async () => {
  const signals = new RunSignals()
  const {signal} = new AbortController()
  const control = (isPaused: boolean, second: number) => ({
    ...{isPaused, ratePerSecond: null, concurrency: null, askedBy: 'ada on desk'},
    askedAt: new Date(second * 1000),
  })
  signals.apply(control(true, 1))
  let isAwake = false
  const waiting = signals.waitWhilePaused(signal).then(() => {
    isAwake = true
  })
  signals.apply({...control(true, 2), ratePerSecond: 5})
  await new Promise(setImmediate)
  expect(isAwake).toBe(false)
  signals.apply(control(false, 3))
  await waiting
})
