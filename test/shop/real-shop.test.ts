import {afterAll, beforeAll, expect, test} from 'vitest'
import {deriveCountryId, deriveTagId} from '../../src/shop/runtime/base-data.js'
import {providerEvent} from '../support/events.js'
import {addTransaction, runShop, type TestShop} from '../support/shop.js'
import {idOf} from './people.js'
import {address, customer} from './written.js'

/** Where shops surprised, a row for each finding: what was sent to a shop of version 6.6.7.1, and what it answered. */

const ADA = idOf(1)
const HOME = 'b'.repeat(32)
const NONE = 'f'.repeat(32)
const ada = customer(1, {
  ...{customerNumber: '1', firstName: '<b>Ada</b>', lastName: 'a < b', email: 'ada@example.test'},
  birthday: '1815-12-10',
  createdAt: '2020-01-01T00:00:00.000+00:00',
  defaultBillingAddress: address({id: HOME, city: 'Bonn', countryId: deriveCountryId('DE')}),
  defaultShippingAddressId: HOME,
  addresses: [address({city: 'Bonn', countryId: deriveCountryId('DE')})],
  tags: [{id: deriveTagId('VIP')}],
})

let shop: TestShop
beforeAll(async () => {
  shop = await runShop()
  const made = await shop.call('/api/customer', ada)
  expect(made.status, await made.text()).toBe(204)
})
afterAll(() => shop.remove())

// biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
type Json = any
const inBonn = [{type: 'equals', field: 'addresses.city', value: 'Bonn'}]
const one = {ids: [ADA]}
const search = (criteria: object, headers = {}) => shop.call('/api/search/customer', criteria, headers)
const aggregate = (aggregation: object, more = {}) =>
  search({limit: 2, aggregations: [{name: 'n', ...aggregation}], ...more})
const sync = (operation: object) => shop.call('/api/_action/sync', [operation])
const capture = (resource: object) => {
  const {payload} = providerEvent('PAYMENT.CAPTURE.COMPLETED', {transactionId: NONE})
  return shop.deliver(JSON.stringify({...payload, resource: {...payload.resource, ...resource}}))
}
const refusal = (code: string) => ({errors: [{code}]})

