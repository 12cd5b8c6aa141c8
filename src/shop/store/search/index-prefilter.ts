import {type RawBuilder, sql} from 'kysely'
import type {EntityFilter, EntitySearch, FieldFilter} from '../../../shopware/criteria.js'
import {type Accessor, findModel, resolveAccessor} from '../../../shopware/entities/entities.js'
import type {Association, Entity} from '../../../shopware/entity.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import type {ShopDatabase} from '../schema/schema.js'
import {buildCondition} from './condition.js'
import {createRootScope, ROOT} from './scope.js'
import {buildTextIndex, isIndexable, selectKeys, type TextIndex} from './text-index.js'
import {convertToComparable, convertToSearchable} from './values.js'

/** What a query reads: rows until a page is full, or all results. */
export type ReadPurpose = 'a page' | 'everything'

/**
 * A part in more rows than this is common: reading rows in order soon fills a page, while the index would have to
 * collect all of them first; and reading all in order is faster than so many lookups.
 */
const COMMON_ROWS: Readonly<Record<ReadPurpose, number>> = {'a page': 5000, everything: 30_000}

/** Most conditions: nobody types more, and looking up each one would cost more than it saves. */
const MAX_LEAVES = 1500

/**
 * A condition on the key of the root scope's rows, from the index of parts, that all results of the criteria meet.
 * Scored conditions are narrowed down if possible: a matching row has a word of the term, of three or more letters, in
 * its own texts or its associations'. Plain filters are narrowed down only to few rows.
 *
 * @returns `undefined` where the index does not help
 */
export async function buildIndexPrefilter(
  db: ShopDatabase,
  {entity, criteria, scored}: EntitySearch,
  reading: ReadPurpose,
): Promise<RawBuilder<boolean> | undefined> {
  const key = getIndexKey(entity)
  if (key === undefined) return undefined
  const search: Search = {db, entity}
  const keys =
    scored.length > 0
      ? await selectKeysOfAny(
          scored.map(({filter}) => filter),
          search,
        )
      : await findRarestCondition(
          [...criteria.filters, ...criteria.postFilters],
          search,
          COMMON_ROWS[reading],
        )
  return keys && sql<boolean>`${sql.ref(`${ROOT}.${key}`)} in (${keys})`
}

interface Search {
  db: ShopDatabase
  entity: Entity
}

/** The key of an entity with an index of parts; entities with few rows have none. */
function getIndexKey(entity: Entity): string | undefined {
  return buildTextIndex(entity)?.key
}

/** A condition that an index can narrow down: a column contains one of some parts. */
interface PartsLeaf {
  leaf: FieldFilter
  accessor: Accessor
  column: string
  parts: readonly string[]
}

/** Of conditions that must all hold, the one with the fewest possible rows. */
async function findRarestCondition(
  filters: readonly EntityFilter[],
  search: Search,
  common: number,
): Promise<RawBuilder<unknown> | undefined> {
  let fewest = common
  let best: RawBuilder<unknown> | undefined
  for (const filter of filters.flatMap(listConjunction)) {
    const leaves = listRequiredLeaves(filter, search)
    if (!leaves || leaves.some(leaf => isFoundAnyway(leaf))) continue
    const count = await countKeys(leaves, search, fewest)
    if (count >= fewest) continue
    const keys = await selectKeysOfLeaves(leaves, search)
    if (!keys) continue
    fewest = count
    best = keys
  }
  return best
}

function listConjunction(filter: EntityFilter): EntityFilter[] {
  return 'filters' in filter && filter.type === 'and' ? filter.filters.flatMap(listConjunction) : [filter]
}

/** Whether an ordinary index of the column is better. */
function isFoundAnyway({leaf, accessor}: PartsLeaf): boolean {
  const isInOrder = leaf.type !== 'contains' && leaf.type !== 'suffix'
  return isInOrder && accessor.steps.length === 0 && accessor.field.index !== 'none'
}

async function selectKeysOfAny(
  filters: readonly EntityFilter[],
  search: Search,
): Promise<RawBuilder<unknown> | undefined> {
  const leaves = listRequiredLeaves({type: 'or', filters}, search)
  return leaves && selectKeysOfLeaves(leaves, search)
}

/** Leaves of which at least one must hold for the filter to hold; `undefined` if the index cannot check one. */
function listRequiredLeaves(filter: EntityFilter, search: Search): PartsLeaf[] | undefined {
  if ('field' in filter) {
    const leaf = buildPartsLeaf(filter, search)
    return leaf && [leaf]
  }
  if (filter.type !== 'or' || filter.filters.length === 0) return undefined
  const leaves: PartsLeaf[] = []
  for (const member of filter.filters) {
    const some = listRequiredLeaves(member, search)
    if (!some || leaves.length + some.length > MAX_LEAVES) return undefined
    leaves.push(...some)
  }
  return leaves
}

function buildPartsLeaf(leaf: FieldFilter, {entity}: Search): PartsLeaf | undefined {
  const accessor = resolveAccessor(entity, leaf.field)
  if ('unmapped' in accessor || accessor.isBeyond) return undefined
  const {field} = accessor
  if (field.kind !== 'text' || field.constant !== undefined || !isFolded(field)) return undefined
  const parts = listParts(leaf, accessor)
  if (parts.length === 0 || !parts.every(part => isIndexable(part))) return undefined
  return {leaf, accessor, column: nameFoldedColumn(field.column), parts}
}

