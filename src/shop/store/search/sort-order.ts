import {type RawBuilder, sql} from 'kysely'
import type {Sorting} from '../../model/criteria.js'
import {isToMany, type QueryScope} from './scope.js'

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
