import {type RawBuilder, sql} from 'kysely'
import {resolveAccessor} from '../../../shop-model/accessor.js'
import type {Criteria, Filter, Leaf, ScoredFilter} from '../../../shop-model/criteria.js'
import type {EntityModel} from '../../../shop-model/entities/index.js'
import type {Entity} from '../../../shop-model/entity.js'
import type {Database} from '../../database.js'
import {isIndexable, isRarePart, keysWithPart} from '../../sqlite/text-index.js'
import {foldedColumn} from '../entities/columns.js'
import {textIndexOf} from '../entities/text-index.js'
import type {ShopTables} from '../tables.js'
import {searchable} from './values.js'

/** Narrows rows down to those that may hold a part; `undefined` where looking at each of them is no slower. */
export type Narrowing = (
  column: string,
  part: string,
  key: RawBuilder<unknown>,
) => RawBuilder<boolean> | undefined

/**
 * In more rows than this a part is common: reading rows in their order soon fills a page, while the index would have
 * to gather all of them first.
 */
const COMMON = 5000

/** Beyond this many parts nobody types them, and asking for each would cost more than it saves. */
const MOST_PARTS = 40

/**
 * Finds out which parts that criteria look for are rare.
 *
 * @returns `undefined` when the index is of no use
 */
export async function narrowingFor(
  db: Database<ShopTables>,
  model: EntityModel,
  entity: Entity,
  {filters, postFilters}: Pick<Criteria, 'filters' | 'postFilters'>,
  scored: readonly ScoredFilter[],
): Promise<Narrowing | undefined> {
  const index = textIndexOf(entity)
  if (!index) return undefined
  const leaves = [...filters, ...postFilters, ...scored.map(({filter}) => filter)].flatMap(leavesOf)
  const parts = new Map<string, readonly [column: string, part: string]>()
  for (const leaf of leaves) {
    const place = leaf.type === 'contains' ? placeOf(leaf, model, entity) : undefined
    if (place && index.columns.includes(place[0]) && isIndexable(place[1])) parts.set(place.join(' '), place)
  }
  if (parts.size === 0 || parts.size > MOST_PARTS) return undefined
  const rare = new Set<string>()
  for (const [name, [column, part]] of parts) {
    if (await isRarePart(db.reads, index, column, part, COMMON)) rare.add(name)
  }
  return (column, part, key) =>
    rare.has(`${column} ${part}`) ? sql<boolean>`${key} in (${keysWithPart(index, column, part)})` : undefined
}

function leavesOf(filter: Filter): Leaf[] {
  return 'field' in filter ? [filter] : filter.filters.flatMap(leavesOf)
}

function placeOf(
  leaf: Extract<Leaf, {type: 'contains' | 'prefix' | 'suffix'}>,
  model: EntityModel,
  entity: Entity,
): readonly [column: string, part: string] | undefined {
  const accessor = resolveAccessor(model, entity, leaf.field)
  if ('unmapped' in accessor || accessor.steps.length > 0 || accessor.path.length > 0) return undefined
  return [foldedColumn(accessor.field.column), searchable(accessor.field, leaf.value)]
}
