import {afterEach, expect, test, vi} from 'vitest'
import {keepTextsIndexed} from '../../../src/shop/store/entities/text-index-writes.js'
import type {ShopDatabase} from '../../../src/shop/store/schema/shop-dialect.js'
import {ENTITIES} from '../../../src/shopware/entities/entities.js'
import {until} from '../../support/until.js'

afterEach(() => vi.useRealTimers())

/** A database whose index does not know so many rows, and learns of a thousand at a time. */
function lagging(rows: number, learns = 1000) {
  const turn = () => new Promise<void>(resolve => setImmediate(resolve))
  const seen = {lag: rows, steps: 0}
  const deferred = {
    countNewRows: async () => seen.lag,
    indexNewRows: async () => {
      await turn()
      seen.steps++
      seen.lag = Math.max(0, seen.lag - learns)
    },
  }
  const db = {
    search: {substringIndex: {deferred, getKeyColumn: (key: string) => key}},
    writes: {run: (write: (db: unknown) => Promise<unknown>) => write(undefined)},
    close: async () => {},
  }
  return {seen, db: db as unknown as ShopDatabase}
}

/** Runs the look that comes a moment after the opening. */
async function looked(db: ShopDatabase): Promise<ShopDatabase> {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  const kept = keepTextsIndexed(db, ENTITIES)
  await vi.advanceTimersByTimeAsync(1000)
  return kept
}

test.each([
  [0, 0],
  [499, 0],
  [500, 1],
  [2600, 3],
])('an index that lacks %i rows catches up in %i steps, and rests', async (rows, steps) => {
  const {seen, db} = lagging(rows)
  const kept = await looked(db)
  await until(`${steps} steps are made`, () => seen.steps >= steps)
  await kept.close()
  expect(seen.steps).toBe(steps)
})

test('closing ends an index that never catches up', async () => {
  const {seen, db} = lagging(1000, 0)
  const kept = await looked(db)
  await until('three steps are made', () => seen.steps > 2)
  await kept.close()
  const {steps} = seen
  await new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))
  expect(seen.steps).toBe(steps)
})
