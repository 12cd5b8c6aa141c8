import {type RawBuilder, sql} from 'kysely'
import type {
  EntityCriteria,
  EntityFilter,
  EntitySearch,
  FieldBounds,
  FieldScalar,
  ScoredFilter,
} from '../../../shopware/criteria.js'
import type {Entity, Field} from '../../../shopware/entity.js'
import {Slot} from '../../../storage/engine/statement.js'
import {listStoredFields} from '../schema/columns.js'
import type {ShopDatabase} from '../schema/schema.js'
import {buildWhere} from './condition.js'
import {buildIndexPrefilter, type ReadPurpose} from './index-prefilter.js'
import {createRootScope, type QueryScope} from './scope.js'
import {orderOf, scoreOf} from './sort-order.js'

/** One page of a search. */
interface Page {
  /** Values of `columns` in order, followed by the score, if the search has one. */
  rows: unknown[][]
  /** By the count mode. */
  total: number
  hasScore: boolean
}

/** Mode 2 counts up to this many pages and one row. @see protocol.md §6.4 */
const PAGES_COUNTED_AHEAD = 6

/**
 * Finds one page of rows; only this page is in memory.
 *
 * @param columns columns of the rows
 * @see protocol.md §6
 */
export async function searchPage(
  db: ShopDatabase,
  search: EntitySearch,
  columns: readonly string[],
): Promise<Page> {
  const {criteria, scored} = search
  const found = shapeSearch(search, columns)
  if (found) return searchShapedPage(db, found.shaped, found.values)
  const buildQueriesFor = async (reading: ReadPurpose) => {
    const prefilter = await buildIndexPrefilter(db, search, reading)
    return buildPageQueries(search, columns, prefilter)
  }
  const queries = await buildQueriesFor(chooseReading(criteria, scored))
  const page = await readPage(criteria, async query => {
    const isAll = query === 'count' && criteria.countMode === 'exact'
    const {[query]: asked} = isAll ? await buildQueriesFor('everything') : queries
    return db.readRows(asked.compile(db.reads))
  })
  return {...page, hasScore: queries.hasScore}
}

/** Finds one page of rows by a shaped search. @param values by slot name */
export function searchShapedPage(
  db: ShopDatabase,
  {search, columns, keys}: ShapedSearch,
  values: readonly unknown[],
): Promise<Page> {
  return readPage(search.criteria, query =>
    db.readCached(keys[query], () => buildPageQueries(search, columns)[query].compile(db.reads), values),
  )
}

/** In order of creation a page is soon full; any other order needs all rows first. */
function chooseReading({sorting, grouping}: EntityCriteria, scored: readonly ScoredFilter[]): ReadPurpose {
  return scored.length === 0 && sorting.length === 0 && grouping.length === 0 ? 'a page' : 'everything'
}

async function readPage(
  {countMode, limit}: EntityCriteria,
  read: (query: 'page' | 'count') => Promise<unknown[][]>,
): Promise<Page> {
  const rows = await read('page')
  const isCounted = countMode !== 'none' && limit !== undefined
  return {rows, total: isCounted ? Number((await read('count'))[0]?.[0]) : rows.length, hasScore: false}
}

interface PageQueries {
  page: RawBuilder<unknown>
  count: RawBuilder<unknown>
  hasScore: boolean
}

function buildPageQueries(
  {entity, criteria, scored}: EntitySearch,
  columns: readonly string[],
  prefilter?: RawBuilder<boolean>,
): PageQueries {
  const isJoined = isUngrouped(criteria) && scored.length === 0
  const scope = createRootScope(entity, isJoined)
  const score = scoreOf(scored, scope)
  const where =
    criteria.grouping.length === 0
      ? buildWhere(criteria, scope, score?.fits, prefilter)
      : selectFirstOfGroups(criteria, scored, createRootScope(entity), prefilter)
  const counted = sql`from ${scope.from} ${where}`
  if (score && isUngrouped(criteria))
    return buildOnlyRow(criteria, scope, {points: score.points, counted}, columns)
  const order = orderOf(criteria.sorting, scope, score?.points)
  const selected = columns.map(column => sql.ref(`${scope.alias}.${column}`))
  const values = score ? [...selected, score.points] : selected
  return {
    page: sql`select ${sql.join(values)} from ${scope.from} ${where} order by ${order} ${buildPaging(criteria)}`,
    count: countOf(criteria, counted),
    hasScore: score !== undefined,
  }
}

