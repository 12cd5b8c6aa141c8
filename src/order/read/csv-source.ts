import type {OrderColumn} from '../draft/columns.js'
import {
  type ByteRange,
  type Draft,
  type DraftSource,
  formatPath,
  type ParseError,
  type SourceSpan,
} from '../draft/draft.js'
import {listCellStarts} from '../draft/header-line.js'
import type {Dialect} from './csv-rows.js'
import type {CsvRow} from './plain-rows.js'

/** The rows that an order was read from. */
export class CsvSource implements DraftSource {
  constructor(
    private readonly rows: readonly CsvRow[],
    private readonly columns: readonly (OrderColumn | undefined)[],
    private readonly dialect: Dialect,
    readonly isOfRows: boolean,
  ) {}

  findSpan(pointer: string): SourceSpan {
    const {row, column} = this.#locateCell(pointer)
    return this.findCell(row, column ?? 0)
  }

  /** @param index of the row in the order, and of the cell in the row, from 0 */
  findCell(index: number, at: number): SourceSpan {
    return buildCellSpan(this.rows[index] ?? (this.rows[0] as CsvRow), at, this.dialect)
  }

  listRanges(): ByteRange[] {
    return this.rows.map(({start, end}) => ({start, end}))
  }

  getField(pointer: string): string {
    const {column} = this.#locateCell(pointer)
    return (column === undefined ? undefined : this.columns[column]?.path) ?? formatPath(pointer)
  }

  #locateCell(pointer: string): {row: number; column: number | undefined} {
    const [, index] = LINE.exec(pointer) ?? []
    const path = buildColumnPath(pointer)
    const column = this.columns.findIndex(each => each?.path === path)
    return {row: Number(index ?? 0), column: column < 0 ? undefined : column}
  }
}

const LINE = /^\/lines\/(\d+)(?:\/(.*))?$/

/** The path of the column that fills what a JSON pointer leads to: `/lines/0/sku` → `line.sku`. */
export function buildColumnPath(pointer: string): string {
  const [, index, rest] = LINE.exec(pointer) ?? []
  const path = index === undefined ? pointer.slice(1) : rest === undefined ? 'line' : `line/${rest}`
  return path.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The position of a cell in a row. @param at of the cell in the row, from 0 */
export function buildCellSpan({start, end}: CsvRow, at: number, {delimiter}: Dialect): SourceSpan {
  return {start, end, locateIn: text => locateCellStart(text, at, delimiter)}
}

/** An index beyond the last cell means the last one. */
function locateCellStart(text: string, at: number, delimiter: string): number {
  const starts = listCellStarts(text, delimiter, /^[\r\n]*/.exec(text)?.[0].length)
  return starts[at] ?? (starts.at(-1) as number)
}

/** The errors of a part of the input that is not an order. @param errors one or more */
export function createInputDraft(...errors: readonly [ParseError, ...ParseError[]]): Draft {
  const [{span}] = errors
  const source = {findSpan: () => span, getField: () => '', listRanges: () => [span]}
  return {order: undefined, renderBody: () => '', source, broken: errors, isOfInput: true}
}
