import {expect, test} from 'vitest'
import {shapeSearch} from '../../../../src/shop/store/search/search.js'
import type {EntityCriteria, EntityFilter} from '../../../../src/shopware/criteria.js'
import {ENTITIES} from '../../../../src/shopware/entities/entities.js'
import {EntityModel} from '../../../../src/shopware/entity.js'

const customer = new EntityModel(ENTITIES).get('customer')
const criteria = (filters: EntityFilter[], more: Partial<EntityCriteria> = {}): EntityCriteria => ({
  limit: 25,
  offset: 0,
  filters,
  postFilters: [],
  queries: [],
  sorting: [],
  countMode: 'none',
  grouping: [],
  aggregations: [],
  associations: {},
  ...more,
})
const shape = (filters: EntityFilter[], more?: Partial<EntityCriteria>) =>
  shapeSearch({entity: customer, criteria: criteria(filters, more), scored: []}, ['id'])
const equals = (field: string, value: string | number | null): EntityFilter => ({
  type: 'equals',
  field,
  value,
})

test('criteria that differ in values alone are of one shape', () => {
  const [one, other] = ['a@example.com', 'b@example.com'].map(value => shape([equals('email', value)]))
  expect(one?.shaped.keys.page).toBe(other?.shaped.keys.page)
  expect([one?.values, other?.values]).toEqual([['a@example.com'], ['b@example.com']])
})

test.each<[string, EntityFilter[], Partial<EntityCriteria>?]>([
  ['another field', [equals('firstName', 'a')]],
  ['another kind of value', [equals('email', 1)]],
  ['null', [equals('email', null)]],
  ['a list', [{type: 'equalsAny', field: 'email', values: ['a']}]],
  ['a group around it', [{type: 'not', operator: 'and', filters: [equals('email', 'a')]}]],
  ['a longer page', [equals('email', 'a')], {limit: 26}],
  ['another page', [equals('email', 'a')], {offset: 25}],
  [
    'another order',
    [equals('email', 'a')],
    {sorting: [{field: 'id', descending: true, natural: false, count: false}]},
  ],
  ['a count', [equals('email', 'a')], {countMode: 'exact'}],
  ['a group', [equals('email', 'a')], {grouping: ['email']}],
  ['ids', [equals('email', 'a')], {ids: ['a']}],
  ['a post-filter', [], {postFilters: [equals('email', 'a')]}],
])('%s makes another shape', (_what, filters, more) => {
  const other = shape(filters, more)
  expect(other).toBeDefined()
  expect(other?.shaped.keys.page).not.toBe(shape([equals('email', 'a')])?.shaped.keys.page)
})

test('parts of texts have no shape, as their SQL depends on how common they are', () => {
  const part: EntityFilter = {type: 'contains', field: 'email', value: 'abc'}
  expect(shape([{type: 'or', filters: [equals('email', 'a'), part]}])).toBeUndefined()
})

test('long lists have none', () => {
  expect(shape([{type: 'equalsAny', field: 'email', values: Array(51).fill('a')}])).toBeUndefined()
})
