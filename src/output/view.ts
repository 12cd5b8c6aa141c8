/** A result row: what JSON output prints, and where every other format finds its values. */
export type Row = Readonly<Record<string, unknown>>

/** One column of a table, CSV or TSV. */
export interface Column {
  /** Dotted path into the row: `resource.amount.value`. */
  readonly path: string
  /** Heading in a table; the path's last part in capitals by default. CSV and TSV always print the path. */
  readonly header?: string
  /**
   * `time`: a table shows ISO times as local time with offset, CSV and TSV in UTC with `Z`. `date`: the day alone of a
   * time at midnight, UTC. `number`: right-aligned. `bytes` and `seconds`: a table shows a number of them as `12.3 MiB`
   * and `3d 4h`.
   */
  readonly kind?: 'text' | 'time' | 'date' | 'number' | 'bytes' | 'seconds'
}

/** How rows of one kind are shown when nobody asked for other fields. */
export interface View {
  /** What one row is, singular and plural: `['customer', 'customers']`. */
  readonly noun: readonly [string, string]
  /** The columns of tables, CSV and TSV, left to right. */
  readonly columns: readonly Column[]
  /** Path of what `-o id` prints. */
  readonly id: string
}

export const FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'id'] as const
export type Format = (typeof FORMATS)[number]

/** The value at a dotted path; `undefined` where the path leads nowhere. A key that holds the dots itself wins. */
export function valueAt(row: unknown, path: string): unknown {
  if (row === null || typeof row !== 'object') return undefined
  if (Object.hasOwn(row, path)) return (row as Row)[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  return valueAt((row as Row)[path.slice(0, dot)], path.slice(dot + 1))
}

/** The row with only the given paths, nested as they were; a path that leads nowhere becomes `null`. */
export function pick(row: Row, paths: readonly string[]): Row {
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    // What `place` defines makes objects slow to print; a plain name needs none of its care.
    if (isPlainName(path)) picked[path] = (Object.hasOwn(row, path) ? row[path] : null) ?? null
    else place(picked, path.split('.'), valueAt(row, path) ?? null)
  }
  return picked
}

function isPlainName(path: string): boolean {
  return path !== '__proto__' && !path.includes('.')
}

function place(target: Record<string, unknown>, [head, ...rest]: readonly string[], value: unknown): void {
  if (head === undefined) return
  if (rest.length === 0) {
    define(target, head, value)
    return
  }
  const inner = Object.hasOwn(target, head) ? target[head] : undefined
  const next = inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>) : {}
  define(target, head, next)
  place(next, rest, value)
}

/** Sets an own property even where its name is `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {value, enumerable: true, writable: true, configurable: true})
}

/** The column of a path, in the view or made for it. */
export function columnFor({columns}: View, path: string): Column {
  return columns.find(column => column.path === path) ?? {path}
}
