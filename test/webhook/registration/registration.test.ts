import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parseFaultRule} from '../../../src/shop/faults/parse.js'
import {BASE_IDS} from '../../../src/shop/runtime/base-data.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {type TestShop, testShop} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'

const TOKEN_KEY = 'SwagPayPal.settings.webhookExecuteToken'

/** A profile signed in to a shop, with the shop's webhook token unless told otherwise. */
async function signedIn(shop: TestShop, {token = shop.credentials.webhookToken, isProtected = false} = {}) {
  const home = temporaryFolder()
  const {clientId, clientSecret} = shop.credentials
  const run = (words: string[], stdin = '') => storectl(words, {home, stdin})
  const made = await run(['profile', 'set', 'shop', '--url', shop.url, '--webhook-token-stdin'], token)
  expect(made.exit).toBe(0)
  if (isProtected) await run(['profile', 'set', 'shop', '--protected'])
  const login = ['login', '--profile', 'shop', '--client-id', clientId, '--client-secret-stdin']
  expect((await run(login, clientSecret)).exit).toBe(0)
  const json = async (words: string[]) => {
    const ended = await run([...words, '--profile', 'shop', '-o', 'json'])
    return {...ended, row: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  const kept = () => readFileSync(join(home, 'credentials.json'), 'utf8')
  return {home, run, json, kept}
}

async function rotate(shop: TestShop, token = 'Zz99'.repeat(8)) {
  expect((await shop.call('/api/_action/system-config', {[TOKEN_KEY]: token})).status).toBe(204)
  return token
}

test('what mends a shop without a profile chooses that shop, and begins with the sign-in', async () => {
  const shop = await testShop()
  const {clientId, clientSecret} = shop.credentials
  const next = async (env: Record<string, string>) => {
    const ended = await storectl(['webhook', 'status', '-o', 'json'], {env: {STORECTL_URL: shop.url, ...env}})
    return JSON.parse(ended.stdout).next
  }
  expect(await next({})).toBe(`storectl login --url ${shop.url}`)
  const signedIn = {STORECTL_CLIENT_ID: clientId, STORECTL_CLIENT_SECRET: clientSecret}
  expect(await next(signedIn)).toBe(`storectl webhook register --url ${shop.url}`)
})

test('status tells a shop that was never registered, and register mends it', async () => {
  const shop = await testShop()
  const {json, home} = await signedIn(shop)
  const before = await json(['webhook', 'status'])
  expect(before.exit).toBe(3)
  expect(before.row).toMatchObject({
    verdict: 'not-registered',
    registered: 'missing',
    takesToken: true,
    isRotated: false,
    why: null,
    next: 'storectl webhook register --profile shop',
  })
  const made = await json(['webhook', 'register', '--yes'])
  expect(made.exit).toBe(0)
  expect(made.row).toEqual({result: 'created', token: 'unchanged', profile: 'shop', salesChannel: null})
  expect((await json(['webhook', 'status'])).row).toMatchObject({verdict: 'ok', registered: 'valid'})
  expect((await json(['webhook', 'register', '--yes'])).row).toMatchObject({result: 'nothing'})
  const asId = await storectl(['webhook', 'register', '--yes', '--profile', 'shop', '-o', 'id'], {home})
  expect(asId.stdout).toBe('nothing\n')
})

test('a rotated token is seen, brought here and never printed', async () => {
  const shop = await testShop()
  const {json, kept} = await signedIn(shop)
  await json(['webhook', 'register', '--yes'])
  const token = await rotate(shop)
  const seen = await json(['webhook', 'status'])
  expect(seen.exit).toBe(4)
  expect(seen.row).toMatchObject({verdict: 'rotated', takesToken: false, isRotated: true})
  const {exit, row, stdout, stderr} = await json(['webhook', 'register', '--yes', '--debug'])
  expect(exit).toBe(0)
  expect(row).toMatchObject({result: 'updated', token: 'stored'})
  expect(stdout + stderr).not.toContain(token)
  expect(kept()).toContain(token)
  expect(await json(['webhook', 'status'])).toMatchObject({exit: 0, row: {verdict: 'ok'}})
})

test('the token that was not kept after the shop had answered is kept by the next register', async () => {
  const shop = await testShop()
  const {json, kept} = await signedIn(shop)
  const token = await rotate(shop)
  expect((await shop.call('/api/_action/paypal/webhook/register/null')).status).toBe(200)
  expect(kept()).not.toContain(token)
  expect((await json(['webhook', 'register', '--yes'])).row).toMatchObject({
    result: 'nothing',
    token: 'stored',
  })
  expect(kept()).toContain(token)
})

test('a sales channel gets a token of its own, which is shown only when asked for', async () => {
  const shop = await testShop()
  const {json, kept} = await signedIn(shop)
  const words = ['webhook', 'register', '--sales-channel', BASE_IDS.salesChannel, '--yes']
  const {row} = await json([...words, '--show-token'])
  expect(row).toMatchObject({result: 'created', token: 'stored', salesChannel: BASE_IDS.salesChannel})
  expect(row.webhookToken).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(row.webhookToken).not.toBe(shop.credentials.webhookToken)
  expect(kept()).toContain(row.webhookToken)
})

test('two registers at once keep the same token', async () => {
  const shop = await testShop()
  const {json, kept} = await signedIn(shop)
  const token = await rotate(shop)
  const both = await Promise.all([1, 2].map(() => json(['webhook', 'register', '--yes'])))
  expect(both.map(({exit}) => exit)).toEqual([0, 0])
  expect(kept()).toContain(token)
})

test('a protected profile wants its name, and nothing is changed without it', async () => {
  const shop = await testShop()
  const {json} = await signedIn(shop, {isProtected: true})
  expect((await json(['webhook', 'register', '--yes'])).exit).toBe(7)
  expect((await json(['webhook', 'deregister', '--yes'])).exit).toBe(7)
  expect((await json(['webhook', 'status'])).row.registered).toBe('missing')
  expect((await json(['webhook', 'register', '--confirm', 'shop'])).row.result).toBe('created')
  expect((await json(['webhook', 'deregister', '--confirm', 'shop'])).row.result).toBe('deleted')
  expect((await json(['webhook', 'status'])).row.registered).toBe('missing')
})

test('without a sign-in status still says whether the token is taken', async () => {
  const shop = await testShop()
  const env = {STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: shop.credentials.webhookToken}
  const taken = await storectl(['webhook', 'status', '-o', 'json'], {env})
  expect(taken.exit).toBe(0)
  expect(JSON.parse(taken.stdout)).toMatchObject({verdict: 'ok', registered: null, takesToken: true})
  expect(JSON.parse(taken.stdout).why).toContain('Not signed in')
  const refused = await storectl(['webhook', 'status', '-o', 'json'], {
    env: {...env, STORECTL_WEBHOOK_TOKEN: 'another'},
  })
  expect(refused.exit).toBe(4)
  expect(JSON.parse(refused.stdout).verdict).toBe('refused')
})

test('a token that may not be read is said to be unseen, with the way to hand it over', async () => {
  const {url} = await endpoint(({url: path}) => {
    if (path.includes('/register/')) return {body: {result: 'created'}}
    return {status: 403, body: {errors: [{status: '403', code: '0', title: 'Forbidden', detail: 'no'}]}}
  })
  const env = {STORECTL_URL: url, STORECTL_TOKEN: 'a.test.token'}
  const {exit, stdout, stderr} = await storectl(['webhook', 'register', '--yes', '-o', 'json'], {env})
  expect(exit).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({result: 'created', token: 'not-shown'})
  expect(stderr).toContain('--webhook-token-stdin')
})

test('the bundled shop by itself keeps its own token', async () => {
  const home = temporaryFolder()
  const run = async (words: string[]) => {
    const ended = await storectl([...words, '--profile', 'local', '-o', 'json'], {home})
    return {exit: ended.exit, row: JSON.parse(ended.stdout)}
  }
  expect(await run(['webhook', 'register', '--yes'])).toMatchObject({
    exit: 0,
    row: {result: 'created', token: 'unchanged'},
  })
})

test.each([
  [503, 'storectl doctor --profile shop', 'check the logs'],
  [403, 'storectl profile set shop --header-stdin', 'check the logs'],
  [404, 'storectl profile set shop --provider NAME', 'check the logs'],
])('a webhook route that answers %i is unavailable, and red for doctor, too', async (status, next, fix) => {
  const shop = await testShop()
  const {json} = await signedIn(shop)
  await json(['webhook', 'register', '--yes'])
  expect((await json(['webhook', 'status'])).row.verdict).toBe('ok')
  shop.faults.add(parseFaultRule(`route=webhook,status=${status}`))
  const {exit, row} = await json(['webhook', 'status'])
  expect([exit, row.verdict, row.takesToken, row.next]).toEqual([6, 'unavailable', null, next])
  expect(row.why).toContain(`The webhook route answers ${status}.`)
  const doctor = await json(['doctor'])
  const check = doctor.row.find(({check}: {check: string}) => check === 'webhook token')
  expect([doctor.exit, check.state, check.found]).toEqual([6, 'failed', row.why])
  expect(check.fix.join()).toContain(fix)
})
