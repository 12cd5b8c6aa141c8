import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {sized} from '../../support/sized.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let token: string

beforeAll(async () => {
  shop = await runShop()
  token = await shop.signIn()
})
afterAll(() => shop.stop())

const search = (criteria: unknown, headers: Record<string, string> = {}) =>
  shop.post('/api/search/customer', criteria, {authorization: `Bearer ${token}`, ...headers})
const errorsOf = async (criteria: unknown) => {
  const answer = await search(criteria)
  return {status: answer.status, errors: ((await answer.json()) as {errors: unknown[]}).errors}
}

/** An entry of layout A, which points. */
const pointing = (code: string, detail: string, pointer: string, parameters: unknown = {path: pointer}) => ({
  status: '400',
  code: `FRAMEWORK__${code}`,
  title: 'Bad Request',
  detail,
  source: {pointer},
  meta: {parameters},
})

/** An entry of layout B. */
const bare = (code: string, detail: string, parameters: unknown, status = '400') => ({
  status,
  code: `FRAMEWORK__${code}`,
  title: status === '500' ? 'Internal Server Error' : 'Bad Request',
  detail,
  meta: {parameters},
})

const LIMIT = 'The limit parameter must be a positive integer greater or equals than 1. Given: '
const badLimit = (limit: unknown, given: string) =>
  pointing('INVALID_LIMIT_QUERY', LIMIT + given, '/limit', {limit})
const tooMuch = (limit: unknown) =>
  pointing(
    'QUERY_LIMIT_EXCEEDED',
    'The limit must be lower than or equal to MAX_LIMIT(=500). Given: 501',
    '/limit',
    {
      maxLimit: 500,
      limit,
    },
  )
const PAGE = 'The page parameter must be a positive integer. Given: '
const badPage = (page: unknown, given: string) =>
  pointing('INVALID_PAGE_QUERY', PAGE + given, '/page', {page})
const badFilter = (detail: string, pointer: string, path = pointer) =>
  pointing('INVALID_FILTER_QUERY', detail, pointer, {path})
const badSort = (detail: string, pointer: string) => pointing('INVALID_SORT_QUERY', detail, pointer)
const ARRAY_SORT = 'The "sort" array needs to be an associative array at least containing a field name'
const EMPTY_IDS = 'Array\n(\n)\n'
const NUMBER_IDS = 'Array\n(\n    [0] => 1\n)\n'
const LIST_OF_IDS =
  'Ids should be a list of strings or a list of key value pairs, for entities with combined primary keys'

