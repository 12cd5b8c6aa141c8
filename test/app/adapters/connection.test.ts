import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {createAdapters} from '../../../src/app/adapters/adapters.js'
import type {GlobalFlags} from '../../../src/flags/global-flags.js'
import {readTextIfThere} from '../../../src/platform/files/files.js'
import {readCredentials} from '../../../src/shop/index.js'
import {type TestContext, type TestContextOptions, testContext} from '../../support/context.js'
import {oauthError, tokenShop} from '../../support/shop-endpoint.js'

function opened({host}: TestContext, options: GlobalFlags = {}) {
  const adapters = createAdapters(host, options)
  onTestFinished(() => adapters.close())
  return adapters
}

async function connected(options: TestContextOptions) {
  const made = testContext(options)
  const adapters = opened(made)
  return {...made, adapters, connection: await adapters.connect()}
}

const search = {method: 'POST', path: '/api/search/customer', body: '{}'}

test('the environment alone signs in with client credentials, and writes nothing', async () => {
  const shop = await tokenShop()
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {connection, home} = await connected({env})
  await connection.signed.call(search)
  await connection.signed.call(search)
  expect(shop.grants()).toEqual([
    {grant_type: 'client_credentials', client_id: 'SWIAX', client_secret: 'hidden-secret'},
  ])
  expect(shop.calls().map(call => call.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-1'])
  expect(readdirSync(home)).toEqual([])
})

test('a home that is a file is no matter where the environment says everything', async () => {
  const shop = await tokenShop()
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token', STORECTL_HOME: '/dev/null/nowhere'}
  const {connection} = await connected({env})
  expect((await connection.signed.call(search)).status).toBe(200)
  expect(shop.calls()[0]?.headers.authorization).toBe('Bearer given-token')
  expect(existsSync('/dev/null/nowhere')).toBe(false)
})

test('a refused token is renewed once, and the call made again', async () => {
  const shop = await tokenShop({
    answer: ({headers}) =>
      headers.authorization === 'Bearer token-1'
        ? oauthError(401, '9', 'denied', 'Access token could not be verified')
        : {status: 200, body: {}},
  })
  const env = {STORECTL_URL: shop.url, STORECTL_USERNAME: 'ada', STORECTL_PASSWORD: 'hidden-password'}
  const {connection} = await connected({env})
  expect((await connection.signed.call(search)).status).toBe(200)
  expect(shop.grants().map(({grant_type}) => grant_type)).toEqual(['password', 'refresh_token'])
})

test('a token that is refused for good ends with what the shop says, exit 4', async () => {
  const shop = await tokenShop({
    answer: () => oauthError(401, '9', 'denied', 'Access token could not be verified'),
  })
  const {connection} = await connected({env: {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}})
  const answer = await connection.signed.call(search)
  const error = connection.refusal(answer, 'the search')
  expect([error.code, error.exit]).toEqual(['auth.token_refused', 4])
  expect(error.message).toContain('Access token could not be verified')
})

test('calls without a token need no credentials', async () => {
  const shop = await tokenShop()
  const env = {STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: 'webhook-token'}
  const {connection} = await connected({env})
  await connection.unsigned.call({method: 'POST', path: '/x'})
  expect(shop.received[0]?.headers.authorization).toBeUndefined()
  expect(await connection.webhookToken()).toBe('webhook-token')
  await expect(connection.signed.call(search)).rejects.toMatchObject({code: 'auth.not_signed_in'})
})

test('credentials of the environment stay with the shop that it names', async () => {
  const [one, other] = [await tokenShop(), await tokenShop()]
  const env = {STORECTL_URL: one.url, STORECTL_TOKEN: 'for-one', STORECTL_WEBHOOK_TOKEN: 'webhook-of-one'}
  const made = testContext({env})
  const connection = await opened(made, {url: other.url}).connect()
  await expect(connection.signed.call(search)).rejects.toMatchObject({code: 'auth.not_signed_in'})
  await expect(connection.webhookToken()).rejects.toMatchObject({code: 'auth.no_webhook_token'})
  expect(other.received).toEqual([])
})

test('a read is made again after a passing failure', async () => {
  const shop = await tokenShop({answer: (_request, count) => ({status: count < 3 ? 503 : 200, body: {}})})
  const {connection} = await connected({env: {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}})
  expect((await connection.patient.call(search)).status).toBe(200)
  expect(shop.calls()).toHaveLength(3)
})

test('credentials without a shop are refused instead of used on the bundled one', async () => {
  const made = testContext({env: {STORECTL_TOKEN: 'given-token'}})
  await expect(opened(made).connect()).rejects.toMatchObject({code: 'usage.no_shop', exit: 2})
})

test('the bundled shop is started inside the command, signs in by itself, shows none of its secrets, and is announced to nobody', async () => {
  const {connection, adapters, home, host} = await connected({})
  const answer = await connection.signed.call({method: 'GET', path: '/api/_info/version'})
  const secrets = readCredentials(join(home, 'shop'), {readTextIfThere})
  const {clientSecret, password, webhookToken} = secrets ?? {}
  expect(host.redaction.clean(`${clientSecret}, ${password}, ${webhookToken}`)).toBe('***, ***, ***')
  expect(answer.status).toBe(200)
  expect(connection.profile.name).toBe('local')
  expect(await connection.webhookToken()).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(existsSync(join(home, 'shop', 'server.json'))).toBe(false)
  await adapters.close()
  await expect(connection.unsigned.call({method: 'GET', path: '/'})).rejects.toThrow()
})
