import {type RawBuilder, sql} from 'kysely'
import type {Criteria} from '../../model/criteria.js'
import type {Scope} from './scope.js'

/** Whether a row hangs on one thing by one of its associations. @see protocol.md §6.1 */
export function belongsTo(
  {entity, association, id}: NonNullable<Criteria['owner']>,
  scope: Scope,
): RawBuilder<boolean> {
  const {column, targetColumn, through} = association
  const there = sql.ref(`${scope.alias}.${targetColumn}`)
  const owners = sql`select ${sql.ref(column)} from ${sql.table(entity)} where id = ${id}`
  if (!through) return sql<boolean>`${there} in (${owners})`
  return sql<boolean>`${there} in (select ${sql.ref(through.targetColumn)} from ${sql.table(through.table)}
    where ${sql.ref(through.column)} in (${owners}))`
}
