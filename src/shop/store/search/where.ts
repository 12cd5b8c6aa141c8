import {type RawBuilder, sql} from 'kysely'
import type {EntityCriteria} from '../../model/criteria.js'
import {combineAll} from './condition.js'
import type {QueryScope} from './scope.js'

/**
 * `where …` for all that criteria find, before groups and pages; nothing when they find everything.
 *
 * @param fits what a row must hold to be found by its points
 * @param prefilter what all of them fit anyway
 * @see protocol.md §6.2
 */
export function buildWhere(
  {ids, owner, filters, postFilters}: Pick<EntityCriteria, 'ids' | 'owner' | 'filters' | 'postFilters'>,
  scope: QueryScope,
  fits: RawBuilder<boolean> | undefined,
  prefilter?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const filtered = combineAll([...filters, ...postFilters], scope)
  const conditions = [
    ...(prefilter ? [prefilter] : []),
    ...(ids ? [sql<boolean>`${sql.ref(`${scope.alias}.id`)} in (${sql.join(ids)})`] : []),
    ...(owner ? [belongsTo(owner, scope)] : []),
    ...(filtered ? [filtered] : []),
    ...(fits ? [fits] : []),
  ]
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/** Whether a row hangs on one thing by one of its associations. @see protocol.md §6.1 */
function belongsTo(
  {entity, association, id}: NonNullable<EntityCriteria['owner']>,
  scope: QueryScope,
): RawBuilder<boolean> {
  const {column, targetColumn, through} = association
  const there = sql.ref(`${scope.alias}.${targetColumn}`)
  const owners = sql`select ${sql.ref(column)} from ${sql.table(entity)} where id = ${id}`
  if (!through) return sql<boolean>`${there} in (${owners})`
  return sql<boolean>`${there} in (select ${sql.ref(through.targetColumn)} from ${sql.table(through.table)}
    where ${sql.ref(through.column)} in (${owners}))`
}
