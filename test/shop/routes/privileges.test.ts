import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let token: string

beforeAll(async () => {
  shop = await runShop()
  const clientId = `SWIA${'B'.repeat(22)}`
  await shop.db.writes.run(db =>
    replaceIntegration(db, {
      id: 'b'.repeat(32),
      access_key: clientId,
      secret_hash: hashOfSecret('secret'),
      label: 'reader',
      admin: 0,
      privileges: '["order:read"]',
    }),
  )
  const answer = await shop.askForToken({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: 'secret',
    scope: 'admin',
  })
  token = ((await answer.json()) as {access_token: string}).access_token
})
afterAll(() => shop.stop())

const search = (entity: string, criteria: object) =>
  shop.post(`/api/search/${entity}`, criteria, {authorization: `Bearer ${token}`})
const detail = async (answer: Response) => {
  expect(answer.status).toBe(403)
  return ((await answer.json()) as {errors: {detail: string}[]}).errors[0]?.detail
}

describe('a caller who may only read orders', () => {
  test('reads orders, and the scope of its token makes it no administrator', async () => {
    expect((await search('order', {})).status).toBe(200)
    expect((await search('customer', {})).status).toBe(403)
  })

  test('is told what is missing by JSON in a text', async () => {
    expect(await (await search('customer', {})).text()).toBe(
      String.raw`{"errors":[{"status":"403","code":"FRAMEWORK__MISSING_PRIVILEGE_ERROR","title":"Forbidden","detail":"{\u0022message\u0022:\u0022Missing privilege\u0022,\u0022missingPrivileges\u0022:[\u0022customer:read\u0022]}","meta":{"parameters":[]}}]}`,
    )
  })

  test('needs to read what associations and field paths cross', async () => {
    const criteria = {
      associations: {lineItems: {}, transactions: {associations: {paymentMethod: {}}}},
      sort: 'billingAddress.city',
    }
    expect(await detail(await search('order', criteria))).toBe(
      '{"message":"Missing privilege","missingPrivileges":["order_line_item:read","order_transaction:read","payment_method:read","order_address:read"]}',
    )
  })

  test('a privilege that criteria ask for twice is named once, in a plain list', async () => {
    const criteria = {associations: {billingAddress: {}, addresses: {}, lineItems: {}}}
    expect(await detail(await search('order', criteria))).toBe(
      '{"message":"Missing privilege","missingPrivileges":["order_address:read","order_line_item:read"]}',
    )
  })

  test('hears of a bad filter first, and of an unknown field only when it may read', async () => {
    expect((await search('customer', {filter: [{type: 'foo'}]})).status).toBe(400)
    expect((await search('customer', {sort: 'foo'})).status).toBe(403)
    expect((await search('order', {sort: 'foo'})).status).toBe(400)
    expect((await search('customer', {sort: 'password'})).status).toBe(500)
  })

  test('needs to read what aggregations cross, before what groups cross', async () => {
    const criteria = {
      aggregations: [{name: 't', type: 'terms', field: 'billingAddress.city'}],
      grouping: ['orderCustomer.email'],
    }
    expect(await detail(await search('order', criteria))).toBe(
      '{"message":"Missing privilege","missingPrivileges":["order_address:read","order_customer:read"]}',
    )
  })

  test('gets the things of an entity aggregation by the way to their ids alone', async () => {
    const aggregation = {name: 'c', type: 'entity', field: 'currencyId', definition: 'currency'}
    expect((await search('order', {aggregations: [aggregation]})).status).toBe(200)
  })

  test('needs to read every entity on the way to what hangs on a thing', async () => {
    const path = `order/${'a'.repeat(32)}/line-items`
    expect(await detail(await search(path, {}))).toBe(
      '{"message":"Missing privilege","missingPrivileges":["order_line_item:read"]}',
    )
  })
})
