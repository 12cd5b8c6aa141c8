import type {Kysely} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {Entity, Field} from '../../model/entity.js'
import {fold} from '../../model/fold-text.js'
import {chooseShopDialect} from '../schema/choose-dialect.js'
import {
  type ColumnSource,
  type ColumnType,
  computeFoldedValue,
  convertToStored,
  formatStoredDate,
  listColumnSources,
  listSqlColumns,
} from '../schema/columns.js'
import type {ShopTables} from '../schema/schema.js'
import type {BulkInsertStatement} from '../schema/shop-dialect.js'

type Values = Readonly<Record<string, unknown>>
type Stored = string | number | null

/** Rows made before they are written: few enough that none of them grows old in memory. */
export const ROWS_AT_ONCE = 64

const BEYOND_ASCII = /[\u0080-\uffff]/

/** Texts whose folding is remembered: enough for the names of a few languages, not for what is never seen again. */
const MOST_REMEMBERED = 2000

/** Adds things of one kind by the thousand, by a statement that is written once. */
export class BulkInsert {
  #sources: readonly ColumnSource[] = []
  #insert: BulkInsertStatement | undefined
  readonly #folded = new Map<string, string>()
  #lastDate: Date | undefined
  #lastDateStored = ''

  constructor(private readonly entity: Entity) {}

  /**
   * Adds things; what already has such an id is left as it is.
   *
   * @param values by field name: dates as Date or as stored, objects and lists as themselves; the very first thing says
   *   which members all of them have, and other columns stay null
   */
  async add(db: Kysely<ShopTables>, values: readonly Values[]): Promise<void> {
    const [first] = values
    if (!first) return
    const {tables} = chooseShopDialect(db)
    this.#insert ??= this.#prepare(db, first)
    const untyped = db as unknown as UntypedDatabase
    if (this.entity.defaultOrder !== 'id') await tables.lockNumbering(untyped)
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const lists = values.slice(start, start + ROWS_AT_ONCE).map(one => this.#buildParameters(one))
      await this.#insert(untyped, lists)
    }
  }

  #prepare(db: Kysely<ShopTables>, first: Values): BulkInsertStatement {
    this.#sources = listColumnSources(this.entity).filter(({field}) => Object.hasOwn(first, field.name))
    const types = listColumnTypes(this.entity)
    const columns = this.#sources.map(({name}) => ({name, type: types.get(name) ?? 'text'}))
    return chooseShopDialect(db).prepareBulkInsert({table: this.entity.name, columns, unless: 'id'})
  }

  #buildParameters(values: Values): Stored[] {
    const parameters: Stored[] = []
    for (const {field, isFolded} of this.#sources) {
      const value = values[field.name]
      if (value === null || value === undefined) parameters.push(null)
      else parameters.push(isFolded ? this.#fold(field, value) : this.#store(field, value))
    }
    return parameters
  }

  #store(field: Field, value: unknown): Stored {
    if (typeof value === 'string' && field.kind === 'text') return value
    if (!(value instanceof Date)) return convertToStored(field, value)
    if (value === this.#lastDate) return this.#lastDateStored
    this.#lastDate = value
    this.#lastDateStored = formatStoredDate(value)
    return this.#lastDateStored
  }

  /** Plain letters are folded faster than they are found again. */
  #fold(field: Field, value: unknown): Stored {
    if (field.kind !== 'text') return computeFoldedValue(field, value)
    const text = String(value)
    if (!BEYOND_ASCII.test(text) && !text.endsWith(' ')) return text.toLowerCase()
    const known = this.#folded.get(text)
    if (known !== undefined) return known
    if (this.#folded.size >= MOST_REMEMBERED) this.#folded.clear()
    const folded = fold(text)
    this.#folded.set(text, folded)
    return folded
  }
}

function listColumnTypes(entity: Entity): Map<string, ColumnType> {
  return new Map(listSqlColumns(entity).map(({name, type}) => [name, type]))
}

/** Adds pairs to the table between two kinds; those that are there stay. */
export async function insertPairs(
  db: Kysely<ShopTables>,
  table: string,
  columns: readonly [string, string],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  if (pairs.length === 0) return
  const both = columns.map(name => ({name, type: 'text' as const}))
  await chooseShopDialect(db).prepareBulkInsert({table, columns: both})(
    db as unknown as UntypedDatabase,
    pairs,
  )
}
