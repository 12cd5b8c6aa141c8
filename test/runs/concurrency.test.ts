import {expect, test} from 'vitest'
import type {Concurrency, Rate} from '../../src/runs/pool/adaptive-rate.js'
import {VirtualClock} from '../support/clock.js'
import {all, begun, execute, store} from './support.js'

/** How many items of different keys are in flight at once at the most, where each call takes 0.8 s. */
async function findMostInFlight(ratePerSecond: Rate, concurrency: Concurrency): Promise<number> {
  const clock = new VirtualClock()
  const runs = await store(clock)
  const items = Array.from({length: 400}, (_, at) => ({
    key: `${at}`,
    orderingKey: `${at}`,
    contentHash: '',
    value: '',
  }))
  let [inFlight, most] = [0, 0]
  const {results} = execute(items, {
    ...{
      run: await begun(runs, clock),
      store: runs,
      clock,
      stopping: new AbortController().signal,
      blocksKey: true,
    },
    ...{ratePerSecond, concurrency, retries: 0, limits: {}},
    send: async () => {
      most = Math.max(most, ++inFlight)
      await clock.sleep(800)
      inFlight--
      return {resultClass: 'done', result: 'applied'}
    },
  })
  expect((await all(results)).flat()).toHaveLength(400)
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
