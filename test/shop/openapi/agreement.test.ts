import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {DISPUTE_RESOLVED, EXAMPLE_ORDER, EXAMPLE_THINGS} from '../../../src/shop/openapi/examples.js'
import {sized} from '../../support/sized.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let token: string
let ajv: Ajv2020

beforeAll(async () => {
  shop = await runShop({faults: createFaultList([])})
  token = await shop.signIn()
  const answer = await fetch(`${shop.url}/api/_info/openapi3.json`, {
    headers: {authorization: `Bearer ${token}`},
  })
  ajv = new Ajv2020({strict: false})
  addFormats.default(ajv)
  ajv.addSchema((await answer.json()) as object, 'document')
})
afterAll(() => shop.stop())

type Body = Record<string, unknown>

/** An operation that is tried: a body that both take, and what an answer says of whether the body was understood. */
interface Tried {
  readonly path: string
  readonly good: () => Body
  readonly members: readonly string[]
  send(body: unknown): Promise<Response>
  isTaken(status: number, detail: string): boolean | undefined
}

const post = (path: string) => (body: unknown) => shop.post(path, body, {authorization: `Bearer ${token}`})

const TRIED: Readonly<Record<string, Tried>> = {
  token: {
    path: '/api/oauth/token',
    good: () => ({
      grant_type: 'client_credentials',
      client_id: shop.credentials.clientId,
      client_secret: shop.credentials.clientSecret,
      scope: 'write',
    }),
    members: ['grant_type', 'client_id', 'client_secret', 'scope', 'username'],
    send: body => {
      shop.clock.pass(61)
      return shop.post('/api/oauth/token', body)
    },
    // Who is not known is told nothing else.
    isTaken: status => (status === 401 ? undefined : status === 200),
  },
  webhook: {
    path: '/api/_action/paypal/webhook/execute',
    good: () => structuredClone(DISPUTE_RESOLVED),
    members: [...Object.keys(DISPUTE_RESOLVED), 'resource_version', 'links'],
    send: body =>
      shop.post(`/api/_action/paypal/webhook/execute?sw-token=${shop.credentials.webhookToken}`, body),
    isTaken: (status, detail) => status === 200 || detail === 'An error occurred during execution of webhook',
  },
  order: {
    path: '/api/fulfillment/order',
    good: () => structuredClone(EXAMPLE_ORDER) as Body,
    members: [
      ...Object.keys(EXAMPLE_ORDER),
      'orderDate',
      'shipNotBefore',
      'hold',
      'fillPolicy',
      'customFields',
      'lines.0.sku',
      'lines.0.quantity',
      'lines.0.reference',
      'lines.0.unitPrice.amount',
      'shipTo.country',
      'shipTo.postalCode',
      'shipTo.name',
    ],
    send: body => post('/api/fulfillment/order')(body),
    isTaken: status => status === 200 || status === 409,
  },
  search: {
    path: '/api/search/customer',
    good: () => ({
      limit: 1,
      filter: [{type: 'equals', field: 'active', value: true}],
      sort: [{field: 'createdAt', order: 'DESC'}],
      aggregations: [{name: 'groups', type: 'terms', field: 'group.name'}],
      query: [{query: {type: 'contains', field: 'lastName', value: 'a'}, score: 5}],
    }),
    members: [
      ...[
        'ids',
        'limit',
        'page',
        'term',
        'filter',
        'post-filter',
        'query',
        'sort',
        'total-count-mode',
        'associations',
        'includes',
        'fields',
        'grouping',
        'aggregations',
      ],
      ...[
        'filter.0.type',
        'filter.0.field',
        'filter.0.value',
        'filter.0.queries',
        'sort.0.field',
        'sort.0.order',
        'sort.0.naturalSorting',
        'sort.0.type',
      ],
      ...[
        'aggregations.0.name',
        'aggregations.0.type',
        'aggregations.0.field',
        'aggregations.0.limit',
        'query.0.query',
        'query.0.score',
        'query.0.scoreField',
      ],
    ],
    send: body => post('/api/search/customer')(body),
    isTaken: status => status === 200,
  },
  customer: {
    path: '/api/customer',
    good: () => structuredClone(EXAMPLE_THINGS.customer?.made) as Body,
    members: [
      'firstName',
      'email',
      'groupId',
      'birthday',
      'active',
      'customFields',
      'title',
      'orderCount',
      'affiliateCode',
      'vatIds',
    ],
    send: body => post('/api/customer')(body),
    isTaken: (status, detail) =>
      status === 204 || /a foreign key constraint fails|Expected command/.test(detail),
  },
  sync: {
    path: '/api/_action/sync',
    good: () => ({tags: {entity: 'tag', action: 'upsert', payload: [{name: 'Wholesale'}]}}),
    members: ['tags', 'tags.entity', 'tags.action', 'tags.payload', 'tags.payload.0'],
    send: body => post('/api/_action/sync')(body),
    isTaken: status => status === 200,
  },
  settings: {
    path: '/api/_action/system-config',
    good: () => ({'SwagPayPal.settings.brandName': 'x'}),
    members: ['SwagPayPal.settings.brandName'],
    send: body => post('/api/_action/system-config')(body),
    isTaken: status => status === 204,
  },
  faults: {
    path: '/_storectl/faults',
    good: () => ({rules: ['route=webhook,status=503,count=3']}),
    members: ['rules'],
    send: body => {
      const {clientId, clientSecret} = shop.credentials
      return shop.post('/_storectl/faults', body, {
        authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      })
    },
    isTaken: status => status === 200,
  },
}

