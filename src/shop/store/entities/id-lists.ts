import {type Kysely, sql} from 'kysely'
import type {EntityModel} from '../../model/entities/entities.js'
import type {Association, Entity, Field} from '../../model/entity.js'
import {foldedColumn} from '../schema/columns.js'
import type {ShopTables} from '../schema/schema.js'

type Db = Kysely<ShopTables>

/** Things whose lists change in one statement: between two, others get their turn. */
const OWNERS_AT_ONCE = 1000

/** A list of ids in a row, and the pairs that say what stands in it. */
export interface IdList {
  readonly entity: Entity
  readonly field: Field
  readonly target: string
  readonly through: NonNullable<Association['through']>
}

/** Every list of ids that there is. */
export function idListsOf(model: EntityModel): IdList[] {
  return model.entities.flatMap(entity =>
    Object.entries(entity.writing?.idLists ?? {}).flatMap(([name, by]) => {
      const field = entity.fields.find(one => one.name === name)
      const association = entity.associations.find(one => one.name === by)
      if (!field || !association?.through) return []
      return [{entity, field, target: association.target, through: association.through}]
    }),
  )
}

/** Takes the id of a thing that is about to go out of every list that it stands in; the pairs must still be there. */
export async function dropFromIdLists(db: Db, model: EntityModel, {name}: Entity, id: string): Promise<void> {
  for (const list of idListsOf(model)) if (list.target === name) await dropFrom(db, list, id)
}

async function dropFrom(db: Db, {entity, field, through}: IdList, id: string): Promise<void> {
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
      set ${sql.ref(field.column)} = ${without(field.column, id)},
        ${sql.ref(foldedColumn(field.column))} = ${without(foldedColumn(field.column), id)}
      where id in (${sql.join(owners)})`.execute(db)
    after = owners.at(-1) as string
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** The list without the id, as text: ids are hex digits between quotes. A list without members is none. */
function without(column: string, id: string) {
  const quoted = `"${id}"`
  const list = sql.ref(column)
  return sql`nullif(replace(replace(replace(${list}, ${`${quoted},`}, ''), ${`,${quoted}`}, ''), ${quoted}, ''), '[]')`
}
