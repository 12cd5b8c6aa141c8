import {parseObjectText} from '../../../language/json-object.js'
import {type Lines, LONGEST_PIECE, type RawLine} from '../../../language/lines/line-reader.js'
import {trimBytes} from '../../../language/lines/split-lines.js'
import {EVENT_MEMBER} from './captured-request.js'
import {describeBroken} from './describe-broken.js'
import type {FormatPiece, InputPieces, LineFormat} from './import-format.js'

/** The header of a table whose rows hold JSON. */
export const TABLE_HEADER = {
  takes: 'line',
  name: 'ndjson',
  also: ['json', 'curl', 'http', 'nginx', 'log'],
  starts: (_, {line}, {first}) => line === 1 && readNames(first) !== undefined,
  read: async function* (_, {line}, lines) {
    const next = await lines.readLine()
    if (next) lines.pushBack(next)
    if (!next || !isRow(next.bytes.toString('latin1'), lines)) yield {line, isPassedOver: true}
  },
} as const satisfies LineFormat

/** A row of a table with JSON in a cell, as an object. */
export const TABLE_ROW = {
  ...TABLE_HEADER,
  starts: (text, _, lines) => isRow(text, lines),
  read: readTableRow,
} as const satisfies LineFormat

/** A quoted cell with an object: its quotes are doubled, or it continues in the next line. */
const ROW = /(?:^|[,;\t|])"[^"]{0,4096}\{\s*(?:""|\r?$)/

/** Below a header, a row needs no more than quotes around a cell that are doubled, or one that is open at its end. */
function isRow(text: string, {first}: Lines): boolean {
  if (ROW.test(text)) return true
  if (!text.includes(QUOTE)) return false
  const {separator} = readNames(first) ?? {}
  const isQuoted = text.includes('""') || countQuotes(text) % 2 === 1
  return separator !== undefined && isQuoted && splitCells(text, separator, true) !== undefined
}

const NAME = /^[@A-Za-z_][\w @.()/-]{0,63}$/

/** The columns of a table, from its first line; `undefined` if it is not a header. */
function readNames(first: Buffer | undefined): Names | undefined {
  if (!first) return undefined
  if (!KNOWN.has(first)) KNOWN.set(first, parseNames(trimBytes(first).toString('latin1')))
  return KNOWN.get(first)
}

const KNOWN = new WeakMap<Buffer, Names | undefined>()

interface Names {
  readonly names: readonly string[]
  readonly separator: string
}

function parseNames(text: string): Names | undefined {
  const found = splitBest(text, SEPARATORS)
  return found.names.length > 1 && found.names.every(name => NAME.test(name)) ? found : undefined
}

const SEPARATORS = [',', ';', '\t', '|']

/** The cells by the separator that gives the most; none if no separator gives any. */
function splitBest(text: string, separators: readonly string[]): Names {
  const all = separators.map(separator => ({names: splitCells(text, separator) ?? [], separator}))
  return all.reduce((most, each) => (each.names.length > most.names.length ? each : most))
}

/** @see RFC 4180 */
function readTableRow(text: string, line: RawLine, lines: Lines): InputPieces | undefined {
  return countQuotes(text) % 2 === 0 ? readCells(line.bytes, line.line, lines) : readLongRow(line, lines)
}

/** A row over several lines. */
async function* readLongRow(first: RawLine, lines: Lines): AsyncGenerator<FormatPiece, void, void> {
  const {line, bytes} = first
  const pieces = await joinRow(first, lines)
  if (pieces) yield* pieces
  else if (bytes.includes(EVENT_MEMBER)) {
    const text = bytes.toString('utf8').replaceAll('""', QUOTE)
    yield {line, why: describeBroken({text, size: text.length - text.indexOf('{'), why: 'cut'})}
  } else yield {line, isPassedOver: true}
}

/** @returns `undefined` if it is not a row */
function readCells(bytes: Buffer, line: number, {first}: Lines): FormatPiece[] | undefined {
  const {names, separator} = readNames(first) ?? {}
  const {names: cells} = splitBest(bytes.toString('utf8'), separator === undefined ? SEPARATORS : [separator])
  if (cells.length === 0) return undefined
  const row = Object.fromEntries(cells.map((cell, at) => [names?.[at] ?? String(at), toCell(cell)]))
  return [{line, json: JSON.stringify(row)}]
}

/** Headers of a call are JSON in a cell. */
function toCell(cell: string): unknown {
  const isObject = cell.startsWith('{') && !cell.includes(EVENT_MEMBER)
  return isObject ? (parseObjectText(cell) ?? cell) : cell
}

/** A row over as many lines as it takes; `undefined`, with no line after its first consumed, if there is none. */
async function joinRow(first: RawLine, lines: Lines): Promise<FormatPiece[] | undefined> {
  const parts = [first.bytes]
  let quotes = countQuotes(first.bytes.toString('latin1'))
  let size = first.bytes.length
  const taken: RawLine[] = []
  while (quotes % 2 === 1) {
    const next = await lines.readLine()
    const line = next?.bytes.toString('latin1') ?? ''
    if (next) taken.push(next)
    size += line.length
    if (!next || size > LONGEST_PIECE || ROW.test(line)) break
    parts.push(LINE_END, next.bytes)
    quotes += countQuotes(line)
  }
  const pieces = quotes % 2 === 0 ? readCells(Buffer.concat(parts), first.line, lines) : undefined
  if (!pieces) for (const each of taken.reverse()) lines.pushBack(each)
  return pieces
}

const LINE_END = Buffer.from('\n')

function countQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf(QUOTE); at >= 0; at = text.indexOf(QUOTE, at + 1)) count++
  return count
}

const QUOTE = '"'

/** By hand: a pattern that takes doubled quotes needs room on the stack for each character of a cell. */
function splitCells(line: string, separator: string, mayGoOn = false): string[] | undefined {
  const text = line.replace(/\r$/, '')
  const cells: string[] = []
  for (let at = 0; ; at++) {
    const cell = text[at] === QUOTE ? readQuoted(text, at + 1) : readPlain(text, at, separator)
    if (!cell) return mayGoOn && text[at] === QUOTE ? cells : undefined
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
