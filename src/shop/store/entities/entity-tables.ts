import {createHash} from 'node:crypto'
import {sql} from 'kysely'
import type {Association, Entity} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {isFolded, listSqlColumns, listStoredFields, nameFoldedColumn} from '../schema/columns.js'
import type {ShopConnection, ShopDatabase} from '../schema/schema.js'
import {selectMember} from '../schema/sql.js'
import {readConfig, removeConfig, writeConfig} from '../schema/system-config.js'
import {buildTextIndex, createTextIndex, indexNewRows} from '../search/text-index.js'

const FINGERPRINT_KEY = 'storectl.entities'

/** Increases when tables for a description change: 2 has an index of parts of texts, 3 stores no positions in it. */
const TABLES_VERSION = 3

/** Rows that are added to a new index of parts at once; further ones follow step by step. */
const ROWS_AT_ONCE = 5000

/** Whether the tables were created from other descriptions than these. */
export async function haveEntityTablesChanged(
  db: ShopConnection,
  entities: readonly Entity[],
): Promise<boolean> {
  return (await readConfig(db, FINGERPRINT_KEY)) !== computeFingerprint(entities)
}

/**
 * Creates a table for every entity, and new columns and indices of its description. Nothing is ever removed, so that
 * programs of different versions can share a shop.
 */
export async function createEntityTables(db: ShopConnection, entities: readonly Entity[]): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  const present = await readColumns(untyped)
  for (const entity of entities) {
    const columns = present.get(entity.name)
    if (columns) await addColumns(untyped, entity, columns)
    else await createTable(untyped, entity)
    for (const index of planIndices(entity)) await createIndex(untyped, entity.name, index)
    await indexParts(untyped, entity)
    for (const association of entity.associations) await createPairs(untyped, association)
  }
  await writeConfig(db, FINGERPRINT_KEY, computeFingerprint(entities))
}

/** The existing columns, by table. */
async function readColumns(db: UntypedDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const tables = await db.introspection.getTables()
  return new Map(tables.map(({name, columns}) => [name, new Set(columns.map(column => column.name))]))
}

async function indexParts(db: UntypedDatabase, entity: Entity): Promise<void> {
  const index = buildTextIndex(entity)
  if (!index) return
  await createTextIndex(db, index)
  await indexNewRows(db, index, ROWS_AT_ONCE)
}

/**
 * Drops indices that only make searches faster, to speed up adding very many rows. The tables are then unfinished:
 * `finishTables` recreates the indices, or, after an interruption, the next process that opens the shop.
 */
export async function dropIndices(db: ShopConnection, entities: readonly Entity[]): Promise<void> {
  for (const entity of entities) {
    for (const {name, kind} of planIndices(entity)) {
      if (kind === 'plain') await db.schema.dropIndex(name).ifExists().execute()
    }
  }
  await removeConfig(db, FINGERPRINT_KEY)
}

/** Creates the postponed indices, one in each commit, so that others can write in between. */
export async function finishTables(db: ShopDatabase, entities: readonly Entity[]): Promise<void> {
  for (const entity of entities) {
    for (const index of planIndices(entity)) {
      await db.writes.run(transaction =>
        createIndex(transaction as unknown as UntypedDatabase, entity.name, index),
      )
    }
  }
  await db.writes.run(transaction => createEntityTables(transaction, entities))
}

async function createTable(db: UntypedDatabase, entity: Entity): Promise<void> {
  let table = db.schema.createTable(entity.name)
  for (const {name, type} of listSqlColumns(entity)) {
    table = table.addColumn(name, type, column => {
      if (name === entity.defaultOrder) return column.primaryKey()
      return name === 'id' ? column.notNull().unique() : column
    })
  }
  await table.execute()
}

async function addColumns(db: UntypedDatabase, entity: Entity, present: ReadonlySet<string>): Promise<void> {
  for (const {name, type} of listSqlColumns(entity)) {
    if (!present.has(name)) await db.schema.alterTable(entity.name).addColumn(name, type).execute()
  }
}

/** An index of a description; `plain` ones only make searches faster, `unique` ones also refuse duplicates. */
interface PlannedIndex {
  name: string
  kind: 'plain' | 'unique'
  on: {columns: string[]} | {customField: string}
}

function planIndices(entity: Entity): PlannedIndex[] {
  const {name, defaultOrder, indexedCustomFields} = entity
  const byField = listStoredFields(entity).flatMap((field): PlannedIndex[] => {
    if (field.index === 'none' || field.column === defaultOrder) return []
    const column = isFolded(field) ? nameFoldedColumn(field.column) : field.column
    const plain: PlannedIndex = {name: `${name}_${column}`, kind: 'plain', on: {columns: [column]}}
    if (field.index === 'plain') return [plain]
    return [plain, {name: `${name}_${field.column}_unique`, kind: 'unique', on: {columns: [field.column]}}]
  })
  const byCustomField = indexedCustomFields.map((customField): PlannedIndex => {
    return {name: `${name}_${customField}`, kind: 'plain', on: {customField}}
  })
  return [...byField, ...byCustomField, ...(entity.countedBy.length > 0 ? [planCountingIndex(entity)] : [])]
}

/** The first column serves as an ordinary index; the others allow reading without the rows. */
function planCountingIndex(entity: Entity): PlannedIndex {
  const columns = entity.countedBy.flatMap(name => {
    const field = listStoredFields(entity).find(one => one.name === name)
    if (!field) return []
    return isFolded(field) ? nameFoldedColumn(field.column) : field.column
  })
  return {name: `${entity.name}_counted`, kind: 'plain', on: {columns}}
}

async function createIndex(
  db: UntypedDatabase,
  table: string,
  {name, kind, on}: PlannedIndex,
): Promise<void> {
  const parts =
    'columns' in on
      ? on.columns.map(column => sql.ref(column))
      : [selectMember(sql.ref('custom_fields_folded'), [on.customField])]
  const index = db.schema.createIndex(name).ifNotExists().on(table).expression(sql.join(parts))
  await (kind === 'unique' ? index.unique() : index).execute()
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

function computeFingerprint(entities: readonly Entity[]): string {
  return createHash('sha256')
    .update(JSON.stringify([TABLES_VERSION, entities]))
    .digest('hex')
}
