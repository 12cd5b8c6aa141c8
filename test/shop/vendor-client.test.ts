import {ApiClientError, createAdminAPIClient} from '@shopware/api-client'
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest'
import {deriveExampleId, EXAMPLE_THINGS} from '../../src/shop/openapi/examples.js'
import {addTo, idOf, person} from './people.js'
import {runShop, type TestShop} from './running-shop.js'

/** Longer than an access token lasts. */
const ELEVEN_MINUTES_S = 660

/** What the client has for the time. */
const CLIENT_TIME = Date.parse('2026-11-21T12:00:00Z')

let shop: TestShop
beforeAll(async () => {
  vi.useFakeTimers({toFake: ['Date'], now: CLIENT_TIME})
  shop = await runShop()
  const people = Array.from({length: 12}, (_, index) =>
    person(index + 1, {lastName: index < 7 ? 'Byron' : 'Lovelace', company: `Firm ${index + 1}`}),
  )
  await addTo(shop, 'customer', people)
})
afterAll(async () => {
  vi.useRealTimers()
  await shop.stop()
})

type Client = ReturnType<typeof createAdminAPIClient>
type Session = ReturnType<Client['getSessionData']>

const baseURL = () => `${shop.url}/api`
const asIntegration = (secret = shop.credentials.clientSecret) =>
  createAdminAPIClient({
    baseURL: baseURL(),
    credentials: {
      grant_type: 'client_credentials',
      client_id: shop.credentials.clientId,
      client_secret: secret,
    },
  })
const asPerson = (password = shop.credentials.password, scope: 'write' | 'user-verified' = 'write') =>
  createAdminAPIClient({
    baseURL: baseURL(),
    credentials: {
      grant_type: 'password',
      client_id: 'administration',
      scope,
      username: shop.credentials.username,
      password,
    },
  })

/** By the name that the client knows it under, which holds method and path. */
const call = (client: Client, operation: string, parameters: object) =>
  client.invoke(operation as never, parameters as never) as Promise<{status: number; data: unknown}>
const search = (client: Client, body: object) => call(client, 'searchCustomer post /search/customer', {body})
const numbers = ({data}: Awaited<ReturnType<typeof search>>) =>
  (data as {data: {customerNumber: string}[]}).data.map(({customerNumber}) => customerNumber)
const totalOf = ({data}: Awaited<ReturnType<typeof search>>) => (data as {total: number}).total

/** What the client makes of a refusal. */
async function refusal(call: Promise<unknown>): Promise<ApiClientError<{errors: {code: string}[]}>> {
  const failure = await call.then(
    () => new Error('it was not refused'),
    error => error,
  )
  expect(failure).toBeInstanceOf(ApiClientError)
  return failure
}

