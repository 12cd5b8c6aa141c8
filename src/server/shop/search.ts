import type {Criteria, ScoredFilter} from '../../shop-model/criteria.js'
import type {Entity} from '../../shop-model/entity.js'
import type {Shop} from '../shop.js'
import type {Result} from './aggregations/result.js'
import {runAggregations} from './aggregations/run.js'
import {writeAggregations} from './aggregations/write.js'
import {type Loaded, loadAssociations} from './associations.js'
import type {Caller} from './caller.js'
import {checkCriteria} from './criteria/check.js'
import {readCriteria} from './criteria/read.js'
import {checkSize} from './criteria/size.js'
import type {NestedPlace} from './nested-path.js'
import {AsciiBytes} from './serialise/ascii-bytes.js'
import {addPlainRows, jsonApiRows, type PlainWriters, type Written} from './serialise/document.js'
import type {Form} from './serialise/encoders.js'
import {type PageAddress, pageLinks} from './serialise/page-links.js'
import {shownMembers} from './serialise/shown.js'
import type {Row} from './serialise/template.js'
import {scoredFiltersOf} from './term.js'

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
