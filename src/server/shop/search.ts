import type {Criteria} from '../../shop-model/criteria.js'
import type {Entity} from '../../shop-model/entity.js'
import type {Shop} from '../shop.js'
import type {Caller} from './caller.js'
import {checkCriteria} from './criteria/check.js'
import {MAX_LIMIT, readCriteria} from './criteria/read.js'
import type {Form} from './serialise/encoders.js'
import {jsonApiWriter} from './serialise/json-api.js'
import {type PageAddress, pageLinks} from './serialise/page-links.js'
import {plainWriter} from './serialise/plain.js'
import type {Row} from './serialise/template.js'
import {scoredFiltersOf} from './term.js'

/** What was found, not yet written. */
export interface Found {
  criteria: Criteria
  columns: readonly string[]
  rows: readonly Row[]
  total: number
  hasScore: boolean
}

/**
 * Searches one kind of things.
 *
 * @param written the criteria as they were sent
 * @throws ShopError as protocol.md §6.8 lists them, and 403
 */
export async function search(shop: Shop, entity: Entity, written: unknown, caller: Caller): Promise<Found> {
  const {store, model} = shop
  const criteria = readCriteria(written, entity, {model, now: shop.now(), maxLimit: MAX_LIMIT})
  checkCriteria(criteria, entity, model, caller)
  const scored = [
    ...(criteria.term === undefined ? [] : scoredFiltersOf(criteria.term, entity, model)),
    ...criteria.queries,
  ]
  const columns = store.entities.pageColumns(entity)
  const page = await store.entities.searchPage(store.db, model, entity, criteria, scored, columns)
  const rows = inOrderOfIds(page.rows, criteria, columns)
  return {criteria, columns, rows, total: page.total, hasScore: page.hasScore}
}

/** The whole answer, in the form that was asked for. */
export function writeFound(
  entity: Entity,
  found: Found,
  form: Form,
  address: Omit<PageAddress, 'total'>,
): string {
  return form === 'plain' ? writePlain(entity, found) : writeJsonApi(entity, found, address)
}

function writePlain(entity: Entity, {criteria, columns, rows, total, hasScore}: Found): string {
  const isFound = !criteria.ids || criteria.filters.length > 0 || hasScore
  const includes = criteria.includes?.[entity.name]
  const write = plainWriter(entity, {columns, isFound, hasScore, loaded: {}, includes})
  return `{"total":${total},"data":[${rows.map(write).join()}],"aggregations":[]}`
}

function writeJsonApi(entity: Entity, found: Found, address: Omit<PageAddress, 'total'>): string {
  const {criteria, columns, rows, total} = found
  const apiUrl = `${address.origin}/api`
  const includes = criteria.includes?.[entity.name]
  const write = jsonApiWriter(entity, {columns, apiUrl, linkage: {}, includes})
  const links = pageLinks(criteria, {...address, total})
  const meta = `{"totalCountMode":${['none', 'exact', 'next-pages'].indexOf(criteria.countMode)},"total":${total}}`
  return `{"data":[${rows.map(write).join()}],"included":[],"links":${links},"meta":${meta},"aggregations":[]}`
}

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
