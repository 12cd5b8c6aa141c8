import type {Peeked} from '../../../language/peek-input.js'
import {trimBytes} from '../../../language/split-lines.js'
import {REQUEST_TABLE} from './csv-export.js'
import {CURL_OUTPUT, REQUEST_TEXT} from './http-text.js'
import {
  type FileFormat,
  type InputPiece,
  type InputPieces,
  type LineFormat,
  TOO_LONG,
} from './import-format.js'
import {HAR, JSON_DOCUMENT, JSON_LINE} from './json-documents.js'
import {LineReader, type RawLine} from './line-reader.js'
import {LOGGED_EVENT} from './log-line.js'
import {AUDIT_RECORD} from './modsecurity-text.js'
import {ACCESS_LOG, BODY_LOG} from './nginx-line.js'
import {CURL_COMMAND, SHELL_COMMENT} from './shell/curl-command.js'
import {YAML_EXPORT} from './yaml-export.js'

/** Every format. The first that takes a file has it, or a line; a name for `--format` stands where it is listed. */
const FORMATS = [
  YAML_EXPORT,
  JSON_DOCUMENT,
  REQUEST_TABLE,
  JSON_LINE,
  HAR,
  SHELL_COMMENT,
  CURL_COMMAND,
  REQUEST_TEXT,
  CURL_OUTPUT,
  ACCESS_LOG,
  AUDIT_RECORD,
  LOGGED_EVENT,
  BODY_LOG,
] as const

/** What a file may be said to hold; without it, its content says so, line by line where there are lines. */
export type EventFormat = (typeof FORMATS)[number]['name']
export const EVENT_FORMATS: readonly EventFormat[] = [...new Set(FORMATS.map(({name}) => name))]

/** The pieces of a file in their order. Memory is that of the longest piece. */
export async function* splitPieces(
  {beginning, readChunks}: Peeked,
  format: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  const whole = findFileFormat(beginning, format)
  if (whole) {
    yield* whole.read(readChunks())
    return
  }
  const reader = new LineReader(readChunks())
  try {
    yield* readLines(reader, format)
  } finally {
    await reader.close()
  }
}

const FILE_FORMATS: readonly FileFormat[] = FORMATS.filter(each => each.takes === 'file')
const LINE_FORMATS: readonly LineFormat[] = FORMATS.filter(each => each.takes === 'line')

/** A format that was named needs no look at the content, but to tell it from another one of that name. */
function findFileFormat(beginning: Buffer, name: EventFormat | undefined): FileFormat | undefined {
  const formats = FILE_FORMATS.filter(each => name === undefined || each.name === name)
  const found = formats.find(({starts}) => starts(beginning))
  return found ?? (name === undefined ? undefined : formats.at(-1))
}

async function* readLines(
  reader: LineReader,
  name: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  const isWanted = (each: LineFormat) => each.name === name || each.also?.includes(name ?? '')
  const formats = name === undefined ? LINE_FORMATS : LINE_FORMATS.filter(isWanted)
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    if (next.isTooLong) yield {line: next.line, why: TOO_LONG}
    else yield* readEntry(next, reader, formats) ?? [{line: next.line, why: describeMismatch(name)}]
  }
}

/** The entry that a line begins; `undefined` where it begins none. */
function readEntry(
  line: RawLine,
  reader: LineReader,
  formats: readonly LineFormat[],
): InputPieces | undefined {
  const text = trimBytes(line.bytes).toString('latin1')
  if (text === '') return []
  for (const {starts, read} of formats) {
    const pieces = starts(text, line) ? read(text, line, reader) : undefined
    if (pieces) return pieces
  }
  return undefined
}

function describeMismatch(name: EventFormat | undefined): string {
  if (name === undefined) return 'neither an event nor a request with an event'
  return name === 'ndjson' ? 'not a JSON object' : `not an entry of ${name}`
}
