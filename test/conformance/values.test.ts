import {describe, expect} from 'vitest'
import {bearer} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion, EDITION} from './versions.js'

const row = conformance()

const SYSTEM_LANGUAGE = '2fbb5fe2e29a4d70aa5854ce7ce3e20b'
const SYSTEM_CURRENCY = 'b7d2554b0ce847cd82f3ac9bd1c0dfca'
const MOMENT = '2024-10-24T21:30:46.123+00:00'

const find = async (shop: Target, id: string) => (await shop.search('customer', {ids: [id]})).json().data[0]

describe('§1.6 ids', () => {
  row.each<[entity: string, id: string]>(
    [
      ['the system language', 'language', SYSTEM_LANGUAGE],
      ['the system currency', 'currency', SYSTEM_CURRENCY],
    ],
    async (shop, entity, id) => {
      const reply = await shop.search(entity, {ids: [id]})
      expect(reply.json().data.map((one: {id: string}) => one.id)).toEqual([id])
    },
  )
})

describe('§1.6 dates', () => {
  row.each<[sent: string]>(
    [
      ['UTC', MOMENT],
      ['with Z', '2024-10-24T21:30:46.123Z'],
      ['with another offset', '2024-10-24T23:30:46.123+02:00'],
    ],
    async (shop, sent) => {
      const {id} = await shop.make.customer({firstLogin: sent})
      expect((await find(shop, id)).firstLogin).toBe(MOMENT)
    },
  )

  row.each<[parameters: object, found: boolean]>(
    [
      ['a day, before', {gte: '2024-10-24'}, true],
      ['a day, after', {gte: '2024-10-25'}, false],
      ['as stored, equal', {gte: '2024-10-24 21:30:46.123'}, true],
      ['as stored, later', {gt: '2024-10-24 21:30:46.123'}, false],
      ['ISO, equal', {lte: '2024-10-24T21:30:46.123'}, true],
      ['ISO, earlier', {lt: '2024-10-24T21:30:46.123'}, false],
      ['ISO with offset, equal', {gte: MOMENT, lte: MOMENT}, true],
    ],
    async (shop, parameters, found) => {
      const {id} = await shop.make.customer({firstLogin: MOMENT})
      const filter = [
        {type: 'equals', field: 'id', value: id},
        {type: 'range', field: 'firstLogin', parameters},
      ]
      expect((await shop.search('customer', {filter})).json().total).toBe(found ? 1 : 0)
    },
  )
})

