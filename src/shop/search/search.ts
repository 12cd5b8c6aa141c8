import type {EntityCriteria, EntitySearch} from '../../shopware/criteria.js'
import type {ShopEdition} from '../../shopware/editions.js'
import type {Entity} from '../../shopware/entity.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createNothingThereError} from '../runtime/shop-error.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {searchPage, searchShapedPage} from '../store/search/search.js'
import {runAggregations, writeAggregations} from './aggregations.js'
import {loadAssociations, requireListedIncludes} from './associations.js'
import {isSearched} from './criteria/searched.js'
import {
  checkSearch,
  type EntitySearchDeps,
  type EntitySearchRequest,
  prepareSearch,
} from './prepare-search.js'
import {AsciiBytes, type JsonForm} from './response/encoders.js'
import {formatPageLinks, formatSelfLink, type PageAddress} from './response/page-links.js'
import {
  addPlainRows,
  type Loaded,
  type PlainWriters,
  type Written,
  writeJsonApiRows,
} from './response/response.js'
import type {PageRow} from './response/row-template.js'
import {requireBoundedRows} from './row-bound.js'
import type {SearchPlans} from './search-plan.js'

/** A found page, before writing. */
interface FoundPage {
  entity: Entity
  criteria: EntityCriteria
  columns: readonly string[]
  rows: readonly PageRow[]
  loaded: readonly Loaded[]
  total: number
  hasScore: boolean
  aggregations: Awaited<ReturnType<typeof runAggregations>>
}

/**
 * Searches one entity.
 *
 * @throws ShopError as protocol.md §6.8 lists them, and 403
 */
export async function searchEntities(
  request: EntitySearchRequest,
  deps: EntitySearchDeps & {readonly plans: SearchPlans},
): Promise<FoundPage> {
  const {db} = deps
  const {asked, columns, shape} = await prepareSearch(request, deps)
  const {entity, criteria} = asked
  const {associations, includes} = criteria
  const page = shape
    ? await searchShapedPage(db, shape.shaped, shape.values)
    : await findPage(db, asked, columns)
  const loading = {db, includes, edition: deps.edition}
  const loaded = await loadAssociations({entity, columns, rows: page.rows}, associations, loading)
  requireListedIncludes(criteria, entity, page.rows, loaded)
  const aggregations = await runAggregations(asked, deps)
  const {rows, total, hasScore} = page
  return {entity, criteria, columns, rows, total, hasScore, loaded, aggregations}
}

/**
 * The ids of one entity that a search finds.
 *
 * @throws ShopError as `search`
 */
export async function searchIds(
  request: EntitySearchRequest,
  deps: EntitySearchDeps,
): Promise<{total: number; data: unknown[]}> {
  const asked = checkSearch(request, deps)
  await requireBoundedRows(deps.db, asked.entity, asked.criteria)
  const {rows, total} = await findPage(deps.db, asked, ['id'])
  return {total, data: rows.map(([id]) => id)}
}

const NOTHING = {rows: [], total: 0, hasScore: false}

async function findPage(
  db: ShopDatabase,
  asked: EntitySearch,
  columns: readonly string[],
): Promise<Pick<FoundPage, 'rows' | 'total' | 'hasScore'>> {
  if (asked.entity.isRowless) return NOTHING
  const page = await searchPage(db, asked, columns)
  return {...page, rows: sortByIds(page.rows, asked.criteria, columns)}
}

export interface AnswerDeps extends Pick<RuleDeps, 'edition'> {
  readonly db: ShopDatabase
  readonly writers: PlainWriters
}

/** The whole response, in the requested format. */
export async function writeFound(
  found: FoundPage,
  form: JsonForm,
  address: Omit<PageAddress, 'total'>,
  {db, writers, edition}: AnswerDeps,
): Promise<string | Buffer> {
  const {entity, criteria, rows, total, hasScore} = found
  const isFound = criteria.owner !== undefined || isSearched(criteria, entity)
  const written = describeRows(found, {isFound, hasScore}, edition)
  const aggregations = await writeAggregations(found.aggregations, {db, form, edition})
  if (form === 'plain') {
    const out = new AsciiBytes((rows.length + 1) * ABOUT_A_ROW).add(`{"total":${total},"data":[`)
    addPlainRows(out, written, writers)
    return out.add(`],"aggregations":${aggregations}}`).content
  }
  const {data, included} = writeJsonApiRows(written, {
    apiUrl: `${address.origin}/api`,
    edition,
  })
  const {origin, path, query} = address
  const links = formatPageLinks(criteria, {origin, path, query, total})
  const meta = `{"totalCountMode":${COUNT_MODES.indexOf(criteria.countMode)},"total":${total}}`
  return `{"data":[${data}],"included":[${included}],"links":${links},"meta":${meta},"aggregations":${aggregations}}`
}

/**
 * The whole response with one found entity.
 *
 * @throws ShopError 404 where there is none
 */
export async function writeFoundOne(
  found: FoundPage,
  form: JsonForm,
  address: Omit<PageAddress, 'total'>,
  {writers, edition}: AnswerDeps,
): Promise<string | Buffer> {
  const {entity, criteria, rows} = found
  if (rows.length === 0) throw createNothingThereError(entity.name, criteria.ids?.[0] ?? '')
  const written = describeRows(found, {isFound: false, hasScore: false}, edition)
  if (form === 'plain') {
    const out = new AsciiBytes(ABOUT_A_ROW).add('{"data":')
    addPlainRows(out, written, writers)
    return out.add('}').content
  }
  const {data, included} = writeJsonApiRows(written, {
    apiUrl: `${address.origin}/api`,
    edition,
  })
  return `{"data":${data},"included":[${included}],"links":${formatSelfLink(address)}}`
}

function describeRows(
  {entity, criteria: {includes, fields}, columns, rows, loaded}: FoundPage,
  {isFound, hasScore}: Pick<Written, 'isFound' | 'hasScore'>,
  {showsForeignKeys}: ShopEdition,
): Written {
  return {entity, columns, rows, loaded, includes, fields, isFound, showsForeignKeys, hasScore}
}

/** Somewhat more than the bytes of a whole customer. */
const ABOUT_A_ROW = 2200

const COUNT_MODES: readonly EntityCriteria['countMode'][] = ['none', 'exact', 'next-pages']

/** Without another order, rows are in the order of the requested ids. */
function sortByIds(
  rows: readonly PageRow[],
  {ids, sorting, term}: EntityCriteria,
  columns: readonly string[],
): readonly PageRow[] {
  if (!ids || sorting.length > 0 || term !== undefined) return rows
  const position = new Map(ids.map((id, index) => [id, index]))
  const column = columns.indexOf('id')
  const findPosition = (row: PageRow) => position.get(row[column] as string) ?? 0
  return [...rows].sort((one, other) => findPosition(one) - findPosition(other))
}
