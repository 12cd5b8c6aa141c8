import {createUsageError} from '../../errors.js'
import {isObject} from '../../language/json-object.js'
import {drawBar} from '../../output/bars.js'
import type {Row, View} from '../../output/view.js'
import type {TermsAggregation} from '../criteria/criteria.js'
import {parseStoredTime} from '../criteria/where-filter.js'
import type {FieldFinder} from '../fields/fields.js'
import {isPersonal} from '../fields/mask.js'
import {buildCriteria, type CustomerSearchDeps, selectMatching} from './search.js'
import type {FacetInput} from './single-response.js'

/** Counts of customers by value, one row per value. */
export const FACETS: View = {
  noun: ['value', 'values'],
  columns: [{path: 'facet'}, {path: 'value'}, {path: 'count', kind: 'number'}],
  id: 'value',
}

/** The same on a terminal, with a bar a row. */
export const FACET_BARS: View = {...FACETS, columns: [...FACETS.columns, {path: 'bar', header: ''}]}

/** Words for the fields that customers are most often counted by. */
export const FACET_FIELDS: Readonly<Record<string, string>> = {
  group: 'group.name',
  country: 'defaultBillingAddress.country.iso',
  city: 'defaultBillingAddress.city',
  zip: 'defaultBillingAddress.zipcode',
  tag: 'tags.name',
  'sales-channel': 'salesChannel.name',
  language: 'language.name',
}

/** Characters of the longest bar. */
const LONGEST_BAR = 30

/**
 * Counts the matches by the values of fields, the most frequent value first; `limit` values each.
 *
 * @returns `{facet, value, count}`; `value` is `null` for those without one, a `Date` for a time, the day for a date
 * @throws StorectlError `usage.facet`, and as `CustomerApi` does
 */
export async function countFacets(
  input: FacetInput,
  {api, fields, signal}: CustomerSearchDeps,
): Promise<Row[]> {
  const matching = selectMatching(buildCriteria({...input, properties: undefined}, fields))
  const asked = buildFacetAggregations(input, fields, joinsMany(matching))
  const criteria = {
    ...matching,
    includes: {customer: ['id']},
    aggregations: asked.map(({aggregation}) => aggregation),
  }
  const results = await api.aggregate(criteria, signal)
  return asked.flatMap(({facet, type, aggregation: {name, field}}) =>
    readBuckets(results[name]).map(({key, count}) => {
      const value = parseFacetValue(key, type)
      return {facet, value: value !== null && input.isMasked && isPersonal(field) ? '***' : value, count}
    }),
  )
}

/** What the shop is asked for each facet. @throws StorectlError `usage.facet` */
export function buildFacetAggregations({facets, limit}: FacetInput, fields: FieldFinder, joins = false) {
  return facets.map((facet, at) => {
    const {aggregation, type} = buildAggregation(facet, at, limit, fields)
    return {facet, type, aggregation: joins ? {...aggregation, aggregation: DISTINCT} : aggregation}
  })
}

/** Counts customers: with a condition on one of many, the buckets count joined rows. @see real-shop.md T8 */
const DISTINCT = {name: 'customers', type: 'count', field: 'id'} as const

/** Parts of a customer of which there may be many. */
const MANY = /"field":"(customer\.)?(addresses|tags|orderCustomers|promotions|productReviews|wishlists)\./

function joinsMany(criteria: object): boolean {
  return MANY.test(JSON.stringify(criteria))
}

function buildAggregation(
  facet: string,
  at: number,
  limit: number | undefined,
  fields: FieldFinder,
): {aggregation: TermsAggregation; type: string} {
  const field = FACET_FIELDS[facet] ?? facet
  const found = fields.find(field)
  if ('problem' in found) throw createUsageError('facet', `--facet ${facet}: ${found.problem}`)
  if (found.type === 'list') throw createUsageError('facet', `--facet ${facet}: cannot count by a list.`)
  const sort = {field: '_count', order: 'DESC'} as const
  return {
    aggregation: {name: `facet${at}`, type: 'terms', field, ...(limit !== undefined && {limit}), sort},
    type: found.type,
  }
}

function readBuckets(result: unknown): {key: string; count: number}[] {
  const buckets = isObject(result) && Array.isArray(result.buckets) ? result.buckets : []
  const counted = buckets.filter(isObject).map(({key, count, customers}) => {
    const distinct = isObject(customers) ? Number(customers.count) : Number.NaN
    return {key: String(key ?? ''), count: Number.isNaN(distinct) ? Number(count) : distinct}
  })
  // The shop sorts by count; any other order is ours.
  return counted.sort((one, other) => other.count - one.count)
}

/**
 * Keys are texts, and empty where there is no value; times are in UTC without saying so.
 *
 * @see protocol.md §6.5, §1.6
 */
function parseFacetValue(key: string, type: string): Date | string | number | boolean | null {
  if (key === '') return null
  if (type === 'boolean') return key === '1' || key === 'true'
  if (type === 'time') return parseStoredTime(key) ?? key
  if (type === 'date') return /^\d{4}-\d\d-\d\d/.exec(key)?.[0] ?? key
  return type === 'number' ? Number(key) : key
}

/** The note below counts: fields of which a limit may have cut off values, `undefined` for none. */
export function formatFacetFooter(rows: readonly Row[], {facets, limit}: FacetInput): string | undefined {
  const full = facets.filter(facet => rows.filter(row => row.facet === facet).length === limit)
  if (full.length === 0) return undefined
  return `first ${limit} values of ${full.join(' and ')}; if there are more: --limit N or --all`
}

/** The rows with a `bar` each, proportional to the largest count of the same facet. */
export function addBars(rows: readonly Row[]): Row[] {
  const most = new Map<unknown, number>()
  for (const {facet, count} of rows) most.set(facet, Math.max(most.get(facet) ?? 1, Number(count)))
  return rows.map(row => ({
    ...row,
    bar: drawBar(Number(row.count), most.get(row.facet) ?? 1, LONGEST_BAR),
  }))
}
