import {copyFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {countBy, seedPaymentShop} from '../../support/payment-shop.js'
import {restoreFile} from './support.js'

test('a plan of repairs that was applied before its records were restored repairs nothing twice', async () => {
  const {reconcile, apply, plan, home, run} = await seedPaymentShop(40, 0.3)
  await reconcile('--plan', plan)
  const file = join(home, 'records.db')
  copyFileSync(file, join(home, 'copy.db'))
  const repaired = countBy((await apply('--yes')).rows, 'result').applied
  expect(repaired).toBeGreaterThan(0)
  restoreFile(file, join(home, 'copy.db'))
  const again = await apply('--yes')
  expect(again.stderr.match(/restored from a backup/g)).toHaveLength(1)
  expect(countBy(again.rows, 'result')).toMatchObject({skipped: repaired})
  expect(countBy(again.rows, 'result').applied).toBeUndefined()
  expect((await run('run', 'verify', '--all')).exit).toBe(0)
})
