import {expect, test} from 'vitest'
import {writeConfig} from '../../src/shop/store/schema/system-config.js'
import {warmHome} from '../support/home.js'
import {ended, runProcess, startProcess} from '../support/process.js'
import {addTransaction, operatorOf, stateOf, testShop} from '../support/shop.js'
import {until} from '../support/until.js'

test('a replay via the provider passes a capture of another process, and sees its end', async () => {
  const shop = await testShop()
  const transactionId = await addTransaction(shop)
  const {webhookToken} = shop.credentials
  const env = {STORECTL_HOME: warmHome(), ...operatorOf(shop)}
  const capture = startProcess(['webhook', 'capture', '--listen', '0'], {env})
  let said = ''
  capture.stderr?.on('data', chunk => {
    said += chunk
  })
  const url = await until('the capture listens', () => /^Captures .* at (\S+)$/m.exec(said)?.[1] ?? false)
  await shop.db.writes.run(db =>
    writeConfig(db, 'storectl.providerWebhook.W1', `${url}?sw-token=${webhookToken}`),
  )
  const range = ['--since', '2026-11-01T00:00:00Z', '--until', '2026-12-01T00:00:00Z']
  await runProcess(['webhook', 'import', '--from-provider', ...range], {env})
  const words = ['webhook', 'replay', '--via', 'provider', '--yes', '--max-age', 'none', '-o', 'ndjson']
  const {exit, stdout} = await runProcess(words, {env})
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, {result: 'applied', detail: 'open → paid'}])
  expect(await stateOf(shop, transactionId)).toBe('paid')
  capture.kill('SIGINT')
  await ended(capture)
  expect(said).not.toMatch(/does not respond|503/)
})
