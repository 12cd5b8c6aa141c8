import type {Criteria, EntitySearch} from '../model/criteria.js'
import type {Entity} from '../model/entity.js'
import type {Caller} from '../oauth/caller.js'
import type {RuleDeps} from '../runtime/runtime.js'
import type {ShopDatabase} from '../store/schema/search-dialect.js'
import {listPageColumns, searchPage} from '../store/search/search.js'
import {runAggregations} from './aggregations.js'
import {loadAssociations} from './associations.js'
import type {Result} from './buckets.js'
import {checkCriteria, checkSize} from './criteria/check.js'
import {readCriteria} from './criteria/criteria.js'
import type {NestedPlace} from './nested-path.js'
import type {Form} from './response/encoders.js'
import {AsciiBytes} from './response/encoders.js'
import {formatPageLinks, type PageAddress} from './response/page-links.js'
import {selectMembers} from './response/plain-json.js'
import {
  addPlainRows,
  type Loaded,
  type PlainWriters,
  type Written,
  writeJsonApiRows,
} from './response/response.js'
import type {Row} from './response/row-template.js'
import {buildTermFilters} from './term.js'
import {writeAggregations} from './write-aggregations.js'

/** A search of one kind of things. */
export interface SearchRequest {
  readonly entity: Entity
  /** The criteria as they were sent. */
  readonly written: unknown
  readonly caller: Caller
  /** Where the things hang on another one. */
  readonly place?: NestedPlace
}

export interface SearchDeps extends RuleDeps {
  /** Rows a page, and what a search without a limit gives. */
  readonly maxLimit: number
}

/** What was found, not yet written. */
export interface Found {
  entity: Entity
  criteria: Criteria
  columns: readonly string[]
  rows: readonly Row[]
  loaded: readonly Loaded[]
  total: number
  hasScore: boolean
  aggregations: readonly Result[]
}

/**
 * Searches one kind of things.
 *
 * @throws ShopError as protocol.md §6.8 lists them, and 403
 */
export async function search(request: SearchRequest, deps: SearchDeps): Promise<Found> {
  const {db} = deps
  const asked = checkedSearch(request, deps)
  const {entity, criteria} = asked
  const {associations, includes, fields} = criteria
  const shown = {includes: selectMembers(fields, includes?.[entity.name]), associations}
  const columns = listPageColumns(entity, shown)
  const page = await findPage(db, asked, columns)
  const loaded = await loadAssociations({entity, columns, rows: page.rows}, associations, {db, includes})
  const aggregations = await runAggregations(asked, deps)
  return {entity, criteria, columns, ...page, loaded, aggregations}
}

/**
 * The ids of one kind of things, as `search` finds them.
 *
 * @throws ShopError as `search`
 */
export async function searchIds(
  request: SearchRequest,
  deps: SearchDeps,
): Promise<{total: number; data: unknown[]}> {
  const {rows, total} = await findPage(deps.db, checkedSearch(request, deps), ['id'])
  return {total, data: rows.map(([id]) => id)}
}

function checkedSearch(
  {entity, written, caller, place}: SearchRequest,
  {now, maxLimit}: SearchDeps,
): EntitySearch {
  checkSize(written)
  const read = readCriteria(written, entity, {now: now(), maxLimit})
  checkCriteria(read, entity, caller, place?.passed)
  const criteria = place ? {...read, owner: place.owner} : read
  return {entity, criteria, scored: buildTermFilters(criteria, entity)}
}

async function findPage(
  db: ShopDatabase,
  asked: EntitySearch,
  columns: readonly string[],
): Promise<Pick<Found, 'rows' | 'total' | 'hasScore'>> {
  const page = await searchPage(db, asked, columns)
  return {...page, rows: sortByIds(page.rows, asked.criteria, columns)}
}

export interface AnswerDeps {
  readonly db: ShopDatabase
  readonly writers: PlainWriters
}

/** The whole answer, in the form that was asked for. */
export async function writeFound(
  found: Found,
  form: Form,
  address: Omit<PageAddress, 'total'>,
  {db, writers}: AnswerDeps,
): Promise<string | Buffer> {
  const {entity, criteria, columns, rows, loaded, total, hasScore} = found
  const isFound = !criteria.ids || criteria.owner !== undefined || criteria.filters.length > 0 || hasScore
  const {includes, fields} = criteria
  const written: Written = {entity, columns, rows, loaded, includes, fields, isFound, hasScore}
  const aggregations = await writeAggregations(db, found.aggregations, form)
  if (form === 'plain') {
    const out = new AsciiBytes((rows.length + 1) * ABOUT_A_ROW).add(`{"total":${total},"data":[`)
    addPlainRows(out, written, writers)
    return out.add(`],"aggregations":${aggregations}}`).bytes
  }
  const {data, included} = writeJsonApiRows(written, `${address.origin}/api`)
  const links = formatPageLinks(criteria, {...address, total})
  const meta = `{"totalCountMode":${COUNT_MODES.indexOf(criteria.countMode)},"total":${total}}`
  return `{"data":[${data}],"included":[${included}],"links":${links},"meta":${meta},"aggregations":${aggregations}}`
}

/** Bytes of a whole customer, and somewhat more. */
const ABOUT_A_ROW = 2200

const COUNT_MODES: readonly Criteria['countMode'][] = ['none', 'exact', 'next-pages']

/** Without another order, things come in the order in which their ids were asked for. */
function sortByIds(
  rows: readonly Row[],
  {ids, sorting, term}: Criteria,
  columns: readonly string[],
): readonly Row[] {
  if (!ids || sorting.length > 0 || term !== undefined) return rows
  const position = new Map(ids.map((id, index) => [id, index]))
  const column = columns.indexOf('id')
  const at = (row: Row) => position.get(row[column] as string) ?? 0
  return [...rows].sort((one, other) => at(one) - at(other))
}
