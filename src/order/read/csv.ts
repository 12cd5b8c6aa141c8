import type {Draft, ParseError} from '../draft/draft.js'
import {type Columns, type Header, readHeader} from '../draft/header.js'
import {findHeaderLine} from '../draft/header-line.js'
import type {ReadOptions} from '../draft/read-options.js'
import {cleanRow} from './cell-damage.js'
import {type CsvBroken, type Dialect, isBroken, type RowBatch, readCsvRows} from './csv-rows.js'
import {buildCellSpan, createInputDraft} from './csv-source.js'
import {Table} from './group-rows.js'
import {LostLetters} from './lost-letters.js'
import type {CsvRow} from './plain-rows.js'

/**
 * The orders of a table: a row is a line of an order, and rows of one reference follow each other.
 *
 * Errors of the header are a draft of their own, the first; the other columns are still read. After an unreadable row,
 * reading continues where a row certainly begins.
 *
 * @param pieces UTF-8 without a byte order mark
 * @param known what the header may contain
 * @see fulfillment-order.md "In bulk"
 */
export async function* readCsvDrafts(
  pieces: AsyncIterable<Buffer>,
  known: Columns,
  {skipRows = 0, decimal}: Pick<ReadOptions, 'skipRows' | 'decimal'> = {},
): AsyncGenerator<Draft[]> {
  const reading = new TableReading(known, decimal)
  for await (const batch of readCsvRows(reading.keepStart(pieces), skipRows)) {
    const drafts = isBroken(batch) ? reading.readBroken(batch) : reading.readRows(batch)
    if (drafts.length > 0) yield drafts
    if (reading.isOver) return
  }
  const last = [...reading.finish(), ...reading.listOfTable()]
  if (last.length > 0) yield last
}

/** Bytes of the lines among which a header is searched. */
const START_BYTES = 64 * 1024

class TableReading {
  /** Whether the header leaves nothing that could be read. */
  isOver = false
  #table: Table | undefined
  #lost: LostLetters | undefined
  #start = ''

  constructor(
    private readonly known: Columns,
    private readonly decimal: ReadOptions['decimal'],
  ) {}

  async *keepStart(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (!this.#table) this.#start ||= piece.toString('utf8', 0, START_BYTES)
      yield piece
    }
  }

  readRows({rows, dialect}: RowBatch): Draft[] {
    const drafts: Draft[] = []
    for (const given of rows) {
      const row = cleanRow(given)
      if (row.isUnusual) this.#lost?.look(row)
      if (this.#table) {
        const draft = this.#table.take(row)
        if (draft) drafts.push(draft)
      } else {
        drafts.push(...this.#readHeaderRow(row, dialect))
        if (this.isOver) break
      }
    }
    return drafts
  }

  readBroken(row: CsvBroken): Draft[] {
    return [...this.finish(), createBrokenDraft(row)]
  }

  finish(): Draft[] {
    const last = this.#table?.finish()
    return last ? [last] : []
  }

  /** Errors that only the end of the table shows. */
  listOfTable(): Draft[] {
    const faults = [...(this.#table?.listDecimalFaults() ?? []), ...(this.#lost?.list() ?? [])]
    return faults.map(fault => createInputDraft(fault))
  }

  #readHeaderRow(row: CsvRow, dialect: Dialect): Draft[] {
    const header = readHeader(row.cells, this.known)
    const {columns, faults} = header
    this.#table = new Table({...header, row}, this.known, dialect, this.decimal)
    this.#lost = new LostLetters(columns, dialect)
    this.#lost.look(row)
    if (faults.length === 0) return []
    const line = this.#findLaterHeader(header)
    this.isOver = line !== undefined || columns.every(column => !column)
    if (line === undefined) return [createFaultyHeaderDraft(row, header, dialect)]
    const message = `line ${line} looks like the header: add --skip-rows ${line - 1}`
    const span = {start: row.start, end: row.end, locateIn: () => 0}
    return [createInputDraft({span, field: '', message})]
  }

  /** @returns its line, from 1 */
  #findLaterHeader({names}: Header): number | undefined {
    const countKnown = (cells: readonly string[]) =>
      readHeader(cells, this.known).columns.filter(column => column).length
    const found = findHeaderLine(this.#start, countKnown)
    return found && countKnown(found.names) > countKnown(names) ? found.line : undefined
  }
}

function createFaultyHeaderDraft(row: CsvRow, {faults}: Header, dialect: Dialect): Draft {
  const errors = faults.map(({at = 0, name, message}) => ({
    span: buildCellSpan(row, at, dialect),
    ...{field: name, message},
  }))
  return createInputDraft(...(errors as [ParseError, ...ParseError[]]))
}

function createBrokenDraft({message, start, end, locateIn, readOn}: CsvBroken): Draft {
  const goesOn = readOn === undefined ? 'nowhere' : {start: readOn, end: readOn, locateIn: () => 0}
  const draft = createInputDraft({span: {start, end, locateIn}, field: '', message, readOn: goesOn})
  return {...draft, isOfInput: false}
}
