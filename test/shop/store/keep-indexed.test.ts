import {afterEach, expect, test, vi} from 'vitest'
import {type IndexSteps, keepTextsIndexed} from '../../../src/shop/store/entities/text-index-writes.js'
import type {ShopDatabase} from '../../../src/shop/store/schema/schema.js'
import {ENTITIES} from '../../../src/shopware/entities/entities.js'
import {until} from '../../support/until.js'

afterEach(() => vi.useRealTimers())

/** A database whose index does not know so many rows, and learns of a thousand at a time. */
function lagging(rows: number, learns = 1000) {
  const turn = () => new Promise<void>(resolve => setImmediate(resolve))
  const seen = {lag: rows, steps: 0}
  const steps: IndexSteps = {
    countNewRows: async () => seen.lag,
    indexNewRows: async () => {
      await turn()
      seen.steps++
      seen.lag = Math.max(0, seen.lag - learns)
    },
  }
  const db = {
    writes: {run: (write: (db: unknown) => Promise<unknown>) => write(undefined)},
    close: async () => {},
  }
  return {seen, steps, db: db as unknown as ShopDatabase}
}

/** Runs the look that comes a moment after the opening. */
async function looked({db, steps}: ReturnType<typeof lagging>): Promise<ShopDatabase> {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  const kept = keepTextsIndexed(db, ENTITIES, steps)
  await vi.advanceTimersByTimeAsync(1000)
  return kept
}

test.each([
  [0, 0],
  [499, 0],
  [500, 1],
  [2600, 3],
])('an index that lacks %i rows catches up in %i steps, and rests', async (rows, steps) => {
  const index = lagging(rows)
  const {seen} = index
  const kept = await looked(index)
  await until(`${steps} steps are made`, () => seen.steps >= steps)
  await kept.close()
  expect(seen.steps).toBe(steps)
})

test('closing ends an index that never catches up', async () => {
  const index = lagging(1000, 0)
  const {seen} = index
  const kept = await looked(index)
  await until('three steps are made', () => seen.steps > 2)
  await kept.close()
  const {steps} = seen
  await new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))
  expect(seen.steps).toBe(steps)
})
