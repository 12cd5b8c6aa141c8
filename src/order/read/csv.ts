import type {Draft, ParseError} from '../draft/draft.js'
import {type Columns, type Header, readHeader} from '../draft/header.js'
import {cleanRow} from './cell-damage.js'
import {type CsvBroken, type Dialect, isBroken, type RowBatch, readCsvRows} from './csv-rows.js'
import {CsvSource, locateCellStart} from './csv-source.js'
import {Table} from './group-rows.js'
import {LostLetters} from './lost-letters.js'
import type {CsvRow} from './plain-rows.js'

/**
 * The orders of a table: a row is a line of an order, rows of one reference stand together.
 *
 * Faults of the header are a draft of their own, the first; the columns that it leaves are read all the same. Behind a
 * row that cannot be read, reading goes on where a row of the table surely begins.
 *
 * @param pieces UTF-8 without a byte order mark
 * @param known what the header may hold
 * @see fulfillment-order.md "In bulk"
 */
export async function* readCsvDrafts(pieces: AsyncIterable<Buffer>, known: Columns): AsyncGenerator<Draft[]> {
  const reading = new TableReading(known)
  for await (const batch of readCsvRows(pieces)) {
    const drafts = isBroken(batch) ? reading.readBroken(batch) : reading.readRows(batch)
    if (drafts.length > 0) yield drafts
    if (reading.isOver) return
  }
  const last = [...reading.finish(), ...reading.listLostLetters()]
  if (last.length > 0) yield last
}

class TableReading {
  /** Whether the header leaves nothing that could be read. */
  isOver = false
  #table: Table | undefined
  #lost: LostLetters | undefined

  constructor(private readonly known: Columns) {}

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

  /** What shows only at the end of the table. */
  listLostLetters(): Draft[] {
    return (this.#lost?.list() ?? []).map(error => ({...createSpanDraft(error), isOfInput: true}))
  }

  #readHeaderRow(row: CsvRow, dialect: Dialect): Draft[] {
    const header = readHeader(row.cells, this.known)
    this.isOver = header.faults.length > 0 && header.columns.every(column => !column)
    this.#table = new Table(header, this.known.lines, dialect)
    this.#lost = new LostLetters(header.columns, dialect)
    this.#lost.look(row)
    return header.faults.length > 0 ? [createFaultyHeaderDraft(row, header, dialect)] : []
  }
}

function createFaultyHeaderDraft(row: CsvRow, {columns, faults}: Header, dialect: Dialect): Draft {
  const source = new CsvSource([row], columns, dialect)
  const broken = faults.map(({at, name, message}) => {
    const locateIn = (text: string) => locateCellStart(text, at ?? 0, dialect.delimiter)
    return {span: {start: row.start, end: row.end, locateIn}, field: name, message}
  })
  return {order: undefined, renderBody: () => '', source, broken, isOfInput: true}
}

function createBrokenDraft({message, start, end, locateIn, readOn}: CsvBroken): Draft {
  const goesOn = readOn === undefined ? 'nowhere' : {start: readOn, end: readOn, locateIn: () => 0}
  return createSpanDraft({span: {start, end, locateIn}, field: '', message, readOn: goesOn})
}

function createSpanDraft(error: ParseError): Draft {
  const {span} = error
  const source = {findSpan: () => span, getField: () => '', listRanges: () => [span]}
  return {order: undefined, renderBody: () => '', source, broken: [error]}
}
