import {createHash} from 'node:crypto'
import {type Kysely, sql} from 'kysely'
import type {Association, Entity} from '../../../shop-model/entity.js'
import type {UntypedDatabase} from '../../migrations.js'
import {makeTextIndex} from '../../sqlite/text-index.js'
import {readConfig, writeConfig} from '../system-config.js'
import type {ShopTables} from '../tables.js'
import {columnsOf, foldedColumn, isFolded, storedFields} from './columns.js'
import {customFieldText} from './json-path.js'
import {textIndexOf} from './text-index.js'

const FINGERPRINT_KEY = 'storectl.entities'

/** Rises with what is made of a description: 2 has an index of parts of texts. */
const TABLES_VERSION = 2

/** Whether the tables were made from other descriptions than these. */
export async function entityTablesDiffer(
  db: Kysely<ShopTables>,
  entities: readonly Entity[],
): Promise<boolean> {
  return (await readConfig(db, FINGERPRINT_KEY)) !== fingerprint(entities)
}

/**
 * Gives every entity its table, and a table what its description has gained: columns and indices. Nothing is ever
 * taken away, so that programs of different versions can share a shop.
 */
export async function makeEntityTables(db: Kysely<ShopTables>, entities: readonly Entity[]): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  const tables = new Map((await db.introspection.getTables()).map(table => [table.name, table]))
  for (const entity of entities) {
    const existing = tables.get(entity.name)
    if (existing) await addColumns(untyped, entity, new Set(existing.columns.map(column => column.name)))
    else await createTable(untyped, entity)
    await createIndices(untyped, entity)
    const textIndex = textIndexOf(entity)
    if (textIndex) await makeTextIndex(untyped, textIndex)
    for (const association of entity.associations) await createPairs(untyped, association)
  }
  await writeConfig(db, FINGERPRINT_KEY, fingerprint(entities))
}

async function createTable(db: UntypedDatabase, entity: Entity): Promise<void> {
  let table = db.schema.createTable(entity.name)
  for (const {name, type} of columnsOf(entity)) {
    table = table.addColumn(name, type, column => {
      if (name === entity.defaultOrder) return column.primaryKey()
      return name === 'id' ? column.notNull().unique() : column
    })
  }
  await table.execute()
}

async function addColumns(db: UntypedDatabase, entity: Entity, present: ReadonlySet<string>): Promise<void> {
  for (const {name, type} of columnsOf(entity)) {
    if (!present.has(name)) await db.schema.alterTable(entity.name).addColumn(name, type).execute()
  }
}

async function createIndices(db: UntypedDatabase, entity: Entity): Promise<void> {
  for (const field of storedFields(entity)) {
    if (field.index === 'none' || field.column === entity.defaultOrder) continue
    const column = isFolded(field) ? foldedColumn(field.column) : field.column
    await db.schema
      .createIndex(`${entity.name}_${column}`)
      .ifNotExists()
      .on(entity.name)
      .column(column)
      .execute()
    if (field.index === 'unique') await createUnique(db, entity, field.column)
  }
  for (const name of entity.indexedCustomFields) {
    const expression = customFieldText(sql.ref('custom_fields_folded'), [name])
    await db.schema
      .createIndex(`${entity.name}_${name}`)
      .ifNotExists()
      .on(entity.name)
      .expression(expression)
      .execute()
  }
}

async function createUnique(db: UntypedDatabase, {name}: Entity, column: string): Promise<void> {
  await db.schema
    .createIndex(`${name}_${column}_unique`)
    .ifNotExists()
    .on(name)
    .column(column)
    .unique()
    .execute()
}

async function createPairs(db: UntypedDatabase, {through}: Association): Promise<void> {
  if (!through) return
  const {table, column, targetColumn} = through
  await db.schema
    .createTable(table)
    .ifNotExists()
    .addColumn(column, 'text', definition => definition.notNull())
    .addColumn(targetColumn, 'text', definition => definition.notNull())
    .addPrimaryKeyConstraint(`${table}_pair`, [column as never, targetColumn as never])
    .execute()
  await db.schema
    .createIndex(`${table}_back`)
    .ifNotExists()
    .on(table)
    .columns([targetColumn, column])
    .execute()
}

function fingerprint(entities: readonly Entity[]): string {
  return createHash('sha256')
    .update(JSON.stringify([TABLES_VERSION, entities]))
    .digest('hex')
}
