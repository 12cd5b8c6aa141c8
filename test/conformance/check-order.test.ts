import {describe, expect} from 'vitest'
import type {Call, Reply} from './call.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const UNKNOWN = '/api/search/foo'
const JSON_TYPE = {'Content-Type': 'application/json'}
const MALFORMED = {headers: JSON_TYPE, body: '{"limit":'}
const NOBODY = 'ffffffffffffffffffffffffffffffff'
const BAD = {
  token: {Authorization: 'Bearer a.b.c'},
  language: {'sw-language-id': NOBODY},
  currency: {'sw-currency-id': 'x'},
  packages: {'sw-expect-packages': 'nobody/nothing:^1.0'},
  accept: {Accept: 'text/html'},
  filter: {filter: [{type: 'foo', field: 'id', value: 'x'}]},
  field: {filter: [{type: 'equals', field: 'foo', value: 'x'}]},
}

/** What a check's refusal is told by: its status, and of an error the code and how the detail begins. */
const REFUSALS = {
  malformed: [400, '0', 'The JSON payload is malformed.'],
  notFound: [404, '0', 'No route found for "'],
  notAllowed: [405, '0', 'No route found for "'],
  token: [401, '9', ''],
  language: [
    412,
    'FRAMEWORK__LANGUAGE_NOT_FOUND',
    byVersion('Could not find language with id "', {'6.5': 'The language "'}),
  ],
  currency: [400, 'FRAMEWORK__INVALID_UUID', ''],
  packages: [417, 'FRAMEWORK__API_EXPECTATION_FAILED', ''],
  accept: [415, '0', 'All provided media types are unsupported. (text/html)'],
  filter: [400, 'FRAMEWORK__INVALID_FILTER_QUERY', 'Unsupported filter type: foo'],
  privilege: [403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', '{"message":"Missing privilege"'],
  field: [400, 'FRAMEWORK__UNMAPPED_FIELD', 'Field "foo" in entity "customer" was not found.'],
} as const

function expectRefusal(reply: Reply, name: keyof typeof REFUSALS) {
  const [status, code, detail] = REFUSALS[name]
  const {errors} = reply.json()
  expect([reply.status, errors.length, errors[0].code]).toEqual([status, 1, code])
  expect(errors[0].detail.slice(0, detail.length)).toBe(detail)
}

describe('§1.1 stage 1: a preflight', () => {
  row.each<[call: Call]>(
    [
      ['to a route', {path: '/api/search/customer'}],
      ['to nowhere', {path: '/nowhere'}],
      ['with a malformed body', {path: '/api/search/customer', ...MALFORMED}],
      ['with a bad token', {path: '/api/_info/version', headers: BAD.token}],
      ['with a language that is not there', {path: '/api/search/customer', headers: BAD.language}],
    ].map(([title, call]) => [title as string, call as Call] as const),
    async (shop, call) => {
      const reply = await shop.call({...call, method: 'OPTIONS'})
      expect([reply.status, reply.text]).toEqual([200, ''])
      expect(reply.headers['access-control-allow-origin']).toBe('*')
      expect(reply.headers['access-control-allow-methods']).toBe('GET,POST,PUT,PATCH,DELETE')
    },
  )
})

describe('§1.1 stages 2 and 3, and trap 10: a malformed body beats', () => {
  row.each<[call: Call]>(
    [
      ['404', {path: UNKNOWN, ...MALFORMED}],
      ['405', {path: '/api/search/customer', method: 'PUT', ...MALFORMED}],
      ['401', {path: '/api/search/customer', ...MALFORMED}],
      ['412', {path: '/api/search/customer', body: '{', headers: {...JSON_TYPE, ...BAD.language}}],
      ['a bad grant', {path: '/api/oauth/token', ...MALFORMED}],
    ].map(([title, call]) => [title as string, call as Call] as const),
    async (shop, call) => expectRefusal(await shop.call(call), 'malformed'),
  )

  row('the check of the webhook’s token', async shop => {
    const path = `/api/_action/${shop.provider}/webhook/execute?${shop.tokenPrefix}-token=wrong`
    expectRefusal(await shop.call({path, ...MALFORMED}), 'malformed')
  })
})

describe('§1.1 stage 3: answered without a token', () => {
  row('404', async shop => expectRefusal(await shop.call({path: UNKNOWN, method: 'POST'}), 'notFound'))
  row('405', async shop =>
    expectRefusal(await shop.call({path: '/api/search/customer', method: 'GET'}), 'notAllowed'),
  )
  row('404, whatever the language', async shop =>
    expectRefusal(await shop.call({path: UNKNOWN, method: 'POST', headers: BAD.language}), 'notFound'),
  )
  row('404, whatever the token', async shop =>
    expectRefusal(await shop.call({path: UNKNOWN, method: 'POST', headers: BAD.token}), 'notFound'),
  )
})

type Pair = [title: string, headers: Record<string, string>, criteria: object, winner: keyof typeof REFUSALS]

/** Two that fail at once: the first of the title is the one that is heard of. */
const PAIRS: readonly Pair[] = [
  ['4 before 5: token, language', {...BAD.token, ...BAD.language}, {}, 'token'],
  ['4 before 7: token, packages', {...BAD.token, ...BAD.packages}, {}, 'token'],
  ['4 before 8: token, accept', {...BAD.token, ...BAD.accept}, {}, 'token'],
  ['4 before 9: token, filter', BAD.token, BAD.filter, 'token'],
  ['5 before 7: language, packages', {...BAD.language, ...BAD.packages}, {}, 'language'],
  ['5 before 7: currency, packages', {...BAD.currency, ...BAD.packages}, {}, 'currency'],
  ['5 before 8: language, accept', {...BAD.language, ...BAD.accept}, {}, 'language'],
  ['5 before 8: currency, accept', {...BAD.currency, ...BAD.accept}, {}, 'currency'],
  ['5 before 9: language, filter', BAD.language, BAD.filter, 'language'],
  ['7 before 8: packages, accept', {...BAD.packages, ...BAD.accept}, {}, 'packages'],
  ['7 before 9: packages, filter', BAD.packages, BAD.filter, 'packages'],
  ['8 before 9: accept, filter', BAD.accept, BAD.filter, 'accept'],
]

describe('§1.1 stages 4 to 9', () => {
  row.each<[Pair[1], object, keyof typeof REFUSALS]>(PAIRS, async (shop, headers, criteria, winner) => {
    const reply = await shop.search('customer', criteria, headers)
    expectRefusal(reply, winner)
  })
})

describe('§1.1 stage 9, with a token that may not read customers', () => {
  const search = async (shop: Target, criteria: object, headers = {}) => {
    const token = await (await shop.make.program([])).token()
    return shop.search('customer', criteria, {Authorization: `Bearer ${token}`, ...headers})
  }
  row('5 before 9: language, privilege', async shop =>
    expectRefusal(await search(shop, {}, BAD.language), 'language'),
  )
  row('7 before 9: packages, privilege of the criteria', async shop =>
    expectRefusal(await search(shop, {}, BAD.packages), 'packages'),
  )
  row('8 before 9: accept, privilege', async shop =>
    expectRefusal(await search(shop, {}, BAD.accept), 'accept'),
  )
  row('a bad filter (400) before a missing privilege (403)', async shop =>
    expectRefusal(await search(shop, BAD.filter), 'filter'),
  )
  row('a missing privilege (403) before an unknown field (400)', async shop =>
    expectRefusal(await search(shop, BAD.field), 'privilege'),
  )
  row('an unknown field (400), where there is the privilege', async shop =>
    expectRefusal(await shop.search('customer', BAD.field), 'field'),
  )
})

describe('§1.1 stages 4 to 7 of routes that ask for a privilege themselves', () => {
  const wrong = {...BAD.packages, ...BAD.accept}
  type Route = [method: string, path: (shop: Target) => string]
  const holds = async (shop: Target, method: string, path: (shop: Target) => string) => {
    const ask = (headers: object) =>
      shop.send(method, path(shop), undefined, headers as Record<string, string>)
    const nobody = {Authorization: `Bearer ${await (await shop.make.program([])).token()}`}
    expectRefusal(await ask({...wrong, ...BAD.language, ...BAD.token}), 'token')
    expectRefusal(await ask({...wrong, ...BAD.language, ...nobody}), 'language')
    expectRefusal(await ask({...wrong, ...nobody}), 'privilege')
    expectRefusal(await ask(wrong), 'packages')
  }
  row.each<Route>([['GET access-key', 'GET', () => '/api/_action/access-key/intergration']], holds)
  const webhook = (verb: string) => (shop: Target) => `/api/_action/${shop.provider}/webhook/${verb}/null`
  row.bundledOnly.each<Route>(
    [
      ['GET webhook/status', 'GET', webhook('status')],
      ['POST webhook/register', 'POST', webhook('register')],
      ['DELETE webhook/deregister', 'DELETE', webhook('deregister')],
      ['POST fulfillment/order', 'POST', () => '/api/fulfillment/order'],
    ],
    holds,
  )
})

describe('§1.1 stages 7 to 9 of one who may do nothing', () => {
  row.each<[method: string, path: string, status: number]>(
    [
      ['a search', 'POST', '/api/search/customer', 403],
      ['a new thing', 'POST', '/api/customer', 400],
      ['a removal', 'DELETE', `/api/customer/${NOBODY}`, 404],
      ['a transition', 'POST', `/api/_action/state-machine/order/${NOBODY}/state/process`, 403],
    ],
    async (shop, method, path, status) => {
      const nobody = {Authorization: `Bearer ${await (await shop.make.program([])).token()}`}
      const ask = (headers: object) => shop.send(method, path, undefined, {...nobody, ...headers})
      expectRefusal(await ask({...BAD.packages, ...BAD.accept}), 'packages')
      expectRefusal(await ask(BAD.accept), 'accept')
      expect((await ask({})).status).toBe(status)
    },
  )
})
