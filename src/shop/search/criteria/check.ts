import type {CriteriaAggregation, EntityCriteria, EntityFilter} from '../../../shopware/criteria.js'
import {addEntityPrefix, findModel, resolveAccessor} from '../../../shopware/entities/entities.js'
import type {Association, Entity, Field} from '../../../shopware/entity.js'
import {isId} from '../../../shopware/ids.js'
import {convertToText} from '../../../shopware/php-values.js'
import {findMissingPrivileges, type Principal} from '../../oauth/caller.js'
import {CRITERIA} from '../../runtime/limits.js'
import {createHttpError, createInvalidUuidError, type ShopError} from '../../runtime/shop-error.js'
import {
  createAccessorError,
  createBytesError,
  createGroupingError,
  createNoAccessorError,
  createRuntimeFieldError,
  createUnmappedFieldError,
  createUnsupportedFieldError,
} from './errors.js'
import {
  countAssociations,
  countBounds,
  countFilterSteps,
  countValues,
  findLongestPath,
  listAggregationFilters,
  listCriteriaFields,
} from './used-fields.js'

/**
 * Checks what may be searched: first for hidden fields, then for unreadable entities, then for unknown fields and
 * invalid ids.
 *
 * @param passed entities on the path to these, which must be readable as well
 * @throws ShopError 500, 403, 400 in that order
 * @see protocol.md §1.1, §3.4, §6.8
 */
export function checkCriteria(
  criteria: EntityCriteria,
  entity: Entity,
  caller: Principal,
  passed: readonly string[] = [entity.name],
): void {
  checkCounts(criteria)
  checkHidden(criteria, entity)
  requireReadable(criteria, entity, caller, passed)
  checkFields(criteria, entity)
}

/** @throws ShopError 400 for more than the limits of a search */
function checkCounts(criteria: EntityCriteria): void {
  const requireAtMost = (what: string, count: number, limit: number) => {
    if (count > limit) throw createTooManyError(what, count, limit)
  }
  const {term, queries, aggregations, sorting, grouping} = criteria
  requireAtMost('values', countValues(criteria), CRITERIA.values)
  requireAtMost('associations', countAssociations(criteria), CRITERIA.associations)
  requireAtMost('fields and associations in filters', countFilterSteps(criteria), CRITERIA.filterSteps)
  requireAtMost('associations on the path to one field', findLongestPath(criteria), CRITERIA.pathSteps)
  requireAtMost('characters in the term', term?.length ?? 0, CRITERIA.termCharacters)
  requireAtMost('scored filters', queries.length, CRITERIA.scored)
  requireAtMost('sortings', sorting.length, CRITERIA.sortings)
  requireAtMost('aggregations', aggregations.length, CRITERIA.aggregations)
  requireAtMost('ranges', Math.max(0, ...aggregations.map(one => countBounds(one) / 2)), CRITERIA.ranges)
  requireAtMost('groups', grouping.length, CRITERIA.groups)
  for (const nested of Object.values(criteria.associations)) checkCounts(nested)
}

function isMadeWhenShown(one: Field | Association): boolean {
  return 'madeOf' in one || 'isShownEmpty' in one
}

/** The associations and the field of a dotted name, or its last association. */
function listCrossed(entity: Entity, name: string): readonly (Field | Association)[] {
  const accessor = resolveAccessor(entity, name)
  if ('steps' in accessor) return [...accessor.steps, accessor.field]
  return accessor.isAssociation
    ? accessor.entity.associations.filter(one => one.name === accessor.unmapped)
    : []
}

function checkHidden(criteria: EntityCriteria, entity: Entity): void {
  for (const name of listCriteriaFields(criteria)) {
    const refused = listCrossed(entity, name).find(one => one.hidden || isMadeWhenShown(one))
    if (!refused) continue
    const written = addEntityPrefix(entity, name)
    throw isMadeWhenShown(refused) ? createRuntimeFieldError(written) : createAccessorError(written)
  }
  checkAssociations(criteria, entity, checkHidden)
}

/**
 * Requires the privileges to read all entities in criteria. The error names each entity once, after those of the path;
 * one in both leaves a gap at its second position.
 *
 * @throws ShopError 403 @see protocol.md §3.4
 */
export function requireReadable(
  criteria: EntityCriteria,
  entity: Entity,
  caller: Principal,
  passed: readonly string[] = [entity.name],
): void {
  if (caller.isAdministrator) return
  const needed = [...passed, ...new Set(readEntities(criteria, entity))].map(name => `${name}:read`)
  const refusal = findMissingPrivileges(caller, needed)
  if (refusal) throw refusal
}

