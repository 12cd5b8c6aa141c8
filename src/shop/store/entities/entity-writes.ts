import {sql} from 'kysely'
import {ENTITIES, ENTITY_MODEL} from '../../../shopware/entities/entities.js'
import type {Association, Entity, Field} from '../../../shopware/entity.js'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import {computeColumnValue, formatStoredDate, listColumnSources, nameFoldedColumn} from '../schema/columns.js'
import type {ShopConnection} from '../schema/schema.js'
import {insertPairs} from './insert-entities.js'

type Values = Readonly<Record<string, unknown>>

/**
 * Changes some values of an entity.
 *
 * @param values by field name
 * @param now time of the change; absent for updates by the shop itself
 */
export async function updateEntity(
  db: ShopConnection,
  {entity, id}: {entity: Entity; id: string},
  values: Values,
  now?: Date,
): Promise<void> {
  const changed = listColumnSources(entity)
    .filter(({field}) => Object.hasOwn(values, field.name))
    .map(source => [source.name, computeColumnValue(source, values)] as const)
  await (db as unknown as UntypedDatabase)
    .updateTable(entity.name)
    .set({...Object.fromEntries(changed), ...(now ? {updated_at: formatStoredDate(now)} : {})})
    .where('id', '=', id)
    .execute()
}

/** Joins two entities by a pair in the mapping table; an existing pair stays. */
export async function joinEntities(
  db: ShopConnection,
  {table, column, targetColumn}: NonNullable<Association['through']>,
  owner: string,
  target: string,
): Promise<void> {
  await insertPairs(db, table, [column, targetColumn], [[owner, target]])
}

/** The ids that a mapping table has for one side. */
export async function listJoinedIds(
  db: ShopConnection,
  {table, column, targetColumn}: NonNullable<Association['through']>,
  owner: string,
): Promise<string[]> {
  const rows = await (db as unknown as UntypedDatabase)
    .selectFrom(table)
    .select(targetColumn)
    .where(column, '=', owner)
    .orderBy(targetColumn)
    .execute()
  return rows.map(row => String(row[targetColumn]))
}

/** The pairs of a mapping table with one or both ids. */
export async function listPairs(
  db: ShopConnection,
  {table, column, targetColumn}: NonNullable<Association['through']>,
  {owner, target}: {readonly owner?: string; readonly target?: string},
): Promise<{owner: string; target: string}[]> {
  let query = (db as unknown as UntypedDatabase).selectFrom(table).select([column, targetColumn])
  if (owner !== undefined) query = query.where(column, '=', owner)
  if (target !== undefined) query = query.where(targetColumn, '=', target)
  const rows = await query.orderBy(column).orderBy(targetColumn).execute()
  return rows.map(row => ({owner: String(row[column]), target: String(row[targetColumn])}))
}

/** Removes a pair. */
export async function removePair(
  db: ShopConnection,
  {table, column, targetColumn}: NonNullable<Association['through']>,
  {owner, target}: {readonly owner: string; readonly target: string},
): Promise<void> {
  await (db as unknown as UntypedDatabase)
    .deleteFrom(table)
    .where(column, '=', owner)
    .where(targetColumn, '=', target)
    .execute()
}

/** Ids to delete, by entity. */
type Doomed = ReadonlyMap<string, ReadonlySet<string>>

/** An entity with everything that belongs to it, recursively. */
export async function listBelongings(db: ShopConnection, entity: Entity, id: string): Promise<Doomed> {
  const doomed = new Map<string, Set<string>>()
  const waiting: [entity: Entity, id: string][] = [[entity, id]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [kind, one] = next
    const ids = doomed.get(kind.name) ?? new Set()
    if (ids.has(one)) continue
    doomed.set(kind.name, ids.add(one))
    for (const {from, column, isOwner} of listReferences(kind)) {
      if (!isOwner) continue
      for (const child of await selectIds(db, {from, column}, one)) waiting.push([from, child])
    }
  }
  return doomed
}

/**
 * How many rows of each entity require rows that are to be deleted, and are not deleted with them.
 *
 * @returns counts by entity; empty when nothing prevents the deletion
 */
export async function countUsages(db: ShopConnection, doomed: Doomed): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, ids] of doomed) {
    for (const {from, column, isRequired} of listReferences(ENTITY_MODEL.get(name))) {
      if (!isRequired) continue
      for (const id of ids) {
        const others = await selectIds(db, {from, column}, id)
        const left = others.filter(other => !doomed.get(from.name)?.has(other)).length
        if (left > 0) found[from.name] = (found[from.name] ?? 0) + left
      }
    }
  }
  return found
}

