import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {chooseRunExit, RunSummary, withExit} from '../../src/runs/run-summary.js'

const none = {done: 0, failed: 0, held: 0, exits: []}
const halt = (code: ConstructorParameters<typeof StorectlError>[0]) => new StorectlError(code, 'stopped')

test.each([
  [{}, 'ok'],
  [{done: 3}, 'ok'],
  [{done: 3, failed: 1}, 'partial'],
  [{failed: 1}, 'rejected'],
  [{held: 1}, 'stopped'],
  [{done: 1, held: 1}, 'partial'],
  [{failed: 1, held: 1}, 'partial'],
  [{done: 3, failed: 1, exits: ['unavailable' as const]}, 'unavailable'],
  [{done: 3, failed: 1, exits: ['unavailable' as const, 'auth' as const]}, 'auth'],
])('%j ends with %s', (tally, exit) => {
  expect(chooseRunExit({...none, ...tally}, undefined)).toBe(exit)
})

test.each([
  [{failed: 1}, 'stopped.canary_failed' as const, 'stopped'],
  [{failed: 1, exits: ['unavailable' as const]}, 'stopped.breaker_open' as const, 'stopped'],
  [{failed: 1, exits: ['auth' as const]}, 'stopped.breaker_open' as const, 'auth'],
  [{failed: 1}, 'usage.no_webhook_route' as const, 'usage'],
  [{done: 1, failed: 1}, 'usage.no_webhook_route' as const, 'partial'],
  [{failed: 2, exits: ['unavailable' as const]}, 'usage.no_webhook_route' as const, 'unavailable'],
])('%j, stopped by %s, ends with %s', (tally, code, exit) => {
  expect(chooseRunExit({...none, ...tally}, halt(code))).toBe(exit)
})

test('what stopped a run keeps its words under the exit of all of it', () => {
  expect(withExit(halt('usage.no_webhook_route'), 'partial')).toMatchObject({
    code: 'partial.no_webhook_route',
    message: 'stopped',
    exit: 3,
  })
})

test('items whose result is unknown are named, ten at most, and no others', () => {
  const summary = new RunSummary({done: ['applied'], failed: [], held: [], skipped: []})
  summary.add('sent', {resultClass: 'done', result: 'applied'}, 1)
  for (let count = 1; count <= 11; count++)
    summary.add(`lost ${count}`, {resultClass: 'unknown', result: 'unknown'}, 1)
  expect(summary.unknown).toEqual(Array.from({length: 10}, (_, index) => `lost ${index + 1}`))
})
