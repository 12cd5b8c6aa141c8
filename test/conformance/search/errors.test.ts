import {expect} from 'vitest'
import type {Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {criteriaEntry, expectErrors, filterEntry, plainEntry, shopEntry} from '../envelopes.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'

const row = conformance()
const NO_FILTER_TYPE = 'Value for filter type is required.'

type Line = readonly [title: string, criteria: Values, ...entries: object[]]

/** What 6.5 does otherwise, as its own rows say. */
const newer = row.on('6.6', '6.7')
const sinceNewer = (...lines: Line[]): Line[] => byVersion(lines, {'6.5': []})

const refused = async (shop: Target, criteria: Values, ...entries: object[]) => {
  const reply = await shop.search('customer', criteria)
  expectErrors(reply, Number((entries[0] as {status: string}).status), ...entries)
}
const refusals = (lines: readonly Line[]) =>
  row.each(
    lines.map(([title, ...cells]) => [`§6.8 ${title}`, ...cells] as const),
    refused,
  )

const limit = (value: unknown, given: string) =>
  criteriaEntry(
    400,
    'FRAMEWORK__INVALID_LIMIT_QUERY',
    `The limit parameter must be a positive integer greater or equals than 1. Given: ${given}`,
    '/limit',
    {limit: value},
  )
const tooMuch = (value: unknown) =>
  criteriaEntry(
    400,
    'FRAMEWORK__QUERY_LIMIT_EXCEEDED',
    'The limit must be lower than or equal to MAX_LIMIT(=500). Given: 501',
    '/limit',
    {maxLimit: 500, limit: value},
  )
const page = (value: unknown, given: string) =>
  criteriaEntry(
    400,
    'FRAMEWORK__INVALID_PAGE_QUERY',
    `The page parameter must be a positive integer. Given: ${given}`,
    '/page',
    {page: value},
  )

refusals([
  ['limit 0', {limit: 0}, limit(0, '0')],
  ['limit -1', {limit: -1}, limit(-1, '-1')],
  ['limit "abc"', {limit: 'abc'}, limit('abc', 'abc')],
  ['limit "0" keeps its type', {limit: '0'}, limit(0, '0')],
  ['limit [1]: a literal placeholder', {limit: [1]}, limit([1], '{{ limit }}')],
  ['limit true', {limit: true}, limit(true, '1')],
  ['limit "": (empty)', {limit: ''}, limit('(empty)', '(empty)')],
  ...sinceNewer(['limit 501', {limit: 501}, tooMuch(501)], ['limit "501"', {limit: '501'}, tooMuch(501)]),
  ['page 0', {page: 0}, page(0, '0')],
  ['page -1', {page: -1}, page(-1, '-1')],
  ['page "x"', {page: 'x'}, page('x', 'x')],
  ['page "": (empty)', {page: ''}, page('(empty)', '(empty)')],
])

const missing = (what: string, type: string) => `Parameter "${what}" for ${type} filter is missing.`
const one = (written: Values) => ({filter: [written]})

refusals([
  [
    'filter a string',
    {filter: 'x'},
    filterEntry('The filter parameter has to be a list of filters.', '/filter'),
  ],
  [
    'post-filter a string',
    {'post-filter': 'x'},
    filterEntry('The filter parameter has to be a list of filters.', '/post-filter', ''),
  ],
  ...sinceNewer([
    'filter item not an object',
    {filter: ['x']},
    filterEntry('The filter parameter has to be an array.', '/filter/0'),
  ]),
  ['no type', one({field: 'email', value: 'x'}), filterEntry('Value for filter type is required.', '')],
  [
    'unknown type',
    one({type: 'foo', field: 'email'}),
    filterEntry('Unsupported filter type: foo', '/filter/0/type'),
  ],
  [
    'unknown type, further behind',
    {filter: [{type: 'equals', field: 'email', value: 'x'}, {type: 'foo'}]},
    filterEntry('Unsupported filter type: foo', '/filter/1/type'),
  ],
  ...['equals', 'contains', 'prefix', 'suffix', 'equalsAny'].flatMap((type): Line[] => [
    [
      `${type} without field`,
      one({type, value: 'x'}),
      filterEntry(missing('field', type), '/filter/0/field'),
    ],
    [
      `${type} with empty field`,
      one({type, field: '', value: 'x'}),
      filterEntry(missing('field', type), '/filter/0/field'),
    ],
    [
      `${type} without value`,
      one({type, field: 'email'}),
      filterEntry(missing('value', type), '/filter/0/value'),
    ],
    // From 6.7 on a field may equal an empty text.
    ...byVersion([type], {'6.7': type === 'equals' ? [] : [type]}).map(
      (type): Line => [
        `${type} with value ""`,
        one({type, field: 'email', value: ''}),
        filterEntry(missing('value', type), '/filter/0/value'),
      ],
    ),
  ]),
  [
    'equalsAll without field',
    one({type: 'equalsAll', value: 'x'}),
    filterEntry(missing('field', byVersion('equalsAny', {'6.7': 'equalsAll'})), '/filter/0/field'),
  ],
  [
    'equalsAll without value says so',
    one({type: 'equalsAll', field: 'email'}),
    filterEntry(missing('value', 'equalsAll'), '/filter/0/value'),
  ],
  ...['contains', 'prefix', 'suffix'].map(
    (type): Line => [
      `${type} with value null`,
      one({type, field: 'email', value: null}),
      filterEntry(missing('value', type), '/filter/0/value'),
    ],
  ),
  ...[0, '', []].map(
    (value): Line => [
      `equalsAny with value ${JSON.stringify(value)}`,
      one({type: 'equalsAny', field: 'email', value}),
      filterEntry(missing('value', 'equalsAny'), '/filter/0/value'),
    ],
  ),
  [
    'array value for equals',
    one({type: 'equals', field: 'email', value: ['x']}),
    filterEntry('Parameter "value" for equals filter must be scalar or null.', '/filter/0/value'),
  ],
  [
    'equalsAny value "|"',
    one({type: 'equalsAny', field: 'email', value: '|'}),
    filterEntry('Parameter "value" for equalsAny filter does not contain any value.', '/filter/0/value'),
  ],
  [
    'range without parameters',
    one({type: 'range', field: 'birthday'}),
    filterEntry(missing('parameters', 'range'), '/filter/0/parameters'),
  ],
  [
    'range without bounds',
    one({type: 'range', field: 'birthday', parameters: {}}),
    filterEntry(missing('parameters', 'range'), '/filter/0/parameters'),
  ],
  [
    'range with a bad key',
    one({type: 'range', field: 'birthday', parameters: {foo: 1}}),
    filterEntry('Invalid range filter key foo', '/filter/0/parameters'),
  ],
  [
    'range with a bad value',
    one({type: 'range', field: 'birthday', parameters: {gt: true}}),
    filterEntry('Invalid range filter value 1', '/filter/0/parameters'),
  ],
  ...['since', 'until'].flatMap((type): Line[] => [
    [
      `${type} without value`,
      one({type, field: 'birthday', parameters: {operator: 'gt'}}),
      filterEntry(missing('value', type), '/filter/0/value'),
    ],
    [
      `${type} without operator`,
      one({type, field: 'birthday', value: 'P7D'}),
      filterEntry(missing('parameter.operator', type), '/filter/0/parameter'),
    ],
  ]),
  [
    'nested: the pointer leads there',
    one({type: 'and', queries: [{type: 'equals', field: 'email', value: 'x'}, {type: 'foo'}]}),
    filterEntry('Unsupported filter type: foo', '/filter/0/queries/1/type'),
  ],
  [
    'nested twice',
    one({type: 'not', queries: [{type: 'or', queries: [{type: 'equals', value: 'x'}]}]}),
    filterEntry(missing('field', 'equals'), '/filter/0/queries/0/queries/0/field'),
  ],
  [
    'nested: each its own entry',
    one({type: 'or', queries: [{type: 'foo'}, {type: 'bar'}]}),
    filterEntry('Unsupported filter type: foo', '/filter/0/queries/0/type'),
    filterEntry('Unsupported filter type: bar', '/filter/0/queries/1/type'),
  ],
  [
    'map filter: ""',
    {filter: {firstName: ''}},
    filterEntry('The value for filter "firstName" must not be blank.', '/filter/firstName'),
  ],
  [
    'map filter: not scalar',
    {filter: {firstName: ['x']}},
    filterEntry('The value for filter "firstName" must be scalar.', '/filter/firstName'),
  ],
  [
    'map filter: empty key',
    {filter: {'': 'x'}},
    filterEntry('The key for filter at position "0" must not be blank.', '/filter/0'),
  ],
  [
    'list with a gap',
    {filter: {1: {type: 'equals', field: 'email', value: 'x'}}},
    filterEntry('The value for filter "1" must be scalar.', '/filter/1'),
  ],
  [
    'query[].query without type: layout B, alone in the response',
    {limit: 0, query: [{query: {field: 'email', value: 'x'}, score: 5}]},
    shopEntry(
      400,
      'FRAMEWORK__INVALID_FILTER_QUERY',
      NO_FILTER_TYPE,
      byVersion<object>({path: ''}, {'6.5': {message: NO_FILTER_TYPE}}),
    ),
  ],
])

const SORT_ARRAY = 'The "sort" array needs to be an associative array at least containing a field name'
const SORT_EMPTY = 'The "sort" parameter needs to be a sorting array or a comma separated list of fields'

newer.each<[unknown, string, string]>(
  [
    ['sort item without field', [{order: 'asc'}], SORT_ARRAY, '/sort/0'],
    ['sort item that is no object', ['lastName'], SORT_ARRAY, '/sort/0'],
    ['sort item further behind', [{field: 'email'}, {}], SORT_ARRAY, '/sort/1'],
    ['sort given as one object', {field: 'email', order: 'asc'}, SORT_ARRAY, '/sort/field'],
    ['sort ""', '', SORT_EMPTY, '/sort'],
  ].map(([title, ...cells]) => [`§6.8 ${title}`, ...(cells as [unknown, string, string])]),
  async (shop, sort, detail, pointer) => {
    const reply = await shop.search('customer', {sort})
    // The text does not say what the parameters are.
    const {parameters} = reply.json().errors[0].meta
    expectErrors(reply, 400, criteriaEntry(400, 'FRAMEWORK__INVALID_SORT_QUERY', detail, pointer, parameters))
  },
)

const aggregation = (detail: string, pointer: string) =>
  criteriaEntry(400, 'FRAMEWORK__INVALID_AGGREGATION_QUERY', detail, pointer, {message: detail})
const aggregated = (written: Values) => ({aggregations: [written]})
const NO_LIST = 'The aggregations parameter has to be a list of aggregations.'
const NO_NAME = 'The aggregation name should be a non-empty string.'
const BAD_NAME = 'The aggregation name should not contain a question mark or colon.'
const NO_TYPE = 'The aggregations of "%s" should be a non-empty string.'
const NO_FIELD = 'The aggregation should contain a "field".'
const NO_FILTERS = 'The aggregation should contain an array of filters in property "filter".'
const named = {name: 'a', field: 'birthday'}
const typed = (type: string, more: Values = {}) => aggregated({...named, type, ...more})
const INTERVALS = 'minute, hour, day, week, month, quarter, year'
const ranged = (ranges: unknown[], field = 'orderCount') =>
  aggregated({name: 'a', type: 'range', field, ranges})
const NO_ZONE = byVersion('FRAMEWORK__INVALID_TIMEZONE', {'6.5': '0'})
const NO_SUBCLASS = [500, 'FRAMEWORK__NOT_SUPPORTED_FIELD_FOR_AGGREGATION'] as const

/** What is refused with a text that is of no database's or language's but the shop's own. */
async function expectCode(shop: Target, criteria: Values, status: number, code: string): Promise<void> {
  const reply = await shop.search('customer', criteria)
  const {errors} = reply.json()
  expect([reply.status, errors?.length, errors?.[0].code]).toEqual([status, 1, code])
}

refusals([
  [
    'aggregations not an array: layout B',
    {aggregations: 'x'},
    shopEntry(400, 'FRAMEWORK__INVALID_AGGREGATION_QUERY', NO_LIST, {message: NO_LIST}),
  ],
  [
    'aggregation name missing',
    aggregated({type: 'count', field: 'id'}),
    aggregation(NO_NAME, '/aggregations/0'),
  ],
  [
    'aggregation name empty',
    aggregated({name: '', type: 'count', field: 'id'}),
    aggregation(NO_NAME, '/aggregations/0'),
  ],
  [
    'aggregation name numeric',
    aggregated({name: 5, type: 'count', field: 'id'}),
    aggregation(NO_NAME, '/aggregations/0'),
  ],
  [
    'aggregation name a numeric string',
    aggregated({name: '5', type: 'count', field: 'id'}),
    aggregation(NO_NAME, '/aggregations/0'),
  ],
  [
    'aggregation name with ?',
    aggregated({name: 'a?', type: 'count', field: 'id'}),
    aggregation(BAD_NAME, '/aggregations/0'),
  ],
  [
    'aggregation name with :',
    aggregated({name: 'a:b', type: 'count', field: 'id'}),
    aggregation(BAD_NAME, '/aggregations/0'),
  ],
  ['aggregation type missing', aggregated(named), aggregation(NO_TYPE, '/aggregations/0')],
  ['aggregation type numeric', typed('5'), aggregation(NO_TYPE, '/aggregations/0')],
  [
    'aggregation type unknown',
    typed('foo'),
    aggregation('The aggregation type "foo" used as key does not exist.', '/aggregations/0'),
  ],
  ...['count', 'avg', 'sum', 'min', 'max', 'stats', 'range', 'entity', 'terms', 'histogram'].map(
    (type): Line => [
      `aggregation ${type} without field`,
      aggregated({name: 'a', type, ranges: [{}], definition: 'tag', interval: 'day'}),
      aggregation(NO_FIELD, `/aggregations/0/${type}/field`),
    ],
  ),
  [
    'aggregation range incomplete',
    typed('range'),
    aggregation('The aggregation should contain "ranges".', '/aggregations/0/range/field'),
  ],
  [
    'aggregation entity incomplete',
    typed('entity'),
    aggregation('The aggregation should contain a "definition".', '/aggregations/0/entity/field'),
  ],
  [
    'aggregation filter without filter',
    aggregated({name: 'a', type: 'filter', aggregation: {...named, type: 'count'}}),
    aggregation(NO_FILTERS, '/aggregations/0/filter/field'),
  ],
  [
    'aggregation filter without aggregation',
    aggregated({name: 'a', type: 'filter', filter: [{type: 'equals', field: 'email', value: 'x'}]}),
    aggregation(NO_FILTERS, '/aggregations/0/filter/field'),
  ],
  [
    'aggregation histogram without interval',
    typed('histogram'),
    aggregation('The aggregation should contain an date interval.', '/aggregations/0/histogram/interval'),
  ],
  ...sinceNewer([
    'aggregation histogram with a bad interval',
    typed('histogram', {interval: 'foo'}),
    shopEntry(
      500,
      'FRAMEWORK__INVALID_DATE_HISTOGRAM_INTERVAL',
      `Provided date histogram interval "foo" is not supported. Supported intervals: ${INTERVALS}.`,
      {interval: 'foo', allowedIntervals: INTERVALS},
    ),
  ]),
  [
    'aggregation further behind',
    {
      aggregations: [
        {...named, type: 'count'},
        {...named, type: 'foo'},
      ],
    },
    aggregation('The aggregation type "foo" used as key does not exist.', '/aggregations/1'),
  ],
  [
    'aggregation inside another, without field',
    typed('terms', {aggregation: {name: 'b', type: 'sum'}}),
    aggregation(NO_FIELD, '/aggregations/0/sum/field'),
  ],
  [
    'aggregation inside another, without type',
    typed('terms', {aggregation: {name: 'b', field: 'id'}}),
    aggregation(NO_TYPE, '/aggregations/0'),
  ],
])

row.each<[Values, number, string]>(
  [
    ['aggregation histogram in no zone', typed('histogram', {interval: 'day', timeZone: 'x'}), 500, NO_ZONE],
    ['aggregation range without ranges', ranged([]), 500, '1064'],
    ['aggregation range of what the database counts', ranged([{from: 1}], 'autoIncrement'), ...NO_SUBCLASS],
    ['aggregation min of an id', aggregated({name: 'a', type: 'min', field: 'id'}), 500, '0'],
    [
      'aggregation entity of what there is not',
      aggregated({name: 'a', type: 'entity', field: 'groupId', definition: 'foo'}),
      400,
      'FRAMEWORK__EntityRepository_NOT_FOUND',
    ],
  ].map(([title, ...cells]) => [`§6.5 ${title}`, ...(cells as [Values, number, string])]),
  expectCode,
)

const badIds = (reason: string, dump: string) =>
  shopEntry(
    400,
    'FRAMEWORK__INVALID_API_CRITERIA_IDS',
    `Invalid ids provided in criteria. ${reason}. Ids: ${dump}.`,
    {
      ids: dump,
      reason,
    },
  )
const EMPTY = 'Ids should not be empty'
const NO_STRINGS =
  'Ids should be a list of strings or a list of key value pairs, for entities with combined primary keys'
const hidden = (accessor: string) =>
  shopEntry(500, 'FRAMEWORK__ACCESSOR_NOT_ALLOWED', `Accessor ${accessor} is not allowed in this api scope`, {
    accessor,
  })
/** What 6.7 says of what it makes only when it shows it. */
const madeWhenShown = (field: string) =>
  shopEntry(
    500,
    'FRAMEWORK__RUNTIME_FIELD_IN_CRITERIA',
    `Field ${field} is a Runtime field and cannot be used in a criteria`,
    {field},
  )
const unmapped = (field: string, entity = 'customer') =>
  shopEntry(400, 'FRAMEWORK__UNMAPPED_FIELD', `Field "${field}" in entity "${entity}" was not found.`, {
    field,
    entity,
  })
const unbuilt = (field: string) =>
  shopEntry(
    500,
    'FRAMEWORK__FIELD_ACCESSOR_BUILDER_NOT_FOUND',
    `The field accessor builder for field ${field} was not found.`,
    {field},
  )
const association = (name: string) =>
  shopEntry(500, 'FRAMEWORK__ASSOCIATION_NOT_FOUND', `Can not find association by name ${name}`, {
    association: name,
  })
const equals = (field: string, value: unknown = 'x') => one({type: 'equals', field, value})

refusals([
  [
    'includes not an array',
    {includes: 'x'},
    shopEntry(
      400,
      'FRAMEWORK__EXPECTED_ARRAY_WITH_TYPE',
      'Expected data at includes to be of the type array, string given',
      {
        path: 'includes',
        type: 'string',
      },
    ),
  ],
  ...sinceNewer(
    ['ids []', {ids: []}, badIds(EMPTY, 'Array\n(\n)\n')],
    ['ids ""', {ids: ''}, badIds(EMPTY, 'Array\n(\n)\n')],
  ),
  ['ids [1]', {ids: [1]}, badIds(NO_STRINGS, 'Array\n(\n    [0] => 1\n)\n')],
  ['unknown association', {associations: {foo: {}}}, association('foo')],
  ['non-association name', {associations: {firstName: {}}}, association('firstName')],
  ['unknown association, nested', {associations: {addresses: {associations: {foo: {}}}}}, association('foo')],
  ...['password', 'legacyPassword', 'legacyEncoder', 'newsletterSalesChannelIds'].map(
    (field): Line => [`filter on the hidden field ${field}`, equals(field), hidden(`customer.${field}`)],
  ),
  ...['activeBillingAddress.city', 'activeShippingAddress.city', 'activeBillingAddress'].map(
    (field): Line => [
      `filter on the hidden field ${field}`,
      equals(field),
      byVersion(hidden, {'6.7': madeWhenShown})(`customer.${field}`),
    ],
  ),
  ['filter on a hidden field with the prefix', equals('customer.password'), hidden('customer.password')],
  ['sort on a hidden field', {sort: 'password'}, hidden('customer.password')],
  [
    'post-filter on a hidden field',
    {'post-filter': [{type: 'equals', field: 'password', value: 'x'}]},
    hidden('customer.password'),
  ],
  [
    'aggregation on a hidden field',
    {aggregations: [{name: 'a', type: 'count', field: 'password'}]},
    hidden('customer.password'),
  ],
  [
    'aggregation on a hidden field, inside another',
    {
      aggregations: [
        {
          ...{name: 'a', type: 'terms', field: 'id'},
          aggregation: {name: 'b', type: 'count', field: 'password'},
        },
      ],
    },
    hidden('customer.password'),
  ],
  ['filter on an association', equals('addresses'), unbuilt('addresses')],
  ['sort on an association', {sort: 'group'}, unbuilt('group')],
  ['grouping by an unknown field', {grouping: ['foo']}, unmapped('foo')],
  [
    'query on a hidden field',
    {query: [{query: {type: 'equals', field: 'password', value: 'x'}}]},
    hidden('customer.password'),
  ],
  [
    'a hidden field behind a path where the text customer. occurs',
    equals('orderCustomers.customer.password'),
    hidden(
      byVersion('orderCustomers.customer.password', {'6.7': 'customer.orderCustomers.customer.password'}),
    ),
  ],
  ['filter on an unknown field', equals('foo'), unmapped('foo')],
  ['filter on an unknown field with the prefix', equals('customer.foo'), unmapped('foo')],
  ['sort on an unknown field', {sort: 'foo'}, unmapped('foo')],
  [
    'aggregation on an unknown field',
    {aggregations: [{name: 'a', type: 'count', field: 'foo'}]},
    unmapped('foo'),
  ],
  ['unknown field: the last segment', equals('foo.bar'), unmapped('bar')],
  [
    'unknown field: the entity where it failed',
    equals('defaultBillingAddress.foo'),
    unmapped('foo', 'customer_address'),
  ],
  ['unknown field: two steps away', equals('addresses.country.foo'), unmapped('foo', 'country')],
  [
    'id fields: no hex of 32',
    equals('id', 'x'),
    shopEntry(400, 'FRAMEWORK__INVALID_UUID', 'Value is not a valid UUID: x', {input: 'x'}),
  ],
  [
    'ids of what is no id',
    {ids: ['x']},
    shopEntry(400, 'FRAMEWORK__INVALID_UUID', 'Value is not a valid UUID: x', {input: 'x'}),
  ],
  [
    'not operator not AND/OR/XOR',
    one({type: 'not', operator: 'FOO', queries: []}),
    plainEntry(500, 'Operator FOO not allowed'),
  ],
  [
    'since value not a duration',
    one({type: 'since', field: 'birthday', value: 'foo', parameters: {operator: 'gt'}}),
    plainEntry(500, 'Unknown or bad format (foo)'),
  ],
])

row('§6.3 id fields: 400 wherever a value stands', async shop => {
  for (const criteria of [
    one({type: 'equalsAny', field: 'id', value: ['x']}),
    equals('defaultBillingAddress.id'),
    {filter: {groupId: 'x'}},
    one({type: 'not', queries: [{type: 'equals', field: 'salutationId', value: 'x'}]}),
  ]) {
    const {status, code, detail} = (await shop.search('customer', criteria)).json().errors[0]
    expect([status, code, detail]).toEqual(['400', 'FRAMEWORK__INVALID_UUID', 'Value is not a valid UUID: x'])
  }
})

row.each<[Values]>(
  [
    ['range without field', one({type: 'range', parameters: {gt: 1}})],
    ['since without field', one({type: 'since', value: 'P7D', parameters: {operator: 'gt'}})],
    ['range parameters a scalar', one({type: 'range', field: 'birthday', parameters: 5})],
    ['queries members not objects', one({type: 'and', queries: ['x']})],
    ['post-filter member not an object', {'post-filter': ['x']}],
    ['aggregations an object with string keys', {aggregations: {a: {...named, type: 'count'}}}],
    ['aggregations with scalar members', {aggregations: ['x']}],
    ['fields a string', {fields: 'firstName'}],
    ['sort a number', {sort: 5}],
    ['ids a number', {ids: 5}],
    ['a field that is a number', equals(5 as never)],
    ['queries of a group a text', one({type: 'and', queries: 'x'})],
    ['grouping by a number', {grouping: [5]}],
  ].map(([title, criteria]) => [`§6.8 TypeError: ${title}`, criteria as Values]),
  async (shop, criteria) => {
    const reply = await shop.search('customer', criteria)
    const {detail} = reply.json().errors[0]
    expect(typeof detail).toBe('string')
    expect(detail).not.toBe('')
    expectErrors(reply, 500, plainEntry(500, detail))
  },
)

row('§6.2 grouping over an association: the database’s number', shop =>
  expectCode(shop, {grouping: ['defaultBillingAddress.city']}, 500, '1054'),
)

row('§6.8 malformed JSON', async shop => {
  const reply = await shop.search('customer', '{"limit":')
  expectErrors(reply, 400, plainEntry(400, 'The JSON payload is malformed.'))
})

refusals([
  [
    'accumulation: limit, page, filter, post-filter, sort, aggregation, in that order',
    {
      aggregations: [{...named, type: 'foo'}],
      'post-filter': [{type: 'bar'}],
      filter: [{type: 'foo'}, {type: 'equals', value: 'x'}],
      page: 0,
      limit: 0,
    },
    limit(0, '0'),
    page(0, '0'),
    filterEntry('Unsupported filter type: foo', '/filter/0/type'),
    filterEntry(missing('field', 'equals'), '/filter/1/field'),
    filterEntry('Unsupported filter type: bar', '/post-filter/0/type'),
    aggregation('The aggregation type "foo" used as key does not exist.', '/aggregations/0'),
  ],
  ...sinceNewer([
    'accumulation: ids errors abort immediately',
    {ids: [], page: 0, filter: 'x'},
    badIds(EMPTY, 'Array\n(\n)\n'),
  ]),
  [
    'accumulation: includes errors abort immediately',
    {includes: 'x', limit: 0, filter: 'x'},
    shopEntry(
      400,
      'FRAMEWORK__EXPECTED_ARRAY_WITH_TYPE',
      'Expected data at includes to be of the type array, string given',
      {
        path: 'includes',
        type: 'string',
      },
    ),
  ],
  [
    'accumulation: association errors abort immediately',
    {limit: 0, associations: {foo: {}}},
    association('foo'),
  ],
  [
    "accumulation: a nested association's errors are thrown alone, pointers relative to it",
    {limit: 0, associations: {addresses: {limit: 0, filter: [{type: 'foo'}]}}},
    limit(0, '0'),
    filterEntry('Unsupported filter type: foo', '/filter/0/type'),
  ],
  [
    'order: hidden fields come before unknown ones',
    {
      filter: [
        {type: 'equals', field: 'foo', value: 'x'},
        {type: 'equals', field: 'password', value: 'x'},
      ],
    },
    hidden('customer.password'),
  ],
  [
    'order: a wrong filter comes before hidden fields',
    {filter: [{type: 'equals', field: 'password', value: 'x'}], limit: 0},
    limit(0, '0'),
  ],
])

newer('§6.8 accumulation: sort stands between post-filter and aggregation', async shop => {
  const reply = await shop.search('customer', {
    aggregations: [{...named, type: 'foo'}],
    sort: [{}],
    'post-filter': [{type: 'bar'}],
    limit: 0,
  })
  const pointers = reply.json().errors.map(({source}: {source: {pointer: string}}) => source.pointer)
  expect([reply.status, pointers]).toEqual([
    400,
    ['/limit', '/post-filter/0/type', '/sort/0', '/aggregations/0'],
  ])
})

row(
  '§6.8 after that: what a caller may not read comes behind hidden fields, before unknown ones',
  async shop => {
    const nobody = await shop.make.program(['tag:read'])
    const headers = {Authorization: `Bearer ${await nobody.token()}`}
    const codeOf = (reply: Reply) => [reply.status, reply.json().errors[0].code]
    const ask = async (criteria: Values) => codeOf(await shop.search('customer', criteria, headers))
    expect(await ask(equals('password'))).toEqual([500, 'FRAMEWORK__ACCESSOR_NOT_ALLOWED'])
    expect(await ask(equals('foo'))).toEqual([403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR'])
    expect(await ask(equals('id', 'x'))).toEqual([403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR'])
    expect(await ask({limit: 0})).toEqual([400, 'FRAMEWORK__INVALID_LIMIT_QUERY'])
  },
)

row('§6.8 errors are plain JSON, whatever was accepted', async shop => {
  const reply = await shop.search('customer', {limit: 0}, {Accept: 'application/vnd.api+json'})
  expectErrors(reply, 400, limit(0, '0'))
})

newer('§6.8 search-ids and listings of associations refuse alike', async shop => {
  expectErrors(await shop.post('/api/search-ids/customer', {limit: 0}), 400, limit(0, '0'))
  const customer = await shop.make.customer()
  const path = `/api/search/customer/${customer.id}/addresses`
  expectErrors(await shop.post(path, {limit: 501}), 400, tooMuch(501))
  expectErrors(await shop.post(path, {sort: 'foo'}), 400, unmapped('foo', 'customer_address'))
})

row.on('6.5').each<[Values, number, string | undefined]>(
  [
    ['limit 501: as many as there are', {limit: 501}, 200, undefined],
    ['limit "501"', {limit: '501'}, 200, undefined],
    ['ids []: every row', {ids: []}, 200, undefined],
    ['ids "": every row', {ids: ''}, 200, undefined],
    ['filter item not an object', {filter: ['x']}, 500, '0'],
    ['sort item without field', {sort: [{order: 'asc'}]}, 500, '0'],
    ['sort item that is no object', {sort: ['lastName']}, 500, '0'],
    ['sort ""', {sort: ''}, 400, 'FRAMEWORK__INVALID_SORT_QUERY'],
    ['aggregation histogram with a bad interval', typed('histogram', {interval: 'foo'}), 500, '0'],
  ].map(([title, ...cells]) => [
    `shop-6.5.md 0, ${title}`,
    ...(cells as [Values, number, string | undefined]),
  ]),
  async (shop, criteria, status, code) => {
    const reply = await shop.search('customer', criteria)
    expect([reply.status, reply.json().errors?.[0].code]).toEqual([status, code])
  },
)
