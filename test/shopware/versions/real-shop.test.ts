import {describe, expect, test} from 'vitest'
import {readDeliveryStatus} from '../../../src/gateway/captured-event.js'
import type {HttpResponse} from '../../../src/http/http.js'
import {createResponseError} from '../../../src/http/response-errors.js'
import {findDifferences} from '../../../src/order/compare-orders.js'
import {findCells} from '../../../src/providers/paypal/outcomes/find-outcomes.js'
import {findProvider} from '../../../src/providers/providers.js'
import {parseCustomId} from '../../../src/providers/traits.js'
import type {ShopVersions} from '../../../src/shopware/versions/version-range.js'
import {StoppedClock} from '../../support/clock.js'
import {signedInTo} from '../../support/customer-pages.js'
import {type Endpoint, endpoint, type Received, type Reply} from '../../support/endpoint.js'
import {errorBody} from '../../support/order-shop.js'
import {tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'
import {event, file, ndjson, replay, testShop, transactionId} from '../../webhook/support.js'

// A row a finding on real shops, by its number.
const ROWS: readonly (readonly [row: string, what: string, check: () => Promise<void> | void])[] = [
  ['T1', 'a count asks for two rows, because one alone counts joined rows', checkCount],
  ['T2', '--ranked --limit 1 is the first of --limit 2', checkRankedLimit],
  ['T3', 'deregister says that the shop deletes the token', checkDeregister],
  ['T4', 'doctor asks with the criteria of the commands, and names a missing route', checkDoctor],
  ['T8', 'a facet under a condition on one of many counts customers', checkFacets],
  ['T9', 'a malformed body that was answered 400 is not said to be answered 500', checkMalformed],
  ['T11', "an id of the provider's simulator is named", checkSampleId],
  ['T12', 'an order to a shop without the route: exit 5, no advice to resume', checkOrderRoute],
  ['T13', 'a field that a search leaves out is no difference', checkLeftOut],
  ['T14', 'from 6.7 on, not every state can be cancelled', checkCancel],
  ['T17', 'doctor calls a rotated token what webhook status calls it', checkRotated],
  ['V1', 'a capture upon invoice is paid, authorized, failed or refused', checkInvoice],
  ['V2', 'pay upon invoice is known by its handler', checkInvoiceHandler],
  ['V3', 'a void of a refunded payment is refused from 6.7 on: already-final', checkFinal],
  ['V4', 'from 6.7 on, a reminded payment may be paid', checkReminded],
  ['V5', 'a void of another authorization does nothing from plugin 10.6.2 on', checkOtherVoid],
  ['V6', 'an id that is no id of a shop is no failure, but an unknown transaction', checkForeignId],
  ['V7', 'a 400 after the payment was paid is applied', checkPaidRefusal],
  ['V8', 'a refunded sale is refunded or refunded_partially', checkSale],
  ['V9', 'refusals are read by what they mean', checkRefusals],
  ['V10', '--skip-flows is sent as a header', checkSkipFlows],
  ['V11', 'the versions are found without a sign-in', checkVersions],
  ['V12', 'an empty list of ids is refused, and wrong input is no reason to try again', checkInput],
  ['V13', 'a sync of a protected shop warns of deletes by criteria', checkSync],
  ['V14', 'a fresh token that is refused is asked for once more after a second', checkFreshToken],
]

describe('what real shops showed', () => {
  test.each(ROWS)('%s %s', async (_row, _what, check) => {
    await check()
  })
})

const V65: ShopVersions = {shop: '6.5.8.14', plugin: '8.6.2', from: 'shop'}
const V66: ShopVersions = {shop: '6.6.7.1', plugin: '9.6.2', from: 'shop'}
const V67: ShopVersions = {shop: '6.7.5.0', plugin: '10.6.2', from: 'shop'}

/** A shop with two customers that drops the grouping for one row, as a real one does. */
function groupingShop(): Promise<Endpoint> {
  const row = (number: string) => ({extensions: {}, customerNumber: number, apiAlias: 'customer'})
  return endpoint(({body}) => {
    const {limit} = JSON.parse(body) as {limit: number}
    if (limit === 1) return {body: JSON.stringify({total: 4, data: [row('WRONG')], aggregations: []})}
    return {body: JSON.stringify({total: 2, data: [row('10000'), row('10001')], aggregations: []})}
  })
}

async function search(shop: Endpoint, ...words: string[]): Promise<string> {
  const {stdout} = await storectl(['customer', 'search', ...words], {env: signedInTo(shop.url)})
  return stdout.trim()
}

async function checkCount() {
  const shop = await groupingShop()
  expect(await search(shop, '--where', 'addresses.city = "Köln"', '--count')).toBe('2')
  expect(await search(shop, 'ada', '--ranked', '--count')).toBe('2')
}

async function checkRankedLimit() {
  const shop = await groupingShop()
  const words = ['ada', '--ranked', '--fields', 'customerNumber', '-o', 'ndjson']
  const first = await search(shop, ...words, '--limit', '1')
  expect(JSON.parse(first)).toEqual({customerNumber: '10000'})
  const second = await search(shop, ...words, '--limit', '1', '--page', '2')
  expect(JSON.parse(second)).toEqual({customerNumber: '10001'})
}

async function checkDeregister() {
  const shop = await endpoint(({url}) => ({body: {result: url.includes('deregister') ? 'deleted' : 'valid'}}))
  const {stdout} = await storectl(['webhook', 'deregister', '--yes', '-o', 'json'], {
    env: signedInTo(shop.url),
  })
  expect(JSON.parse(stdout)).toMatchObject({result: 'deleted', token: 'deleted'})
  const help = (await storectl(['webhook', 'deregister', '--help'])).stdout
  expect(help.replaceAll(/\s+/g, ' ')).toContain('deletes its webhook token')
}

/** What doctor finds of one thing. */
async function examine(check: string, answer: (request: Received) => Reply | undefined) {
  const shop = await tokenShop({
    answer: request =>
      answer(request) ??
      (request.url === '/api/_info/version'
        ? {body: {version: '6.6.7.1'}}
        : {body: {total: 0, data: [], result: 'valid'}}),
  })
  const env = {...signedInTo(shop.url), STORECTL_WEBHOOK_TOKEN: 'Ab12'.repeat(8)}
  const {stdout} = await storectl(['doctor', '-o', 'json'], {env})
  const rows = JSON.parse(stdout) as {check: string; state: string; found: string}[]
  return {shop, row: rows.find(each => each.check === check)}
}

async function checkDoctor() {
  const {shop, row} = await examine('privileges', ({url}) =>
    url.includes('fulfillment-order') ? {status: 404, body: errorBody('404', '0', 'No route')} : undefined,
  )
  expect(row).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(
      /; order list, order show, order submit: the shop has no route for fulfillment orders$/,
    ),
  })
  const asked = shop.received.find(({url}) => url === '/api/search/order-transaction')
  const {associations} = JSON.parse(asked?.body ?? '{}')
  expect(associations).toMatchObject({stateMachineState: {}, paymentMethod: {}})
}

