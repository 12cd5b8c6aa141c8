import {expect, test} from 'vitest'
import {Execution} from '../../src/runs/execution.js'
import type {Result} from '../../src/runs/journal/item.js'
import {StoppedClock} from '../support/clock.js'
import {until} from '../support/until.js'
import {all, begun, emptySummary, store, thisMachine, UNPRESENTED} from './support.js'

const HELD: Result = {resultClass: 'held', result: 'held'}

/** A run of items that are not sent, so many at a time. */
async function unsentRun(groups: number, size: number) {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const run = await begun(runs, clock)
  const execution = new Execution<string, string>(
    run,
    {
      operation: {
        ...{prepare: async () => 'send', execute: async () => HELD, probe: async () => 'cannot-tell'},
        toRow: ({item}) => item.key,
      },
      ...{settings: {concurrency: 1, retries: 0, ratePerSecond: 0, canary: 0}, blocksKey: false},
      ...{items: (async function* () {})(), total: groups * size},
      ...{summary: emptySummary(), presentation: UNPRESENTED},
      unsent: (async function* () {
        for (let group = 0; group < groups; group++)
          yield Array.from({length: size}, (_, at) => {
            const key = `${group}/${at}`
            return {item: {key, orderingKey: key, contentHash: 'c0ffee'}, result: HELD, row: key}
          })
      })(),
    },
    {
      ...{store: runs, machine: thisMachine, clock, random: () => 0.5, note: async () => {}},
      stopping: new AbortController().signal,
    },
  )
  return {execution, runs, id: run.id}
}

test('what is not sent has its rows and its results, however much it is', async () => {
  const {execution, runs, id} = await unsentRun(5, 600)
  expect(await all(execution.start())).toHaveLength(3000)
  expect(await all(runs.listResults(id))).toHaveLength(3000)
})

test('a reader that leaves before all rows of what is not sent ends the run', async () => {
  const {execution, runs, id} = await unsentRun(5, 1100)
  for await (const _ of execution.start()) {
    await until('its rows wait for the reader', () => execution.summary.ended === 1100)
    break
  }
  const [run] = await runs.find(id)
  expect(run?.state).not.toBe('running')
  expect((await all(runs.listResults(id))).length).toBeLessThan(5500)
})
