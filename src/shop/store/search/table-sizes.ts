import {type RawBuilder, sql} from 'kysely'
import type {Association} from '../../../shopware/entity.js'
import type {ShopDatabase} from '../schema/schema.js'

/** How large tables are, and how many rows hang on one of another, each read once. */
export class TableSizes {
  readonly #known = new Map<string, Promise<number>>()

  constructor(private readonly db: ShopDatabase) {}

  count(table: string): Promise<number> {
    return this.#read(table, sql`select count(*) from ${sql.table(table)}`)
  }

  /** How many hang on a thing of `table`, over all of them. */
  async average(table: string, {target, through}: Association): Promise<number> {
    return (await this.count(through?.table ?? target)) / Math.max(1, await this.count(table))
  }

  /** How many hang on a thing that is come by from one of those: things with many are met more often. */
  averageMet({target, targetColumn, through}: Association): Promise<number> {
    const table = through?.table ?? target
    const column = sql.ref(through?.column ?? targetColumn)
    const counts = sql`select count(*) as n from ${sql.table(table)} where ${column} is not null group by ${column}`
    const met = sql`select sum(1.0 * n * n) / sum(n) from (${counts}) as counts`
    return this.#read(`${table}.${through?.column ?? targetColumn}`, met)
  }

  #read(key: string, query: RawBuilder<unknown>): Promise<number> {
    const known = this.#known.get(key)
    if (known) return known
    const read = this.db.readRows(query.compile(this.db.reads)).then(([row]) => Number(row?.[0] ?? 0))
    this.#known.set(key, read)
    return read
  }
}
