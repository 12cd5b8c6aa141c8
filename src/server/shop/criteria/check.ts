import {prefixed, resolveAccessor} from '../../../shop-model/accessor.js'
import type {Aggregation} from '../../../shop-model/aggregation.js'
import type {Criteria, Filter} from '../../../shop-model/criteria.js'
import type {EntityModel} from '../../../shop-model/entities/index.js'
import type {Entity} from '../../../shop-model/entity.js'
import {isId} from '../../../shop-model/ids.js'
import {httpError} from '../../shop-error.js'
import type {Caller} from '../caller.js'
import {missingPrivileges} from '../privileges.js'
import {accessorNotAllowed, invalidUuid, notSupportedField, unmappedField} from './errors.js'
import {boundsOf, countValues, fieldsOf, filtersOfAggregation} from './fields-of.js'

/** What one statement takes in the smaller of our databases, with room for paging and terms. */
const MOST_VALUES = 10_000

/** Each aggregation is a statement of its own, and each range and group a part of one. */
const MOST_AGGREGATIONS = 100
const MOST_RANGES = 500
const MOST_GROUPS = 100

/**
 * Refuses what may not be searched: first hidden fields, then what the caller may not read, then fields that are not
 * there and ids that are none.
 *
 * @param passed entities on the way to these, which must be readable as well
 * @throws ShopError 500, 403, 400 in that order
 * @see protocol.md §1.1, §3.4, §6.8
 */
export function checkCriteria(
  criteria: Criteria,
  entity: Entity,
  model: EntityModel,
  caller: Caller,
  passed: readonly string[] = [],
): void {
  const values = countValues(criteria)
  if (values > MOST_VALUES)
    throw httpError(400, `The criteria hold ${values} values; ${MOST_VALUES} is the most.`)
  checkCounts(criteria)
  checkHidden(criteria, entity, model)
  checkPrivileges(criteria, entity, model, caller, passed)
  checkFields(criteria, entity, model)
}

/** @throws ShopError 400 for more than a search needs */
function checkCounts({aggregations, grouping}: Criteria): void {
  const tooMany = (what: string, count: number, most: number) =>
    httpError(400, `The criteria hold ${count} ${what}; ${most} is the most.`)
  if (aggregations.length > MOST_AGGREGATIONS)
    throw tooMany('aggregations', aggregations.length, MOST_AGGREGATIONS)
  const ranges = Math.max(0, ...aggregations.map(one => boundsOf(one) / 2))
  if (ranges > MOST_RANGES) throw tooMany('ranges', ranges, MOST_RANGES)
  if (grouping.length > MOST_GROUPS) throw tooMany('groups', grouping.length, MOST_GROUPS)
}

function checkHidden(criteria: Criteria, entity: Entity, model: EntityModel): void {
  for (const name of fieldsOf(criteria)) {
    const accessor = resolveAccessor(model, entity, name)
    const crossed = 'steps' in accessor ? [...accessor.steps, accessor.field] : []
    if (crossed.some(({hidden}) => hidden)) throw accessorNotAllowed(prefixed(entity, name))
  }
  forAssociations(criteria, entity, model, checkHidden)
}

/** Entity first, then associations, then what field paths cross; doubles leave gaps. @see protocol.md §3.4 */
function checkPrivileges(
  criteria: Criteria,
  entity: Entity,
  model: EntityModel,
  caller: Caller,
  passed: readonly string[],
): void {
  const needed = [
    ...passed.map(name => `${name}:read`),
    `${entity.name}:read`,
    ...associatedEntities(criteria, entity, model).map(name => `${name}:read`),
    ...fieldsOf(criteria).flatMap(name => {
      const accessor = resolveAccessor(model, entity, name)
      return 'steps' in accessor ? accessor.steps.map(({target}) => `${target}:read`) : []
    }),
  ]
  const refusal = missingPrivileges(caller, needed)
  if (refusal) throw refusal
}

function associatedEntities({associations}: Criteria, entity: Entity, model: EntityModel): string[] {
  return Object.entries(associations).flatMap(([name, criteria]) => {
    const target = entity.associations.find(one => one.name === name)?.target
    return target === undefined ? [] : [target, ...associatedEntities(criteria, model.get(target), model)]
  })
}

function checkFields(criteria: Criteria, entity: Entity, model: EntityModel): void {
  for (const filter of [
    ...criteria.filters,
    ...criteria.postFilters,
    ...criteria.queries.map(one => one.filter),
    ...criteria.aggregations.flatMap(filtersOfAggregation),
  ]) {
    checkFilter(filter, entity, model)
  }
  for (const name of fieldsOf(criteria)) resolved(name, entity, model)
  for (const aggregation of criteria.aggregations) checkRanges(aggregation, entity, model)
  forAssociations(criteria, entity, model, checkFields)
}

function checkFilter(filter: Filter, entity: Entity, model: EntityModel): void {
  if (!('field' in filter)) {
    for (const member of filter.filters) checkFilter(member, entity, model)
    return
  }
  const {field} = resolved(filter.field, entity, model)
  if (field.kind !== 'id') return
  const values = filter.type === 'equals' ? [filter.value] : filter.type === 'equalsAny' ? filter.values : []
  for (const value of values) if (value !== null && !isId(value)) throw invalidUuid(value)
}

/** Ranges are of numbers. */
function checkRanges(aggregation: Aggregation, entity: Entity, model: EntityModel): void {
  if ('aggregation' in aggregation && aggregation.aggregation)
    checkRanges(aggregation.aggregation, entity, model)
  if (aggregation.type !== 'range') return
  const {field} = resolved(aggregation.field, entity, model)
  if (field.kind !== 'int' && field.kind !== 'float') throw notSupportedField('range', field.name, field.kind)
}

function resolved(name: string, entity: Entity, model: EntityModel) {
  const accessor = resolveAccessor(model, entity, name)
  if ('unmapped' in accessor) throw unmappedField(accessor.unmapped, accessor.entity.name)
  return accessor
}

function forAssociations(
  {associations}: Criteria,
  entity: Entity,
  model: EntityModel,
  check: (criteria: Criteria, entity: Entity, model: EntityModel) => void,
): void {
  for (const [name, nested] of Object.entries(associations)) {
    const target = entity.associations.find(one => one.name === name)?.target
    if (target !== undefined) check(nested, model.get(target), model)
  }
}