describe('signing in', () => {
  test('as an integration gives a token for ten minutes, and the next one by itself', async () => {
    const client = asIntegration()
    const sessions: Session[] = []
    client.hook('onAuthChange', session => void sessions.push(session))
    expect(numbers(await search(client, {limit: 1}))).toEqual(['10001'])
    const [first] = sessions
    expect(first).toMatchObject({accessToken: expect.stringMatching(/^ey/), refreshToken: ''})
    expect(first?.expirationTime).toBe(CLIENT_TIME + 600_000)
    shop.clock.pass(ELEVEN_MINUTES_S)
    expect((await refusal(search(client, {limit: 1}))).status).toBe(401)
    client.setSessionData({...(first as Session), expirationTime: 0})
    expect(numbers(await search(client, {limit: 1}))).toEqual(['10001'])
    expect(sessions).toHaveLength(2)
    expect(sessions[1]?.accessToken).not.toBe(first?.accessToken)
  })

  test('as a person goes on by refresh tokens, each of which works once', async () => {
    const client = asPerson()
    await search(client, {limit: 1})
    const first = client.getSessionData()
    expect(first.refreshToken).toMatch(/^def50200[0-9a-f]+$/)
    shop.clock.pass(ELEVEN_MINUTES_S)
    client.setSessionData({...first, expirationTime: 0})
    expect(numbers(await search(client, {limit: 1}))).toEqual(['10001'])
    const second = client.getSessionData()
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    client.setSessionData({...first, expirationTime: 0})
    const {status, details} = await refusal(search(client, {limit: 1}))
    expect([status, details.errors]).toEqual([
      401,
      [
        {
          code: '8',
          status: '401',
          title: 'The refresh token is invalid.',
          detail: 'Token has been revoked',
        },
      ],
    ])
  })

  test('with what was kept of an earlier session needs no password', async () => {
    const earlier = asPerson()
    await search(earlier, {limit: 1})
    shop.clock.pass(ELEVEN_MINUTES_S)
    const sessionData = {...earlier.getSessionData(), expirationTime: 0}
    const client = createAdminAPIClient({baseURL: baseURL(), sessionData})
    expect(numbers(await search(client, {limit: 1}))).toEqual(['10001'])
  })

  test.each([
    ['a wrong secret', () => asIntegration('wrong'), 401, 'Client authentication failed'],
    ['a wrong password', () => asPerson('wrong'), 400, 'The user credentials were incorrect.'],
  ])('with %s is refused', async (_, client, status, title) => {
    const failure = await refusal(search(client(), {limit: 1}))
    expect([failure.status, failure.message]).toEqual([status, expect.stringContaining(`[${title}]`)])
  })
})

describe('searching', () => {
  test('filters, sorts and shows what was asked for', async () => {
    const found = await search(asIntegration(), {
      filter: [{type: 'equals', field: 'lastName', value: 'byron'}],
      sort: [{field: 'customerNumber', order: 'DESC'}],
      includes: {customer: ['id', 'customerNumber']},
      limit: 2,
    })
    expect(found.data).toMatchObject({
      data: [
        {id: idOf(7), customerNumber: '10007', apiAlias: 'customer'},
        {id: idOf(6), customerNumber: '10006', apiAlias: 'customer'},
      ],
    })
  })

  test('goes through pages, each customer once', async () => {
    const client = asIntegration()
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const found = await search(client, {limit: 5, page, sort: [{field: 'autoIncrement'}]})
      if (numbers(found).length === 0) break
      seen.push(...numbers(found))
    }
    expect(seen).toEqual(Array.from({length: 12}, (_, index) => String(10_001 + index)))
  })

  test('counts as it is told to', async () => {
    const client = asIntegration()
    const count = async (mode: number) => totalOf(await search(client, {limit: 3, 'total-count-mode': mode}))
    expect([await count(0), await count(1), await count(2)]).toEqual([3, 12, 12])
  })

  test('loads associations, and aggregates', async () => {
    const {data} = await search(asIntegration(), {
      ids: [idOf(1)],
      associations: {group: {}},
      aggregations: [{name: 'names', type: 'terms', field: 'lastName'}],
    })
    expect(data).toMatchObject({
      data: [{group: {name: 'Standard customer group'}}],
      aggregations: {names: {buckets: [{key: 'Byron', count: 1}]}},
    })
  })

  test('finds orders with their payments', async () => {
    const client = asIntegration()
    const made = {id: deriveExampleId('order'), ...EXAMPLE_THINGS.order?.made}
    const created = await call(client, 'createOrder post /order', {body: made})
    expect(created.status).toBe(204)
    const {data} = await call(client, 'searchOrder post /search/order', {
      body: {
        filter: [{type: 'equals', field: 'orderNumber', value: 'EXAMPLE-1'}],
        associations: {transactions: {associations: {stateMachineState: {}}}},
        'total-count-mode': 1,
      },
    })
    expect(data).toMatchObject({
      total: 1,
      data: [
        {
          orderNumber: 'EXAMPLE-1',
          transactions: [{stateMachineState: {technicalName: 'open'}, apiAlias: 'order_transaction'}],
        },
      ],
    })
  })
})

