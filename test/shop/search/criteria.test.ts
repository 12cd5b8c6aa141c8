import {expect, test} from 'vitest'
import {ShopError} from '../../../src/shop/runtime/shop-error.js'
import {parseEntityCriteria} from '../../../src/shop/search/criteria/criteria.js'
import {DEFAULT_EDITION} from '../../../src/shopware/editions.js'
import {ENTITY_MODEL} from '../../../src/shopware/entities/entities.js'

/** How criteria are read, compared with the code of a shop of version 6.6.7.1, which was run on each of these. */
function read(criteria: object): string {
  const reading = {now: new Date('2026-11-20T12:00:00Z'), maxLimit: 500, edition: DEFAULT_EDITION}
  try {
    parseEntityCriteria(criteria, ENTITY_MODEL.get('customer'), reading)
    return 'read'
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    const entries = error.entries.map(entry => {
      const pointer = 'source' in entry ? (entry.source as {pointer: string}).pointer : undefined
      return `${pointer === undefined ? '' : `${pointer}: `}${entry.detail?.replace(/^Shopware.*\\(?=\w+::)/, '')}`
    })
    return `${error.status} ${entries.join(' | ')}`
  }
}

const since = (operator: unknown, more = {}) => ({
  type: 'since',
  field: 'createdAt',
  value: 'P1D',
  parameters: {operator},
  ...more,
})
const EQUALS = {type: 'equals', field: 'firstName', value: 'x'}

test.each<[string, object, string]>([
  [
    'an unknown sign of a relative time has no pointer to be added with',
    {filter: [since('xx')]},
    '500 SearchRequestException::add(): Argument #2 ($pointer) must be of type string, null given',
  ],
  [
    'and is told where nothing is added up',
    {query: [{query: since('xx')}]},
    '400 Invalid range filter key xx',
  ],
  [
    'a relative time of a number',
    {filter: [since('lt', {value: 5})]},
    '500 DateInterval::__construct(): Argument #1 ($duration) must be of type string, int given',
  ],
  [
    'errors without a place stand together',
    {filter: [{}, {type: 'equals'}], 'post-filter': [{}]},
    '400 : Value for filter type is required. | : Value for filter type is required. | /filter/1/field: Parameter "field" for equals filter is missing.',
  ],
  ['a type that is as good as none', {filter: [{type: 0}]}, '400 : Value for filter type is required.'],
  ['any type is as good as true', {filter: [{...EQUALS, type: true}]}, 'read'],
  [
    'a part of a list',
    {filter: [{type: 'prefix', field: 'firstName', value: ['x']}]},
    '500 PrefixFilter::__construct(): Argument #2 ($value) must be of type string|int|float|bool|null, array given',
  ],
  ['but not what holds a list', {filter: [{type: 'contains', field: 'firstName', value: ['x']}]}, 'read'],
  [
    'a whole number as the name of a field',
    {filter: {5: 'x', firstName: 'y'}},
    '500 RequestCriteriaBuilder::buildFieldName(): Argument #2 ($fieldName) must be of type string, int given',
  ],
  [
    'maps have one place, wherever they stand',
    {'post-filter': {firstName: ''}},
    '400 /filter/firstName: The value for filter "firstName" must not be blank.',
  ],
  ['a sign with blanks around it', {filter: [{type: 'not', operator: ' or ', queries: [EQUALS]}]}, 'read'],
  [
    'what stands inside a scored filter adds up',
    {limit: 0, query: [{query: {type: 'and', queries: [{}]}}]},
    '400 /limit: The limit parameter must be a positive integer greater or equals than 1. Given: 0 | : Value for filter type is required.',
  ],
  [
    'and a wrong one of its own does not',
    {limit: 0, query: [{query: {}}]},
    '400 Value for filter type is required.',
  ],
  [
    'a sorting without a text as its field',
    {sort: [{field: 5}]},
    '400 /sort/0: The "sort" array needs to be an associative array at least containing a field name',
  ],
  [
    'an aggregation of a number',
    {aggregations: [{name: 'n', type: 'count', field: 5}]},
    '500 AggregationParser::buildFieldName(): Argument #2 ($fieldName) must be of type string, int given',
  ],
  [
    'zones are spelt as the database of zones does',
    {
      aggregations: [
        {name: 'n', type: 'histogram', field: 'createdAt', interval: 'day', timeZone: 'europe/berlin'},
      ],
    },
    '500 Given "europe/berlin" is not a valid timezone',
  ],
  [
    'a number among the fields',
    {fields: [5]},
    '500 EntityDefinitionQueryHelper::getFieldsOfAccessor(): Argument #2 ($accessor) must be of type string, int given',
  ],
  [
    'a page beyond all numbers',
    {limit: 2, page: 1e19},
    '500 Criteria::setOffset(): Argument #1 ($offset) must be of type ?int, float given',
  ],
  ['ids are looked at later', {ids: ['x'], limit: 0}, 'read'],
])('%s', (_name, criteria, outcome) => {
  expect(read(criteria)).toBe(outcome)
})
