import {EVENT_MEMBER} from './find-events.js'
import type {InputPiece, LineFormat} from './import-format.js'
import {type Lines, LONGEST_PIECE, type RawLine} from './line-reader.js'
import {readValue} from './text-reader.js'

/** The header of a table whose rows hold JSON. */
export const TABLE_HEADER = {
  takes: 'line',
  name: 'ndjson',
  also: ['json', 'curl', 'http', 'nginx', 'log'],
  starts: (text, {line}) => line === 1 && readNames(text) !== undefined,
  read: async function* (_, {line}, lines) {
    const next = await lines.readLine()
    if (next) lines.pushBack(next)
    if (!next || !ROW.test(next.bytes.toString('latin1'))) yield {line, isPassedOver: true}
  },
} as const satisfies LineFormat

/** A row of a table with JSON in a cell, as the object that it stands for. */
export const TABLE_ROW = {
  ...TABLE_HEADER,
  starts: text => ROW.test(text),
  read: readTableRow,
} as const satisfies LineFormat

/** A cell in quotes that holds an object: its quotes are doubled, or it goes on in the next line. */
const ROW = /(?:^|[,;\t|])"[^"]{0,4096}\{\s*(?:""|\r?$)/

const NAME = /^[@A-Za-z_][\w @.()/-]{0,63}$/

/** The columns of a table, by its first line; `undefined` for a line that is no header. */
function readNames(line: string): {names: readonly string[]; separator: string} | undefined {
  const text = line.replace(/^\ufeff|^\u00ef\u00bb\u00bf/, '')
  const all = SEPARATORS.map(separator => ({names: splitCells(text, separator) ?? [], separator}))
  const found = all.reduce((most, each) => (each.names.length > most.names.length ? each : most))
  return found.names.length > 1 && found.names.every(name => NAME.test(name)) ? found : undefined
}

const SEPARATORS = [',', ';', '\t', '|']

/** @see RFC 4180 */
async function* readTableRow(_: string, first: RawLine, lines: Lines): AsyncGenerator<InputPiece, void, void> {
  const {names, separator = ','} = readNames((lines.first ?? first.bytes).toString('latin1')) ?? {}
  const text = await readRow(first, lines)
  const cells = text === undefined ? undefined : splitCells(text, separator)
  if (cells) {
    const row = Object.fromEntries(cells.map((cell, at) => [names?.[at] ?? String(at), toCell(cell)]))
    yield* readValue(JSON.stringify(row), first.line)
  } else if (first.bytes.includes(EVENT_MEMBER)) yield {line: first.line, why: 'incomplete row'}
  else yield {line: first.line, isPassedOver: true}
}

/** Headers of a call are JSON in a cell. */
function toCell(cell: string): unknown {
  if (!cell.startsWith('{') || cell.includes(EVENT_MEMBER)) return cell
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** A row over as many lines as it takes; `undefined`, and no line behind its first is taken, where it does not end. */
async function readRow(first: RawLine, lines: Lines): Promise<string | undefined> {
  // Bytes and not text: what is in quotes comes out as it was.
  const parts = [first.bytes.toString('latin1')]
  let quotes = countQuotes(parts[0] as string)
  let size = first.bytes.length
  const taken: RawLine[] = []
  while (quotes % 2 === 1) {
    const next = await lines.readLine()
    const line = next?.bytes.toString('latin1') ?? ''
    if (next) taken.push(next)
    size += line.length
    if (!next || size > LONGEST_PIECE || ROW.test(line)) {
      for (const each of taken.reverse()) lines.pushBack(each)
      return undefined
    }
    parts.push(line)
    quotes += countQuotes(line)
  }
  return Buffer.from(parts.join('\n'), 'latin1').toString('utf8')
}

function countQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf(QUOTE); at >= 0; at = text.indexOf(QUOTE, at + 1)) count++
  return count
}

const QUOTE = '"'

/** By hand: a pattern that takes doubled quotes needs room on the stack for each character of a cell. */
function splitCells(line: string, separator: string): string[] | undefined {
  const text = line.replace(/\r$/, '')
  const cells: string[] = []
  for (let at = 0; ; at++) {
    const cell = text[at] === QUOTE ? readQuoted(text, at + 1) : readPlain(text, at, separator)
    if (!cell) return undefined
    cells.push(cell.content)
    at = cell.end
    if (at === text.length) return cells
    if (text[at] !== separator) return undefined
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

function readPlain(text: string, from: number, separator: string): Cell | undefined {
  const next = text.indexOf(separator, from)
  const end = next < 0 ? text.length : next
  const content = text.slice(from, end)
  return content.includes(QUOTE) ? undefined : {content, end}
}

/** The next quote that is not doubled; -1 for none. */
function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf(QUOTE, from)
  while (at >= 0 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2)
  return at
}
