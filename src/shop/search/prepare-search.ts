import type {EntitySearch} from '../../shopware/criteria.js'
import type {Entity} from '../../shopware/entity.js'
import type {Principal} from '../oauth/caller.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {listPageColumns, type ShapedSearch, shapeSearch} from '../store/search/search.js'
import {checkCriteria, checkSize, requireReadable} from './criteria/check.js'
import {parseEntityCriteria} from './criteria/criteria.js'
import {isSearched} from './criteria/searched.js'
import type {NestedTarget} from './nested-path.js'
import {selectMembers} from './response/plain-json.js'
import {dependsOnTableSizes, requireBoundedRows} from './row-bound.js'
import {type CriteriaSketch, type SearchPlan, type SearchPlans, sketchCriteria} from './search-plan.js'
import {buildTermFilters} from './term.js'

/** A search for one entity. */
export interface EntitySearchRequest {
  readonly entity: Entity
  /** The criteria as they were sent. */
  readonly written: unknown
  readonly caller: Principal
  /** For entities that belong to another one. */
  readonly nested?: NestedTarget | undefined
}

export interface EntitySearchDeps extends RuleDeps {
  /** Most rows in a page, also the default limit. */
  readonly maxLimit: number | undefined
}

interface PreparedSearch extends Pick<SearchPlan, 'asked' | 'columns'> {
  /** For a search that was prepared before and needs only its values. */
  readonly shape?: {readonly shaped: ShapedSearch; readonly values: readonly unknown[]}
}

/**
 * Parses and checks a search, unless one of its shape is cached.
 *
 * @throws ShopError as protocol.md §6.8 lists them, and 403
 */
export async function prepareSearch(
  request: EntitySearchRequest,
  deps: EntitySearchDeps & {readonly plans: SearchPlans},
): Promise<PreparedSearch> {
  const {entity, written, nested, caller} = request
  const sketch = nested ? undefined : sketchCriteria(written)
  const plan = sketch && deps.plans.find(entity, sketch)
  if (plan) {
    requireReadable(plan.asked.criteria, entity, caller)
    return {asked: plan.asked, columns: plan.columns, shape: {shaped: plan.shaped, values: sketch.values}}
  }
  const asked = checkSearch(request, deps)
  const {criteria} = asked
  await requireBoundedRows(deps.db, entity, criteria)
  const {associations, includes, fields} = criteria
  const shown = {includes: selectMembers(fields, includes?.[entity.name]), associations}
  const columns = listPageColumns(entity, shown)
  if (sketch) keepPlan({asked, columns}, sketch, deps.plans)
  return {asked, columns}
}

function keepPlan({asked, columns}: PreparedSearch, sketch: CriteriaSketch, plans: SearchPlans): void {
  const {entity, criteria} = asked
  const shape = shapeSearch(asked, columns)
  if (!shape || entity.isRowless || dependsOnTableSizes(entity, criteria)) return
  const isSketched =
    shape.values.length === sketch.values.length &&
    shape.values.every((value, index) => value === sketch.values[index])
  if (isSketched) plans.keep(entity, sketch, {asked, columns, shaped: shape.shaped})
}

/** @throws ShopError as `prepareSearch` */
export function checkSearch(
  {entity, written, caller, nested}: EntitySearchRequest,
  {now, maxLimit, edition}: EntitySearchDeps,
): EntitySearch {
  checkSize(written)
  const read = parseEntityCriteria(written, entity, {now: now(), maxLimit, edition})
  checkCriteria(read, entity, caller, nested?.passed)
  const searched = isSearched(read, entity)
  // A search compares ids as ids, while reading by id compares their texts.
  const ids = searched ? read.ids?.map(id => id.toLowerCase()) : read.ids
  const found = ids ? {...read, ids} : read
  const criteria = nested ? {...found, owner: nested.owner} : found
  return {entity, criteria, scored: buildTermFilters(criteria, entity, edition)}
}