describe('criteria that are answered with 400', () => {
  test.each<[string, unknown, unknown]>([
    ['limit 0', {limit: 0}, badLimit(0, '0')],
    ['limit -1', {limit: -1}, badLimit(-1, '-1')],
    ['limit abc', {limit: 'abc'}, badLimit('abc', 'abc')],
    ['limit [1]', {limit: [1]}, badLimit([1], '{{ limit }}')],
    ['limit true', {limit: true}, badLimit(true, '1')],
    ['limit ""', {limit: ''}, badLimit('(empty)', '(empty)')],
    ['limit 501', {limit: 501}, tooMuch(501)],
    ['limit "501"', {limit: '501'}, tooMuch(501)],
    ['page 0', {page: 0}, badPage(0, '0')],
    ['page -1', {page: -1}, badPage(-1, '-1')],
    ['page x', {page: 'x'}, badPage('x', 'x')],
    ['page ""', {page: ''}, badPage('(empty)', '(empty)')],
    [
      'a filter that is text',
      {filter: 'x'},
      badFilter('The filter parameter has to be a list of filters.', '/filter'),
    ],
    [
      'a post-filter that is text',
      {'post-filter': 'x'},
      badFilter('The filter parameter has to be a list of filters.', '/post-filter', ''),
    ],
    [
      'an item that is no object',
      {filter: ['x']},
      badFilter('The filter parameter has to be an array.', '/filter/0'),
    ],
    ['no type', {filter: [{field: 'email'}]}, badFilter('Value for filter type is required.', '')],
    [
      'an unknown type',
      {filter: [{type: 'foo'}]},
      badFilter('Unsupported filter type: foo', '/filter/0/type'),
    ],
    ...['equals', 'contains', 'prefix', 'suffix', 'equalsAny'].map((type): [string, unknown, unknown] => [
      `${type} without field`,
      {filter: [{type, value: 'x'}]},
      badFilter(`Parameter "field" for ${type} filter is missing.`, '/filter/0/field'),
    ]),
    [
      'equalsAll without field',
      {filter: [{type: 'equalsAll', value: 'x', field: ''}]},
      badFilter('Parameter "field" for equalsAny filter is missing.', '/filter/0/field'),
    ],
    ...['equals', 'contains', 'prefix', 'suffix', 'equalsAny'].map((type): [string, unknown, unknown] => [
      `${type} without value`,
      {filter: [{type, field: 'email', value: ''}]},
      badFilter(`Parameter "value" for ${type} filter is missing.`, '/filter/0/value'),
    ]),
    [
      'a list as value of equals',
      {filter: [{type: 'equals', field: 'email', value: ['x']}]},
      badFilter('Parameter "value" for equals filter must be scalar or null.', '/filter/0/value'),
    ],
    [
      'equalsAny of nothing but separators',
      {filter: [{type: 'equalsAny', field: 'email', value: '|'}]},
      badFilter('Parameter "value" for equalsAny filter does not contain any value.', '/filter/0/value'),
    ],
    [
      'equalsAny of 0',
      {filter: [{type: 'equalsAny', field: 'orderCount', value: 0}]},
      badFilter('Parameter "value" for equalsAny filter is missing.', '/filter/0/value'),
    ],
    [
      'range without parameters',
      {filter: [{type: 'range', field: 'createdAt'}]},
      badFilter('Parameter "parameters" for range filter is missing.', '/filter/0/parameters'),
    ],
    [
      'range with an unknown key',
      {filter: [{type: 'range', field: 'createdAt', parameters: {foo: 1}}]},
      badFilter('Invalid range filter key foo', '/filter/0/parameters'),
    ],
    [
      'range with a bad value',
      {filter: [{type: 'range', field: 'createdAt', parameters: {gt: true}}]},
      badFilter('Invalid range filter value 1', '/filter/0/parameters'),
    ],
    [
      'since without value',
      {filter: [{type: 'since', field: 'createdAt', parameters: {operator: 'gt'}}]},
      badFilter('Parameter "value" for since filter is missing.', '/filter/0/value'),
    ],
    [
      'since without operator',
      {filter: [{type: 'since', field: 'createdAt', value: 'P1D'}]},
      badFilter('Parameter "parameter.operator" for since filter is missing.', '/filter/0/parameter'),
    ],
    [
      'a wrong member of a group',
      {filter: [{type: 'not', queries: [{type: 'equals', field: 'email', value: 'x'}, {type: 'foo'}]}]},
      badFilter('Unsupported filter type: foo', '/filter/0/queries/1/type'),
    ],
    [
      'a map with an empty value',
      {filter: {firstName: ''}},
      badFilter('The value for filter "firstName" must not be blank.', '/filter/firstName'),
    ],
    [
      'a map with a list as value',
      {filter: {firstName: ['x']}},
      badFilter('The value for filter "firstName" must be scalar.', '/filter/firstName'),
    ],
    [
      'a map with an empty key',
      {filter: {'': 'x'}},
      badFilter('The key for filter at position "0" must not be blank.', '/filter/0'),
    ],
    [
      'a list with a gap',
      {filter: {1: {type: 'equals', field: 'email', value: 'x'}}},
      badFilter('The value for filter "1" must be scalar.', '/filter/1'),
    ],
    [
      'a scored query without type',
      {query: [{query: {}, score: 5}]},
      bare('INVALID_FILTER_QUERY', 'Value for filter type is required.', {path: ''}),
    ],
    ['sort without field', {sort: [{order: 'asc'}]}, badSort(ARRAY_SORT, '/sort/0')],
    ['sort as one object', {sort: {field: 'email'}}, badSort(ARRAY_SORT, '/sort/field')],
    [
      'sort ""',
      {sort: ''},
      badSort(
        'The "sort" parameter needs to be a sorting array or a comma separated list of fields',
        '/sort',
      ),
    ],
    [
      'includes that is text',
      {includes: 'x'},
      bare('EXPECTED_ARRAY_WITH_TYPE', 'Expected data at includes to be of the type array, string given', {
        path: 'includes',
        type: 'string',
      }),
    ],
    [
      'ids []',
      {ids: []},
      bare(
        'INVALID_API_CRITERIA_IDS',
        `Invalid ids provided in criteria. Ids should not be empty. Ids: ${EMPTY_IDS}.`,
        {
          ids: EMPTY_IDS,
          reason: 'Ids should not be empty',
        },
      ),
    ],
    [
      'ids ""',
      {ids: ''},
      bare(
        'INVALID_API_CRITERIA_IDS',
        `Invalid ids provided in criteria. Ids should not be empty. Ids: ${EMPTY_IDS}.`,
        {
          ids: EMPTY_IDS,
          reason: 'Ids should not be empty',
        },
      ),
    ],
    [
      'ids of numbers',
      {ids: [1]},
      bare(
        'INVALID_API_CRITERIA_IDS',
        `Invalid ids provided in criteria. ${LIST_OF_IDS}. Ids: ${NUMBER_IDS}.`,
        {
          ids: NUMBER_IDS,
          reason: LIST_OF_IDS,
        },
      ),
    ],
    [
      'an id field compared with what is no id',
      {filter: [{type: 'equals', field: 'groupId', value: 'x'}]},
      bare('INVALID_UUID', 'Value is not a valid UUID: x', {input: 'x'}),
    ],
    [
      'an unknown field',
      {filter: [{type: 'equals', field: 'foo', value: 1}]},
      bare('UNMAPPED_FIELD', 'Field "foo" in entity "customer" was not found.', {
        field: 'foo',
        entity: 'customer',
      }),
    ],
    [
      'an unknown field to sort by',
      {sort: 'customer.foo'},
      bare('UNMAPPED_FIELD', 'Field "foo" in entity "customer" was not found.', {
        field: 'foo',
        entity: 'customer',
      }),
    ],
    [
      'an unknown field over there',
      {filter: [{type: 'equals', field: 'defaultBillingAddress.foo', value: 1}]},
      bare('UNMAPPED_FIELD', 'Field "foo" in entity "customer_address" was not found.', {
        field: 'foo',
        entity: 'customer_address',
      }),
    ],
  ])('%s', async (_, criteria, entry) => {
    expect(await errorsOf(criteria)).toEqual({status: 400, errors: [entry]})
  })

  test('members stand in the order of the shop', async () => {
    const answer = await search({limit: 0})
    expect(await answer.text()).toBe(
      String.raw`{"errors":[{"status":"400","code":"FRAMEWORK__INVALID_LIMIT_QUERY","title":"Bad Request","detail":"The limit parameter must be a positive integer greater or equals than 1. Given: 0","source":{"pointer":"\/limit"},"meta":{"parameters":{"limit":0}}}]}`,
    )
  })

  test('are gathered: limit, page, filter, post-filter, sort', async () => {
    const {errors} = await errorsOf({
      sort: '',
      'post-filter': 'x',
      filter: [{type: 'foo'}, {type: 'or', queries: [{type: 'bar'}, {type: 'equals'}]}],
      page: 0,
      limit: 0,
    })
    expect((errors as {source: {pointer: string}}[]).map(error => error.source.pointer)).toEqual([
      '/limit',
      '/page',
      '/filter/0/type',
      '/filter/1/queries/0/type',
      '/filter/1/queries/1/field',
      '/post-filter',
      '/sort',
    ])
  })

  test('of an association are answered alone, with pointers from there', async () => {
    const {errors} = await errorsOf({limit: 0, associations: {addresses: {limit: 0}}})
    expect(errors).toEqual([badLimit(0, '0')])
  })
})

