import type {Criteria, ScoredFilter} from '../model/criteria.js'
import type {Entity} from '../model/entity.js'
import type {Caller} from '../oauth/caller.js'
import type {Shop} from '../runtime/runtime.js'
import {runAggregations} from './aggregations.js'
import {type Loaded, loadAssociations} from './associations.js'
import type {Result} from './buckets.js'
import {checkCriteria, checkSize} from './criteria/check.js'
import {readCriteria} from './criteria/criteria.js'
import type {NestedPlace} from './nested-path.js'
import type {Form} from './response/encoders.js'
import {AsciiBytes} from './response/encoders.js'
import {type PageAddress, pageLinks} from './response/page-links.js'
import {shownMembers} from './response/plain-json.js'
import {addPlainRows, jsonApiRows, type PlainWriters, type Written} from './response/response.js'
import type {Row} from './response/row-template.js'
import {scoredFiltersOf} from './term.js'
import {writeAggregations} from './write-aggregations.js'

/** What was found, not yet written. */
export interface Found {
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
 * @param written the criteria as they were sent
 * @param place where they hang on another thing
 * @throws ShopError as protocol.md §6.8 lists them, and 403
 */
export async function search(
  shop: Shop,
  entity: Entity,
  written: unknown,
  caller: Caller,
  place?: NestedPlace,
): Promise<Found> {
  const criteria = checkedCriteria(shop, entity, written, caller, place)
  const {associations, includes, fields} = criteria
  const shown = {includes: shownMembers(fields, includes?.[entity.name]), associations}
  const columns = shop.store.entities.pageColumns(entity, shown)
  const page = await findPage(shop, entity, criteria, columns)
  const loaded = await loadAssociations(shop, entity, columns, page.rows, associations, includes)
  const aggregations = await runAggregations(shop, entity, criteria, scoredOf(criteria, entity, shop))
  return {criteria, columns, ...page, loaded, aggregations}
}

/**
 * The ids of one kind of things, as `search` finds them.
 *
 * @throws ShopError as `search`
 */
export async function searchIds(
  shop: Shop,
  entity: Entity,
  written: unknown,
  caller: Caller,
): Promise<{total: number; data: unknown[]}> {
  const criteria = checkedCriteria(shop, entity, written, caller)
  const {rows, total} = await findPage(shop, entity, criteria, ['id'])
  return {total, data: rows.map(([id]) => id)}
}

function checkedCriteria(
  {model, now, limits}: Shop,
  entity: Entity,
  written: unknown,
  caller: Caller,
  place?: NestedPlace,
): Criteria {
  checkSize(written)
  const criteria = readCriteria(written, entity, {model, now: now(), maxLimit: limits.maxLimit})
  checkCriteria(criteria, entity, model, caller, place?.passed)
  return place ? {...criteria, owner: place.owner} : criteria
}

async function findPage(
  shop: Shop,
  entity: Entity,
  criteria: Criteria,
  columns: readonly string[],
): Promise<Pick<Found, 'rows' | 'total' | 'hasScore'>> {
  const {store, model} = shop
  const scored = scoredOf(criteria, entity, shop)
  const page = await store.entities.searchPage(store.db, model, entity, criteria, scored, columns)
  return {...page, rows: inOrderOfIds(page.rows, criteria, columns)}
}

function scoredOf({term, queries}: Criteria, entity: Entity, {model}: Shop): ScoredFilter[] {
  return [...(term === undefined ? [] : scoredFiltersOf(term, entity, model)), ...queries]
}

/** The whole answer, in the form that was asked for. */
export async function writeFound(
  shop: Shop,
  entity: Entity,
  found: Found,
  form: Form,
  address: Omit<PageAddress, 'total'>,
  writers: PlainWriters,
): Promise<string | Buffer> {
  const {criteria, columns, rows, loaded, total, hasScore} = found
  const isFound = !criteria.ids || criteria.owner !== undefined || criteria.filters.length > 0 || hasScore
  const {includes, fields} = criteria
  const written: Written = {entity, columns, rows, loaded, includes, fields, isFound, hasScore}
  const aggregations = await writeAggregations(shop, found.aggregations, form)
  if (form === 'plain') {
    const out = new AsciiBytes((rows.length + 1) * ABOUT_A_ROW).add(`{"total":${total},"data":[`)
    addPlainRows(out, written, writers)
    return out.add(`],"aggregations":${aggregations}}`).bytes
  }
  const {data, included} = jsonApiRows(written, `${address.origin}/api`)
  const links = pageLinks(criteria, {...address, total})
  const meta = `{"totalCountMode":${COUNT_MODES.indexOf(criteria.countMode)},"total":${total}}`
  return `{"data":[${data}],"included":[${included}],"links":${links},"meta":${meta},"aggregations":${aggregations}}`
}

/** Bytes of a whole customer, and somewhat more. */
const ABOUT_A_ROW = 2200

const COUNT_MODES: readonly Criteria['countMode'][] = ['none', 'exact', 'next-pages']

/** Without another order, things come in the order in which their ids were asked for. */
function inOrderOfIds(
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
