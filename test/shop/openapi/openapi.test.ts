import {once} from 'node:events'
import {request as httpRequest} from 'node:http'
import {createConfig, lintFromString} from '@redocly/openapi-core'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {convertToVersion30} from '../../../src/shop/openapi/earlier-version.js'
import {
  CAPTURE_COMPLETED,
  DISPUTE_RESOLVED,
  deriveExampleId,
  EXAMPLE_ORDER,
  EXAMPLE_THINGS,
} from '../../../src/shop/openapi/examples.js'
import {buildOperations} from '../../../src/shop/openapi/openapi.js'
import {convertToTemplatedPath} from '../../../src/shop/openapi/operation.js'
import {createRoutes} from '../../../src/shop/routes/routes.js'
import {runShop, type TestShop} from '../running-shop.js'

// biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
type Json = Record<string, any>
type Place = {path: string; method: string; operation: Json}

let shop: TestShop
let token: string
let text: string
let document: Json

beforeAll(async () => {
  shop = await runShop({faults: createFaultList([])})
  token = await shop.signIn()
  text = await (await read(shop.url)).text()
  document = JSON.parse(text)
})
afterAll(() => shop.stop())

const read = (url: string) =>
  fetch(`${url}/api/_info/openapi3.json`, {headers: {authorization: `Bearer ${token}`}})

/** Each operation with its place, in the order of the document. */
const operations = (): Place[] =>
  Object.entries(document.paths as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => ({path, method, operation})),
  )

test.each([
  ['3.1', () => document],
  ['3.0, which the page reads', () => convertToVersion30(document)],
])('obeys the rules of OpenAPI %s, its examples those of their schemas', async (_version, write) => {
  const source = JSON.stringify(write())
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // It describes a server, and links to nothing.
      'info-license': 'off',
      // It has no other address than the one that was asked.
      'no-server-example.com': 'off',
      // What nobody is refused is said by leaving refusals out.
      'operation-4xx-response': 'off',
      'no-invalid-media-type-examples': {severity: 'error', allowAdditionalProperties: true},
      'operation-singular-tag': 'error',
      'operation-operationId': 'error',
      'tag-description': 'error',
      'parameter-description': 'error',
    },
  })
  const problems = await lintFromString({source, absoluteRef: 'openapi3.json', config})
  const told = problems.map(({ruleId, message, location}) => [ruleId, message, location[0]?.pointer])
  expect(told).toEqual([])
})

test('is about the server at the address that was asked', async () => {
  const {port} = new URL(shop.url)
  const other = (await (await read(`http://localhost:${port}`)).json()) as Json
  expect([document.servers[0].url, other.servers[0].url]).toEqual([shop.url, `http://localhost:${port}`])
  const {tokenUrl} = other.components.securitySchemes.administrator.flows.password
  expect(tokenUrl).toBe(`http://localhost:${port}/api/oauth/token`)
})

test('has the schemas of open-api-schema.json, and needs no token for tokens', async () => {
  const headers = {authorization: `Bearer ${token}`}
  const schemas = await (await fetch(`${shop.url}/api/_info/open-api-schema.json`, {headers})).json()
  expect(document.components.schemas).toMatchObject(schemas as Json)
  expect((schemas as Json).Customer.properties.defaultBillingAddress).toEqual({
    anyOf: [{$ref: '#/components/schemas/CustomerAddress'}, {type: 'null'}],
  })
  expect(document.paths['/api/oauth/token'].post.security).toEqual([])
})

const never = () => Promise.reject(new Error('no tokens here'))

test('describes every route', () => {
  const described = buildOperations(shop.runtime)
  const server = {version: '0.0.0', startedAt: '2026-03-04T05:06:07.089Z'}
  const accessTokens = {issue: never, verify: never}
  const {db, runtime, faults} = shop
  const routes = createRoutes({db, runtime, accessTokens, server, faults})
    .filter(({isApart}) => !isApart)
    .map(({method, path}) => `${method} ${convertToTemplatedPath(path)}`)
  const silent = routes.filter(route => !route.endsWith('/') && !(route in described))
  expect(silent).toEqual([])
})