describe('criteria that are answered with 500', () => {
  test.each<[string, unknown, unknown]>([
    [
      'an unknown association',
      {associations: {foo: {}}},
      bare('ASSOCIATION_NOT_FOUND', 'Can not find association by name foo', {association: 'foo'}, '500'),
    ],
    [
      'a field as association',
      {associations: {email: {}}},
      bare('ASSOCIATION_NOT_FOUND', 'Can not find association by name email', {association: 'email'}, '500'),
    ],
    ...[
      'password',
      'legacyPassword',
      'legacyEncoder',
      'newsletterSalesChannelIds',
      'activeBillingAddress.city',
    ].map((field): [string, unknown, unknown] => [
      `the hidden field ${field}`,
      {sort: [{field}]},
      bare(
        'ACCESSOR_NOT_ALLOWED',
        `Accessor customer.${field} is not allowed in this api scope`,
        {accessor: `customer.${field}`},
        '500',
      ),
    ]),
    [
      'an unknown operator of not',
      {filter: [{type: 'not', operator: 'FOO', queries: []}]},
      {code: '0', status: '500', title: 'Internal Server Error', detail: 'Operator FOO not allowed'},
    ],
    [
      'since of what is no duration',
      {filter: [{type: 'since', field: 'createdAt', value: 'foo', parameters: {operator: 'gt'}}]},
      {code: '0', status: '500', title: 'Internal Server Error', detail: 'Unknown or bad format (foo)'},
    ],
  ])('%s', async (_, criteria, entry) => {
    expect(await errorsOf(criteria)).toEqual({status: 500, errors: [entry]})
  })

  test.each<[string, unknown]>([
    ['range without field', {filter: [{type: 'range', parameters: {gt: 1}}]}],
    ['range with a scalar as parameters', {filter: [{type: 'range', field: 'createdAt', parameters: 'x'}]}],
    ['members of a group that are no objects', {filter: [{type: 'and', queries: ['x']}]}],
    ['a post-filter item that is no object', {'post-filter': ['x']}],
    ['sort as a number', {sort: 5}],
  ])('%s', async (_, criteria) => {
    const {status, errors} = await errorsOf(criteria)
    expect([status, errors]).toEqual([500, [expect.objectContaining({code: '0', status: '500'})]])
  })
})

