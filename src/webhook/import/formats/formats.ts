import {OPEN_OBJECT} from '../../../language/json-bytes.js'
import {ContainerLines} from '../../../language/lines/container-lines.js'
import {LineReader, type Lines, type RawLine} from '../../../language/lines/line-reader.js'
import {trimBytes} from '../../../language/lines/split-lines.js'
import type {Peeked} from '../../../language/peek-input.js'
import {CURL_OUTPUT, REQUEST_TEXT} from './http-text.js'
import type {FileFormat, InputPiece, InputPieces, LineFormat} from './import-format.js'
import {AUDIT_RECORD} from './modsecurity-text.js'
import {ACCESS_LOG, BODY_LOG} from './nginx-line.js'
import {CURL_COMMAND} from './shell/curl-command.js'
import {TABLE_HEADER, TABLE_ROW} from './table-rows.js'
import {readValue, TextReader} from './text-reader.js'
import {YAML_EXPORT} from './yaml-export.js'

/** Formats that are more than text with JSON in it. The first that recognizes a line, or the file, reads it. */
const FORMATS = [
  YAML_EXPORT,
  CURL_COMMAND,
  REQUEST_TEXT,
  CURL_OUTPUT,
  ACCESS_LOG,
  AUDIT_RECORD,
  BODY_LOG,
  TABLE_HEADER,
  TABLE_ROW,
] as const

/** Names for text whose events are found whatever is around them. */
const TEXTS = ['json', 'ndjson', 'har', 'log', 'nginx'] as const

/** Values of `--format`; without it, the content decides, line by line if there are lines. */
export type EventFormat = (typeof FORMATS)[number]['name'] | (typeof TEXTS)[number]
export const EVENT_FORMATS: readonly EventFormat[] = [
  ...new Set([...TEXTS, ...FORMATS.map(({name}) => name)]),
]

/** The pieces of a file in their order. Memory is that of the longest piece. */
export async function* splitPieces(
  {beginning, readChunks}: Peeked,
  format: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  const whole = FILE_FORMATS.find(each => (format ?? each.name) === each.name && each.starts(beginning))
  if (whole) {
    yield* readValues(whole.read(readChunks()))
    return
  }
  const reader = new LineReader(readChunks())
  try {
    yield* readLines(new ContainerLines(reader), format)
  } finally {
    await reader.close()
  }
}

const FILE_FORMATS: readonly FileFormat[] = FORMATS.filter(each => each.takes === 'file')
const LINE_FORMATS: readonly LineFormat[] = FORMATS.filter(each => each.takes === 'line')

async function* readLines(
  lines: Lines,
  name: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  const isWanted = (each: LineFormat) => each.name === name || each.also?.includes(name ?? '')
  const formats = name === undefined ? LINE_FORMATS : LINE_FORMATS.filter(isWanted)
  const isText = name === undefined || TEXTS.some(each => each === name)
  const text = new TextReader()
  for (let next = await lines.readLine(); next; next = await lines.readLine()) {
    if (text.isOpen && !(yield* readText(text, next))) continue
    const entry = readEntry(next, lines, formats)
    if (entry) yield* readValues(entry)
    else if (isText) yield* readText(text, next)
    else yield {line: next.line, isPassedOver: true}
  }
  yield* text.end()
}

/** Of a long line, such as a database dump, this much is read before its findings are passed on. */
const READ_AT_ONCE = 1024 * 1024

/** @returns whether the line is still to be read: what was open ended before it */
function* readText(text: TextReader, line: RawLine): Generator<InputPiece, boolean, void> {
  for (let from = 0; ; from += READ_AT_ONCE) {
    const bytes = line.bytes.subarray(from, from + READ_AT_ONCE)
    const isEnd = from + READ_AT_ONCE >= line.bytes.length
    const part = {...line, bytes, isFirst: line.isFirst && from === 0, isLast: line.isLast && isEnd}
    const {pieces, isRefused} = text.read(part)
    yield* pieces
    if (isRefused || isEnd) return isRefused
  }
}

async function* readValues(pieces: InputPieces): AsyncGenerator<InputPiece, void, void> {
  for await (const piece of pieces) {
    if ('json' in piece) yield* readValue(piece.json, piece.line)
    else yield piece
  }
}

/** A line that begins like JSON; `[2026-11-20T10:00:00]` and `[pod/shop]` begin log lines. */
const JSON_LINE = /^(\{|\[(?=\s*([[{\]"]|$)))/

/** The entry that a line begins; `undefined` if none. */
function readEntry(line: RawLine, lines: Lines, formats: readonly LineFormat[]): InputPieces | undefined {
  if (!line.isFirst || !line.isLast || line.bytes[0] === OPEN_OBJECT) return undefined
  const text = trimBytes(line.bytes).toString('latin1')
  if (text === '') return []
  if (JSON_LINE.test(text)) return undefined
  for (const {starts, read} of formats) {
    const pieces = starts(text, line, lines) ? read(text, line, lines) : undefined
    if (pieces) return pieces
  }
  return undefined
}
