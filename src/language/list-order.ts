import {createUsageError} from '../errors.js'
import {suggestNearest} from './nearest-word.js'

/** The sort order of a list. */
export interface ListOrder<Field extends string = string> {
  readonly field: Field
  readonly descending: boolean
}

/**
 * Reads a field with or without `:asc` or `:desc`.
 *
 * @throws StorectlError `usage.sort`
 */
export function parseListOrder<Field extends string>(
  text: string,
  fields: readonly Field[],
): ListOrder<Field> {
  const [name = '', direction = 'asc', ...more] = text.split(':')
  const field = fields.find(each => each === name)
  if (field === undefined || more.length > 0 || !['asc', 'desc'].includes(direction)) {
    throw createUsageError(
      'sort',
      `--sort ${text}: expected one of ${fields.join(', ')}, with :asc or :desc.${suggestNearest(name, fields)}`,
    )
  }
  return {field, descending: direction === 'desc'}
}

/** What `--sort` takes, for completion. */
export function listOrderWords(fields: readonly string[]): string[] {
  return fields.flatMap(field => [field, `${field}:desc`])
}

/** A value by which rows are sorted; `null` for none. */
type Sortable = string | number | boolean | Date | null

/** A longer list is not sorted: its rows are in memory. */
const MOST_SORTED = 100_000

/**
 * Rows in an order; equals stay as they came, and rows without a value come last.
 *
 * @param limit the most rows; `undefined` for all
 * @throws StorectlError `usage.sort_too_many` for all of more than 100,000 rows
 */
export async function sortRows<Row>(
  rows: AsyncIterable<Row>,
  {descending}: Pick<ListOrder, 'descending'>,
  read: (row: Row) => Sortable,
  limit: number | undefined,
): Promise<Row[]> {
  const most = limit ?? MOST_SORTED
  const compare = (one: Row, other: Row) => compareValues(read(one), read(other), descending)
  let kept: Row[] = []
  for await (const row of rows) {
    kept.push(row)
    if (kept.length <= 2 * most) continue
    if (limit === undefined) throw createTooManyError()
    kept = kept.sort(compare).slice(0, most)
  }
  if (limit === undefined && kept.length > most) throw createTooManyError()
  return kept.sort(compare).slice(0, most)
}

function createTooManyError(): Error {
  const count = MOST_SORTED.toLocaleString('en-US')
  return createUsageError('sort_too_many', `--sort takes at most ${count} rows: narrow them, or add --limit.`)
}

function compareValues(one: Sortable, other: Sortable, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const [first, second] = descending ? [other, one] : [one, other]
  if (first < second) return -1
  return first > second ? 1 : 0
}

/** The condition, order and limit of a list. */
export interface Arrangement<Row> {
  readonly matches?: ((row: Row) => boolean) | undefined
  /** Absent if rows already come in the requested order. */
  readonly order?: ListOrder | undefined
  /** The most rows; `undefined` for all. */
  readonly limit: number | undefined
}

/**
 * The selected rows, in order.
 *
 * @param read the value of a field
 * @throws StorectlError as `sortRows` does
 */
export async function* arrangeRows<Row>(
  rows: AsyncIterable<Row>,
  {matches = () => true, order, limit}: Arrangement<Row>,
  read: (row: Row, field: string) => Sortable,
): AsyncGenerator<Row, void, void> {
  const meant = (async function* () {
    for await (const row of rows) if (matches(row)) yield row
  })()
  if (order) {
    yield* await sortRows(meant, order, row => read(row, order.field), limit)
    return
  }
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const row of meant) {
    yield row
    if (--left <= 0) return
  }
}
