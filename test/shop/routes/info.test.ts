import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let token: string

beforeAll(async () => {
  shop = await runShop()
  token = await shop.signIn()
})
afterAll(() => shop.stop())

// biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
type Json = Record<string, any>
const get = async (name: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${shop.url}/api/_info/${name}`, {
    headers: {authorization: `Bearer ${token}`, ...headers},
  })
  return {status: answer.status, type: answer.headers.get('content-type'), body: await answer.text()}
}
const read = async (name: string) => JSON.parse((await get(name)).body) as Json

describe('what the shop says about itself', () => {
  test('wants a token, but for its health', async () => {
    for (const name of ['version', 'config', 'routes', 'entity-schema.json', 'openapi3.json', 'events.json'])
      expect((await fetch(`${shop.url}/api/_info/${name}`)).status, name).toBe(401)
    const health = await fetch(`${shop.url}/api/_info/health-check`)
    expect(health.status).toBe(200)
    expect(await health.text()).toBe('')
  })

  test('is JSON, escaped as all of it', async () => {
    const {status, type, body} = await get('routes')
    expect({status, type}).toEqual({status: 200, type: 'application/json'})
    expect(body).toContain('"path":"\\/api\\/search\\/customer"')
  })

  test('routes are paths with their methods', async () => {
    const {endpoints} = await read('routes')
    expect(endpoints).toContainEqual({path: '/api/oauth/token', methods: ['POST']})
    expect(endpoints).toContainEqual({path: '/api/_info/routes', methods: ['GET']})
    expect(endpoints).toContainEqual({path: '/api/search/customer-address', methods: ['POST']})
    expect(endpoints).toContainEqual({
      path: '/api/_action/paypal/webhook/execute',
      methods: ['POST'],
    })
  })

  test('the entity schema has fields and associations, and nothing hidden', async () => {
    const {customer} = await read('entity-schema.json')
    expect(customer.entity).toBe('customer')
    expect(customer.properties).toMatchObject({
      id: {type: 'uuid', flags: {primary_key: true}},
      firstName: {type: 'string'},
      createdAt: {type: 'date'},
      group: {type: 'association', relation: 'many_to_one', entity: 'customer_group', localField: 'groupId'},
      addresses: {relation: 'one_to_many', entity: 'customer_address', referenceField: 'customerId'},
      tags: {relation: 'many_to_many', entity: 'tag', mapping: 'customer_tag'},
    })
    expect(customer.properties).not.toHaveProperty('password')
  })

  test('schemas are those of the OpenAPI document', async () => {
    const schemas = await read('open-api-schema.json')
    const document = await read('openapi3.json?type=json')
    expect(document.components.schemas).toMatchObject(schemas)
    expect(schemas.Customer.properties.defaultBillingAddress).toEqual({
      anyOf: [{$ref: '#/components/schemas/CustomerAddress'}, {type: 'null'}],
    })
  })

  test('every reference of the OpenAPI document leads somewhere', async () => {
    const document = await read('openapi3.json')
    expect(document.openapi).toMatch(/^3\.1/)
    expect(document.paths['/api/oauth/token'].post.security).toEqual([])
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(50)
    for (const reference of new Set(references)) {
      const path = reference.slice('"$ref":"#/'.length, -1).split('/')
      const there = path.reduce<Json | undefined>((at, name) => at?.[name], document)
      expect(there, reference).toBeDefined()
    }
  })

  test('every placeholder of a path is a parameter', async () => {
    const {paths} = await read('openapi3.json')
    for (const [path, operations] of Object.entries(paths as Json)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const operation of Object.values(operations as Json)) {
        const parameters = ((operation as Json).parameters ?? []) as Json[]
        const inPath = parameters.filter(one => one.in === 'path')
        expect(inPath.map(one => one.name)).toEqual(named)
      }
    }
  })

  test.each(['events.json', 'flow-actions.json', 'queue.json'])('%s is there', async name => {
    expect(await get(name)).toMatchObject({status: 200, type: 'application/json'})
  })
})

describe('sw-expect-packages', () => {
  const expecting = (packages: string) => get('version', {'sw-expect-packages': packages})

  test.each([
    'shopware/core:6.6.7.1',
    'shopware/core:~6.6',
    'shopware/core:~6.6.0',
    'shopware/core:^6.4,swag/paypal:^9.0',
    'shopware/core:>=6.5 <6.7',
    'shopware/core: >= 6.5',
    'shopware/core:6.6.*',
    'shopware/core:~6.4.0 || ~6.6.0',
    'shopware/core:*',
    'shopware/core:!=6.5',
  ])('%s is met', async packages => {
    expect((await expecting(packages)).status).toBe(200)
  })

  test.each([
    'shopware/core:~6.5.0',
    'shopware/core:^7.0',
    'shopware/core:6.5.*',
    'shopware/core:<6.6',
    'shopware/core:>6.6.7.1',
    'shopware/core:~6.6,foo/bar:^1.0',
  ])('%s is not met', async packages => {
    const {status, body} = await expecting(packages)
    expect(status).toBe(417)
    expect(JSON.parse(body).errors).toMatchObject([
      {status: '417', code: 'FRAMEWORK__API_EXPECTATION_FAILED', title: 'Expectation Failed'},
    ])
  })

  test('comes after the token and before Accept', async () => {
    const packages = {'sw-expect-packages': 'foo/bar:1'}
    expect((await shop.post('/api/search/customer', {}, packages)).status).toBe(401)
    const headers = {...packages, authorization: `Bearer ${token}`, accept: 'text/html'}
    expect((await shop.post('/api/search/customer', {}, headers)).status).toBe(417)
  })

  test('that cannot be read is a failure of the shop', async () => {
    expect((await expecting('shopware/core:foo')).status).toBe(500)
  })
})
