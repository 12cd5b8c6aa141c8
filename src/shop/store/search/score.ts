import {type RawBuilder, sql} from 'kysely'
import type {ScoredFilter} from '../../model/criteria.js'
import {combineInPairs} from '../schema/sql.js'
import {buildCondition} from './condition.js'
import {isToMany, type QueryScope} from './scope.js'
import {buildNumericValue} from './values.js'

/** How well a row fits, and whether it fits well enough. */
export interface Score {
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
