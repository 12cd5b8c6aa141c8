import {expect, onTestFinished, test} from 'vitest'
import type {ShopVersionName} from '../../src/shopware/editions.js'
import {NEWER_STATE_MACHINES, transition} from '../../src/shopware/state-machines.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {addTransaction, runShop, stateOf} from '../support/shop.js'

async function runEdition(shopVersion: ShopVersionName) {
  const shop = await runShop({shopVersion})
  onTestFinished(() => shop.remove())
  // biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
  const search = async (entity: string, criteria: object): Promise<any> =>
    (await shop.call(`/api/search/${entity}`, criteria)).json()
  return {shop, search}
}

test.each([
  ['6.5', '6.5.8.14', '8.6.2', null],
  ['6.6', '6.6.7.1', '9.6.2', 'swag_paypal_pui'],
  ['6.7', '6.7.5.0', '10.6.2', 'swag_paypal_pui'],
] as const)(
  'a shop of %s says so, and which plugin it has, to anybody who expects another',
  async (name, version, pluginVersion, technicalName) => {
    const {shop, search} = await runEdition(name)
    expect(await (await shop.get('/api/_info/version')).json()).toEqual({version})
    const filter = [{type: 'equals', field: 'name', value: 'SwagPayPal'}]
    expect((await search('plugin', {filter})).data).toMatchObject([{version: pluginVersion, active: true}])
    const headers = {'sw-expect-packages': 'swag/paypal:>=99'}
    const health = await fetch(`${shop.url}/api/_info/health-check`, {headers})
    expect([health.status, await health.text()]).toEqual([417, expect.stringContaining(pluginVersion)])
    const methods = (await search('payment-method', {limit: 10, filter: {name: 'Pay upon invoice'}})).data
    expect(methods).toMatchObject([{technicalName}])
  },
)

test('a shop of 6.5 has no limit, takes no ids for all, and shows states unasked', async () => {
  const {shop, search} = await runEdition('6.5')
  const transactionId = await addTransaction(shop)
  expect((await search('country', {limit: 5000})).total).toBeGreaterThan(10)
  expect((await search('country', {ids: []})).total).toBeGreaterThan(10)
  const [transaction] = (await search('order-transaction', {ids: [transactionId]})).data
  expect(transaction.stateMachineState.technicalName).toBe('open')
  const {errors} = await search('country', {filter: [{type: 'foo'}]})
  expect(errors[0].meta.parameters).toEqual({message: 'Unsupported filter type: foo'})
})

test('a shop of 6.7 pays what was reminded, cancels nothing refunded, and refuses in bare sentences', async () => {
  const {shop} = await runEdition('6.7')
  const reminded = await addTransaction(shop, {state: 'reminded'})
  expect((await shop.deliver(captureCompleted({transactionId: reminded}))).status).toBe(200)
  expect(await stateOf(shop, reminded)).toBe('paid')
  const {order_transaction: machine} = NEWER_STATE_MACHINES
  for (const state of ['refunded', 'failed'])
    expect(transition(machine, state, 'cancel').kind).toBe('illegal')
  const refused = await shop.deliver('{}', 'wrong')
  expect([refused.status, refused.headers.get('content-type'), await refused.text()]).toEqual([
    400,
    'text/html; charset=UTF-8',
    'Shopware token is invalid',
  ])
})

test('a shop of 6.7 keeps the id of a capture, voids no other payment, and fails where the provider is down', async () => {
  const shop = await runShop({shopVersion: '6.7', faults: ['provider=down,count=1']})
  onTestFinished(() => shop.remove())
  const [lost, kept] = [
    await addTransaction(shop, {providerOrderId: 'O1'}),
    await addTransaction(shop, {providerOrderId: 'O2'}),
  ]
  expect((await shop.deliver(captureCompleted({transactionId: lost}))).status).toBe(400)
  expect(await stateOf(shop, lost)).toBe('paid')
  const captured = captureCompleted({transactionId: kept, captureId: 'CAPTURE2', seed: 2})
  expect((await shop.deliver(captured)).status).toBe(200)
  const found = await (await shop.call('/api/search/order-transaction', {ids: [kept]})).json()
  expect(found).toMatchObject({
    data: [{customFields: {swag_paypal_order_id: 'O2', swag_paypal_resource_id: 'CAPTURE2'}}],
  })
  const voidOf = (id: string, seed: number) => {
    const {payload} = providerEvent('PAYMENT.AUTHORIZATION.VOIDED', {transactionId: kept, seed})
    return shop.deliver(JSON.stringify({...payload, resource: {...payload.resource, id}}))
  }
  expect([(await voidOf('OTHER', 3)).status, await stateOf(shop, kept)]).toEqual([200, 'paid'])
  expect([(await voidOf('CAPTURE2', 4)).status, await stateOf(shop, kept)]).toEqual([200, 'cancelled'])
})

test('a shop of 6.7 needs a lower-case content type, compares with empty values, and supports excludes', async () => {
  const {shop, search} = await runEdition('6.7')
  const criteria = {limit: 1, filter: [{type: 'equals', field: 'iso', value: 'DE'}]}
  const read = async (contentType: string) => {
    const answer = await shop.call('/api/search/country', criteria, {'content-type': contentType})
    return ((await answer.json()) as {total: number}).total
  }
  expect([await read('application/json'), await read('Application/JSON')]).toEqual([1, expect.any(Number)])
  expect(await read('Application/JSON')).toBeGreaterThan(1)
  expect(await search('country', {filter: [{type: 'equals', field: 'iso', value: ''}]})).toMatchObject({
    total: 0,
  })
  const any = [{type: 'equalsAny', field: 'technicalName', value: ['swag_paypal_pui', null]}]
  const methods = (await search('payment-method', {filter: any})).data as {technicalName: string | null}[]
  const names = new Set(methods.map(({technicalName}) => technicalName))
  expect(names.has('swag_paypal_pui')).toBe(true)
  for (const name of names) expect(['swag_paypal_pui', null]).toContain(name)
  await addTransaction(shop)
  const none = {type: 'equalsAny', field: 'updatedAt', value: [null]}
  expect(await search('order-transaction', {filter: [none]})).toMatchObject({total: 1})
  const {data} = await search('country', {...criteria, excludes: {country: ['iso', 'extensions']}})
  expect(Object.keys(data[0])).toContain('iso3')
  expect(Object.keys(data[0])).not.toContain('iso')
})

test.each([
  ['6.6', null],
  ['6.7', []],
] as const)('a resource of %s has no meta, and says so in its own way', async (shopVersion, meta) => {
  const {shop} = await runEdition(shopVersion)
  const accept = {accept: 'application/vnd.api+json'}
  const answer = await (await shop.call('/api/search/sales-channel', {limit: 1}, accept)).json()
  expect(answer).toMatchObject({data: [{meta}], included: [{type: 'extension', meta}]})
})