/**
 * A page of one row is queried without grouping joined rows by entity: they count separately, and scored rows become a
 * single one.
 *
 * @see protocol.md §6.2, `limit`
 */
function isUngrouped({limit, ids, grouping}: EntityCriteria): boolean {
  return limit === 1 && !ids && grouping.length === 0
}

interface ScoredRows {
  readonly points: RawBuilder<number>
  readonly counted: RawBuilder<unknown>
}

/** All scored rows as one: the first created one, with the score of all of them. */
function buildOnlyRow(
  {offset}: EntityCriteria,
  scope: QueryScope,
  {points, counted}: ScoredRows,
  columns: readonly string[],
): PageQueries {
  const first = sql.ref(`${scope.alias}.${scope.entity.defaultOrder}`)
  const selected = columns.map(column => sql.ref(`${scope.alias}.${column}`))
  const values = sql.join([...selected, sql`sum(${points}) over ()`])
  return {
    page: sql`select ${values} ${counted} order by ${first} limit ${sql.lit(offset === 0 ? 1 : 0)}`,
    count: sql`select count(*) from (select 1 ${counted} limit 1) as only_row`,
    hasScore: true,
  }
}

/** The first created row of each group; a group is a set of values, compared as in filters. */
function selectFirstOfGroups(
  criteria: EntityCriteria,
  scored: readonly ScoredFilter[],
  scope: QueryScope,
  prefilter: RawBuilder<boolean> | undefined,
): RawBuilder<unknown> {
  const where = buildWhere(criteria, scope, scoreOf(scored, scope)?.fits, prefilter)
  const firstId = sql.ref(`${scope.alias}.${scope.entity.defaultOrder}`)
  const groups = criteria.grouping.map(name => scope.findJoined(name).compared)
  return sql`where ${firstId} in (select min(${firstId}) from ${scope.from} ${where} group by ${sql.join(groups)})`
}

/**
 * SQLite needs a limit for an offset. The limit, an integer here, is part of the statement text: SQLite uses it for
 * planning, and would plan again for every run if it were a parameter.
 */
function buildPaging({limit, offset}: EntityCriteria): RawBuilder<unknown> {
  if (limit === undefined) return sql``
  return offset === 0 ? sql`limit ${sql.lit(limit)}` : sql`limit ${sql.lit(limit)} offset ${offset}`
}

/** Counts everything, or up to the pages that mode 2 counts ahead. */
function countOf(
  {countMode, limit = 0, offset}: EntityCriteria,
  counted: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (countMode === 'exact') return sql`select count(*) ${counted}`
  const ahead = sql.lit(limit * PAGES_COUNTED_AHEAD + 1)
  return sql`select count(*) from (select 1 ${counted} limit ${ahead} offset ${offset}) as ahead`
}

/** The visible members of an entity's rows. */
interface Shown {
  /** Members to keep; `undefined` for all. */
  includes: readonly string[] | undefined
  associations: EntityCriteria['associations']
}

/**
 * The columns of a page's rows, in the order of the description: visible ones, the id, and those of loaded
 * associations.
 */
export function listPageColumns(entity: Entity, {includes, associations}: Shown): string[] {
  const loaded = entity.associations.filter(({name}) => Object.hasOwn(associations, name))
  const keys = new Set(['id', ...loaded.map(({column}) => column)])
  const isShown = (field: Field) => isIncluded(entity, field, includes)
  return listStoredFields(entity)
    .filter(field => keys.has(field.column) || (!field.hidden && isShown(field)))
    .map(({column}) => column)
}

