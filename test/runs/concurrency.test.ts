import {expect, test} from 'vitest'
import type {Journal} from '../../src/runs/journal/journal.js'
import type {ControlChange} from '../../src/runs/journal/run-store.js'
import type {Concurrency, Rate} from '../../src/runs/pool/adaptive-rate.js'
import {VirtualClock} from '../support/clock.js'
import {all, begun, execute, store} from './support.js'

/** How many items of different keys are in flight at once at the most, where each call takes half a second. */
async function findMostInFlight(
  ratePerSecond: Rate,
  concurrency: Concurrency,
  change?: ControlChange,
): Promise<number> {
  const clock = new VirtualClock()
  const runs = await store(clock)
  const items = Array.from({length: 600}, (_, at) => ({
    key: `${at}`,
    orderingKey: `${at}`,
    contentHash: '',
    value: '',
  }))
  const run = await begun(runs, clock)
  if (change) await runs.changeControl(run.ref, change, 'bob on desk')
  let [inFlight, most] = [0, 0]
  const {results} = execute(items, {
    ...{
      run,
      store: runs,
      clock,
      stopping: new AbortController().signal,
      blocksKey: true,
      // Commits take real time, which the clock does not wait for.
      journal: {write: async () => {}} as unknown as Journal,
    },
    ...{ratePerSecond, concurrency, retries: 0, limits: {}},
    send: async () => {
      most = Math.max(most, ++inFlight)
      await clock.sleep(500)
      inFlight--
      return {resultClass: 'done', result: 'applied'}
    },
  })
  expect((await all(results)).flat()).toHaveLength(600)
  return most
}

test.each([
  ['auto', 'auto', 16],
  ['auto', 3, 3],
  [1000, 'auto', 4],
  [0, 'auto', 4],
  [0, 30, 30],
] as const)(
  'with a rate of %s and a concurrency of %s, %i are in flight at once',
  async (rate, concurrency, most) => {
    expect(await findMostInFlight(rate, concurrency)).toBe(most)
  },
)

test.each([
  ['auto', 'auto', {ratePerSecond: 0}, 4],
  [0, 'auto', {ratePerSecond: 'auto'}, 16],
  ['auto', 'auto', {concurrency: 3}, 3],
] as const)(
  'with a rate of %s and a concurrency of %s that run set changed to %o, %i are in flight at once',
  async (rate, concurrency, change, most) => {
    expect(await findMostInFlight(rate, concurrency, change)).toBe(most)
  },
)
