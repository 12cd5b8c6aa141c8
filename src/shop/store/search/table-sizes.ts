import {type RawBuilder, sql} from 'kysely'
import type {Association} from '../../../shopware/entity.js'
import type {ShopDatabase} from '../schema/schema.js'

/** Sizes of tables, and numbers of associated rows, each read once. */
export class TableSizes {
  readonly #known = new Map<string, Promise<number>>()

  constructor(private readonly db: ShopDatabase) {}

  count(table: string): Promise<number> {
    return this.#read(table, sql`select count(*) from ${sql.table(table)}`)
  }

  /** Average number of associated rows for each row of `table`. */
  async average(table: string, {target, through}: Association): Promise<number> {
    return (await this.count(through?.table ?? target)) / Math.max(1, await this.count(table))
  }

  /** Average number of associated rows when coming from them: rows with many are reached more often. */
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