/** Deletes rows, their pairs, and their ids in id lists; other references to them become null. */
export async function removeEntities(db: ShopConnection, doomed: Doomed): Promise<void> {
  const untyped = db as unknown as UntypedDatabase
  for (const [name, ids] of doomed) {
    const entity = ENTITY_MODEL.get(name)
    for (const id of ids) {
      await dropFromIdLists(db, entity, id)
      for (const {table, column} of listPairTables(entity)) {
        await untyped.deleteFrom(table).where(column, '=', id).execute()
      }
      for (const {from, column, isRequired, isOwner} of listReferences(entity)) {
        if (isRequired || isOwner) continue
        await untyped
          .updateTable(from.name)
          .set({[column]: null})
          .where(column, '=', id)
          .execute()
      }
      await untyped.deleteFrom(name).where('id', '=', id).execute()
    }
  }
}

interface Reference {
  readonly from: Entity
  readonly column: string
  readonly isOwner: boolean
  readonly isRequired: boolean
}

/** The fields of all entities that refer to this one, without those that may dangle. */
function listReferences({name: target}: Entity): Reference[] {
  return ENTITY_MODEL.entities.flatMap(from =>
    from.associations
      .filter(one => one.kind === 'to-one' && one.target === target && one.column !== 'id' && !one.hidden)
      .flatMap(({column}) => {
        const field = from.fields.find(one => one.column === column)?.name ?? ''
        if (from.writing?.loose.includes(field)) return []
        const isOwner = from.writing?.owners.includes(field) ?? false
        const isRequired = !isOwner && (from.writing?.required.includes(field) ?? false)
        return [{from, column, isOwner, isRequired}]
      }),
  )
}

function listPairTables({name}: Entity): {table: string; column: string}[] {
  return ENTITY_MODEL.entities.flatMap(from =>
    from.associations.flatMap(({through, target}) => {
      if (!through) return []
      const {table, column, targetColumn} = through
      return [
        ...(from.name === name ? [{table, column}] : []),
        ...(target === name ? [{table, column: targetColumn}] : []),
      ]
    }),
  )
}

async function selectIds(
  db: ShopConnection,
  {from, column}: Pick<Reference, 'from' | 'column'>,
  value: string,
): Promise<string[]> {
  const {rows} = await sql<{id: string}>`
    select id from ${sql.table(from.name)} where ${sql.ref(column)} = ${value}`.execute(db)
  return rows.map(({id}) => id)
}

/** Rows whose id lists change in one statement: between two statements others can run. */
const OWNERS_AT_ONCE = 1000

/** An id list in a row, and the mapping table that it follows. */
interface IdList {
  readonly entity: Entity
  readonly field: Field
  readonly target: string
  readonly through: NonNullable<Association['through']>
}

/** All id lists. */
export function listIdLists(): IdList[] {
  return ENTITIES.flatMap(entity =>
    Object.entries(entity.writing?.idLists ?? {}).flatMap(([name, by]) => {
      const field = entity.fields.find(one => one.name === name)
      const association = entity.associations.find(one => one.name === by)
      if (!field || !association?.through) return []
      return [{entity, field, target: association.target, through: association.through}]
    }),
  )
}

/** Removes the id of a row that is to be deleted from every id list; its pairs must still exist. */
async function dropFromIdLists(db: ShopConnection, {name}: Entity, id: string): Promise<void> {
  for (const list of listIdLists()) if (list.target === name) await dropFrom(db, list, id)
}

async function dropFrom(db: ShopConnection, {entity, field, through}: IdList, id: string): Promise<void> {
  const {table, column, targetColumn} = through
  for (let after = ''; ; ) {
    const {rows} = await sql<{owner: string}>`
      select ${sql.ref(column)} as owner from ${sql.table(table)}
      where ${sql.ref(targetColumn)} = ${id} and ${sql.ref(column)} > ${after}
      order by ${sql.ref(column)} limit ${OWNERS_AT_ONCE}`.execute(db)
    if (rows.length === 0) return
    const owners = rows.map(({owner}) => owner)
    await sql`
      update ${sql.table(entity.name)}
      set ${sql.ref(field.column)} = ${removeFromIdList(field.column, id)},
        ${sql.ref(nameFoldedColumn(field.column))} = ${removeFromIdList(nameFoldedColumn(field.column), id)}
      where id in (${sql.join(owners)})`.execute(db)
    after = owners.at(-1) as string
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** The list without the id, as text: ids are hex digits in quotes. An empty list becomes null. */
function removeFromIdList(column: string, id: string) {
  const quoted = `"${id}"`
  const list = sql.ref(column)
  return sql`nullif(replace(replace(replace(${list}, ${`${quoted},`}, ''), ${`,${quoted}`}, ''), ${quoted}, ''), '[]')`
}