test.each<[string, () => Promise<Response>, number, (body: Json) => unknown, unknown]>([
  ['S1', () => search({limit: 1, 'total-count-mode': 1, filter: inBonn}), 200, body => body.total, 2],
  [
    'S2',
    () => search(one, {accept: 'text/html, */*, application/json'}),
    200,
    body => body.data[0].apiAlias,
    'customer',
  ],
  [
    'S3',
    () => aggregate({type: 'sum', field: 'orderCount'}, {filter: inBonn}),
    200,
    body => body.aggregations.n.sum,
    0,
  ],
  [
    'S3',
    () => aggregate({type: 'terms', field: 'active'}, {filter: inBonn}),
    200,
    body => body.aggregations.n.buckets[0].count,
    2,
  ],
  ['S4', () => search({ids: [ADA.toUpperCase()]}), 200, body => body.total, 0],
  [
    'S4',
    () => search({}, {'sw-language-id': '2FBB5FE2E29A4D70AA5854CE7CE3E20B'}),
    412,
    body => body,
    refusal('FRAMEWORK__LANGUAGE_NOT_FOUND'),
  ],
  [
    'S5',
    () => sync({entity: 'acl_role', action: 'upsert', payload: [{name: 'x'}]}),
    403,
    body => body.errors[0].detail,
    'Write access to entity "acl_role" are not allowed in scope "crud".',
  ],
  [
    'S6',
    () => sync({entity: 'tag', action: 'delete', payload: [{id: NONE}]}),
    200,
    body => body.notFound,
    {tag: [NONE]},
  ],
  [
    'S7',
    () => shop.get(`/api/_action/paypal/webhook/status/${NONE}`),
    200,
    body => Object.keys(body),
    ['result'],
  ],
  ['S8', () => shop.get(`/api/customer/${ADA}/addresses`), 200, body => body.data.length, 2],
  ['S8', () => shop.get('/api/customer?limit=1'), 200, body => body.data[0].id, ADA],
  ['S8', () => shop.get(`/api/customer/${ADA}`), 200, body => body.data.id, ADA],
  [
    'S8',
    () => shop.call(`/api/search-ids/customer/${ADA}/addresses`),
    200,
    body => [body.total, body.data.includes(HOME)],
    [2, true],
  ],
  ['S8', () => shop.get('/api/_info/me'), 403, body => body, refusal('FRAMEWORK__EXPECTED_USER')],
  [
    'S9',
    () => search(one),
    200,
    body => body.data[0],
    {firstName: 'Ada', lastName: 'a < b', createdAt: ada.createdAt, salutationId: expect.any(String)},
  ],
  [
    'S9',
    () => shop.call('/api/customer', {...ada, id: NONE, email: 'a@b'}),
    400,
    body => body,
    refusal('bd79c0ab-ddba-46cc-a703-a7a4b08de310'),
  ],
  [
    'S10',
    () => sync({entity: 'foo', action: 'upsert', payload: [{}]}),
    500,
    body => body,
    refusal('FRAMEWORK__DEFINITION_NOT_FOUND'),
  ],
  [
    'S10',
    () => sync({entity: 'tag', action: 'delete', criteria: inBonn}),
    400,
    body => body,
    refusal('API_INVALID_SYNC_CRITERIA_EXCEPTION'),
  ],
  [
    'S12',
    () => search({filter: [{type: 'equals', field: 'addresses', value: 'x'}]}),
    500,
    body => body,
    refusal('FRAMEWORK__FIELD_ACCESSOR_BUILDER_NOT_FOUND'),
  ],
  [
    'S13',
    () => aggregate({type: 'max', field: 'birthday'}),
    200,
    body => body.aggregations.n.max,
    '1815-12-10',
  ],
  [
    'S13',
    () => aggregate({type: 'stats', field: 'orderCount'}, {filter: {firstName: 'x'}}),
    200,
    body => body.aggregations.n,
    {avg: null, sum: null},
  ],
  [
    'S14',
    () => search({...one, filter: {firstName: 'Ada'}}),
    200,
    body => Object.keys(body.data[0].extensions),
    ['foreignKeys'],
  ],
  [
    'S14',
    () => search({...one, associations: {defaultBillingAddress: {}}}),
    200,
    body => Object.keys(body.data[0].defaultBillingAddress.extensions),
    ['foreignKeys', 'internal_mapping_storage'],
  ],
  [
    'S15',
    () => addTransaction(shop).then(id => shop.call(`/api/_action/order_transaction/${id}/state/do_pay`)),
    200,
    body => [body.technicalName, body.name, 'apiAlias' in body],
    ['in_progress', 'In Progress', false],
  ],
  ['S16', () => capture({seller_protection: 'x'}), 500, body => body, refusal('0')],
  [
    'S17',
    () => shop.call('/api/search/customer', {}, {'x-http-method-override': 'DELETE'}),
    405,
    body => body,
    refusal('0'),
  ],
  [
    'S17',
    () => search(one, {'sw-expect-packages': 'shopware/core'}),
    417,
    body => body.errors[0].meta.parameters,
    ['Got invalid string: "shopware/core"'],
  ],
  [
    'S19',
    () => shop.get('/api/_info/entity-schema.json'),
    200,
    body => Object.values(body.customer.properties).filter((field: Json) => field.flags?.required).length,
    13,
  ],
])('%s %#', async (_finding, send, status, pick, expected) => {
  const answer = await send()
  const body = (await answer.json()) as Json
  expect(answer.status, JSON.stringify(body)).toBe(status)
  const found = pick(body)
  if (typeof expected === 'object' && !Array.isArray(expected))
    expect(found).toMatchObject(expected as object)
  else expect(found).toEqual(expected)
})

test('S8: a person is told who they are, and a ping has no body', async () => {
  const headers = {authorization: `Bearer ${await shop.signInVerified()}`, accept: 'application/json'}
  const me = await fetch(`${shop.url}/api/_info/me`, {headers})
  expect([me.status, await me.json()]).toMatchObject([
    200,
    {data: {username: shop.credentials.username, admin: true}},
  ])
  const ping = await fetch(`${shop.url}/api/_info/ping`, {headers})
  expect([ping.status, await ping.text()]).toEqual([204, ''])
})

test('S11: the token of an integration that is gone breaks the shop', async () => {
  const headers = {authorization: `Bearer ${await shop.signInVerified()}`}
  const [key, secret] = [`SWIA${'A'.repeat(22)}`, 'x'.repeat(51)]
  const program = {id: NONE, label: 'x', accessKey: key, secretAccessKey: secret}
  expect((await shop.call('/api/integration', program, headers)).status).toBe(204)
  const grant = {grant_type: 'client_credentials', client_id: key, client_secret: secret}
  const {access_token} = (await (
    await shop.post('/api/oauth/token', grant, {'content-type': 'application/json'})
  ).json()) as Json
  expect(access_token).toBeTypeOf('string')
  await fetch(`${shop.url}/api/integration/${NONE}`, {method: 'DELETE', headers: {...headers, accept: '*/*'}})
  const answer = await shop.call('/api/search/customer', {}, {authorization: `Bearer ${access_token}`})
  expect([answer.status, await answer.json()]).toMatchObject([500, refusal('0')])
})

test('S18: a stored way to pay is never saved, whatever order it names', async () => {
  await addTransaction(shop, {providerOrderId: 'ORDER18'})
  const event = providerEvent('VAULT.PAYMENT-TOKEN.CREATED', {providerOrderId: 'ORDER18'})
  expect((await shop.deliver(event)).status).toBe(200)
})