const checks = new Map<string, ValidateFunction>()

/** Compiled once: the document is large. */
function schemaOf({path}: Tried): ValidateFunction {
  const known = checks.get(path)
  if (known) return known
  const place = path.replaceAll('~', '~0').replaceAll('/', '~1')
  const check = ajv.compile({
    $ref: `document#/paths/${place}/post/requestBody/content/application~1json/schema`,
  })
  checks.set(path, check)
  return check
}

/** The body with one member set, or taken away by `undefined`; a dot leads into what is inside. */
function withMember(body: Body, member: string, value: unknown): Body {
  const changed = structuredClone(body)
  const steps = member.startsWith('Swag') ? [member] : member.split('.')
  const last = steps.pop() as string
  let at: unknown = changed
  for (const step of steps) at = typeof at === 'object' && at !== null ? (at as Body)[step] : undefined
  if (typeof at !== 'object' || at === null) return changed
  if (value === undefined) delete (at as Body)[last]
  else (at as Body)[last] = value
  return changed
}

/** What any member may hold: values that are right somewhere, and values that are right nowhere. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    '',
    'x',
    '5',
    [],
    {},
    ['x'],
    [1],
    {a: 1},
    [{}],
  ),
  fc.constantFrom<unknown>(
    'active',
    ['active'],
    'equals',
    'and',
    'range',
    'count',
    'DESC',
    'write',
    'upsert',
    'a@b',
    'XX',
    ' ',
    '\u0000',
  ),
  fc.constantFrom<unknown>(
    '2024-02-29',
    '2024-02-30',
    '2999-01-01T00:00:00Z',
    '2024-01-01T00:00:00Z',
    'x'.repeat(300),
  ),
  fc.string({maxLength: 4}),
  fc.double({noNaN: true, noDefaultInfinity: true}),
)

/** One way in which the schema and the shop disagree, and why that is left so: what the shop does is a real shop's. */
interface Disagreement {
  readonly operation: string
  /** What the shop does; the schema does the opposite. */
  readonly shop: 'takes' | 'refuses'
  readonly why: string
  /** By member a value for which it is so. */
  readonly members: Readonly<Record<string, unknown>>
  like(value: unknown): boolean
}

