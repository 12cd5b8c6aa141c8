import {CompiledQuery, type Kysely} from 'kysely'
import type {Entity} from '../../../shop-model/entity.js'
import type {UntypedDatabase} from '../../migrations.js'
import type {ShopTables} from '../tables.js'
import {columnsOf, rowOf} from './columns.js'

type Values = Readonly<Record<string, unknown>>

/** Rows in one statement: enough to spread its cost, few enough that one text serves every full group. */
const ROWS_AT_ONCE = 64

/**
 * Adds many things of one kind in few statements, whose text is made once. What already has such an id is left as it is.
 *
 * @param values by field name, as `rowOf` takes them
 */
export async function insertMany(
  db: Kysely<ShopTables>,
  entity: Entity,
  values: readonly Values[],
): Promise<void> {
  const names = columnsOf(entity).map(({name}) => name)
  let full: string | undefined
  for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
    const group = values.slice(start, start + ROWS_AT_ONCE)
    const parameters: unknown[] = []
    for (const one of group) {
      const row = rowOf(entity, one)
      for (const name of names) parameters.push(row[name])
    }
    const isFull = group.length === ROWS_AT_ONCE
    const text = isFull && full ? full : insertText(db, entity, names, group.length)
    if (isFull) full = text
    await db.executeQuery(CompiledQuery.raw(text, parameters))
  }
}

/** Adds pairs to the table between two kinds. */
export async function insertPairs(
  db: Kysely<ShopTables>,
  table: string,
  columns: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  for (let start = 0; start < pairs.length; start += ROWS_AT_ONCE) {
    const rows = pairs
      .slice(start, start + ROWS_AT_ONCE)
      .map(([one, other]) => ({[columns[0]]: one, [columns[1]]: other}))
    await (db as unknown as UntypedDatabase)
      .insertInto(table)
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

function insertText(db: Kysely<ShopTables>, {name}: Entity, names: readonly string[], rows: number): string {
  const row = Object.fromEntries(names.map(column => [column, null]))
  return (db as unknown as UntypedDatabase)
    .insertInto(name)
    .values(Array.from({length: rows}, () => row))
    .onConflict(conflict => conflict.column('id').doNothing())
    .compile().sql
}
