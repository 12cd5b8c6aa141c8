import {expect, test} from 'vitest'
import {seedPaymentShop} from '../../support/payment-shop.js'
import {ended, runProcess, startProcess} from '../../support/process.js'
import {until} from '../../support/until.js'

const BUSY = 'route=/provider/paypal/v2/checkout,status=429,retry-after=50'

test('a comparison that was killed resumes, and not while its process lives', async () => {
  const {shop, home, env: shopEnv} = await seedPaymentShop(40, 0.25, {faults: [BUSY]})
  const env = {...shopEnv, STORECTL_HOME: home}
  const words = ['payment', 'reconcile', '--resume', 'last', '-o', 'ndjson']
  const child = startProcess(['payment', 'reconcile'], {env})
  const killed = ended(child)
  await until('a payment is looked up', () => shop.faults.list().some(({matched}) => matched > 0))
  const other = await runProcess(words, {env})
  expect([other.exit, other.stderr]).toEqual([6, expect.stringContaining(`Process ${child.pid} holds`)])
  child.kill('SIGKILL')
  await killed
  shop.faults.clear()
  const resumed = await runProcess(words, {env})
  expect([resumed.exit, resumed.stdout.split('\n').filter(Boolean).length]).toEqual([3, 10])
})
