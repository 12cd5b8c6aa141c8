import {createUsageError} from '../errors.js'
import type {OutputFormat} from '../language/output-formats.js'
import {JsonRows} from './json/json-rows.js'
import {requireKnownFields} from './known-fields.js'
import {type Batch, type Out, type PrintOptions, printRecord, printRows, type Rows} from './print.js'
import type {RowGroups} from './row-groups.js'
import type {Row, View} from './view.js'
import {type NoteOutput, writeNote} from './write-note.js'

/** Rows of a list without a limit if no terminal shows how many fit. */
export const USUAL_LIMIT = 25
/** The same on a very low terminal. */
const LEAST_LIMIT = 10

/** Where a command prints. */
export interface Streams {
  readonly stdout: Out & {readonly isTerminal: boolean; readonly rows?: number | undefined}
  readonly stderr: NoteOutput
}

/** How a list differs from the usual; `out` replaces stdout. */
export type ListOptions = Partial<Pick<PrintOptions, 'live' | 'csvRaw' | 'format'>> & {out?: Out}

/** The look of results, as far as the format leaves a choice. */
export type Appearance = Pick<PrintOptions, 'noHeader' | 'bom' | 'forEyes'>

/** Prints results on stdout in the format that the person asked for, and notes on stderr. */
export class Presenter {
  readonly #request: () => OutputFormat | undefined

  /**
   * @param request reads the format from flag, environment or settings, and throws if it is unknown
   * @param fields paths of `--fields`, `undefined` when it was not given
   * @param appearance tables on a terminal follow it, and headers of CSV and TSV
   */
  constructor(
    readonly streams: Streams,
    request: () => OutputFormat | undefined,
    readonly fields: readonly string[] | undefined,
    private readonly appearance: Appearance = {},
  ) {
    this.#request = request
  }

  /**
   * The format from flag, environment or settings, `undefined` for none.
   *
   * @throws StorectlError `usage.setting`
   */
  get requested(): OutputFormat | undefined {
    return this.#request()
  }

  /** The requested format, else a table on a terminal and TSV elsewhere. */
  get format(): OutputFormat {
    return this.requested ?? (this.streams.stdout.isTerminal ? 'table' : 'tsv')
  }

  /** Rows of a list that has no limit: as many as fit on the terminal between header, notes and prompt. */
  get usualLimit(): number {
    const {isTerminal, rows} = this.streams.stdout
    return isTerminal && rows && this.format === 'table' ? Math.max(LEAST_LIMIT, rows - 4) : USUAL_LIMIT
  }

  /** Whether people read the columns of the view: a record may then show in words what other formats have in members. */
  get isInWords(): boolean {
    return this.format === 'table' && this.fields === undefined
  }

  get isJson(): boolean {
    return this.requested === 'json' || this.requested === 'ndjson'
  }

  get #layout(): Appearance {
    const {forEyes, ...others} = this.appearance
    return this.streams.stdout.isTerminal ? this.appearance : others
  }

  /** Refuses `--fields` that no row has. @throws StorectlError `usage.fields` */
  requireFields(known: readonly string[]): void {
    requireKnownFields(this.fields, known)
  }

  /** Refuses `--bom` except for CSV. @param out a file whose name may mean CSV @throws StorectlError `usage.bom` */
  requireCsv(out: string | undefined): void {
    const isCsv = this.format === 'csv' || (this.requested === undefined && /\.csv$/i.test(out ?? ''))
    if (!isCsv) throw createUsageError('bom', `--bom is for CSV, not for ${this.format}: add -o csv.`)
  }

  /** Prints a list as it comes, row by row or batch by batch. @returns how many rows were printed */
  async print(
    rows: Rows,
    view: View,
    {out = this.streams.stdout, ...options}: ListOptions = {},
  ): Promise<number> {
    return printRows(this.#keepShop(rows, view), out, {
      ...this.#layout,
      view,
      format: this.format,
      fields: this.fields,
      ...options,
    })
  }

  /** Prints many rows for a person: five of each group as they come, below them a line for each group. @param total as expected */
  async printGrouped(
    rows: AsyncIterable<Row | readonly Row[]>,
    view: View,
    total: number,
  ): Promise<RowGroups> {
    const {createGroupView, RowGroups} = await import('./row-groups.js')
    const groups = new RowGroups(this.usualLimit)
    await this.print(groups.takeExamples(rows, total), view)
    if (groups.shown === groups.total) return groups
    await this.write('\n')
    await this.print(groups.list(), createGroupView(view))
    return groups
  }

  /** Prints one record. */
  async printOne(record: Row, view: View): Promise<void> {
    const {format, fields} = this
    const {keepShop} = this.streams.stderr
    const shown = keepShop && view.hasCommands ? keepShopInRow(record, keepShop) : record
    await printRecord(shown, this.streams.stdout, {...this.#layout, view, format, fields})
  }

  /** Prints records too large for the columns of a terminal: instead of a table, a block of lines for each. */
  async printBlocks(records: readonly Row[], view: View): Promise<void> {
    if (this.format !== 'table') return void (await this.print(records, view))
    for (const [at, record] of records.entries()) {
      if (at > 0) await this.write('\n')
      await this.printOne(record, view)
    }
  }

  /** The rows, whose commands name the shop of the command line. */
  #keepShop(rows: Rows, view: View): Rows {
    const {keepShop} = this.streams.stderr
    if (!keepShop || !view.hasCommands) return rows
    const keepIn = (row: Row) => keepShopInRow(row, keepShop)
    return Symbol.iterator in rows ? mapRows(rows, keepIn) : mapBatches(rows, keepIn)
  }

  /** Writes text to stdout as it is. */
  async write(text: string | Uint8Array): Promise<void> {
    await this.streams.stdout.write(text)
  }

  /** A note for the person, on stderr; never part of the result. */
  note(text: string): Promise<void> {
    return writeNote(this.streams.stderr, text)
  }
}

/** The paths of `--fields`; empty for none. */
export function splitFields(fields: string | undefined): readonly string[] | undefined {
  return fields
    ?.split(',')
    .map(field => field.trim())
    .filter(Boolean)
}

/** Members of rows with commands to paste. */
const COMMAND_MEMBERS = ['next', 'fix']

function keepShopInRow(row: Row, keepShop: (text: string) => string): Row {
  const kept = (value: unknown) => (typeof value === 'string' ? keepShop(value) : value)
  const changed = COMMAND_MEMBERS.filter(name => row[name]).map(name => {
    const value = row[name]
    return [name, Array.isArray(value) ? value.map(kept) : kept(value)]
  })
  const example = row.example === undefined ? {} : {example: keepShopInRow(row.example as Row, keepShop)}
  return {...row, ...Object.fromEntries(changed), ...example}
}

function* mapRows(rows: Iterable<Row>, change: (row: Row) => Row): Generator<Row, void, void> {
  for (const row of rows) yield change(row)
}

async function* mapBatches(
  rows: AsyncIterable<Row | Batch>,
  change: (row: Row) => Row,
): AsyncGenerator<Row | Batch, void, void> {
  for await (const each of rows) {
    if (each instanceof JsonRows) yield each
    else yield Array.isArray(each) ? each.map(change) : change(each as Row)
  }
}
