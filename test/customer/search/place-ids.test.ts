import fc from 'fast-check'
import {expect, test} from 'vitest'
import {insertIds} from '../../../src/customer/search/sorted-ids.js'

test('ids are put where the shop sorts them, however many there are, without a long question', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({min: 0, max: 3000}), fc.integer({min: 1, max: 60}), async (many, every) => {
      const all = Array.from({length: many}, (_, at) => String(at))
      const missing = all.filter((_, at) => at % every === 0).reverse()
      const gone = new Set(all.filter((_, at) => at % 97 === 5))
      const there = all.filter((_, at) => at % every !== 0)
      const found = await insertIds(there, missing, async ids => {
        expect(ids.length).toBeLessThanOrEqual(500)
        return ids.filter(id => !gone.has(id)).sort((a, b) => Number(a) - Number(b))
      })
      expect(found.filter(id => !gone.has(id))).toEqual(all.filter(id => !gone.has(id)))
    }),
    {numRuns: 40},
  )
})
