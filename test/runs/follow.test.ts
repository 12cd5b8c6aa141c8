import {expect, test} from 'vitest'
import {followRun} from '../../src/runs/report/run-view.js'
import {StoppedClock} from '../support/clock.js'
import {begun, store, thisMachine} from './support.js'

test('who follows a run hears of it once for each change, and last of its end', async () => {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const run = await begun(runs, clock, {total: 5})
  const {signal} = new AbortController()
  const steps = [
    async () => {},
    async () => {},
    () => run.storePlan(1, 1, (async function* () {})()),
    async () => {},
    () => run.end({isComplete: true}),
  ]
  const sleep = async () => await steps.shift()?.()
  const [begin] = await runs.find(run.id)
  if (!begin) throw new Error('no run')
  const heard: [string, number | null][] = []
  for await (const {state, total} of followRun(begin, {
    ...{store: runs, machine: thisMachine, signal},
    clock: Object.assign(Object.create(clock), {sleep}),
  }))
    heard.push([state, total])
  expect(heard).toEqual([
    ['running', 5],
    ['running', 1],
    ['completed', 1],
  ])
})