test('writing makes, changes and takes away', async () => {
  const client = asIntegration()
  const id = deriveExampleId('customer')
  const statuses = [
    await call(client, 'createCustomer post /customer', {
      body: {id, ...EXAMPLE_THINGS.customer?.made},
    }),
    await call(client, 'updateCustomer patch /customer/{id}', {
      pathParams: {id},
      body: {company: 'Engines'},
    }),
  ].map(({status}) => status)
  const {data} = await search(client, {ids: [id]})
  expect([statuses, data]).toMatchObject([[204, 204], {data: [{company: 'Engines'}]}])
  const gone = await call(client, 'deleteCustomer delete /customer/{id}', {pathParams: {id}})
  expect([gone.status, numbers(await search(client, {ids: [id]}))]).toEqual([204, []])
})

describe('refusals are read', () => {
  test('of criteria, with the place of the mistake', async () => {
    const failure = await refusal(search(asIntegration(), {limit: 501, filter: [{type: 'odd', field: 'a'}]}))
    expect([failure.status, failure.details.errors.map(({code}) => code)]).toEqual([
      400,
      ['FRAMEWORK__QUERY_LIMIT_EXCEEDED', 'FRAMEWORK__INVALID_FILTER_QUERY'],
    ])
    expect(failure.message).toContain('[Bad Request][/limit] The limit must be lower than or equal to')
  })

  test('of an unknown field', async () => {
    const sort = [{field: 'nothing'}]
    expect(await refusal(search(asIntegration(), {sort}))).toMatchObject({
      status: 400,
      details: {
        errors: [
          {code: 'FRAMEWORK__UNMAPPED_FIELD', meta: {parameters: {field: 'nothing', entity: 'customer'}}},
        ],
      },
    })
  })

  test('of a caller without a valid token', async () => {
    const sessionData = {accessToken: 'a.b.c', refreshToken: '', expirationTime: CLIENT_TIME + 60_000}
    const client = createAdminAPIClient({baseURL: baseURL(), sessionData})
    expect(await refusal(search(client, {}))).toMatchObject({
      status: 401,
      statusText: 'Unauthorized',
      details: {errors: [{code: '9'}]},
    })
  })

  test('of a caller without the privilege', async () => {
    const key = {accessKey: 'SWIAVENDORVENDORVENDORVEN1', secretAccessKey: 'a secret of the test'}
    await call(asPerson(undefined, 'user-verified'), 'createIntegration post /integration', {
      body: {id: deriveExampleId('integration'), label: 'Nobody', ...key},
    })
    const client = createAdminAPIClient({
      baseURL: baseURL(),
      credentials: {
        grant_type: 'client_credentials',
        client_id: key.accessKey,
        client_secret: key.secretAccessKey,
      },
    })
    const failure = await refusal(search(client, {}))
    expect([failure.status, failure.details.errors[0]]).toMatchObject([
      403,
      {
        code: 'FRAMEWORK__MISSING_PRIVILEGE_ERROR',
        detail: '{"message":"Missing privilege","missingPrivileges":["customer:read"]}',
      },
    ])
  })

  test('of a path that there is not, and of a thing that is gone', async () => {
    const client = asIntegration()
    const nowhere = await refusal(call(client, 'searchNothing post /search/nothing', {}))
    expect(nowhere).toMatchObject({status: 404, statusText: 'Not Found', url: `${baseURL()}/search/nothing`})
    expect(nowhere.message).toContain(`No route found for "POST ${baseURL()}/search/nothing"`)
    const gone = call(client, 'deleteTag delete /tag/{id}', {pathParams: {id: idOf(99)}})
    expect(await refusal(gone)).toMatchObject({
      status: 404,
      details: {errors: [{code: 'FRAMEWORK__RESOURCE_NOT_FOUND'}]},
    })
  })
})