describe('what is not refused', () => {
  test.each<[string, unknown]>([
    ['unknown members', {totalCountMode: 1, postFilter: 'x', excludes: 5}],
    ['limits that read as numbers', {limit: '1e2'}],
    ['limits with a fraction', {limit: 1.9}],
    ['limits with a space', {limit: ' 5'}],
    ['limit null', {limit: null}],
    ['associations of a wrong shape', {associations: {addresses: null}}],
    ['associations as a list of names', {associations: ['addresses']}],
    ['grouping as text', {grouping: 'lastName'}],
    ['filter []', {filter: []}],
    ['sort []', {sort: []}],
    ['count modes that there are not', {'total-count-mode': 7}],
    ['limit with ids', {ids: ['018cc25203a07a12a989b86289c88147'], limit: 0, page: 'x'}],
    ['sorting by points that nobody has', {sort: '_score'}],
  ])('%s', async (_, criteria) => {
    expect((await search(criteria)).status).toBe(200)
  })
})

describe('large criteria', () => {
  const leaf = {type: 'equals', field: 'lastName', value: 'x'}
  const nested = (depth: number): object => (depth === 0 ? leaf : {type: 'not', queries: [nested(depth - 1)]})

  test.each<[string, unknown]>([
    [
      'thousands of members in a group',
      [{type: 'or', queries: Array.from({length: sized(2000, 5000)}, () => leaf)}],
    ],
    ['thousands of filters', Array.from({length: sized(2000, 5000)}, () => leaf)],
    [
      'thousands of values',
      [{type: 'equalsAny', field: 'lastName', value: Array.from({length: 9000}, (_, i) => `n${i}`)}],
    ],
    [
      'thousands of values of a list',
      [{type: 'equalsAny', field: 'vatIds', value: Array.from({length: 5000}, (_, i) => `n${i}`)}],
    ],
    ['a hundred groups in each other', [nested(100)]],
  ])('%s are searched', async (_, filter) => {
    expect((await search({filter})).status).toBe(200)
  })

  test('more values than a statement takes are refused with a number', async () => {
    const ids = Array.from({length: 10_001}, (_, index) => index.toString(16).padStart(32, '0'))
    expect(await errorsOf({ids})).toMatchObject({
      status: 400,
      errors: [{detail: 'The criteria hold 10001 values; 10000 is the most.'}],
    })
  })

  test('deeper groups are refused', async () => {
    expect(await errorsOf({filter: [nested(101)]})).toMatchObject({
      status: 400,
      errors: [{code: 'FRAMEWORK__INVALID_FILTER_QUERY', detail: 'The filter is nested too deep.'}],
    })
  })
})

