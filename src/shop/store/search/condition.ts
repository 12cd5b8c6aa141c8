import {type RawBuilder, sql} from 'kysely'
import type {
  EntityCriteria,
  EntityFilter,
  FieldBounds,
  FieldFilter,
  FieldScalar,
  Operator,
} from '../../../shopware/criteria.js'
import type {Association} from '../../../shopware/entity.js'
import {combineInPairs, escapeLike} from '../schema/sql.js'
import {type FieldReference, isToMany, type QueryScope, type ToManyReference} from './scope.js'
import {convertToComparable, convertToSearchable, isNumericField} from './values.js'

type Condition = RawBuilder<boolean>

/**
 * A filter as SQL, with all values as parameters.
 *
 * @param negated whether it is inside a `not`: then `equals` treats null as a different value
 * @returns `undefined` when it has no effect
 * @see protocol.md §6.3
 */
export function buildCondition(
  filter: EntityFilter,
  scope: QueryScope,
  negated = false,
): Condition | undefined {
  if ('field' in filter) return buildLeafCondition(filter, scope, negated)
  if (filter.type === 'not') {
    const inner = groupCondition(filter.operator, filter.filters, scope, true)
    return inner && sql<boolean>`not (${inner})`
  }
  return groupCondition(filter.type, filter.filters, scope, negated)
}

/** All of the filters combined; `undefined` when none has an effect. */
export function combineAll(filters: readonly EntityFilter[], scope: QueryScope): Condition | undefined {
  return groupCondition('and', filters, scope, false)
}

function groupCondition(
  operator: Operator,
  filters: readonly EntityFilter[],
  scope: QueryScope,
  negated: boolean,
): Condition | undefined {
  const members: Member[] =
    operator === 'xor'
      ? filters.map(filter => ({filter}))
      : gatherConditions(operator, filters, scope, negated)
  const conditions = members.flatMap(({filter, many}) => {
    const condition = many
      ? buildExistsCondition(many, filter, scope, negated)
      : buildCondition(filter, scope, negated)
    return condition ? [condition] : []
  })
  if (conditions.length === 0) return undefined
  return joinConditions(operator, conditions)
}

function joinConditions(operator: Operator, conditions: readonly Condition[]): Condition {
  return combineInPairs(conditions, (left, right) => combineTwo(operator, left, right))
}

function combineTwo(operator: Operator, left: Condition, right: Condition): Condition {
  if (operator === 'xor') return sql<boolean>`((${left}) <> (${right}))`
  return operator === 'or' ? sql<boolean>`(${left} or ${right})` : sql<boolean>`(${left} and ${right})`
}

interface Member {
  filter: EntityFilter
  many?: ToManyReference
}

/**
 * Conditions in one `and` on the same to-many association must hold for the same row of it; those in a group of their
 * own are independent. In one `or` that makes no difference, so they share one subquery: SQLite opens a cursor for
 * each, and iterates over all open ones.
 */
function gatherConditions(
  operator: 'and' | 'or',
  filters: readonly EntityFilter[],
  scope: QueryScope,
  negated: boolean,
): Member[] {
  const members: Member[] = []
  const byKey = new Map<string, EntityFilter[]>()
  for (const filter of filters) {
    const reference = 'field' in filter ? scope.findCompared(filter.field, negated) : undefined
    if (!reference || !isToMany(reference)) {
      members.push({filter})
      continue
    }
    const over = {...filter, field: reference.rest} as FieldFilter
    const known = byKey.get(reference.pathKey)
    if (known) {
      known.push(over)
      continue
    }
    const inner: EntityFilter[] = [over]
    byKey.set(reference.pathKey, inner)
    members.push({filter: {type: operator, filters: inner}, many: reference})
  }
  return members
}

/** Whether any associated row matches; without any, a comparison with null matches, as for an outer join. */
function buildExistsCondition(
  many: ToManyReference,
  filter: EntityFilter,
  outer: QueryScope,
  negated: boolean,
): Condition | undefined {
  const {scope, belongs} = outer.enter(many)
  const inner = buildCondition(filter, scope, negated)
  if (!inner) return undefined
  const some = sql<boolean>`exists (select 1 from ${scope.from} where ${belongs} and ${inner})`
  if (!includesNull(filter)) return some
  return sql<boolean>`(${some} or not exists (select 1 from ${scope.from} where ${belongs}))`
}

function includesNull(filter: EntityFilter): boolean {
  if ('field' in filter) return filter.type === 'equals' && filter.value === null
  if (filter.type === 'not') return false
  const answers = filter.filters.map(includesNull)
  return filter.type === 'or' ? answers.some(Boolean) : answers.length > 0 && answers.every(Boolean)
}

function buildLeafCondition(leaf: FieldFilter, scope: QueryScope, negated: boolean): Condition | undefined {
  const reference = scope.findCompared(leaf.field, negated)
  if (isToMany(reference))
    return buildExistsCondition(reference, {...leaf, field: reference.rest}, scope, negated)
  return compare(leaf, reference, negated)
}

