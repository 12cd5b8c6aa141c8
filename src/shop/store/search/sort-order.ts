import {type RawBuilder, sql} from 'kysely'
import type {ScoredFilter, Sorting} from '../../model/criteria.js'
import {combineInPairs} from '../schema/sql.js'
import {buildCondition} from './condition.js'
import {isToMany, type QueryScope} from './scope.js'
import {buildNumericValue} from './values.js'

const SCORE = '_score'

/**
 * The order of the rows: what was asked for, then points, then creation, so that pages never overlap. Null comes
 * before everything, or behind it where the order is descending.
 *
 * @param points of a row, when it has any
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
  if (isNeverNull(sorting, scope)) return [descending ? sql`${value} desc` : value]
  return natural
    ? [buildDirectedOrder(sql`length(${value})`, descending), buildDirectedOrder(value, descending)]
    : [buildDirectedOrder(value, descending)]
}

/**
 * Of many things the least counts, or the greatest where the order is descending. Counted is what is not null: of a field
 * of the thing's own that is one or none.
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

/** Engines are told where null comes only where it may come: the key's own index knows nothing of it. */
function isNeverNull({field, count}: Sorting, scope: QueryScope): boolean {
  if (count) return false
  const reference = scope.find(field)
  return (
    !isToMany(reference) &&
    reference.alias === scope.alias &&
    reference.field.column === scope.entity.defaultOrder
  )
}

/** Null before everything, or behind it where the order is descending. */
export function buildDirectedOrder(value: RawBuilder<unknown>, descending: boolean): RawBuilder<unknown> {
  return descending ? sql`${value} desc nulls last` : sql`${value} nulls first`
}

/** How well a row fits, and whether it fits well enough. */
interface Score {
  points: RawBuilder<number>
  /** One of the conditions holds, and the points are no fewer than the least that one of them gives. */
  fits: RawBuilder<boolean>
}

/**
 * The points of a row: the sum of those of the conditions that hold. A condition on many things gives its points by
 * the share of them that fit.
 *
 * @returns `undefined` without conditions
 * @see protocol.md §6.7
 */
export function scoreOf(queries: readonly ScoredFilter[], scope: QueryScope): Score | undefined {
  const parts = queries.map(query => buildPoints(query, scope))
  const some = buildCondition({type: 'or', filters: queries.map(({filter}) => filter)}, scope)
  if (!some) return undefined
  const points = combineInPairs(parts, (left, right) => sql<number>`(${left} + ${right})`)
  const least = Math.min(...queries.map(query => query.points))
  return {points: sql<number>`(${points})`, fits: sql<boolean>`((${some}) and (${points}) >= ${least})`}
}

function buildPoints({filter, points, scoreField}: ScoredFilter, scope: QueryScope): RawBuilder<number> {
  if ('field' in filter) {
    const reference = scope.find(filter.field)
    if (isToMany(reference)) {
      const {scope: inner, belongs} = scope.enter(reference)
      const each = buildPoints({filter: {...filter, field: reference.rest}, points}, inner)
      return sql<number>`coalesce((select avg(${each}) from ${inner.from} where ${belongs}), 0)`
    }
  }
  const condition = buildCondition(filter, scope) ?? sql<boolean>`1 = 1`
  const factor = scoreField === undefined ? undefined : scope.find(scoreField)
  const plain = sql<number>`cast(${points} as double precision)`
  const value =
    factor && !isToMany(factor) ? sql<number>`${plain} * ${buildNumericValue(factor, scope.engine)}` : plain
  return sql<number>`case when ${condition} then ${value} else 0 end`
}
