import {Slot} from '../../../storage/engine/statement.js'
import type {EntityCriteria, EntityFilter, FieldBounds, FieldScalar} from '../../model/criteria.js'
import type {Entity} from '../../model/entity.js'

/** Criteria apart from their values: those of one shape become the same SQL. */
export interface FingerprintedCriteria {
  /** Two with the same text are of one shape. */
  readonly fingerprint: string
  /** The criteria with slots in place of values. */
  readonly criteria: EntityCriteria
  /** By the names of the slots. */
  readonly values: readonly unknown[]
}

/** Longer lists are rarely of the same length twice. */
const MAX_VALUES = 50

/**
 * The shape of criteria.
 *
 * @param columns which columns the rows are to have
 * @returns `undefined` where their SQL depends on the values as well, or will hardly be needed twice
 */
export function computeFingerprint(
  entity: Entity,
  criteria: EntityCriteria,
  columns: readonly string[],
): FingerprintedCriteria | undefined {
  const {ids, owner, filters, postFilters} = criteria
  if (![...filters, ...postFilters].every(isShapely)) return undefined
  const values: unknown[] = []
  // Whoever puts the query together hands a value on, and looks at it no further than `comparable` does.
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
  return {
    fingerprint: `${entity.name} ${columns.join()} ${JSON.stringify([limit, found, sorting, grouping, countMode, hangsOn])}`,
    criteria: {...criteria, ...found, ...(owner ? {owner: {...owner, id: ownerId as string}} : {})},
    values,
  }
}

/** Parts of texts are looked for in one way or another, by how common they are. */
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