const isText = (value: unknown) => typeof value === 'string'
const isNull = (value: unknown) => value === null
const isEmpty = (value: unknown) =>
  isNull(value) || (typeof value === 'object' && Object.keys(value as object).length === 0)
const isAnything = () => true
const isNot = (right: (value: unknown) => boolean) => (value: unknown) => !right(value)

const LISTED: readonly Disagreement[] = [
  {operation: 'token', shop: 'takes', why: 'null is left out', members: {scope: null}, like: isNull},
  {
    operation: 'token',
    shop: 'takes',
    why: 'an empty map is an empty list',
    members: {scope: {}},
    like: isEmpty,
  },
  {
    operation: 'webhook',
    shop: 'takes',
    why: 'null and [] are passed over',
    members: {
      id: null,
      create_time: [],
      resource_type: null,
      summary: null,
      event_version: [],
      resource_version: null,
      resource: null,
    },
    like: isEmpty,
  },
  {
    operation: 'webhook',
    shop: 'takes',
    why: 'what is empty is passed over',
    members: {links: {}},
    like: isEmpty,
  },
  {
    operation: 'webhook',
    shop: 'takes',
    why: 'a list is a map by position, and names of nothing are passed over',
    members: {resource: [{}]},
    like: Array.isArray,
  },
  {
    operation: 'order',
    shop: 'refuses',
    why: 'which countries there are, and which of them have postal codes, is in a list',
    members: {'shipTo.country': 'XX', 'shipTo.postalCode': undefined},
    like: value => value === 'XX' || value === undefined,
  },
  {
    operation: 'order',
    shop: 'refuses',
    why: 'no schema knows what time it is',
    members: {orderDate: '2999-01-01T00:00:00Z'},
    like: value => value === '2999-01-01T00:00:00Z',
  },
  {
    operation: 'order',
    shop: 'refuses',
    why: 'no text holds a NUL',
    members: {
      orderNumber: '\u0000',
      note: '\u0000',
      'lines.0.sku': '\u0000',
      'lines.0.reference': '\u0000',
      'shipTo.postalCode': '\u0000',
      'shipTo.name': '\u0000',
    },
    like: value => isText(value) && String(value).includes('\u0000'),
  },
  {
    operation: 'search',
    shop: 'refuses',
    why: 'fields are those of the entity, as entity-schema.json lists them',
    members: {
      sort: 'x',
      filter: {a: 1},
      'post-filter': {a: 1},
      grouping: ['x'],
      'sort.0.field': 'x',
      'filter.0.field': 'x',
      'aggregations.0.field': 'x',
      'query.0.scoreField': 'x',
    },
    like: value => isText(value) || !isEmpty(value),
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'what is no list or no text is left out',
    members: {
      associations: 1,
      query: 1,
      grouping: 1,
      term: {},
      fields: null,
      sort: null,
      aggregations: {},
    },
    like: isAnything,
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'a list is a map by position, and names of nothing are passed over',
    members: {includes: ['x']},
    like: Array.isArray,
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'names that are no list are passed over',
    members: {includes: {a: 1}},
    like: value => !isEmpty(value) && typeof value === 'object',
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'whatever else there is counts as the usual one',
    members: {
      'total-count-mode': 'x',
      'sort.0.order': 'x',
      'sort.0.naturalSorting': 'x',
      'sort.0.type': 'x',
      'aggregations.0.limit': 'x',
    },
    like: isAnything,
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'null is left out',
    members: {
      ids: null,
      limit: null,
      page: null,
      filter: null,
      'post-filter': null,
      includes: null,
      'query.0.score': null,
      'query.0.scoreField': null,
    },
    like: isNull,
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'types are compared loosely, and true is as good as the first of them',
    members: {'filter.0.type': true},
    like: value => value === true,
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'numbers may be texts or have a fraction, which is cut off',
    members: {limit: '5', page: 1.5},
    like: value => Number(value) >= 1,
  },
  {
    operation: 'search',
    shop: 'refuses',
    why: 'a number is no name',
    members: {'aggregations.0.name': '5'},
    like: value => isText(value) && Number.isFinite(Number(value)),
  },
  {
    operation: 'search',
    shop: 'takes',
    why: 'PHP makes a text of a list',
    members: {'aggregations.0.name': [1]},
    like: isNot(isText),
  },
  {
    operation: 'customer',
    shop: 'refuses',
    why: 'what the shop counts itself is no part of what is written',
    members: {orderCount: 1},
    like: isAnything,
  },
  {
    operation: 'customer',
    shop: 'refuses',
    why: 'white space alone is blank',
    members: {firstName: ' '},
    like: value => isText(value) && String(value).trim() === '',
  },
  {
    operation: 'customer',
    shop: 'takes',
    why: 'a day will do for a moment',
    members: {birthday: '2024-02-29'},
    like: isText,
  },
  {
    operation: 'customer',
    shop: 'takes',
    why: 'an empty list is an empty map',
    members: {customFields: []},
    like: isEmpty,
  },
  {
    operation: 'sync',
    shop: 'refuses',
    why: 'what has to be in a payload depends on the entity: its own operations say it',
    members: {'tags.payload': [{a: 1}], 'tags.payload.0': {a: 1}},
    like: isNot(isText),
  },
  {
    operation: 'faults',
    shop: 'refuses',
    why: 'rules have a language of their own',
    members: {rules: ['x']},
    like: Array.isArray,
  },
]