async function checkRotated() {
  const {row} = await examine('webhook token', ({url}) => {
    if (url.includes('/webhook/execute'))
      return {status: 400, headers: {'content-type': 'text/html'}, body: 'Shopware token is invalid'}
    return url.includes('system-config')
      ? {body: {'SwagPayPal.settings.webhookExecuteToken': 'other'}}
      : undefined
  })
  expect(row?.state).toBe('failed')
  expect(row?.found).toMatch(/^rotated: /)
}

async function checkFacets() {
  const bucket = (key: string, count: number, distinct: number) => ({
    ...{key, count},
    customers: {name: 'customers', count: distinct},
  })
  const shop = await endpoint(() => ({
    body: {total: 2, data: [], aggregations: {facet0: {buckets: [bucket('A', 9, 2), bucket('B', 5, 4)]}}},
  }))
  const words = ['--facet', 'group', '--where', 'addresses.city = "Köln"', '-o', 'json']
  expect(JSON.parse(await search(shop, ...words))).toEqual([
    {facet: 'group', value: 'B', count: 4},
    {facet: 'group', value: 'A', count: 2},
  ])
  expect(JSON.parse(shop.received[0]?.body ?? '').aggregations[0].aggregation).toEqual({
    ...{name: 'customers', type: 'count', field: 'id'},
  })
}

