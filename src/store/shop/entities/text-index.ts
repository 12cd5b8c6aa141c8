import type {Kysely} from 'kysely'
import type {Entity} from '../../../shop-model/entity.js'
import type {UntypedDatabase} from '../../migrations.js'
import {catchUp, type TextIndex} from '../../sqlite/text-index.js'
import type {ShopTables} from '../tables.js'
import {foldedColumn, isFolded} from './columns.js'

/**
 * The index by which parts of an entity's texts are found: over those that take part in `term`, for entities that have
 * a number of their own.
 *
 * @returns `undefined` for entities that are few, or are looked up by their ids
 */
export function textIndexOf({name, fields, defaultOrder}: Entity): TextIndex | undefined {
  if (defaultOrder === 'id') return undefined
  const searched = fields.filter(field => field.ranking && isFolded(field))
  if (searched.length === 0) return undefined
  return {table: name, key: defaultOrder, columns: searched.map(({column}) => foldedColumn(column))}
}

/** Lets the index of parts know the things that were added last: for those who add them by the thousand. */
export async function indexTexts(db: Kysely<ShopTables>, entity: Entity): Promise<void> {
  const index = textIndexOf(entity)
  if (index) await catchUp(db as unknown as UntypedDatabase, index)
}