describe('Accept', () => {
  test.each([
    ['text/html', 'text/html'],
    ['', ''],
  ])('%s is not supported, which is noticed only behind the token', async (accept, named) => {
    const answer = await search({}, {accept})
    expect(answer.status).toBe(415)
    expect(await answer.json()).toEqual({
      errors: [
        {
          code: '0',
          status: '415',
          title: 'Unsupported Media Type',
          detail: `All provided media types are unsupported. (${named})`,
        },
      ],
    })
    expect((await search({}, {accept, authorization: 'x'})).status).toBe(401)
  })

  test.each([
    ['*/*', 'application/vnd.api+json'],
    ['text/html, application/json;q=0.9, */*;q=0.8', 'application/json'],
    ['application/json;q=0.1, application/vnd.api+json', 'application/vnd.api+json'],
  ])('%s is answered with %s', async (accept, type) => {
    expect((await search({}, {accept})).headers.get('content-type')).toBe(type)
  })

  test('comes before the criteria', async () => {
    expect((await search({limit: 0}, {accept: 'text/html'})).status).toBe(415)
  })
})

describe('context headers', () => {
  test.each(['zz', '0192b7a1c2d37e4f8a9b0c1d2e3f4a5c'])('language %s is not there', async id => {
    const answer = await search({}, {'sw-language-id': id})
    expect(answer.status).toBe(412)
    expect(await answer.json()).toEqual({
      errors: [
        {
          status: '412',
          code: 'FRAMEWORK__LANGUAGE_NOT_FOUND',
          title: 'Precondition Failed',
          detail: `Could not find language with id "${id}"`,
          meta: {parameters: {entity: 'language', field: 'id', value: id}},
        },
      ],
    })
  })

  test('languages are looked at on the token route too', async () => {
    expect((await shop.askForToken({}, {'sw-language-id': 'zz'})).status).toBe(412)
  })

  test('a language that is there is answered with itself', async () => {
    const answer = await search({}, {'sw-language-id': '2fbb5fe2e29a4d70aa5854ce7ce3e20b'})
    expect([answer.status, answer.headers.get('sw-language-id')]).toEqual([
      200,
      '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
    ])
  })

  test.each([
    ['zz', 400, 'Value is not a valid UUID: zz'],
    [
      '0192b7a1c2d37e4f8a9b0c1d2e3f4a5c',
      500,
      'No cash rounding for currency "0192b7a1c2d37e4f8a9b0c1d2e3f4a5c" found',
    ],
  ])('currency %s is refused with %s', async (id, status, detail) => {
    const answer = await search({}, {'sw-currency-id': id})
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({errors: [{detail}]})
  })
})
