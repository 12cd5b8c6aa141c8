import {CompiledQuery, type Kysely} from 'kysely'
import type {Entity} from '../../../shop-model/entity.js'
import type {UntypedDatabase} from '../../migrations.js'
import type {ShopTables} from '../tables.js'
import {columnSources, columnValue} from './columns.js'

type Values = Readonly<Record<string, unknown>>

/** Rows in one statement: enough to spread its cost, few enough that one text serves every full group. */
export const ROWS_AT_ONCE = 64

/** Adds things of one kind by the thousand: the statement is written once, and values go straight into it. */
export class BulkInsert {
  readonly #sources
  readonly #texts = new Map<number, string>()

  constructor(private readonly entity: Entity) {
    this.#sources = columnSources(entity)
  }

  /**
   * Adds things; what already has such an id is left as it is.
   *
   * @param values by field name: dates as Date or as stored, objects and lists as themselves
   */
  async add(db: Kysely<ShopTables>, values: readonly Values[]): Promise<void> {
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const group = values.slice(start, start + ROWS_AT_ONCE)
      const parameters: unknown[] = []
      for (const one of group) {
        for (const source of this.#sources) parameters.push(columnValue(source, one))
      }
      await db.executeQuery(CompiledQuery.raw(this.#text(db, group.length), parameters))
    }
  }

  #text(db: Kysely<ShopTables>, rows: number): string {
    const known = this.#texts.get(rows)
    if (known !== undefined) return known
    const row = Object.fromEntries(this.#sources.map(({name}) => [name, null]))
    const text = (db as unknown as UntypedDatabase)
      .insertInto(this.entity.name)
      .values(Array.from({length: rows}, () => row))
      .onConflict(conflict => conflict.column('id').doNothing())
      .compile().sql
    this.#texts.set(rows, text)
    return text
  }
}

/** Adds pairs to the table between two kinds; those that are there stay. */
export async function insertPairs(
  db: Kysely<ShopTables>,
  table: string,
  columns: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  for (let start = 0; start < pairs.length; start += ROWS_AT_ONCE) {
    const group = pairs.slice(start, start + ROWS_AT_ONCE)
    const rows = group.map(([one, other]) => ({[columns[0]]: one, [columns[1]]: other}))
    await (db as unknown as UntypedDatabase)
      .insertInto(table)
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}
