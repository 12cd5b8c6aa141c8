import type {InputPiece, LineFormat} from './import-format.js'
import {createValuePiece} from './json-values.js'
import type {LineReader, RawLine} from './line-reader.js'
import {LONGEST_PIECE} from './line-reader.js'
import {parseObjectText} from './wrapper.js'

/** A table of requests, as webhook.site exports it. A row is read as the object that it stands for. */
export const REQUEST_TABLE = {
  takes: 'line',
  name: 'ndjson',
  also: ['curl', 'http', 'nginx', 'log'],
  starts: (_, {line, bytes}) => line === 1 && isRequestTable(bytes.toString('latin1')),
  read: (_, {bytes}, reader) => readTableRows(bytes.toString('latin1'), reader),
} as const satisfies LineFormat

/** Whether a line is the header of a table of requests. */
function isRequestTable(line: string): boolean {
  const names = splitCells(line.replace(/^\ufeff|^\u00ef\u00bb\u00bf/, ''))
  return names?.includes('content') === true && names.includes('method')
}

/** Rows behind the header, each over as many lines as it takes. @see RFC 4180 */
async function* readTableRows(header: string, reader: LineReader): AsyncGenerator<InputPiece, void, void> {
  const names = splitCells(header.replace(/^\ufeff|^\u00ef\u00bb\u00bf/, '')) ?? []
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    if (next.bytes.length === 0) continue
    const cells = await readRow(next, reader)
    if (!cells) yield {line: next.line, why: 'incomplete row'}
    else {
      const bytes = Buffer.from(JSON.stringify(toRow(names, cells)))
      yield {line: next.line, json: createValuePiece(bytes, next.line)}
    }
  }
}

/** Bytes and not text: what is in quotes comes out as it was. */
async function readRow(first: RawLine, reader: LineReader): Promise<string[] | undefined> {
  let text = first.bytes.toString('latin1')
  let quotes = countQuotes(text)
  while (quotes % 2 === 1) {
    const next = await reader.readLine()
    if (!next || text.length > LONGEST_PIECE) return undefined
    const line = next.bytes.toString('latin1')
    text += `\n${line}`
    quotes += countQuotes(line)
  }
  return splitCells(Buffer.from(text, 'latin1').toString('utf8'))
}

function countQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf(QUOTE); at >= 0; at = text.indexOf(QUOTE, at + 1)) count++
  return count
}

const QUOTE = '"'
const COMMA = ','

/** By hand: a pattern that takes doubled quotes needs room on the stack for each character of a cell. */
function splitCells(line: string): string[] | undefined {
  const text = line.replace(/\r$/, '')
  const cells: string[] = []
  for (let at = 0; ; at++) {
    const cell = text[at] === QUOTE ? readQuoted(text, at + 1) : readPlain(text, at)
    if (!cell) return undefined
    cells.push(cell.content)
    at = cell.end
    if (at === text.length) return cells
    if (text[at] !== COMMA) return undefined
  }
}

interface Cell {
  readonly content: string
  readonly end: number
}

function readQuoted(text: string, from: number): Cell | undefined {
  const end = findClosingQuote(text, from)
  return end < 0 ? undefined : {content: text.slice(from, end).replaceAll('""', QUOTE), end: end + 1}
}

function readPlain(text: string, from: number): Cell | undefined {
  const comma = text.indexOf(COMMA, from)
  const end = comma < 0 ? text.length : comma
  const content = text.slice(from, end)
  return content.includes(QUOTE) ? undefined : {content, end}
}

/** The next quote that is not doubled; -1 for none. */
function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from)
  while (at >= 0 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2)
  return at
}

/** Headers are JSON in a cell. */
function toRow(names: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, unknown> = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  const headers = typeof row.headers === 'string' ? parseObjectText(row.headers) : undefined
  return headers ? {...row, headers} : row
}
