import {expect, test} from 'vitest'
import {customerRow, listing, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

async function search(criteria: unknown, ...words: string[]) {
  const shop = await endpoint(() => ({body: listing([customerRow(1)])}))
  const text = typeof criteria === 'string' ? criteria : JSON.stringify(criteria)
  const argv = ['customer', 'search', '--criteria', ...(words.length > 0 ? words : [text])]
  const ended = await storectl(argv, {env: signedInTo(shop.url), stdin: text})
  return {...ended, received: shop.received}
}

const GRAPH = {query: '{ customers(first: 1) { edges { node { email } } } }'}
const FILTER = {type: 'equals', field: 'email', value: 'ada@example.com'}

test('GraphQL from a file finds nobody, and not everybody', async () => {
  const {exit, stdout, stderr, received} = await search(GRAPH, '@-', '--count')
  expect([exit, stdout, received]).toEqual([2, '', []])
  expect(stderr).toContain('"query": expected a list such as')
  expect(stderr).toContain('GraphQL is not supported')
})

test.each([
  [{query: 'ada'}, 'words go in "term"'],
  [{query: {query: FILTER}}, '"query": expected a list'],
  [{query: ['ada']}, '"query": expected a list'],
  [{query: [FILTER]}, '"query": expected a list'],
  [{query: null}, '"query": expected a list'],
  [{query: [{query: {type: 'and'}}]}, '"and" needs "queries"'],
  [{filter: 'ada'}, '"filter": expected a list'],
  [{filter: ['ada']}, '"filter": expected filters such as'],
  [{filter: [[FILTER]]}, '"filter": expected filters such as'],
  [{filter: FILTER}, '"filter": a single filter; put it in a list'],
  [{filter: {email: ['ada']}}, '"filter": expected a list of filters, or fields with values'],
  [{filter: [{type: 'or', filters: [FILTER]}]}, '"or" needs "queries"'],
  [{filter: [{type: 'not', queries: FILTER}]}, '"not" needs "queries"'],
  [{filter: [{type: 'and', queries: [{type: 'multi', queries: 'x'}]}]}, '"multi" needs "queries"'],
  [{'post-filter': 'ada'}, '"post-filter": expected a list'],
  [{sort: {field: 'email'}}, '"sort": expected a list such as'],
  [{sort: ['email']}, '"sort": expected a list such as'],
  [{sort: ''}, '"sort": expected a list such as'],
  [{term: ''}, '"term": expected words'],
  [{term: {query: 'ada'}}, '"term": expected words'],
  [{ids: ''}, '"ids": expected a list of ids'],
  [{ids: null}, '"ids": expected a list of ids'],
  [{ids: [1]}, '"ids": expected a list of ids'],
  [{associations: 'addresses'}, '"associations": expected an object'],
  [{associations: ['addresses']}, '"associations": expected an object'],
  [{associations: {addresses: null}}, '"associations": expected an object'],
  [
    {associations: {addresses: {fliter: []}}},
    '"associations.addresses.fliter": unknown member "fliter". Did you mean "filter"?',
  ],
  [{associations: {addresses: {filter: 'x'}}}, '"associations.addresses.filter": expected a list'],
  [{includes: ['email']}, '"includes": expected an object'],
  [{includes: {customer: 'email'}}, '"includes": expected an object'],
  [{fields: 'email'}, '"fields": expected a list of fields'],
  [{grouping: 'email'}, '"grouping": expected a list of fields'],
  [{limit: '5'}, '"limit": expected a whole number'],
  [{page: null}, '"page": expected a whole number'],
  [{aggregations: {}}, '--facet'],
  [{variables: {}}, 'unknown member "variables"'],
  [{criteria: {filter: []}}, 'unknown member "criteria"'],
  [{constructor: 1}, 'unknown member "constructor"'],
])('criteria %j are refused before anything is sent, with what was meant', async (criteria, problem) => {
  const {exit, stdout, stderr, received} = await search(criteria)
  expect([exit, stdout, received]).toEqual([2, '', []])
  expect(stderr).toContain(problem)
})

test.each([
  {filter: [FILTER, {type: 'not', operator: 'or', queries: [{type: 'and', queries: [FILTER]}]}]},
  {filter: {email: 'ada@example.com', company: null}},
  {filter: null, 'post-filter': [FILTER], 'total-count-mode': 'exact'},
  {query: [{query: FILTER, score: 500, scoreField: 'orderCount'}]},
  {ids: [{id: 'a'.repeat(32)}]},
  {ids: `${'a'.repeat(32)}|${'b'.repeat(32)}`},
  {associations: {addresses: {limit: 5, sort: '-createdAt', associations: {country: []}}, tags: []}},
  {associations: [], includes: {customer: ['email'], customer_address: []}, grouping: ['lastName']},
])('criteria %j are sent', async criteria => {
  const {exit, stderr, received} = await search(criteria)
  expect([exit, stderr, received.length]).toEqual([0, '', 1])
})