test('requires of what is created what the shop requires, and nothing of what is changed', async () => {
  const required = ({operation}: Place): string[] =>
    operation.requestBody.content['application/json'].schema.required ?? []
  const those = (verb: RegExp) => operations().filter(({operation}) => verb.test(operation.operationId))
  for (const place of those(/^update/)) expect([place.path, required(place)]).toEqual([place.path, []])
  const needing = those(/^create/).filter(place => required(place).length > 0)
  expect(needing.map(({path}) => path)).toContain('/api/customer')
  const verified = await shop.signInVerified()
  for (const place of needing) {
    const headers = {'content-type': 'application/json', authorization: `Bearer ${verified}`}
    const answer = await fetch(shop.url + place.path, {method: 'POST', headers, body: '{"nothing": 1}'})
    const {errors} = (await answer.json()) as Json
    const missing = errors.map(({source}: Json) => source.pointer.replace('/0/', ''))
    expect([place.path, answer.status, missing.sort()]).toEqual([place.path, 400, required(place).sort()])
  }
})

describe('examples', () => {
  /** A request as the page would send it: the first example of every parameter, and one of the body's. */
  async function send({path, method, operation}: Place, body?: unknown) {
    const parameters = ((operation.parameters ?? []) as Json[]).filter(({required}) => required)
    const url = new URL(shop.url + path)
    for (const {name, in: place, example, examples} of parameters) {
      const value = name === 'sw-token' ? shop.credentials.webhookToken : (example ?? examples.all.value)
      if (place === 'path') url.pathname = decodeURI(url.pathname).replace(`{${name}}`, value)
      else url.searchParams.set(name, value)
    }
    const {clientId, clientSecret} = shop.credentials
    const authorization = operation.security?.some((one: Json) => 'server' in one)
      ? `Basic ${btoa(`${clientId}:${clientSecret}`)}`
      : `Bearer ${operation.security?.some((one: Json) => 'administrator' in one) ? await shop.signInVerified() : token}`
    return fetch(url, {
      method: method.toUpperCase(),
      headers: {'content-type': 'application/json', accept: 'application/json', authorization},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
  }

  /** Things are made before they are used, and taken away at the end, what belongs to others first. */
  function inOrder(): Place[] {
    const stages = [/^create/, /^(?!create|update|remove|clear|delete)/, /^update/, /^(remove|clear|delete)/]
    const signedIn = operations().filter(({path}) => path !== '/api/oauth/token')
    const [made = [], used = [], changed = [], gone = []] = stages.map(stage =>
      signedIn.filter(({operation}) => stage.test(operation.operationId)),
    )
    return [...made, ...used, ...changed, ...gone.reverse()]
  }

  test('of requests are accepted as they stand, one after the other', async () => {
    const shared = {shop, token}
    shop = await runShop({faults: createFaultList([])})
    token = await shop.signIn()
    onTestFinished(async () => {
      await shop.stop()
      shop = shared.shop
      token = shared.token
    })
    const outcomes: unknown[] = []
    const places = inOrder()
    expect(places).toHaveLength(operations().length - 1)
    for (const place of places) {
      const media = place.operation.requestBody?.content['application/json']
      const bodies = media ? Object.values(media.examples as Json).map(({value}) => value) : [undefined]
      for (const body of bodies) {
        const answer = await send(place, body)
        const {status} = answer
        if (status >= 300 || !(status in place.operation.responses))
          outcomes.push([place.method, place.path, status, await answer.text()])
      }
    }
    expect(outcomes).toEqual([])
  })

  test('of the token request work with credentials in place of the dots, as a form and as JSON', async () => {
    const {content} = document.paths['/api/oauth/token'].post.requestBody
    const {clientId, clientSecret, username, password} = shop.credentials
    const real: Json = {client_id: clientId, client_secret: clientSecret, username, password}
    const {examples} = content['application/json']
    for (const name of ['anIntegration', 'aUser']) {
      const fields = Object.entries(examples[name].value as Record<string, string>).map(
        ([key, value]): [string, string] => [key, value.includes('…') ? real[key] : value],
      )
      const json = JSON.stringify(Object.fromEntries(fields))
      for (const [type, body] of [
        ['application/json', json],
        ['application/x-www-form-urlencoded', new URLSearchParams(fields)],
      ] as const) {
        expect(Object.keys(content)).toContain(type)
        const headers = {'content-type': type}
        const answer = await fetch(`${shop.url}/api/oauth/token`, {method: 'POST', headers, body})
        expect([type, name, answer.status]).toEqual([type, name, 200])
      }
    }
  })
})

describe('refusals', () => {
  test('of a caller without a token are those in the document', async () => {
    const wanted = document.components.responses.unauthorized.content['application/json'].examples
    const guarded = operations().filter(({operation}) => !operation.security)
    expect(guarded.length).toBeGreaterThan(100)
    for (const {path, method, operation} of guarded) {
      const found = path
        .replace(/\{(id|associatedId|salesChannelId)\}/g, '0'.repeat(32))
        .replace('{entity}', 'customer')
        .replace('{association}', 'addresses')
      const answer = await fetch(shop.url + found, {method: method.toUpperCase()})
      expect([path, answer.status]).toEqual([path, 401])
      expect(await answer.json()).toEqual(wanted.noToken.value)
      expect(operation.responses[401].$ref).toBe('#/components/responses/unauthorized')
    }
  })

  /** Requests that are refused, by the example that says how. */
  const provoked: Record<string, () => Promise<Response>> = {
    'unauthorized.expiredOrForged': () => asked('GET', '/api/_info/version', undefined, 'e30.e30.AA'),
    'missingPrivilege.missingPrivilege': async () => {
      const key = {accessKey: 'SWIAREFUSALREFUSALREFUSAL1', secretAccessKey: 'a secret of the test'}
      await asked('POST', '/api/integration', {label: 'Nobody', ...key}, await shop.signInVerified())
      const grant = {grant_type: 'client_credentials', client_id: key.accessKey}
      const answer = await shop.askForToken({...grant, client_secret: key.secretAccessKey})
      const {access_token} = (await answer.json()) as {access_token: string}
      return asked('POST', '/api/search/customer', {}, access_token)
    },
    'invalidCriteria.malformedJson': () => shop.post('/api/search/customer', '{'),
    'invalidCriteria.unknownField': () => asked('POST', '/api/search/customer', {sort: 'foo'}),
    'invalidCriteria.limitTooLarge': () => asked('POST', '/api/search/customer', {limit: 501}),
    'invalidGrant.wrongUserNameOrPassword': () => shop.askForToken({...person, password: 'wrong'}),
    'invalidGrant.unsupportedGrant': () => shop.askForToken({}),
    'invalidGrant.missingField': () => shop.askForToken({...person, username: undefined}),
    'unknownClient.wrongIdOrSecret': () => shop.askForToken({...program(), client_secret: 'wrong'}),
    'unknownClient.refreshTokenUsedBefore': async () => {
      const first = await shop.askForToken({...person, password: shop.credentials.password})
      const {refresh_token} = (await first.json()) as {refresh_token: string}
      const refresh = {grant_type: 'refresh_token', client_id: 'administration', refresh_token}
      await shop.askForToken(refresh)
      return shop.askForToken(refresh)
    },
    'throttled.waitSeconds': async () => {
      const attempt = () => shop.askForToken({...person, username: 'nobody', password: 'wrong'})
      for (let attempts = 0; attempts < 10; attempts++) await attempt()
      return attempt()
    },
    'unknownPrefix.unknownPrefix': () => shop.askForToken({...program(), client_id: 'foo'}),
    'invalidOrder.invalidField': () =>
      asked('POST', ORDERS, {...EXAMPLE_ORDER, lines: [{sku: 'SW-1', quantity: 0}]}),
    'referenceConflict.referenceConflict': async () => {
      await asked('POST', ORDERS, EXAMPLE_ORDER)
      return asked('POST', ORDERS, {...EXAMPLE_ORDER, note: 'Another.'})
    },
    'orderTooLarge.tooLarge': () => asked('POST', ORDERS, {...EXAMPLE_ORDER, note: 'x'.repeat(2 ** 20)}),
    'keyReused.keyReused': async () => {
      const key = {'idempotency-key': 'key-1'}
      await asked('POST', ORDERS, {...EXAMPLE_ORDER, reference: 'KEY-1'}, token, key)
      return asked('POST', ORDERS, {...EXAMPLE_ORDER, reference: 'KEY-2'}, token, key)
    },
    'webhookRefused.unknownToken': () => shop.post(WEBHOOK, DISPUTE_RESOLVED),
    'webhookRefused.noPayload': () => shop.post(webhook(), {}),
    'webhookRefused.notApplied': () => shop.post(webhook(), {...CAPTURE_COMPLETED, resource: {id: '1'}}),
    'webhookFailed.noEventType': () => shop.post(webhook(), {id: '1'}),
    'invalidValues.missingField': () => {
      const {email: _, ...rest} = EXAMPLE_THINGS.customer?.made ?? {}
      return asked('POST', '/api/customer', rest)
    },
    'invalidValues.unknownId': async () => {
      await asked('DELETE', CUSTOMER)
      return asked('PATCH', CUSTOMER, {company: 'Engines'})
    },
    'invalidValues.idAlreadyExists': async () => {
      const made = {id: deriveExampleId('customer'), ...EXAMPLE_THINGS.customer?.made}
      await asked('POST', '/api/customer', made)
      return asked('POST', '/api/customer', made)
    },
    'danglingId.unknownGroup': () => {
      const made = {...EXAMPLE_THINGS.customer?.made, groupId: deriveExampleId('nothing')}
      return asked('POST', '/api/customer', {...made, addresses: undefined})
    },
    'unsupportedType.noAccept': () => withoutAccept('/api/search/customer'),
    'notThere.notFound': async () => {
      await asked('DELETE', CUSTOMER)
      return asked('DELETE', CUSTOMER)
    },
    'inUse.inUse': async () => {
      const group = {id: deriveExampleId('customer_group'), name: 'In use'}
      await asked('POST', '/api/customer-group', group)
      await asked('POST', '/api/customer', {...EXAMPLE_THINGS.customer?.made, groupId: group.id})
      return asked('DELETE', `/api/customer-group/${group.id}`)
    },
    'illegalTransition.unknownId': () =>
      asked('POST', `/api/_action/order/${deriveExampleId('order')}/state/process`),
    'unknownSalesChannel.unknownSalesChannel': () =>
      asked('POST', `/api/_action/paypal/webhook/register/${deriveExampleId('nothing')}`),
    'peopleOnly.anIntegration': () => asked('GET', '/api/_info/me'),
    'invalidSetting.notAString': () =>
      asked('POST', '/api/_action/system-config', {'SwagPayPal.settings.brandName': 1}),
    'noSuchFault.unknownFault': () => asServer('DELETE', '/_storectl/faults/9'),
    'invalidRule.notAList': () => asServer('POST', '/_storectl/faults'),
    'administratorsOnly.unknownCaller': () => asked('GET', '/_storectl/faults'),
  }
  const ORDERS = '/api/fulfillment/order'
  const WEBHOOK = '/api/_action/paypal/webhook/execute'
  const CUSTOMER = `/api/customer/${deriveExampleId('customer')}`
  const person = {grant_type: 'password', client_id: 'administration', username: 'admin', password: ''}
  const program = () => ({
    grant_type: 'client_credentials',
    client_id: shop.credentials.clientId,
    client_secret: shop.credentials.clientSecret,
  })
  const webhook = () => `${WEBHOOK}?sw-token=${shop.credentials.webhookToken}`
  const asked = (method: string, path: string, body?: unknown, bearer = token, headers = {}) =>
    fetch(shop.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${bearer}`,
        ...headers,
      },
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
  const asServer = (method: string, path: string) => {
    const {clientId, clientSecret} = shop.credentials
    return asked(method, path, undefined, token, {
      authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    })
  }
  /** `fetch` would always send one. */
  async function withoutAccept(path: string): Promise<Response> {
    const headers = {authorization: `Bearer ${token}`}
    const sent = httpRequest(shop.url + path, {method: 'POST', headers}).end()
    const [answer] = await once(sent, 'response')
    return new Response(Buffer.concat(await answer.toArray()), {status: answer.statusCode})
  }

  test.each(Object.keys(provoked))('are as they stand there: %s', async name => {
    const [response = '', example = ''] = name.split('.')
    const answer = await provoked[name]?.()
    const {value} = document.components.responses[response].content['application/json'].examples[example]
    expect(await answer?.json()).toEqual(value)
    const statuses = operations().flatMap(({operation}) =>
      Object.entries(operation.responses as Json)
        .filter(([, {$ref}]) => $ref === `#/components/responses/${response}`)
        .map(([status]) => Number(status)),
    )
    expect(new Set(statuses)).toEqual(new Set([answer?.status]))
  })

  test('are all tried', () => {
    const stand = Object.entries(document.components.responses as Json).flatMap(([response, {content}]) =>
      Object.keys(content['application/json'].examples).map(example => `${response}.${example}`),
    )
    expect(Object.keys(provoked).sort()).toEqual(stand.filter(name => name !== 'unauthorized.noToken').sort())
  })
})
