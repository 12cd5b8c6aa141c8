import {expect, test} from 'vitest'
import {countBy, SEEDED_KINDS, seedPaymentShop} from '../../support/payment-shop.js'

test('of 10,000 payments all that differ are found, repaired by a plan, and found no more', async () => {
  const {reconcile, apply, plan, refund} = await seedPaymentShop(10_000, 0.01)
  const found = await reconcile('--plan', plan)
  expect(countBy(found.rows, 'kind')).toEqual(Object.fromEntries(SEEDED_KINDS.map(kind => [kind, 10])))
  const repaired = await apply('--allow-backwards', '--confirm', 'url')
  expect(countBy(repaired.rows, 'result')).toEqual({applied: 60, held: 40})
  const left = await reconcile('--pending-after', '30d')
  expect(countBy(left.rows, 'kind')).toEqual({
    ...{'amount-differs': 10, 'captured-twice': 10, 'unknown-in-shop': 10},
  })
  for (const {movements} of left.rows) await refund(movements.at(-1) as string)
  await reconcile('--pending-after', '30d', '--plan', plan, '--force')
  expect((await apply('--yes')).exit).toBe(0)
  expect(await reconcile('--pending-after', '30d')).toMatchObject({exit: 0, rows: []})
})
