import {type RawBuilder, sql} from 'kysely'
import type {ScoredFilter, Sorting} from '../../../shopware/criteria.js'
import {combineInPairs} from '../schema/sql.js'
import {buildCondition} from './condition.js'
import {isToMany, type QueryScope, type ToManyReference} from './scope.js'
import {buildNumericValue} from './values.js'

const SCORE = '_score'

/**
 * The order of the rows: as requested, then by score, then by creation, so that pages never overlap. Null comes first,
 * or last in descending order.
 *
 * @param points score of a row, if it has one
 * @see protocol.md §6.2, §6.7
 */
export function orderOf(
  sorting: readonly Sorting[],
  scope: QueryScope,
  points: RawBuilder<number> | undefined,
): RawBuilder<unknown> {
  const terms = sorting.flatMap(one => {
    if (one.field !== SCORE) return sortTerms(one, scope)
    return points ? [one.descending ? sql`${points} desc` : points] : []
  })
  if (points && !sorting.some(({field}) => field === SCORE)) terms.push(sql`${points} desc`)
  terms.push(sql.ref(`${scope.alias}.${scope.entity.defaultOrder}`))
  return sql.join(terms)
}

function sortTerms(sorting: Sorting, scope: QueryScope): RawBuilder<unknown>[] {
  const {descending, natural} = sorting
  const value = sortValue(sorting, scope)
  return natural
    ? [buildDirectedOrder(sql`length(${value})`, descending), buildDirectedOrder(value, descending)]
    : [buildDirectedOrder(value, descending)]
}

/**
 * For to-many associations the minimum counts, or the maximum in descending order. Counting ignores null: for an
 * entity's own field the count is 1 or 0.
 */
function sortValue({field, descending, count}: Sorting, scope: QueryScope): RawBuilder<unknown> {
  const reference = scope.find(field)
  if (!isToMany(reference)) {
    const {compared} = reference
    return count ? sql`case when ${compared} is null then 0 else 1 end` : compared
  }
  const {scope: inner, belongs} = scope.enter(reference)
  const value = sortValue({field: reference.rest, descending, count: false, natural: false}, inner)
  const chosen = count ? sql`count(${value})` : descending ? sql`max(${value})` : sql`min(${value})`
  return sql`(select ${chosen} from ${inner.from} where ${belongs})`
}

/** Null first, or last in descending order, which is SQLite's default. */
export function buildDirectedOrder(value: RawBuilder<unknown>, descending: boolean): RawBuilder<unknown> {
  return descending ? sql`${value} desc` : value
}

/** The score of a row, and whether it is high enough. */
interface Score {
  points: RawBuilder<number>
  /** One of the conditions holds, and the score is at least the lowest of any condition. */
  fits: RawBuilder<boolean>
}

/**
 * The score of a row, computed like a shop over its joined rows: each has the sum of the conditions that hold for it,
 * and the result is the average of those with any.
 *
 * @returns `undefined` without conditions
 * @see protocol.md §6.7
 */
export function scoreOf(queries: readonly ScoredFilter[], scope: QueryScope): Score | undefined {
  const some = buildCondition({type: 'or', filters: queries.map(({filter}) => filter)}, scope)
  if (!some) return undefined
  const {points} = countJoined(queries, scope)
  const least = Math.min(...queries.map(query => query.points))
  return {points: sql<number>`(${points})`, fits: sql<boolean>`((${some}) and (${points}) >= ${least})`}
}

/** The totals of joined rows: their score, and the share of them for which any condition holds. */
interface Joined {
  points: RawBuilder<number>
  share: RawBuilder<number>
}

const ADD = (left: RawBuilder<number>, right: RawBuilder<number>) => sql<number>`(${left} + ${right})`

function countJoined(queries: readonly ScoredFilter[], scope: QueryScope): Joined {
  const {own, many} = sortByPath(queries, scope)
  const holds = buildCondition({type: 'or', filters: own.map(({filter}) => filter)}, scope)
  const sums = own.map(query => buildPoints(query, scope))
  if (many.length === 0)
    return {
      points: combineInPairs(sums, ADD),
      share: sql<number>`case when ${holds ?? sql<boolean>`1 = 1`} then 1.0 else 0.0 end`,
    }
  const groups = many.map(group => countMany(group, scope))
  const all = combineInPairs([...sums, ...groups.map(({average}) => average)], ADD)
  const [first, ...others] = groups as [Many, ...Many[]]
  const none = groups.map(({share}) => sql<number>`(1 - ${share})`)
  const share =
    others.length === 0
      ? first.share
      : sql<number>`(1 - ${combineInPairs(none, (left, right) => sql<number>`(${left} * ${right})`)})`
  const some = others.length === 0 ? first.fitting : sql<number>`coalesce(${all} / nullif(${share}, 0), 0)`
  if (!holds) return {points: some, share}
  return {
    points: sql<number>`case when ${holds} then ${all} else ${some} end`,
    share: sql<number>`case when ${holds} then 1.0 else ${share} end`,
  }
}

interface Many {
  /** Average score of all joined rows, and of those for which a condition holds. */
  average: RawBuilder<number>
  fitting: RawBuilder<number>
  share: RawBuilder<number>
}

function countMany({reference, queries}: OnMany, scope: QueryScope): Many {
  const ask = (choose: (each: Joined) => RawBuilder<unknown>) => {
    const {scope: inner, belongs} = scope.enter(reference)
    const chosen = choose(countJoined(queries, inner))
    return sql<number>`coalesce((select ${chosen} from ${inner.from} where ${belongs}), 0)`
  }
  return {
    average: ask(({points}) => sql`avg(${points})`),
    fitting: ask(({points, share}) => sql`sum(${points}) / nullif(sum(${share}), 0)`),
    share: ask(({share}) => sql`avg(${share})`),
  }
}

/** Conditions on the rows of one to-many path, with names relative to it. */
interface OnMany {
  reference: ToManyReference
  queries: ScoredFilter[]
}

/** Splits conditions into those on the row and its to-one associations, and those on to-many associations, by path. */
function sortByPath(queries: readonly ScoredFilter[], scope: QueryScope) {
  const own: ScoredFilter[] = []
  const many = new Map<string, OnMany>()
  for (const query of queries) {
    const {filter} = query
    const reference = 'field' in filter ? scope.find(filter.field) : undefined
    if (!reference || !isToMany(reference)) own.push(query)
    else {
      const group = many.get(reference.pathKey) ?? {reference, queries: []}
      group.queries.push({...query, filter: {...filter, field: reference.rest} as ScoredFilter['filter']})
      many.set(reference.pathKey, group)
    }
  }
  return {own, many: [...many.values()]}
}

function buildPoints({filter, points, scoreField}: ScoredFilter, scope: QueryScope): RawBuilder<number> {
  const condition = buildCondition(filter, scope) ?? sql<boolean>`1 = 1`
  const factor = scoreField === undefined ? undefined : scope.find(scoreField)
  const plain = sql<number>`cast(${points} as double precision)`
  const value = factor && !isToMany(factor) ? sql<number>`${plain} * ${buildNumericValue(factor)}` : plain
  return sql<number>`case when ${condition} then ${value} else 0 end`
}
