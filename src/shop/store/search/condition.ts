import {type RawBuilder, sql} from 'kysely'
import type {Bounds, Filter, Leaf, Operator, Scalar} from '../../model/criteria.js'
import type {SearchEngine} from '../schema/search-dialect.js'
import {balanced, likeLiteral} from '../schema/sql.js'
import {type FieldPlace, isMany, type ManyPlace, type Scope} from './scope.js'
import {bounding, comparable, isNumber, isNumeric, isWhole, searchable} from './values.js'

type Condition = RawBuilder<boolean>

/**
 * A filter as SQL, with every value a parameter.
 *
 * @param negated whether a `not` stands around it: then `equals` takes null for a value that differs
 * @returns `undefined` when it restricts nothing
 * @see protocol.md §6.3
 */
export function conditionOf(filter: Filter, scope: Scope, negated = false): Condition | undefined {
  if ('field' in filter) return leafCondition(filter, scope, negated)
  if (filter.type === 'not') {
    const inner = groupCondition(filter.operator, filter.filters, scope, true)
    return inner && sql<boolean>`not (${inner})`
  }
  return groupCondition(filter.type, filter.filters, scope, negated)
}

/** All of the filters at once; `undefined` when none restricts anything. */
export function allOf(filters: readonly Filter[], scope: Scope): Condition | undefined {
  return groupCondition('and', filters, scope, false)
}

function groupCondition(
  operator: Operator,
  filters: readonly Filter[],
  scope: Scope,
  negated: boolean,
): Condition | undefined {
  const members: Member[] =
    operator === 'xor' ? filters.map(filter => ({filter})) : gathered(operator, filters, scope)
  const conditions = members.flatMap(({filter, many}) => {
    const condition = many ? someOverThere(many, filter, scope, negated) : conditionOf(filter, scope, negated)
    return condition ? [condition] : []
  })
  if (conditions.length === 0) return undefined
  return joined(operator, conditions)
}

function joined(operator: Operator, conditions: readonly Condition[]): Condition {
  return balanced(conditions, (left, right) => combined(operator, left, right))
}

function combined(operator: Operator, left: Condition, right: Condition): Condition {
  if (operator === 'xor') return sql<boolean>`((${left}) <> (${right}))`
  return operator === 'or' ? sql<boolean>`(${left} or ${right})` : sql<boolean>`(${left} and ${right})`
}

interface Member {
  filter: Filter
  many?: ManyPlace
}

/**
 * Conditions that stand in one `and` and speak of the same many things speak of one and the same of them; those in a
 * group of their own speak for themselves. In one `or` it is all the same, and one look over there answers them all:
 * SQLite opens a cursor for each, and goes through all that are open.
 */
function gathered(operator: 'and' | 'or', filters: readonly Filter[], scope: Scope): Member[] {
  const members: Member[] = []
  const byKey = new Map<string, Filter[]>()
  for (const filter of filters) {
    const place = 'field' in filter ? scope.find(filter.field) : undefined
    if (!place || !isMany(place)) {
      members.push({filter})
      continue
    }
    const over = {...filter, field: place.rest} as Leaf
    const known = byKey.get(place.key)
    if (known) {
      known.push(over)
      continue
    }
    const inner: Filter[] = [over]
    byKey.set(place.key, inner)
    members.push({filter: {type: operator, filters: inner}, many: place})
  }
  return members
}

/** Whether one of the things over there fits; having none fits a compare with null, as for an outer join. */
function someOverThere(
  many: ManyPlace,
  filter: Filter,
  outer: Scope,
  negated: boolean,
): Condition | undefined {
  const {scope, belongs} = outer.enter(many)
  const inner = conditionOf(filter, scope, negated)
  if (!inner) return undefined
  const some = sql<boolean>`exists (select 1 from ${scope.from} where ${belongs} and ${inner})`
  if (!asksForNull(filter)) return some
  return sql<boolean>`(${some} or not exists (select 1 from ${scope.from} where ${belongs}))`
}

function asksForNull(filter: Filter): boolean {
  if ('field' in filter) return filter.type === 'equals' && filter.value === null
  if (filter.type === 'not') return false
  const answers = filter.filters.map(asksForNull)
  return filter.type === 'or' ? answers.some(Boolean) : answers.length > 0 && answers.every(Boolean)
}

function leafCondition(leaf: Leaf, scope: Scope, negated: boolean): Condition | undefined {
  const place = scope.find(leaf.field)
  if (isMany(place)) return someOverThere(place, {...leaf, field: place.rest}, scope, negated)
  return compare(leaf, place, negated, scope.engine)
}

function compare(leaf: Leaf, place: FieldPlace, negated: boolean, engine: SearchEngine): Condition {
  const {field, compared} = place
  if (leaf.type === 'range') return inRange(leaf.bounds, place, engine)
  if (leaf.type === 'equals') {
    if (leaf.value === null) return sql<boolean>`${compared} is null`
    if (field.kind === 'list') return holds(place, leaf.value)
    const value = comparable(field, leaf.value)
    return negated
      ? sql<boolean>`${compared} is not distinct from ${value}`
      : sql<boolean>`${compared} = ${value}`
  }
  if (leaf.type === 'equalsAny') {
    if (field.kind === 'list')
      return joined(
        'or',
        leaf.values.map(value => holds(place, value)),
      )
    return sql<boolean>`${compared} in (${sql.join(leaf.values.map(value => comparable(field, value)))})`
  }
  return like(place, leaf)
}

/** Lists are JSON; a value stands in them in quotes. */
function holds(place: FieldPlace, value: Scalar): Condition {
  const pattern = comparable({...place.field, kind: 'text'}, value, text => {
    return `%${likeLiteral(JSON.stringify(String(text)))}%`
  })
  return sql<boolean>`${place.compared} like ${pattern} escape '\\'`
}

function like(
  {field, compared}: FieldPlace,
  leaf: Extract<Leaf, {type: 'contains' | 'prefix' | 'suffix'}>,
): Condition {
  const part = searchable(field, leaf.value)
  if (leaf.type === 'prefix' && field.kind === 'text') return beginsWith(compared, part)
  const literal = likeLiteral(part)
  const pattern =
    leaf.type === 'prefix' ? `${literal}%` : leaf.type === 'suffix' ? `%${literal}` : `%${literal}%`
  const text = isNumeric(field) ? sql`cast(${compared} as text)` : compared
  return sql<boolean>`${text} like ${pattern} escape '\\'`
}

/** As a range, so that an index serves. Nothing sorts behind the last code point. */
function beginsWith(compared: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`(${compared} >= ${part} and ${compared} < ${`${part}\u{10ffff}`})`
}

const COMPARISONS = {gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=`}

function inRange(bounds: Bounds, place: FieldPlace, {numberIn}: SearchEngine): Condition {
  const conditions = Object.entries(bounds).map(([name, bound]) => {
    const comparison = COMPARISONS[name as keyof Bounds]
    if (bound === null) return sql<boolean>`${place.compared} ${comparison} null`
    const {field, compared} = place
    if (field.kind === 'custom-fields' && isNumber(bound)) {
      return sql<boolean>`${numberIn(compared)} ${comparison} ${bound}`
    }
    const value = isWhole(field) ? bounding(bound, name as keyof Bounds) : comparable(field, bound)
    return sql<boolean>`${compared} ${comparison} ${value}`
  })
  if (conditions.length === 0) return sql<boolean>`1 = 1`
  return joined('and', conditions)
}
