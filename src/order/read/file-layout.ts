import {createUsageError} from '../../errors.js'
import type {ByteRange, OrderInput} from '../draft/draft.js'
import type {OrderSource} from '../draft/read-options.js'
import {decodeInput} from '../draft/text-encoding.js'
import {type Dialect, readCsvRows} from './csv-rows.js'
import type {CsvRow} from './plain-rows.js'

/** The layout of a file with parts of an input that can be read like the input. */
export type FileLayout = JsonLayout | TableLayout

export interface JsonLayout {
  readonly kind: 'list' | 'sequence'
}

export interface TableLayout extends Dialect {
  readonly kind: 'table'
  readonly header: ByteRange
  /** Cells of a row that are kept, without the columns that an earlier rejects file added. */
  readonly kept: number
  /** Cells of the header, for comparing. */
  readonly names: readonly string[]
}

/** Detects the layout from the beginning of an input. */
async function detectLayout(input: OrderInput, skipRows: number): Promise<FileLayout> {
  const pieces = decodeInput(input)
  const first = await pieces.next()
  await pieces.return()
  const start = first.done ? Buffer.alloc(0) : first.value
  const text = start.toString('utf8', 0, 4096).trimStart()
  if (text.startsWith('[')) return {kind: 'list'}
  if (text.startsWith('{')) return {kind: 'sequence'}
  return detectTableLayout(input, skipRows)
}

async function detectTableLayout(input: OrderInput, skipRows: number): Promise<TableLayout> {
  for await (const batch of readCsvRows(decodeInput(input), skipRows)) {
    if ('rows' in batch && batch.rows[0]) return buildTableLayout(batch.rows[0], batch.dialect)
  }
  return {kind: 'table', delimiter: ',', skip: 0, header: {start: 0, end: 0}, kept: 0, names: []}
}

function buildTableLayout({cells, start, end}: CsvRow, dialect: Dialect): TableLayout {
  let kept = cells.length
  while (kept > 1 && cells[kept - 1]?.trim().startsWith('_error')) kept--
  return {kind: 'table', ...dialect, header: {start, end}, kept, names: cells.slice(0, kept)}
}

/**
 * The layout in which parts of all inputs can be in one file.
 *
 * @throws StorectlError `usage.rejects` if there is none
 */
export async function findCommonLayout({inputs, reading}: OrderSource): Promise<FileLayout> {
  const layouts = await Promise.all(inputs.map(input => detectLayout(input, reading.skipRows ?? 0)))
  const [first, ...others] = layouts as [FileLayout, ...FileLayout[]]
  if (layouts.every(({kind}) => kind !== 'table')) return others.length > 0 ? {kind: 'sequence'} : first
  if (others.every(other => isSame(first, other))) return first
  throw createUsageError(
    'rejects',
    '--rejects copies rows unchanged, so all files must have the same header, or all be JSON. Nothing was sent.',
    ['submit each file separately'],
  )
}

function isSame(a: FileLayout, b: FileLayout): boolean {
  if (a.kind !== 'table' || b.kind !== 'table') return false
  return a.delimiter === b.delimiter && JSON.stringify(a.names) === JSON.stringify(b.names)
}
