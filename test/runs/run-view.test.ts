import {expect, test} from 'vitest'
import {toResultRow} from '../../src/runs/report/run-view.js'

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