/** Includes members from which others are computed. */
function isIncluded(entity: Entity, {name, kind, translated}: Field, includes: Shown['includes']): boolean {
  if (!includes || includes.includes(name)) return true
  if (includes.includes('extensions') && entity.searchInfo.includes(name)) return true
  if (entity.fields.some(one => includes.includes(one.name) && one.madeOf?.includes(name))) return true
  if (!includes.includes('translated')) return false
  return translated || (kind === 'custom-fields' && entity.fields.some(field => field.translated))
}

/** A search without its values: searches of one shape have the same SQL. */
export interface ShapedSearch {
  /** Its criteria have slots in place of values. */
  readonly search: EntitySearch
  readonly columns: readonly string[]
  /** Searches with the same keys have the same shape. */
  readonly keys: Readonly<Record<keyof Omit<PageQueries, 'hasScore'>, string>>
}

/** Longest list of values in a shape: longer ones rarely have the same length twice. */
const MAX_VALUES = 50

/**
 * The shape of a search.
 *
 * @param columns columns of the rows
 * @returns the shape, with values in the order of slots; `undefined` where the SQL also depends on the values, or is
 * rarely needed twice
 */
export function shapeSearch(
  {entity, criteria, scored}: EntitySearch,
  columns: readonly string[],
): {shaped: ShapedSearch; values: readonly unknown[]} | undefined {
  if (scored.length > 0) return undefined
  const {ids, owner, filters, postFilters} = criteria
  if (![...filters, ...postFilters].every(isShapely)) return undefined
  const values: unknown[] = []
  // Code that builds the query only passes a value on, and inspects it no more than `convertToComparable` does.
  const createSlot = <Value>(value: Value) => new Slot(values.push(value) - 1, value) as unknown as Value
  const found = {
    ...(ids ? {ids: ids.map(createSlot)} : {}),
    filters: filters.map(filter => replaceValuesBySlots(filter, createSlot)),
    postFilters: postFilters.map(filter => replaceValuesBySlots(filter, createSlot)),
    offset: criteria.offset === 0 ? 0 : createSlot(criteria.offset),
  }
  const {limit, sorting, grouping, countMode} = criteria
  const ownerId = owner && createSlot(owner.id)
  if (values.length > MAX_VALUES) return undefined
  const hangsOn = owner && `${owner.entity}.${owner.association.name}`
  const fingerprint = `${entity.name} ${columns.join()} ${JSON.stringify([limit, found, sorting, grouping, countMode, hangsOn])}`
  const slotted = {...criteria, ...found, ...(owner ? {owner: {...owner, id: ownerId as string}} : {})}
  return {
    shaped: {
      search: {entity, criteria: slotted, scored},
      columns,
      keys: {page: `page ${fingerprint}`, count: `count ${fingerprint}`},
    },
    values,
  }
}

/** Excludes searches for parts of texts, whose SQL depends on how common a part is. */
function isShapely(filter: EntityFilter): boolean {
  if ('filters' in filter) return filter.filters.every(isShapely)
  return filter.type === 'equals' || filter.type === 'equalsAny' || filter.type === 'range'
}

function replaceValuesBySlots(
  filter: EntityFilter,
  createSlot: <Value>(value: Value) => Value,
): EntityFilter {
  if ('filters' in filter)
    return {...filter, filters: filter.filters.map(one => replaceValuesBySlots(one, createSlot))}
  if (filter.type === 'equals')
    return filter.value === null ? filter : {...filter, value: createSlot(filter.value)}
  if (filter.type === 'equalsAny')
    return {...filter, values: filter.values.map(value => createSlot<FieldScalar>(value))}
  if (filter.type !== 'range') return filter
  const bounds = Object.entries(filter.bounds).map(([name, bound]) => [
    name,
    bound === null ? null : createSlot(bound),
  ])
  return {...filter, bounds: Object.fromEntries(bounds) as FieldBounds}
}