/** The listed disagreement that a changed member falls under. */
const findListed = (
  operation: string,
  shop: 'takes' | 'refuses',
  changes: readonly (readonly [string, unknown])[],
) =>
  LISTED.find(
    one =>
      one.operation === operation &&
      one.shop === shop &&
      changes.some(([member, value]) => Object.hasOwn(one.members, member) && one.like(value)),
  )

/** What the shop does with a body that the schema thinks otherwise of; `undefined` where they agree. */
async function disagree(
  tried: Tried,
  check: ValidateFunction,
  body: Body,
): Promise<['takes' | 'refuses', string] | undefined> {
  const answer = await tried.send(body)
  const text = await answer.text()
  const {errors = []} = (text.startsWith('{') ? JSON.parse(text) : {}) as {errors?: {detail: string}[]}
  const detail = errors.map(error => error.detail).join('; ')
  const isTaken = tried.isTaken(answer.status, detail)
  if (isTaken === undefined || isTaken === check(JSON.parse(JSON.stringify(body)))) return undefined
  return isTaken ? ['takes', ajv.errorsText(check.errors)] : ['refuses', detail]
}

test.each(Object.keys(TRIED))(
  'the schema and the shop take the same requests, the list aside: %s',
  async name => {
    const tried = TRIED[name] as Tried
    // Those that came before may have been refused so often that the next has to wait.
    shop.clock.pass(61)
    token = await shop.signIn()
    const check = schemaOf(tried)
    expect(await disagree(tried, check, tried.good())).toBe(undefined)
    const change = fc.tuple(fc.constantFrom(...tried.members), anyValue)
    await fc.assert(
      fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 2}), async changes => {
        const body = changes.reduce((made, [member, value]) => withMember(made, member, value), tried.good())
        const found = await disagree(tried, check, body)
        if (found && !findListed(name, found[0], changes)) expect.fail(`the shop ${found.join(': ')}`)
      }),
      {numRuns: sized(30, 2000), seed: 20260301},
    )
  },
  120_000,
)

test.each(LISTED.flatMap(one => Object.keys(one.members).map(member => ({...one, member}))))(
  'what is listed is so: $operation $shop $member, $why',
  async ({operation, shop: does, member, members, like}) => {
    const tried = TRIED[operation] as Tried
    shop.clock.pass(61)
    token = await shop.signIn()
    expect(like(members[member])).toBe(true)
    const found = await disagree(tried, schemaOf(tried), withMember(tried.good(), member, members[member]))
    expect(found?.[0]).toBe(does)
  },
)
