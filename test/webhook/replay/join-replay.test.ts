import {expect, test} from 'vitest'
import type {RunRow} from '../../../src/runs/journal/run-store.js'
import {type JoinParts, joinReplay} from '../../../src/webhook/replay/join-replay.js'
import type {WorkRequest} from '../../../src/webhook/replay/replay-work.js'
import {begun, intent, store, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'

const RULES = {includeUnknown: false, maxAgeMs: 1000, concurrency: 4}

/** What whoever joins a run begun by such options would send with. */
async function joinedWork(options: Readonly<Record<string, unknown>>, concurrency?: number) {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const run = await begun(runs, clock, {options})
  await run.storePlan(1, 1, planned())
  const [row] = await runs.find(run.id)
  let asked: WorkRequest | undefined
  const stopping = new AbortController().signal
  const parts = {
    ...{isRestored: false, shop: {name: 'shop', target: intent.target}},
    engine: {store: runs, machine: thisMachine, clock, random: Math.random, stopping, note: async () => {}},
    confirmation: {confirmJoin: async () => ({via: 'shop'})},
    createWork: (request: WorkRequest) => {
      asked = request
      throw new Error('enough is known')
    },
  } as unknown as JoinParts
  await expect(joinReplay(row as RunRow, concurrency, parts)).rejects.toThrow('enough is known')
  run.stopHeartbeat()
  return asked
}

async function* planned() {
  yield {item: 'a', orderingKey: 'a', isUnsure: false, metadata: null}
}

test('who joins a replay sends by the rules of the run, and names no event that the run did not name', async () => {
  const asked = await joinedWork({options: RULES})
  expect(asked).toMatchObject({isFounder: false, isNamed: false, options: RULES})
  expect(await joinedWork({isNamed: true, options: RULES})).toMatchObject({isNamed: true})
})

test('who joins a replay may send more or less at once, and changes nothing else', async () => {
  expect((await joinedWork({options: RULES}, 1))?.options).toEqual({...RULES, concurrency: 1})
})