describe('§1.7', () => {
  const get = (shop: Target, name: string) => shop.send('GET', `/api/${name}`)

  row.each<[path: string]>(
    [
      ['the version', '_info/version'],
      ['its alias', 'v1/_info/version'],
    ],
    async (shop, path) => {
      const reply = await get(shop, path)
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
      expect(reply.text).toMatch(
        shop.isBundled ? `{"version":"${EDITION.version}"}` : /^\{"version":"[\w.-]+"\}$/,
      )
    },
  )

  row('the configuration', async shop => {
    const {adminWorker, bundles: _, settings, ...rest} = (await get(shop, '_info/config')).json()
    expect(rest).toEqual({
      version: expect.any(String),
      versionRevision: expect.any(String),
      ...byVersion(
        {},
        {
          '6.7': {appUrl: expect.anything(), shopId: expect.anything(), inAppPurchases: expect.anything()},
        },
      ),
    })
    expect(adminWorker).toEqual({
      enableAdminWorker: expect.any(Boolean),
      enableQueueStatsWorker: expect.any(Boolean),
      enableNotificationWorker: expect.any(Boolean),
      transports: expect.any(Array),
    })
    expect(settings).toEqual({
      enableUrlFeature: expect.any(Boolean),
      appUrlReachable: expect.any(Boolean),
      appsRequireAppUrl: expect.any(Boolean),
      private_allowed_extensions: expect.any(Array),
      enableHtmlSanitizer: expect.any(Boolean),
      ...byVersion(
        {enableStagingMode: expect.any(Boolean), disableExtensionManagement: expect.any(Boolean)},
        {'6.5': {}},
      ),
    })
  })

  row.setUp('an administration that is built')('the bundles', async shop => {
    const {bundles} = (await get(shop, '_info/config')).json()
    // A list where there are none would be PHP's; its Go client asks for an object.
    expect(Array.isArray(bundles)).toBe(false)
    for (const bundle of Object.values(bundles)) expect(bundle).toHaveProperty('type')
  })

  row.on('6.6', '6.7')('the routes', async shop => {
    const {endpoints, ...rest} = (await get(shop, '_info/routes')).json()
    expect(rest).toEqual({})
    for (const endpoint of endpoints)
      expect(endpoint).toEqual({path: expect.stringMatching(/^\//), methods: expect.any(Array)})
    const search = endpoints.find((one: {path: string}) => one.path.startsWith('/api/search/customer'))
    expect(search.methods).toEqual(['POST'])
  })

  row.on('6.6', '6.7')('the routes: paths with their methods, escaped as all JSON', async shop => {
    const {text} = await get(shop, '_info/routes')
    expect(text).toContain('"path":"\\/api\\/search\\/customer')
    const {endpoints} = JSON.parse(text)
    for (const [path, method] of [
      ['/api/oauth/token', 'POST'],
      ['/api/_info/routes', 'GET'],
      [`/api/_action/${shop.provider}/webhook/execute`, 'POST'],
    ])
      expect(endpoints).toContainEqual({path, methods: [method]})
  })

  row.each<[query: string]>(
    [
      ['OpenAPI for JSON:API', '?type=jsonapi'],
      ['OpenAPI for JSON', '?type=json'],
    ],
    async (shop, query) => {
      const reply = await get(shop, `_info/openapi3.json${query}`)
      expect(reply.status).toBe(200)
      expect(reply.json()).toMatchObject({openapi: expect.stringMatching(/^3\./), paths: expect.any(Object)})
    },
  )

  const SCHEMAS = [
    'open-api-schema.json',
    'entity-schema.json',
    'events.json',
    'flow-actions.json',
    'queue.json',
  ]
  row.each<[name: string]>(
    SCHEMAS.map(name => [name, name]),
    async (shop, name) => {
      const reply = await get(shop, `_info/${name}`)
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
      expect(reply.json()).toEqual(expect.any(Object))
    },
  )

  row('the schema knows what customers of the version have', async shop => {
    const {customer} = (await get(shop, '_info/entity-schema.json')).json()
    const names = Object.keys(customer.properties)
    expect(names.includes('defaultPaymentMethodId')).toBe(EDITION.hasDefaultPayment)
  })

  row('the schema has fields and associations, and nothing hidden', async shop => {
    const {customer} = (await get(shop, '_info/entity-schema.json')).json()
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

  row.on('6.6')('the schema says what is required', async shop => {
    const {customer} = (await get(shop, '_info/entity-schema.json')).json()
    const fields = Object.values(customer.properties) as {flags?: {required?: boolean}}[]
    expect(fields.filter(({flags}) => flags?.required)).toHaveLength(13)
  })

  row('who one is, for a person: a program is refused', async shop => {
    const person = await shop.make.person([])
    const headers = bearer(await person.token())
    const me = await shop.send('GET', '/api/_info/me', undefined, headers)
    expect([me.status, me.json().data]).toMatchObject([
      200,
      {id: person.id, username: person.username, admin: false, apiAlias: 'user'},
    ])
    const ping = await shop.send('GET', '/api/_info/ping', undefined, headers)
    expect([ping.status, ping.text]).toEqual([204, ''])
    const {status, text} = await get(shop, '_info/me')
    const code = byVersion('FRAMEWORK__EXPECTED_USER', {'6.7': 'FRAMEWORK__API_EXPECTED_USER'})
    expect([status, JSON.parse(text).errors[0].code]).toEqual([403, code])
  })

  const CLOSED = ['version', 'config', ...byVersion(['routes'], {'6.5': []}), ...SCHEMAS]
  row.each<[name: string]>(
    CLOSED.map(name => [`${name} needs a bearer`, name]),
    async (shop, name) => {
      const reply = await shop.call({path: `/api/_info/${name}`})
      expect([reply.status, reply.json().errors[0].code]).toEqual([401, '9'])
    },
  )
  // `auth_required` of the browser for the interface may be false, and is a matter of each shop's settings.
  row.bundledOnly('openapi3.json needs a bearer', async shop => {
    const reply = await shop.call({path: '/api/_info/openapi3.json'})
    expect([reply.status, reply.json().errors[0].code]).toEqual([401, '9'])
  })

  row('the health check needs none, and is empty', async shop => {
    const reply = await shop.call({path: '/api/_info/health-check'})
    expect([reply.status, reply.text]).toEqual([200, ''])
  })

  row.on('6.6', '6.7')('at most 500 rows a page', async shop => {
    expect((await shop.search('tag', {limit: 500})).status).toBe(200)
    const reply = await shop.search('tag', {limit: 501})
    expect([reply.status, reply.json().errors[0].code]).toEqual([400, 'FRAMEWORK__QUERY_LIMIT_EXCEEDED'])
  })
})
