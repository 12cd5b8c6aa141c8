import type {Peeked} from '../../../language/peek-input.js'
import {trimBytes} from '../../../language/split-lines.js'
import type {CapturedRequest} from './captured-request.js'
import {isRequestTable, readTableRows} from './csv-export.js'
import {isVerbose, parseRequestText, parseVerboseText, startsRequest} from './http-text.js'
import {cutJsonValues, type JsonPiece} from './json-values.js'
import {LineReader, type RawLine} from './line-reader.js'
import {listLoggedEvents} from './log-line.js'
import {parseAuditRecord, startsAuditRecord} from './modsecurity-text.js'
import {parseNginxLine} from './nginx-line.js'
import {parseCurlCommand, startsCurl} from './shell/curl-command.js'
import {readYamlExport, startsYamlExport} from './yaml-export.js'

/** A part of a file that may hold an event. */
export type InputPiece =
  | {readonly line: number; readonly json: JsonPiece}
  | {readonly line: number; readonly captured: CapturedRequest}
  | {readonly line: number; readonly why: string}

const TOO_LONG = 'longer than 16 MiB'

/** The pieces of a file in their order. Memory is that of the longest piece. */
export async function* splitPieces(
  {beginning, readChunks}: Peeked,
  format: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  if ((format === undefined || format === 'json') && startsYamlExport(beginning)) {
    yield await readYamlExport(readChunks())
    return
  }
  if (format === 'json' || format === 'har' || (format === undefined && isDocument(beginning))) {
    for await (const json of cutJsonValues(readChunks())) {
      yield json.isTooLong ? {line: json.line, why: TOO_LONG} : {line: json.line, json}
    }
    return
  }
  const reader = new LineReader(readChunks())
  try {
    yield* readLines(reader, format)
  } finally {
    await reader.close()
  }
}

/** How the lines of a file are read. */
interface LineContext {
  readonly reader: LineReader
  readonly format: EventFormat | undefined
  readonly isWanted: (...formats: EventFormat[]) => boolean
}

async function* readLines(
  reader: LineReader,
  format: EventFormat | undefined,
): AsyncGenerator<InputPiece, void, void> {
  const isWanted = (...formats: EventFormat[]) => format === undefined || formats.includes(format)
  const context = {reader, format, isWanted}
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    if (next.isTooLong) yield {line: next.line, why: TOO_LONG}
    else if (next.line === 1 && isRequestTable(next.bytes.toString('latin1'))) yield* readTable(next, reader)
    else yield* readFromLine(next, context)
  }
}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const COMMENT = 0x23

/** What a document over several lines begins with that holds a list of events, or of anything. */
const CONTAINER =
  /^\s*(\[(?=\s*([[{\]"]|$))|\{\s*"(log|events|count|links|info|item|data|requests|resources|logEvents)"\s*:)/

/** A line that begins as JSON does; `[2026-11-20T10:00:00]` and `[pod/shop]` begin lines of logs. */
const JSON_LINE = /^(\{|\[(?=\s*([[{\]"]|$)))/

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

async function* readFromLine(next: RawLine, context: LineContext): AsyncGenerator<InputPiece, void, void> {
  const {reader, isWanted, format} = context
  const {line} = next
  const bytes = trimBytes(next.bytes)
  if (bytes.length === 0) return
  const text = bytes.toString('latin1')
  if (JSON_LINE.test(text) && isWanted('ndjson', 'nginx', 'log')) {
    yield {line, json: {bytes, line, role: 'value', isTooLong: false, isTooDeep: false}}
    return
  }
  if (bytes[0] === COMMENT && isWanted('curl', 'http')) return
  const begun = await readBegun(next, text, context)
  if (begun) yield toPiece(line, begun)
  else if (isWanted('http') && startsRequest(text))
    yield {line, captured: await parseRequestText({...next, bytes}, reader)}
  else if (isWanted('curl', 'http') && isVerbose(text)) {
    const captured = await parseVerboseText(next, reader)
    if (captured) yield {line, captured}
  } else yield* listLogged(line, readLogged(text, isWanted), format)
}

function* listLogged(
  line: number,
  logged: readonly CapturedRequest[],
  format: EventFormat | undefined,
): Generator<InputPiece> {
  for (const captured of logged) yield {line, captured}
  if (logged.length === 0) yield {line, why: describeMismatch(format)}
}

/** A row is read as the object that it stands for. */
async function* readTable(header: RawLine, reader: LineReader): AsyncGenerator<InputPiece, void, void> {
  for await (const each of readTableRows(header.bytes.toString('latin1'), reader)) {
    if ('why' in each) yield each
    else {
      const bytes = Buffer.from(JSON.stringify(each.row))
      yield {
        line: each.line,
        json: {bytes, line: each.line, role: 'value', isTooLong: false, isTooDeep: false},
      }
    }
  }
}

/** A command that sends something, or a record of several lines; `undefined` for a line that begins none. */
async function readBegun(next: RawLine, text: string, {reader, isWanted}: LineContext) {
  if (isWanted('log', 'http') && startsAuditRecord(text)) return parseAuditRecord(next, reader)
  return isWanted('curl') && startsCurl(text) ? parseCurlCommand(next, reader) : undefined
}

/** A request in an access log, or the events in any other. */
function readLogged(text: string, isWanted: (...formats: EventFormat[]) => boolean): CapturedRequest[] {
  const access = isWanted('nginx') ? parseNginxLine(text) : undefined
  const requests = access ? [access] : []
  if (access?.method !== undefined || !isWanted('log')) return requests
  const events = listLoggedEvents(text)
  if (events.length > 0) return events
  // A line of any log may look like one of nginx; without an event in it, that says nothing.
  return text.includes('event_type') ? requests : []
}

function toPiece(line: number, found: CapturedRequest | {readonly why: string}): InputPiece {
  return 'why' in found ? {line, why: found.why} : {line, captured: found}
}

function describeMismatch(format: EventFormat | undefined): string {
  if (format === undefined) return 'neither an event nor a request with an event'
  return format === 'ndjson' ? 'not a JSON object' : `not an entry of ${format}`
}

/** What a file may be said to hold; without it, its content says so, line by line where there are lines. */
export const EVENT_FORMATS = ['json', 'ndjson', 'har', 'curl', 'http', 'nginx', 'log'] as const
export type EventFormat = (typeof EVENT_FORMATS)[number]
