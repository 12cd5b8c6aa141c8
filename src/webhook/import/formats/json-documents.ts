import {trimBytes} from '../../../language/split-lines.js'
import {type FileFormat, type InputPiece, type LineFormat, TOO_LONG} from './import-format.js'
import {createValuePiece, cutJsonValues} from './json-values.js'

/** One JSON document, or several, of any number of lines. */
export const JSON_DOCUMENT = {
  takes: 'file',
  name: 'json',
  starts: isDocument,
  read: readDocument,
} as const satisfies FileFormat

/** A HAR file is a document that says itself what it holds. */
export const HAR = {...JSON_DOCUMENT, name: 'har'} as const satisfies FileFormat

/** A line that begins as JSON does; `[2026-11-20T10:00:00]` and `[pod/shop]` begin lines of logs. */
const LINE = /^(\{|\[(?=\s*([[{\]"]|$)))/

/** A JSON value a line, as logs in JSON are too. */
export const JSON_LINE = {
  takes: 'line',
  name: 'ndjson',
  also: ['nginx', 'log'],
  starts: text => LINE.test(text),
  read: (_, {line, bytes}) => [{line, json: createValuePiece(trimBytes(bytes), line)}],
} as const satisfies LineFormat

async function* readDocument(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputPiece, void, void> {
  for await (const json of cutJsonValues(chunks))
    yield json.isTooLong ? {line: json.line, why: TOO_LONG} : {line: json.line, json}
}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** What a document over several lines begins with that holds a list of events, or of anything. */
const CONTAINER =
  /^\s*(\[(?=\s*([[{\]"]|$))|\{\s*"(log|events|count|links|info|item|data|requests|resources|logEvents)"\s*:)/

/** Whether a text is one JSON document, or several, rather than lines that stand for themselves. */
function isDocument(beginning: Buffer): boolean {
  const text = trimBytes(beginning)
  if (text[0] !== OPEN_LIST && text[0] !== OPEN_OBJECT) return false
  const all = text.toString('latin1').split(/\r?\n/)
  const lines = all.length > 1 && beginning.length >= PEEKED ? all.slice(0, -1) : all
  if (CONTAINER.test(text.toString('latin1', 0, 256))) return !lines.slice(0, 2).every(isWholeObject)
  if (all.length === 1 || text[0] !== OPEN_OBJECT) return false
  return !lines[1]?.startsWith('{') && !lines.slice(0, MOST_LOOKED_AT).some(isWholeObject)
}

const PEEKED = 64 * 1024
const MOST_LOOKED_AT = 50

/** Lines of documents are indented, or parts of something. */
function isWholeObject(line: string): boolean {
  if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
