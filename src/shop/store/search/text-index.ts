import type {Kysely} from 'kysely'
import type {Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {isFolded, nameFoldedColumn} from '../schema/columns.js'
import type {ShopTables} from '../schema/schema.js'
import type {SearchDialect, SubstringIndex, TextIndex} from '../schema/shop-dialect.js'

/**
 * The index by which parts of an entity's texts are found: over those that take part in `term`.
 *
 * @returns `undefined` for entities that are few, or that nobody looks for by parts of texts
 */
export function buildTextIndex(
  {name, fields, defaultOrder, isSearchedByParts}: Entity,
  {getKeyColumn}: SubstringIndex,
): TextIndex | undefined {
  if (!isSearchedByParts) return undefined
  const searched = fields.filter(field => field.ranking && isFolded(field))
  if (searched.length === 0) return undefined
  return {
    table: name,
    key: getKeyColumn(defaultOrder),
    columns: searched.map(({column}) => nameFoldedColumn(column)),
  }
}

/** Lets the text index know the things that were added last: for those who add them by the thousand. */
export async function indexTexts(
  db: Kysely<ShopTables>,
  entity: Entity,
  {substringIndex}: SearchDialect,
): Promise<void> {
  const index = substringIndex?.deferred && buildTextIndex(entity, substringIndex)
  if (index) await substringIndex?.deferred?.indexNewRows(db as unknown as UntypedDatabase, index)
}
