import {expect, test} from 'vitest'
import {type TestContext, testContext} from '../support/context.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransaction, stateOf, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {sendTo} from './support.js'

/** Where the capture says that it listens. */
function addressOf({err}: TestContext): Promise<string> {
  return until('the gateway listens', () => {
    const [found] = /http:\S+\/execute/.exec(err()) ?? []
    if (!found) throw new Error(err())
    return found
  })
}

test('in front of the bundled shop: what both write down of an event is one attempt', async () => {
  const home = temporaryFolder()
  const world = testContext({home})
  const ended = storectl(['webhook', 'capture', '--listen', '0'], world)
  const url = await addressOf(world)
  const {stdout} = await storectl(['server', 'credentials', '-o', 'json'], {home})
  const token = JSON.parse(stdout).webhookToken
  const notification = captureCompleted({seed: 1})
  const status = (await sendTo(url, notification.body, {token})).status
  expect(status).toBe(400)
  const listed = await storectl(['webhook', 'list', '-o', 'ndjson'], {home})
  expect(JSON.parse(listed.stdout)).toMatchObject({
    ...{id: notification.id, status: 'failed', answer: 400, attempts: 1},
    message: 'An error occurred during execution of webhook',
  })
  world.interruption.stop('SIGINT')
  expect((await ended).exit).toBe(0)
})

test('a running shop with a payment: the event moves it once, through the capture', async () => {
  const shop = await testShop()
  const transactionId = await addTransaction(shop)
  const env = {STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: shop.credentials.webhookToken}
  const world = testContext({env})
  const ended = storectl(['webhook', 'capture', '--listen', '0'], world)
  const url = await addressOf(world)
  const {body, headers} = captureCompleted({seed: 1, transactionId})
  const sent = {token: shop.credentials.webhookToken, headers: Object.entries(headers).flat()}
  expect((await sendTo(url, body, sent)).status).toBe(200)
  expect(await stateOf(shop, transactionId)).toBe('paid')
  world.interruption.stop('SIGTERM')
  expect(await ended).toMatchObject({exit: 0, stderr: expect.stringContaining('1 delivered')})
})