function compare(leaf: FieldFilter, reference: FieldReference, negated: boolean): Condition {
  const {field, compared} = reference
  if (leaf.type === 'range') return buildRangeCondition(leaf.bounds, reference)
  if (leaf.type === 'equals') {
    if (leaf.value === null) return sql<boolean>`${compared} is null`
    if (field.kind === 'list') return holds(reference, leaf.value)
    const value = convertToComparable(field, leaf.value)
    return negated
      ? sql<boolean>`${compared} is not distinct from ${value}`
      : sql<boolean>`${compared} = ${value}`
  }
  if (leaf.type === 'equalsAny') {
    if (field.kind === 'list')
      return joinConditions(
        'or',
        leaf.values.map(value => holds(reference, value)),
      )
    return sql<boolean>`${compared} in (${sql.join(leaf.values.map(value => convertToComparable(field, value)))})`
  }
  return buildLikeCondition(reference, leaf)
}

/** Lists are JSON, with values in quotes. */
function holds(reference: FieldReference, value: FieldScalar): Condition {
  const pattern = convertToComparable({...reference.field, kind: 'text'}, value, text => {
    return `%${escapeLike(JSON.stringify(String(text)))}%`
  })
  return sql<boolean>`${reference.compared} like ${pattern} escape '\\'`
}

function buildLikeCondition(
  {field, compared}: FieldReference,
  leaf: Extract<FieldFilter, {type: 'contains' | 'prefix' | 'suffix'}>,
): Condition {
  const part = convertToSearchable(field, leaf.value)
  if (leaf.type === 'prefix' && field.kind === 'text') return buildPrefixCondition(compared, part)
  const literal = escapeLike(part)
  const pattern =
    leaf.type === 'prefix' ? `${literal}%` : leaf.type === 'suffix' ? `%${literal}` : `%${literal}%`
  const text = isNumericField(field) ? sql`cast(${compared} as text)` : compared
  return sql<boolean>`${text} like ${pattern} escape '\\'`
}

/** As a range, so that an index can be used. Nothing sorts after the last code point. */
function buildPrefixCondition(compared: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`(${compared} >= ${part} and ${compared} < ${`${part}\u{10ffff}`})`
}

const COMPARISONS = {gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`}

function buildRangeCondition(bounds: FieldBounds, reference: FieldReference): Condition {
  const conditions = Object.entries(bounds).map(([name, bound]) => {
    const comparison = COMPARISONS[name as keyof FieldBounds]
    if (bound === null) return sql<boolean>`${reference.compared} ${comparison} null`
    const {field, compared} = reference
    return sql<boolean>`${compared} ${comparison} ${convertToComparable(field, bound)}`
  })
  if (conditions.length === 0) return sql<boolean>`1 = 1`
  return joinConditions('and', conditions)
}

/**
 * `where …` for everything that criteria find, before groups and pages; empty when they find all rows.
 *
 * @param fits condition for finding a row by its score
 * @param prefilter condition that all results meet anyway
 * @see protocol.md §6.2
 */
export function buildWhere(
  {ids, owner, filters, postFilters}: Pick<EntityCriteria, 'ids' | 'owner' | 'filters' | 'postFilters'>,
  scope: QueryScope,
  fits: RawBuilder<boolean> | undefined,
  prefilter?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const filtered = combineAll([...filters, ...postFilters], scope)
  const conditions = [
    ...(prefilter ? [prefilter] : []),
    ...(ids ? [sql<boolean>`${sql.ref(`${scope.alias}.id`)} in (${sql.join(ids)})`] : []),
    ...(owner ? [belongsTo(owner, scope)] : []),
    ...(filtered ? [filtered] : []),
    ...(fits ? [fits] : []),
  ]
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

/**
 * The association that identifies a row's owner. Below a to-one association it is the first association of the found
 * entity that leads back, not the key: below `default-billing-address` are all addresses of a customer.
 */
function findWayBack(association: Association, owner: string, {entity}: QueryScope): Association {
  const back = association.kind === 'to-one' && entity.associations.find(({target}) => target === owner)
  if (!back || back.through) return association
  return {...association, column: back.targetColumn, targetColumn: back.column}
}

/** Condition that a row belongs to an entity by an association. @see protocol.md §6.1 */
function belongsTo(
  {entity, association, id}: NonNullable<EntityCriteria['owner']>,
  scope: QueryScope,
): RawBuilder<boolean> {
  const {column, targetColumn, through} = findWayBack(association, entity, scope)
  const there = sql.ref(`${scope.alias}.${targetColumn}`)
  const owners = sql`select ${sql.ref(column)} from ${sql.table(entity)} where id = ${id}`
  if (!through) return sql<boolean>`${there} in (${owners})`
  return sql<boolean>`${there} in (select ${sql.ref(through.targetColumn)} from ${sql.table(through.table)}
    where ${sql.ref(through.column)} in (${owners}))`
}