/** The entity first, then associations with everything inside them, then entities on field paths. */
function readEntities(criteria: EntityCriteria, entity: Entity): string[] {
  const asked = Object.entries(criteria.associations).filter(([name]) => !criteria.loadedByFields?.has(name))
  const associated = asked.flatMap(([name, nested]) => {
    const target = entity.associations.find(one => one.name === name)?.target
    return target === undefined ? [] : readEntities(nested, findModel(entity).get(target))
  })
  const crossed = listCriteriaFields(criteria).flatMap(name => {
    const accessor = resolveAccessor(entity, name)
    return 'steps' in accessor ? accessor.steps.map(({target}) => target) : []
  })
  return [entity.name, ...associated, ...crossed]
}

function checkFields(criteria: EntityCriteria, entity: Entity): void {
  for (const filter of [
    ...criteria.filters,
    ...criteria.postFilters,
    ...criteria.queries.map(one => one.filter),
    ...criteria.aggregations.flatMap(listAggregationFilters),
  ]) {
    checkFilter(filter, entity)
  }
  for (const name of listCriteriaFields(criteria)) resolveField(name, entity)
  if (criteria.grouping.some(name => resolveField(name, entity).steps.length > 0)) throw createGroupingError()
  for (const aggregation of criteria.aggregations) checkAggregation(aggregation, entity)
  for (const id of criteria.ids ?? []) if (!isId(id)) throw createInvalidUuidError(id)
  checkAssociations(criteria, entity, checkFields)
}

function checkFilter(filter: EntityFilter, entity: Entity): void {
  if (!('field' in filter)) {
    for (const member of filter.filters) checkFilter(member, entity)
    return
  }
  const {field} = resolveField(filter.field, entity)
  if (field.kind !== 'id') return
  const values = filter.type === 'equals' ? [filter.value] : filter.type === 'equalsAny' ? filter.values : []
  for (const value of values)
    if (value !== null && !isId(value)) throw createInvalidUuidError(convertToText(value))
}

/** Ranges need numbers, and minimum and maximum do not work on ids. */
function checkAggregation(aggregation: CriteriaAggregation, entity: Entity): void {
  if ('aggregation' in aggregation && aggregation.aggregation)
    checkAggregation(aggregation.aggregation, entity)
  if (aggregation.type === 'min' || aggregation.type === 'max' || aggregation.type === 'stats')
    if (resolveField(aggregation.field, entity).field.kind === 'id') throw createBytesError()
  if (aggregation.type !== 'range') return
  const {field} = resolveField(aggregation.field, entity)
  // For the shop, the number from the database is a separate type, although it is an integer.
  if ((field.kind !== 'int' && field.kind !== 'float') || field.name === 'autoIncrement')
    throw createUnsupportedFieldError('range', field.name, field.kind)
}

function resolveField(name: string, entity: Entity) {
  const accessor = resolveAccessor(entity, name)
  if ('unmapped' in accessor)
    throw accessor.isAssociation
      ? createNoAccessorError(accessor.unmapped)
      : createUnmappedFieldError(accessor.unmapped, accessor.entity.name)
  return accessor
}

function checkAssociations(
  {associations}: EntityCriteria,
  entity: Entity,
  check: (criteria: EntityCriteria, entity: Entity) => void,
): void {
  for (const [name, nested] of Object.entries(associations)) {
    const target = entity.associations.find(one => one.name === name)?.target
    if (target !== undefined) check(nested, findModel(entity).get(target))
  }
}

/**
 * Refuses criteria over the size limits before parsing, which takes longer than counting.
 *
 * @throws ShopError 400
 */
export function checkSize(written: unknown): void {
  let members = 0
  let characters = 0
  const waiting = [written]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string') characters += one.length
    if (typeof one !== 'object' || one === null) continue
    const inside = Object.values(one)
    members += inside.length
    if (members > CRITERIA.members) throw createTooManyError('members', members, CRITERIA.members)
    for (const member of inside) waiting.push(member)
  }
  if (characters > CRITERIA.characters)
    throw createTooManyError('characters', characters, CRITERIA.characters)
}

/** The error for criteria with too many parts of a kind. */
export function createTooManyError(what: string, count: number, requireAtMost: number): ShopError {
  return createHttpError(400, `The criteria contain ${count} ${what}; the maximum is ${requireAtMost}.`)
}
