import {expect, test} from 'vitest'
import {subtractCounts} from '../../src/runs/journal/worker.js'
import {describeReleased} from '../../src/runs/report/replay-rules.js'
import {toResultRow, toRunRow} from '../../src/runs/report/run-view.js'
import {StoppedClock} from '../support/clock.js'
import {begun, store, thisMachine} from './support.js'

const ENTRY = {
  ...{item: 'R-1', orderingKey: 'customer 1', contentHash: 'c0ffee', attempt: 2, kind: 'result'},
  ...{runId: 'run', worker: 'run', sequence: 1, hash: '', at: new Date('2026-11-21T12:00:00Z')},
} as const

test('the end of an item has the same keys, whatever is known of it', () => {
  const known = {result: 'applied', resultClass: 'done', status: 200, detail: 'paid', facts: {id: '1'}}
  const row = {item: 'R-1', orderingKey: 'customer 1', attempts: 2, contentHash: 'c0ffee'}
  const at = '2026-11-21T12:00:00.000Z'
  expect(toResultRow({...ENTRY, ...known} as never)).toEqual({
    ...{...row, at, result: 'applied', status: 200, detail: 'paid', facts: {id: '1'}},
  })
  expect(toResultRow({...ENTRY, resultClass: 'unknown'} as never)).toEqual({
    ...{...row, at, result: 'unknown', status: null, detail: null, facts: null},
  })
})

test('a run shows its workers as they are printed, with what is known of each', async () => {
  const clock = new StoppedClock()
  const runs = await store(clock)
  const {id} = await begun(runs, clock)
  const [run] = await runs.find(id)
  if (!run) throw new Error('no run')
  expect(toRunRow(run, thisMachine)).toMatchObject({id, state: 'running', atWork: 1})
  expect(toRunRow(run, thisMachine).workers).toEqual([
    {
      ...{id, who: 'ada', host: 'desk', pid: 4711, state: 'working', counts: {}},
      ...{startedAt: expect.any(String), heartbeatAt: expect.any(String)},
      heartbeatAgeSeconds: expect.any(Number),
    },
  ])
})

test('of counts without some of them only what is left is named', () => {
  expect(subtractCounts({applied: 3, held: 1}, {applied: 1, held: 1})).toEqual({applied: 2})
})

test.each([
  [{}, null],
  [{includeUnverified: true}, 'unverified'],
  [{includeWrongToken: true}, 'wrong-token'],
  [{includeAmountDiffers: true}, 'amount-differs'],
  [{includeOutOfOrder: true}, 'out-of-order'],
  [{includeUnknown: true}, 'unknown-result'],
  [{includeUnverified: true, includeUnknown: true, includeOutOfOrder: false}, 'unverified, unknown-result'],
])('of the rules %j the released holds are %s', (options, text) => {
  expect(describeReleased({options} as never)).toBe(text)
})
