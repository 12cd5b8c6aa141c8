import {type RawBuilder, sql} from 'kysely'
import type {EntitySearch} from '../../../shopware/criteria.js'
import type {Association} from '../../../shopware/entity.js'
import type {ShopDatabase} from '../schema/schema.js'
import {combineAll} from './condition.js'
import {createRootScope, type QueryScope} from './scope.js'
import {orderOf, scoreOf} from './sort-order.js'

/** The owners whose associated rows are searched. */
interface Owned {
  readonly association: Association
  /** Values of the association's own column, without duplicates. */
  readonly keys: readonly string[]
  /** Most rows; if there are more, one more is returned. */
  readonly most: number
}

/** Associated rows: each has the values of the columns in order, followed by its owner's key. */
interface Related {
  rows: unknown[][]
}

/** Keys in one statement, well below SQLite's limit. */
const KEYS_AT_ONCE = 5000

/**
 * Finds the associated rows of some owners. Limit and offset apply to each owner.
 *
 * @param columns columns of the rows, before the key
 */
export async function searchRelated(
  db: ShopDatabase,
  search: EntitySearch,
  {association, keys, most}: Owned,
  columns: readonly string[],
): Promise<Related> {
  const rows: unknown[][] = []
  for (let start = 0; start < keys.length && rows.length <= most; start += KEYS_AT_ONCE) {
    const some = keys.slice(start, start + KEYS_AT_ONCE)
    const query = buildRelatedQuery(search, {association, keys: some}, columns)
    const bounded = sql`${query} limit ${most + 1 - rows.length}`
    for (const row of await db.readRows(bounded.compile(db.reads))) rows.push(row)
  }
  return {rows}
}

function buildRelatedQuery(
  {entity, criteria, scored}: EntitySearch,
  {association, keys}: Omit<Owned, 'most'>,
  columns: readonly string[],
): RawBuilder<unknown> {
  const {ids, filters, postFilters, sorting, limit, offset} = criteria
  const scope = createRootScope(entity)
  const {owner, pairs} = resolveOwnership(association, scope)
  const score = scoreOf(scored, scope)
  const filtered = combineAll([...filters, ...postFilters], scope)
  const conditions = [
    sql<boolean>`${owner} in (${sql.join(keys)})`,
    ...(ids ? [sql<boolean>`${sql.ref(`${scope.alias}.id`)} in (${sql.join(ids)})`] : []),
    ...(filtered ? [filtered] : []),
    ...(score ? [score.fits] : []),
  ]
  const where = sql.join(conditions, sql` and `)
  const order = orderOf(sorting, scope, score?.points)
  const values = columns.map(column => sql`${sql.ref(`${scope.alias}.${column}`)}`)
  const from = sql`from ${scope.from} ${pairs} where ${where}`
  if (limit === undefined) return sql`select ${sql.join([...values, owner])} ${from} order by ${order}`
  const named = columns.map(
    (column, index) => sql`${sql.ref(`${scope.alias}.${column}`)} as ${sql.ref(`c${index}`)}`,
  )
  const position = sql`row_number() over (partition by ${owner} order by ${order}) as row_position`
  const outer = columns.map((_, index) => sql`${sql.ref(`c${index}`)}`)
  return sql`select ${sql.join([...outer, sql.ref('owner')])}
    from (select ${sql.join([...named, sql`${owner} as owner`, position])} ${from}) as numbered
    where row_position > ${offset} and row_position <= ${offset + limit} order by row_position`
}

/** The value that identifies a row's owner; with pairs, from the mapping table. */
function resolveOwnership(
  {through, targetColumn}: Association,
  {alias}: QueryScope,
): {owner: RawBuilder<unknown>; pairs: RawBuilder<unknown>} {
  if (!through) return {owner: sql.ref(`${alias}.${targetColumn}`), pairs: sql``}
  const pairs = sql`join ${sql.table(through.table)} as p
    on ${sql.ref(`p.${through.targetColumn}`)} = ${sql.ref(`${alias}.${targetColumn}`)}`
  return {owner: sql.ref(`p.${through.column}`), pairs}
}