async function diagnoseOne(
  body: object,
  states: Record<string, string>,
  versions?: {shop: string; plugin: string},
) {
  const shop = await testShop(states, versions)
  const options = {env: shop.env, home: (await import('../../support/home.js')).temporaryFolder()}
  await storectl(['webhook', 'import', file(ndjson([body]))], options)
  const {id} = body as {id: string}
  const {stdout} = await storectl(['webhook', 'diagnose', id, '-o', 'json'], options)
  return JSON.parse(stdout)
}

async function checkMalformed() {
  const broken = {...event(1), resource: {...event(1).resource, links: [5]}}
  const {cause, detail} = await diagnoseOne(broken, {})
  expect([cause, detail]).toEqual(['malformed', 'The shop cannot parse the body.'])
}

async function checkSampleId() {
  const sample = {...event(1), id: 'WH-58D329510W468432D-8HN650336L201105X'}
  const shop = await testShop({})
  const options = {env: shop.env, home: (await import('../../support/home.js')).temporaryFolder()}
  const both = [sample, {...sample, summary: 'another'}]
  await storectl(['webhook', 'import', file(ndjson(both))], options)
  const {stdout} = await storectl(['webhook', 'diagnose', sample.id, '-o', 'json'], options)
  expect(JSON.parse(stdout)).toMatchObject({cause: 'conflict'})
  expect(JSON.parse(stdout).evidence.join()).toContain("PayPal's simulator and public samples use its id")
}

async function checkOrderRoute() {
  const shop = await endpoint(() => ({status: 404, body: errorBody('404', '0', 'No route found')}))
  const order = {
    reference: 'A-1',
    orderDate: '2026-11-20T10:00:00Z',
    lines: [{sku: 'X', quantity: 1}],
    shipTo: {name: 'Ada', street: 'Weg 1', city: 'Ulm', postalCode: '89073', country: 'DE'},
  }
  const {exit, stderr} = await storectl(['order', 'submit', '-', '--yes'], {
    env: signedInTo(shop.url),
    stdin: JSON.stringify(order),
  })
  expect([exit, stderr]).toEqual([5, expect.stringContaining('has no route for fulfillment orders')])
  expect(stderr).not.toContain('run resume')
}

function checkLeftOut() {
  const ours = {reference: 'A-1', lines: [{sku: 'X', quantity: 1}], shipTo: {city: 'Ulm'}} as never
  const shown = {id: '1', reference: 'A-1', shipTo: {city: 'Ulm'}}
  expect(findDifferences(ours, shown)).toEqual([])
  expect(findDifferences(ours, {...shown, shipTo: {city: 'Bonn'}})).toHaveLength(1)
}

const readCell = (kind: Parameters<typeof findCells>[0], state: string, versions: ShopVersions) =>
  findCells(kind, state, versions).map(({outcomes}) => outcomes)

const REFUSED = {isRefused: true, to: undefined}
const STAYS = {isRefused: false, to: undefined}

function checkCancel() {
  expect(readCell('capture-denied', 'failed', V67)).toEqual([[REFUSED]])
  expect(readCell('capture-denied', 'failed', V66)).toEqual([[{isRefused: false, to: 'cancelled'}]])
}

function checkInvoice() {
  expect(readCell('invoice-capture', 'open', V65)).toEqual([
    [
      {isRefused: false, to: 'paid'},
      REFUSED,
      {isRefused: true, to: 'authorized'},
      {isRefused: true, to: 'failed'},
    ],
  ])
}

