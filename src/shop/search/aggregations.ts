import type {EntitySearch} from '../model/criteria.js'
import {type AggregationPlan, type CriteriaAggregation, planOf} from '../model/criteria.js'
import {yieldToEventLoop} from '../runtime/event-loop.js'
import {ANSWER} from '../runtime/limits.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createHttpError} from '../runtime/shop-error.js'
import {aggregate} from '../store/search/aggregate.js'
import type {AggregatedValue, AggregationResult} from './buckets.js'
import {buildBuckets} from './buckets.js'

/**
 * Works out the aggregations of a search; of two with one name the later counts.
 *
 * @throws ShopError 400 when one of them has more than 10,000 buckets, 500 for a histogram of what is no date
 * @see protocol.md §6.5
 */
export async function runAggregations(search: EntitySearch, deps: RuleDeps): Promise<AggregationResult[]> {
  const results = new Map<string, AggregationResult>()
  for (const aggregation of search.criteria.aggregations) {
    if (results.size > 0) await yieldToEventLoop()
    const result = await runOne(search, aggregation, deps)
    results.set(result.name, result)
  }
  return [...results.values()]
}

async function runOne(
  search: EntitySearch,
  aggregation: CriteriaAggregation,
  {db, now}: RuleDeps,
): Promise<AggregationResult> {
  const plan = planOf(aggregation)
  const most = ANSWER.buckets
  const rows = await aggregate(db, search, plan, most)
  if (rows.length > most) {
    throw createHttpError(
      400,
      `The aggregation "${aggregation.name}" has more than ${most} buckets; narrow the filter or limit it.`,
    )
  }
  const buildLeaf = (some: readonly (readonly unknown[])[]) => buildLeafResult(plan.leaf, some)
  return (
    buildBuckets(plan.levels, rows, buildLeaf, now()) ??
    ({kind: 'values', name: aggregation.name, values: []} as const)
  )
}

/** @param rows of one set of buckets: the count, then the leaf's values; several only for entities */
function buildLeafResult(
  leaf: AggregationPlan['leaf'],
  rows: readonly (readonly unknown[])[],
): AggregationResult | undefined {
  if (!leaf) return undefined
  const {name} = leaf
  const values = rows[0]?.slice(1) ?? []
  if (leaf.type === 'entity') {
    const ids = rows.map(row => row[1]).filter(id => id !== null)
    return {kind: 'entities', name, definition: leaf.definition, ids: ids.map(String)}
  }
  if (leaf.type === 'range') {
    const ranges = leaf.ranges.map(({key}, index) => [key, Number(values[index] ?? 0)] as const)
    return {kind: 'ranges', name, ranges: [...new Map(ranges)]}
  }
  if (leaf.type !== 'stats') return {kind: 'values', name, values: [readValue(leaf.type, values[0])]}
  const members = ['min', 'max', 'avg', 'sum'] as const
  return {kind: 'values', name, values: members.map((member, index) => readValue(member, values[index]))}
}

/** Extremes are texts, as the shop's database hands them over; the average and the sum of nothing are 0. */
function readValue(member: 'count' | 'avg' | 'sum' | 'min' | 'max', value: unknown): AggregatedValue {
  if (member === 'count') return [member, 'int', Number(value ?? 0)]
  if (member === 'avg' || member === 'sum') return [member, 'float', requireFinite(Number(value ?? 0))]
  return [member, 'text', value === null || value === undefined ? null : String(value)]
}

/** JSON has no word for what is beyond all numbers. */
function requireFinite(number: number): number {
  return Number.isFinite(number) ? number : 0
}
