import {expect, test} from 'vitest'
import {hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {BASE_IDS} from '../../../src/shop/runtime/base-data.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {insertEntities} from '../../../src/shop/store/entities/insert-entities.js'
import {readConfigOfAll, writeConfig} from '../../../src/shop/store/schema/system-config.js'
import {ENTITY_MODEL} from '../../../src/shopware/entities/entities.js'
import {providerEvent} from '../../support/events.js'
import {type TestShop, testShop} from '../../support/shop.js'

const OTHER_CHANNEL = '0192b7a1c2d37e4f8a9b0c1d2e3f4aff'
const EVENT = providerEvent('CHECKOUT.ORDER.APPROVED')

/** Asks a shop about one sales channel, `null` for all. */
function asking(shop: TestShop, headers: Record<string, string> = {}, provider = 'paypal') {
  return async (method: string, word: string, channel = 'null', more: Record<string, string> = {}) => {
    const path = `/api/_action/${provider}/webhook/${word}/${channel}`
    const answer = await fetch(`${shop.url}${path}`, {method, headers: {...headers, ...more}})
    return [answer.status, await answer.json()] as const
  }
}

async function bearerOf({post, credentials}: TestShop, client = {}): Promise<Record<string, string>> {
  const {clientId: client_id, clientSecret: client_secret} = credentials
  const grant = {grant_type: 'client_credentials', client_id, client_secret, ...client}
  const answer = await post('/api/oauth/token', grant, {'content-type': 'application/json'})
  return {authorization: `Bearer ${((await answer.json()) as {access_token: string}).access_token}`}
}

const result = (word: string) => [200, {result: word}]

async function addChannel({db, clock}: TestShop): Promise<void> {
  const channel = {id: OTHER_CHANNEL, name: 'Other', active: true}
  await db.writes.run(transaction =>
    insertEntities(transaction, ENTITY_MODEL.get('sales_channel'), [channel], clock.now()),
  )
}

/** Tokens that the shop has given out: they are in no answer, only in what it registers. */
async function tokens({db}: TestShop): Promise<string[]> {
  return readConfigOfAll(db.reads, 'SwagPayPal.settings.webhookExecuteToken')
}

test('a webhook is missing, is created, is valid then, and is missing again once deregistered', async () => {
  const shop = await testShop()
  const ask = asking(shop, await bearerOf(shop))
  expect(await ask('GET', 'status')).toEqual(result('missing'))
  expect(await ask('POST', 'register')).toEqual(result('created'))
  expect(await ask('GET', 'status')).toEqual(result('valid'))
  expect(await ask('POST', 'register')).toEqual(result('nothing'))
  expect(await ask('DELETE', 'deregister')).toEqual(result('deleted'))
  expect(await ask('DELETE', 'deregister')).toEqual(result('nothing'))
  expect(await ask('GET', 'status')).toEqual(result('missing'))
  expect(await tokens(shop)).toEqual([])
  expect((await shop.deliver(EVENT)).status).toBe(400)
  expect(await ask('POST', 'register')).toEqual(result('created'))
  expect(await tokens(shop)).not.toContain(shop.credentials.webhookToken)
})

test('a webhook that leads elsewhere is invalid until it is updated', async () => {
  const shop = await testShop()
  const bearer = await bearerOf(shop)
  const ask = asking(shop, bearer)
  await ask('POST', 'register')
  await shop.stop()
  const moved = await testShop({dataFolder: shop.dataFolder})
  const askMoved = asking(moved, bearer)
  expect(await askMoved('GET', 'status')).toEqual(result('invalid'))
  expect(await askMoved('POST', 'register')).toEqual(result('updated'))
  expect(await askMoved('GET', 'status')).toEqual(result('valid'))
})

test('a sales channel inherits the webhook of all, until it registers one with a token of its own', async () => {
  const shop = await testShop()
  await addChannel(shop)
  const ask = asking(shop, await bearerOf(shop))
  expect(await ask('GET', 'status', OTHER_CHANNEL)).toEqual(result('missing'))
  await ask('POST', 'register')
  expect(await ask('GET', 'status', OTHER_CHANNEL)).toEqual(result('valid'))
  expect(await ask('POST', 'register', OTHER_CHANNEL)).toEqual(result('created'))
  const own = (await tokens(shop)).find(token => token !== shop.credentials.webhookToken)
  expect(own).toMatch(/^[A-Za-z0-9]{32}$/)
  expect((await shop.deliver(EVENT, own)).status).toBe(200)
  expect((await shop.deliver(EVENT)).status).toBe(200)
  expect((await shop.deliver(EVENT, 'A'.repeat(32))).status).toBe(400)
  expect(await ask('DELETE', 'deregister', OTHER_CHANNEL)).toEqual(result('deleted'))
  expect(await ask('POST', 'register', OTHER_CHANNEL)).toEqual(result('created'))
  expect(await tokens(shop)).not.toContain(own)
  expect(await ask('POST', 'register', BASE_IDS.salesChannel)).toEqual(result('created'))
  expect(new Set(await tokens(shop)).size).toBe(3)
})

test('a token that is the same as that of all is no token of its own', async () => {
  const shop = await testShop()
  await addChannel(shop)
  const {db} = shop
  const key = 'SwagPayPal.settings.webhookExecuteToken'
  const common = shop.credentials.webhookToken
  await db.writes.run(write => writeConfig(write, key, common, OTHER_CHANNEL))
  expect(await tokens(shop)).toEqual([common, common])
  const ask = asking(shop, await bearerOf(shop))
  expect(await ask('POST', 'register', OTHER_CHANNEL)).toEqual(result('created'))
  expect((await tokens(shop)).filter(token => token !== common)).toHaveLength(1)
})

test('what is no id is 400; of a sales channel that there is not the status is that of all, and it registers nothing', async () => {
  const shop = await testShop()
  const ask = asking(shop, await bearerOf(shop))
  const code = async (channel: string) => {
    const [status, body] = await ask('GET', 'status', channel)
    return [status, (body as {errors: {code: string}[]}).errors[0]?.code]
  }
  expect(await code('nobody')).toEqual([400, 'FRAMEWORK__INVALID_UUID'])
  expect(await ask('GET', 'status', 'f'.repeat(32))).toEqual(result('missing'))
  expect((await ask('POST', 'register', 'f'.repeat(32)))[0]).toBe(404)
})

test('all three need a token, and a privilege for looking or for changing', async () => {
  const shop = await testShop()
  const {db} = shop
  const clientId = `SWIA${'V'.repeat(22)}`
  const integration = {id: 'b'.repeat(32), access_key: clientId, label: 'viewer', admin: 0}
  const rights = {secret_hash: hashOfSecret('secret'), privileges: '["swag_paypal.viewer"]'}
  await db.writes.run(write => replaceIntegration(write, {...integration, ...rights}))
  const viewer = await bearerOf(shop, {client_id: clientId, client_secret: 'secret'})
  const detail = (body: unknown) => (body as {errors: {code: string; detail: string}[]}).errors[0]
  const ask = asking(shop, viewer)
  expect((await ask('GET', 'status'))[0]).toBe(200)
  for (const [method, word] of [
    ['POST', 'register'],
    ['DELETE', 'deregister'],
  ] as const) {
    const [status, body] = await ask(method, word)
    expect([status, detail(body)]).toEqual([
      403,
      expect.objectContaining({
        code: 'FRAMEWORK__MISSING_PRIVILEGE_ERROR',
        detail: '{"message":"Missing privilege","missingPrivileges":["swag_paypal.editor"]}',
      }),
    ])
    expect((await asking(shop)(method, word))[0]).toBe(401)
  }
  expect((await ask('GET', 'register'))[0]).toBe(405)
})

test('the path has the name of the provider, and the provider can be down or know nothing', async () => {
  const faults = ['route=/api/_action/adyen/webhook/status,provider=down,after=1,count=1']
  const shop = await testShop({provider: 'adyen', tokenPrefix: 'shop', faults})
  const headers = await bearerOf(shop)
  expect((await asking(shop, headers, 'paypal')('GET', 'status'))[0]).toBe(404)
  const ask = asking(shop, headers, 'adyen')
  await ask('POST', 'register')
  expect(await ask('GET', 'status')).toEqual(result('valid'))
  const [status, body] = await ask('GET', 'status')
  expect([status, (body as {errors: {code: string}[]}).errors[0]?.code]).toEqual([
    500,
    'SWAG_PAYPAL__API_EXCEPTION',
  ])
  expect(await ask('GET', 'status')).toEqual(result('valid'))
})