function listParts(leaf: FieldFilter, {field}: Accessor): string[] {
  if (leaf.type === 'equals')
    return leaf.value === null ? [] : [String(convertToComparable(field, leaf.value))]
  if (leaf.type === 'equalsAny') return leaf.values.map(value => String(convertToComparable(field, value)))
  return leaf.type === 'range' ? [] : [convertToSearchable(field, leaf.value)]
}

/** Leaves at the end of the same path. */
interface Group {
  steps: readonly Association[]
  target: Entity
  leaves: PartsLeaf[]
}

function groupLeaves(leaves: readonly PartsLeaf[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of leaves) {
    const {steps, entity: target} = one.accessor
    const way = steps.map(({name}) => name).join('.')
    const known = groups.get(way)
    if (known) known.leaves.push(one)
    else groups.set(way, {steps, target, leaves: [one]})
  }
  return [...groups.values()]
}

/** Keys of the rows that may match one of the leaves; `undefined` when that would require reading all rows. */
async function selectKeysOfLeaves(
  leaves: readonly PartsLeaf[],
  search: Search,
): Promise<RawBuilder<unknown> | undefined> {
  const keys: RawBuilder<unknown>[] = []
  for (const group of groupLeaves(leaves)) {
    const found = await selectKeysOfGroup(group, search)
    if (found === 'unknown') return undefined
    if (found !== 'none') keys.push(found)
  }
  if (keys.length === 0) return selectNoKeys(search)
  return sql.join(keys, sql` union all `)
}

function selectNoKeys({entity}: Search): RawBuilder<unknown> {
  return sql`select ${sql.ref(getIndexKey(entity) as string)} from ${sql.table(entity.name)} where 1 = 0`
}

async function selectKeysOfGroup(
  group: Group,
  search: Search,
): Promise<RawBuilder<unknown> | 'none' | 'unknown'> {
  const {steps, target} = group
  const index = buildTextIndex(target)
  const there = index ? selectByForeignIndex(group, index) : selectAmongFew(group)
  if (there === undefined) return 'unknown'
  if (steps.length === 0) return there
  const back = buildPathBack(group, there, search)
  if (back) return back
  if (index) return 'unknown'
  const [some] = await search.db.readRows(sql`${there} limit 1`.compile(search.db.reads))
  return some ? 'unknown' : 'none'
}

/** Keys of the associated rows, or the condition on them, by the index of parts. */
function selectByForeignIndex({leaves}: Group, index: TextIndex): RawBuilder<unknown> | undefined {
  if (!leaves.every(({column}) => index.columns.includes(column))) return undefined
  const columns = [...new Set(leaves.map(({column}) => column))]
  return selectKeys(index, columns, [...new Set(leaves.flatMap(leaf => leaf.parts))])
}

/** Ids of associated rows of a small table, by a full scan. */
function selectAmongFew({target, leaves, steps}: Group): RawBuilder<unknown> | undefined {
  if (steps.length === 0) return undefined
  const scope = createRootScope(target)
  const filters = leaves.map(({leaf, accessor}): FieldFilter => ({...leaf, field: accessor.field.name}))
  const condition = buildCondition({type: 'or', filters}, scope)
  return sql`select ${sql.ref(`${scope.alias}.id`)} from ${scope.from} where ${condition ?? sql`1 = 1`}`
}

/** From associated rows back to the keys of root rows, with indices only; `undefined` where one is missing. */
function buildPathBack(
  {steps, target}: Group,
  there: RawBuilder<unknown>,
  {entity}: Search,
): RawBuilder<unknown> | undefined {
  const entities = [entity, ...steps.map(step => findModel(entity).get(step.target))]
  let found = there
  let by = getIndexKey(target) ?? 'id'
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at] as Association
    const [here, over] = [entities[at] as Entity, entities[at + 1] as Entity]
    if (!hasIndex(here, step.column)) return undefined
    const ids = sql`select ${sql.ref(step.targetColumn)} from ${sql.table(over.name)} where ${sql.ref(by)} in (${found})`
    found = step.through
      ? sql`select ${sql.ref(step.through.column)} from ${sql.table(step.through.table)}
          where ${sql.ref(step.through.targetColumn)} in (${ids})`
      : ids
    by = step.column
  }
  return sql`select ${sql.ref(getIndexKey(entity) as string)} from ${sql.table(entity.name)} where ${sql.ref(by)} in (${found})`
}

function hasIndex({fields}: Entity, column: string): boolean {
  return column === 'id' || fields.some(field => field.column === column && field.index !== 'none')
}

/** How many keys the indices of parts give, up to a limit; lookups in small tables count as too many. */
async function countKeys(leaves: readonly PartsLeaf[], search: Search, upTo: number): Promise<number> {
  let count = 0
  for (const group of groupLeaves(leaves)) {
    const index = buildTextIndex(group.target)
    const keys = index && selectByForeignIndex(group, index)
    if (!keys) return upTo
    const some = sql`select count(*) from (${keys} limit ${upTo - count}) as found`
    const [row] = await search.db.readRows(some.compile(search.db.reads))
    count += Number(row?.[0])
    if (count >= upTo) return upTo
  }
  return count
}