async function checkInvoiceHandler() {
  const id = transactionId(1)
  const shop = await endpoint(
    ({url}) => {
      const row = {
        id,
        stateMachineState: {technicalName: 'open'},
        amount: {totalPrice: 10},
        order: {currency: {isoCode: 'EUR'}},
        paymentMethod: {
          technicalName: null,
          handlerIdentifier: 'Swag\\PayPal\\Checkout\\Payment\\Method\\PUIHandler',
        },
      }
      return url.startsWith('/api/search/') ? {body: {data: [row]}} : {status: 200}
    },
    {shop: '6.5.8.14', plugin: '8.6.2'},
  )
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: 'token'}
  const words = ['webhook', 'replay', file(ndjson([event(1)], 'token')), '--dry-run', '-o', 'json']
  const {stdout} = await storectl(words, {env})
  expect(JSON.parse(stdout)[0].detail).toBe(
    'open → paid or refused or refused and authorized or refused and failed, as the provider answers',
  )
}

async function checkFinal() {
  const denied = {...event(1, {type: 'PAYMENT.CAPTURE.DENIED'})}
  const states = {[transactionId(1)]: 'failed'}
  expect(await diagnoseOne(denied, states, {shop: '6.7.5.0', plugin: '10.6.2'})).toMatchObject({
    cause: 'already-final',
  })
  expect(await diagnoseOne(denied, states)).toMatchObject({cause: 'not-sent'})
}

function checkReminded() {
  expect(readCell('capture-final', 'reminded', V67)).toEqual([[{isRefused: false, to: 'paid'}]])
  expect(readCell('capture-final', 'reminded', V66)).toEqual([[REFUSED]])
}

function checkOtherVoid() {
  expect(readCell('other-authorization-voided', 'open', V67)).toEqual([[STAYS]])
}

async function checkForeignId() {
  expect(parseCustomId('order 1')).toEqual({by: 'fault', fault: 'invalid-transaction-id'})
  const foreign = {...event(1), resource: {...event(1).resource, custom_id: 'order 1'}}
  const shop = await testShop({}, {shop: '6.7.5.0', plugin: '10.6.2'})
  const {stdout} = await replay(shop, [file(ndjson([foreign])), '--dry-run'])
  expect(JSON.parse(stdout)).toMatchObject({action: 'hold', reason: 'no-transaction'})
}

async function checkPaidRefusal() {
  const shop = await testShop({[transactionId(1)]: 'open'}, {shop: '6.7.5.0', plugin: '10.6.2'})
  shop.intercept = () => {
    shop.states.set(transactionId(1), 'paid')
    return {status: 400, body: 'An error occurred during execution of webhook'}
  }
  const {stdout, stderr} = await replay(shop, [file(ndjson([event(1)]))])
  expect(JSON.parse(stdout)).toMatchObject({result: 'applied', status: 400, before: 'open', after: 'paid'})
  expect(stderr).not.toContain('failed')
  const dry = await replay(shop, [file(ndjson([event(2, {transaction: 2})])), '--dry-run'])
  expect(dry.stderr).not.toContain('Captures:')
}

function checkSale() {
  expect(readCell('sale-refunded', 'paid', V66)).toEqual([
    [
      {isRefused: false, to: 'refunded'},
      {isRefused: false, to: 'refunded_partially'},
    ],
  ])
}

function respond(status: number, body: string, type = 'application/json'): HttpResponse {
  return {status, headers: {'content-type': type}, body: Buffer.from(body)}
}

async function checkRefusals() {
  const answer = respond(400, 'Shopware token is invalid', 'text/html; charset=UTF-8')
  const bare = readDeliveryStatus(answer, findProvider().answers, 0)
  expect(bare).toMatchObject({refusesToken: true, message: 'Shopware token is invalid'})
  const throttled = {
    code: 'FRAMEWORK__NOTIFICATION_THROTTLED',
    ...{status: '429', title: 'Too Many Requests', detail: 'Notification throttled for 7 seconds.'},
    meta: {parameters: {seconds: 7}},
  }
  const shop = await endpoint(() => ({status: 400, body: {errors: [throttled]}}))
  const {exit, stderr} = await storectl(['api', 'GET', '/api/_info/version'], {
    env: {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'secret'},
  })
  expect([exit, stderr]).toEqual([6, expect.stringContaining('Wait 7 s')])
}

