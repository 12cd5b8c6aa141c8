import {type RawBuilder, sql} from 'kysely'
import type {Criteria, ScoredFilter} from '../../../shop-model/criteria.js'
import type {EntityModel} from '../../../shop-model/entities/index.js'
import type {Entity} from '../../../shop-model/entity.js'
import type {Database} from '../../database.js'
import type {ShopTables} from '../tables.js'
import {narrowingFor} from './narrowing.js'
import {orderOf} from './order.js'
import {rootScope, type Scope} from './scope.js'
import {scoreOf} from './score.js'
import {foundWhere} from './where.js'

/** One page of a search. */
export interface Page {
  /** Values of `columns` in turn; behind them the points, when the search has any. */
  rows: unknown[][]
  /** As the count mode asks. */
  total: number
  hasScore: boolean
}

/** Mode 2 counts no further than this many pages and one row. @see protocol.md §6.4 */
const PAGES_COUNTED_AHEAD = 6

/**
 * Finds one page of things, no more of which is ever in memory.
 *
 * @param scored what earns points, the term's conditions included
 * @param columns which columns the rows are to have
 * @see protocol.md §6
 */
export async function searchPage(
  db: Database<ShopTables>,
  model: EntityModel,
  entity: Entity,
  criteria: Criteria,
  scored: readonly ScoredFilter[],
  columns: readonly string[],
): Promise<Page> {
  const narrowing = await narrowingFor(db, model, entity, criteria, scored)
  const scope = rootScope(model, entity, narrowing)
  const score = scoreOf(scored, scope)
  const where =
    criteria.grouping.length === 0
      ? foundWhere(criteria, scope, score)
      : firstOfGroups(criteria, scored, rootScope(model, entity, narrowing))
  const counted = sql`from ${scope.from} ${where}`
  const order = orderOf(criteria.sorting, scope, score?.points)
  const selected = columns.map(column => sql.ref(`${scope.alias}.${column}`))
  const values = score ? [...selected, score.points] : selected
  const query = sql`select ${sql.join(values)} from ${scope.from} ${where} order by ${order} ${paging(criteria)}`
  const rows = await db.readRows(query.compile(db.reads))
  const total = await countFor(db, criteria, counted, rows.length)
  return {rows, total, hasScore: score !== undefined}
}

/** Of each group the thing that was made first; a group is a set of values, compared as filters compare them. */
function firstOfGroups(
  criteria: Criteria,
  scored: readonly ScoredFilter[],
  scope: Scope,
): RawBuilder<unknown> {
  const where = foundWhere(criteria, scope, scoreOf(scored, scope))
  const place = sql.ref(`${scope.alias}.${scope.entity.defaultOrder}`)
  const groups = criteria.grouping.map(name => scope.findJoined(name).compared)
  return sql`where ${place} in (select min(${place}) from ${scope.from} ${where} group by ${sql.join(groups)})`
}

/** SQLite wants a limit where there is an offset. */
function paging({limit, offset}: Criteria): RawBuilder<unknown> {
  if (limit === undefined) return sql``
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`
}

async function countFor(
  db: Database<ShopTables>,
  {countMode, limit, offset}: Criteria,
  counted: RawBuilder<unknown>,
  onPage: number,
): Promise<number> {
  if (countMode === 'none' || limit === undefined) return onPage
  const query =
    countMode === 'exact'
      ? sql`select count(*) ${counted}`
      : sql`select count(*) from (select 1 ${counted} limit ${limit * PAGES_COUNTED_AHEAD + 1} offset ${offset}) as ahead`
  const [row] = await db.readRows(query.compile(db.reads))
  return Number(row?.[0])
}
