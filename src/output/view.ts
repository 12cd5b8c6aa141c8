/** A result row: printed as JSON, and the source of values for every other format. */
export type Row = Readonly<Record<string, unknown>>

/** One column of a table, CSV or TSV. */
export interface Column {
  /** Dotted path into the row: `resource.amount.value`. */
  readonly path: string
  /** Heading in a table; the path's last part in capitals by default. CSV and TSV always print the path. */
  readonly header?: string
  /**
   * `time`: a table shows ISO times as local time with offset, CSV and TSV in UTC with `Z`. `date`: the day alone of a
   * time at midnight, UTC. `number`: right-aligned. `bytes`, `seconds` and `milliseconds`: a table shows a number of them
   * as `12.3 MiB`, `3d 4h` and `340 ms`. `command`: a command or an id that people copy, so a record
   * never wraps it, and a table shows it whole or not at all. `lines`: a record shows each value of the list on a line of
   * its own. `money`: `{value, currency}`, or a list of sums; a table shows `1,200.50 EUR`,
   * CSV and TSV have a column for each of the two.
   */
  readonly kind?:
    | 'text'
    | 'time'
    | 'date'
    | 'number'
    | 'bytes'
    | 'seconds'
    | 'milliseconds'
    | 'command'
    | 'lines'
    | 'money'
  /** Prose: a table wraps what does not fit instead of cutting it. */
  readonly isProse?: boolean
  /** Heading if a table shows a time by its age, `AGE`: then the cell is `12m`, not `12m ago`. */
  readonly ageHeader?: string
  /** Columns with low numbers come first if the terminal has no room for all; default: the position in the view. */
  readonly priority?: number
  /** Its label in a record, `Audit log`; default: the words of the path. */
  readonly label?: string
}

/** How rows of one kind are shown without `--fields`. */
export interface View {
  /** What one row is, singular and plural: `['customer', 'customers']`. */
  readonly noun: readonly [string, string]
  /** The columns of tables, CSV and TSV, left to right. */
  readonly columns: readonly Column[]
  /** Path of what `-o id` prints. */
  readonly id: string
  /** Set if rows differ in their members, or the command checks `--fields` before it sends the first item. */
  readonly hasAnyField?: boolean
  /** Members that say in words what others hold: JSON and YAML leave them out, unless `--fields` names them. */
  readonly inWords?: readonly string[]
  /** Its rows have commands to paste, in `next` or `fix`. */
  readonly hasCommands?: boolean
}

/** The values that a path leads to through a list, in its order: those of `tags.name` are the names of all tags. */
export class Several extends Array<unknown> {}

/**
 * The value at a dotted path, `Several` where it leads through a list; `undefined` where it leads nowhere. A key that
 * holds the dots itself wins.
 */
export function readValueAt(row: unknown, path: string): unknown {
  if (row === null || typeof row !== 'object') return undefined
  if (isListToCross(row, path)) return readSeveral(row, path)
  if (Object.hasOwn(row, path)) return (row as Row)[path]
  const dot = path.indexOf('.')
  if (dot < 0) return undefined
  return readValueAt((row as Row)[path.slice(0, dot)], path.slice(dot + 1))
}

/** A path that begins with a number means one of the list. */
function isListToCross(value: unknown, path: string): value is readonly unknown[] {
  return Array.isArray(value) && !/^\d+(\.|$)/.test(path)
}

function readSeveral(rows: readonly unknown[], path: string): Several {
  const values = rows.map(row => readValueAt(row, path))
  return Several.from(values.flatMap(value => (value instanceof Several ? [...value] : [value ?? null])))
}

/** The row with only the given paths, nested as they were, also in lists; a path that leads nowhere becomes `null`. */
export function pick(row: Row, paths: readonly string[]): Row {
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    // What `copyPath` defines makes objects slow to print; a plain name needs none of its care.
    if (isPlainName(path)) picked[path] = (Object.hasOwn(row, path) ? row[path] : null) ?? null
    else copyPath(picked, row, path)
  }
  return picked
}

function isPlainName(path: string): boolean {
  return path !== '__proto__' && !path.includes('.')
}

/** Puts what `source` has at the path into `target`, at the same place. */
function copyPath(target: Record<string, unknown>, source: unknown, path: string): void {
  const held = ownOf(source, path)
  const dot = path.indexOf('.')
  if (dot < 0) {
    define(target, path, held ?? null)
    return
  }
  const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)]
  const from = held === undefined ? ownOf(source, head) : {[rest]: held}
  if (isListToCross(from, rest)) {
    const rows = listIn(target, head, from.length)
    for (const [at, each] of from.entries()) copyPath(rows[at] as Record<string, unknown>, each, rest)
    return
  }
  const inner = ownOf(target, head)
  const next = inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>) : {}
  define(target, head, next)
  copyPath(next, from, rest)
}

/** The list that is being filled there, or a new one of empty objects. */
function listIn(target: Record<string, unknown>, name: string, length: number): readonly unknown[] {
  const there = ownOf(target, name)
  if (Array.isArray(there)) return there
  const list = Array.from({length}, () => ({}))
  define(target, name, list)
  return list
}

function ownOf(source: unknown, name: string): unknown {
  if (source === null || typeof source !== 'object' || !Object.hasOwn(source, name)) return undefined
  return (source as Row)[name]
}

/** The row without the members that are for people. */
export function omitWords(row: Row, {inWords}: Pick<View, 'inWords'>): Row {
  if (!inWords) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => !inWords.includes(name)))
}

/** Sets an own property even where its name is `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {value, enumerable: true, writable: true, configurable: true})
}

/** The columns of CSV and TSV: value and currency of money stand apart, for spreadsheets. */
export function listPlainColumns({view, fields}: {view: View; fields?: readonly string[] | undefined}) {
  if (fields) return fields.map(path => findColumn(view, path))
  return view.columns.flatMap((column): Column[] =>
    column.kind === 'money'
      ? ['value', 'currency'].map(member => ({path: `${column.path}.${member}`}))
      : [column],
  )
}

/** The column of a path, in the view or made for it. */
export function findColumn({columns}: View, path: string): Column {
  return columns.find(column => column.path === path) ?? {path}
}