async function checkSkipFlows() {
  const shop = await testShop({[transactionId(1)]: 'open'})
  await replay(shop, [file(ndjson([event(1)])), '--skip-flows'])
  expect(shop.received[0]?.headers['sw-skip-trigger-flow']).toBe('1')
}

async function checkVersions() {
  const shop = await testShop({[transactionId(1)]: 'open'}, {shop: '6.7.5.0', plugin: '10.6.2'})
  const {stderr} = await replay(shop, [file(ndjson([event(1)])), '--dry-run'])
  expect(stderr).toContain('Shop: Shopware 6.7.5.0, payment plugin 10.6.2\n')
  expect(stderr).toContain("Captures: this plugin also stores the provider's resource id")
}

function explain(answer: HttpResponse) {
  const fixes = {signIn: 'login', atUrl: (url: string) => url, basicAuth: '', header: ''}
  return createResponseError(answer, {
    ...{baseUrl: new URL('https://shop.example'), doing: 'the search', now: new Date(0), fixes},
  })
}

async function checkInput() {
  const shop = await groupingShop()
  const ran = await storectl(['customer', 'search', '--criteria', '{"ids": []}'], {env: signedInTo(shop.url)})
  expect([ran.exit, shop.received]).toEqual([2, []])
  const error = {code: '0', status: '500', title: 'Internal Server Error'}
  const wrong = {
    ...error,
    detail: 'buildFieldName(): Argument #2 ($field) must be of type string, null given',
  }
  const refused = explain(respond(500, JSON.stringify({errors: [wrong]})))
  expect([refused.code, refused.nextSteps.join()]).toEqual([
    'rejected.by_shop',
    expect.stringContaining('6.5'),
  ])
  const other = explain(respond(500, JSON.stringify({errors: [{...error, detail: 'Deadlock found'}]})))
  expect([other.exitName, other.nextSteps.join()]).toEqual([
    'unavailable',
    expect.not.stringContaining('again in a while'),
  ])
  for (const status of [200, 404, 503]) {
    const {message} = explain(respond(status, '<html><body>Wartung</body></html>', 'text/html'))
    expect(message).toContain('not the API: wrong base path, or maintenance')
  }
  const ranked = await storectl(['customer', 'search', 'ada@example.com', '--ranked'], {
    env: signedInTo(shop.url),
  })
  expect(ranked.stderr).toContain('use --email ADDRESS')
}

async function checkSync() {
  const shop = await endpoint(() => ({body: {}}))
  const home = (await import('../../support/home.js')).temporaryFolder()
  const set = ['profile', 'set', 'live', '--url', shop.url, '--protected']
  await storectl(set, {home})
  const env = {STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'secret'}
  const words = ['api', 'POST', '/api/_action/sync', '--profile', 'live', '--yes']
  const {stderr, exit} = await storectl(words, {home, env})
  expect([exit, stderr]).toEqual([
    7,
    expect.stringContaining('a delete with criteria deletes every matching row of every entity'),
  ])
}

async function checkFreshToken() {
  let refusals = 2
  const expired = {code: '9', status: '401', title: 'Unauthorized', detail: 'Access token is expired'}
  const shop = await tokenShop({
    answer: () => (refusals-- > 0 ? {status: 401, body: {errors: [expired]}} : {body: {version: '6.5.8.14'}}),
  })
  const clock = new StoppedClock()
  const {exit} = await storectl(['api', 'GET', '/api/_info/version'], {
    env: {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'secret'},
    clock,
  })
  expect([exit, shop.grants().length]).toEqual([0, 3])
}
