import {isUtf8} from 'node:buffer'
import {CLOSE_OBJECT, OPEN_OBJECT} from '../../../language/json-bytes.js'
import {isObject, parseObjectText} from '../../../language/json-object.js'
import type {RawLine} from '../../../language/lines/line-reader.js'
import {trimBytes} from '../../../language/lines/split-lines.js'
import type {BrokenText, FoundObject, ScanResult} from '../../../language/scan/object-scanner.js'
import {ObjectScanner} from '../../../language/scan/object-scanner.js'
import {type CapturedRequest, EVENT_MEMBER} from './captured-request.js'
import {describeBroken, TOO_MANY_LEVELS} from './describe-broken.js'
import {describeRequest} from './describe-request.js'
import {dropRepeats, type Found, type FoundEvent, isEvent, mayHoldEvent, searchEvents} from './find-events.js'
import type {InputPiece} from './import-format.js'
import {parseMonologContext, parseMonologRecord} from './monolog.js'

/** Brackets and commas alone are neither an event nor noise. */
const FILLER = /^[\s[\],\ufeff]*$/

/** The events of any text: JSON documents, one JSON value per line, logs, tickets. */
export class TextReader {
  readonly #scanner = new ObjectScanner(EVENT_MEMBER)

  /** Whether an object continues in the next line. */
  get isOpen(): boolean {
    return this.#scanner.isOpen
  }

  /** Whether something other than JSON came before: then the writer of an object over several lines is unknown. */
  #hasProse = false
  #openLine = 1
  /** Whether the line, or what is open since, has nothing so far. */
  #isNoise = true

  /** @returns pieces, and whether the line is still to be read: what was open ended before it */
  read({bytes: written, line, isFirst, isLast}: RawLine): {
    readonly pieces: InputPiece[]
    readonly isRefused: boolean
  } {
    const bytes = stripColours(written)
    const wasOpen = this.#scanner.isOpen
    const isAlone = isFirst && isLast && !wasOpen && !this.#scanner.isInDocument
    const lineOfJson = isAlone ? readLine(bytes, line) : undefined
    if (lineOfJson) return {pieces: this.#trust(lineOfJson), isRefused: false}
    const findings = this.#scanner.readPart(bytes, line, {isFirst, isLast})
    const pieces = this.#list(findings)
    if (findings.isRefused) return {pieces: this.#orNoise(pieces), isRefused: true}
    if (!wasOpen) this.#openLine = line
    if (isFirst && !wasOpen) this.#isNoise = true
    if (pieces.length > 0) this.#isNoise = false
    if (wasOpen || this.isOpen || this.#scanner.isInDocument) return {pieces, isRefused: false}
    const isSaid = !isFirst || !FILLER.test(bytes.toString('latin1', 0, 1024))
    const isNoise = this.#isNoise && isLast && isSaid
    const [object] = findings.objects
    this.#hasProse ||= object ? !object.isWhole : isNoise
    return {pieces: isNoise ? [{line, isPassedOver: true}] : pieces, isRefused: false}
  }

  end(): InputPiece[] {
    return this.isOpen ? this.#orNoise(this.#list(this.#scanner.end())) : []
  }

  /** An open value that was never completed. */
  #orNoise(pieces: InputPiece[]): InputPiece[] {
    return pieces.length > 0 || !this.#isNoise ? pieces : [{line: this.#openLine, isPassedOver: true}]
  }

  #list({objects, broken}: ScanResult): InputPiece[] {
    const read = objects.map(each => {
      const isOverLines = each.text.includes('\n')
      return readObject(isOverLines && this.#hasProse ? {...each, isWhole: false} : each)
    })
    return [...this.#trust(listPieces(read)), ...broken.map(toFault)]
  }

  #trust(pieces: InputPiece[]): InputPiece[] {
    const distrusted = {isListable: false, isBehindProse: this.#hasProse}
    const mark = (piece: InputPiece) =>
      'captured' in piece ? {...piece, captured: {...piece.captured, ...distrusted}} : piece
    return this.#hasProse ? pieces.map(mark) : pieces
  }
}

/** The pieces of a value by itself. */
export function readValue(text: string, line: number): InputPiece[] {
  const pieces = listPieces([readObject({text, line, isWhole: true})])
  return pieces.length > 0 ? pieces : [{line, isPassedOver: true}]
}

/** The pieces of a text that is read at once. */
export function readPieces(bytes: Uint8Array): InputPiece[] {
  const reader = new TextReader()
  const {pieces} = reader.read({bytes: Buffer.from(bytes), line: 1, isFirst: true, isLast: true})
  return [...pieces, ...reader.end()]
}

/** The contents of an object. */
interface ObjectPieces {
  readonly line: number
  readonly isWhole: boolean
  readonly found: readonly Found[]
  readonly others: readonly InputPiece[]
}

function listPieces(all: readonly ObjectPieces[]): InputPiece[] {
  const kept = new Set(dropRepeats(all.flatMap(({found}) => listEvents(found))))
  return all.flatMap(({line, isWhole, found, others}) => [
    ...found.flatMap(each => {
      if ('call' in each) return isWhole ? [{line, captured: each.call}] : []
      return kept.has(each.event) ? [{line, captured: toCaptured(each.event, isWhole)}] : []
    }),
    ...others,
  ])
}

function listEvents(found: readonly Found[]): FoundEvent[] {
  return found.flatMap(each => ('event' in each ? [each.event] : []))
}

function toFault(broken: BrokenText): InputPiece {
  return {line: broken.line, why: describeBroken(broken)}
}

function readObject(found: FoundObject, value = parseObjectText(found.text)): ObjectPieces {
  const {text, line, isWhole, around} = found
  const nothing = {line, isWhole, found: [], others: []}
  if (!value) {
    const isEvent = text.includes(EVENT_MEMBER)
    return isEvent
      ? {...nothing, others: [toFault({line, text, size: text.length, why: 'no-json'})]}
      : nothing
  }
  if (!mayHoldEvent(text)) return nothing
  const record = isWhole
    ? parseMonologRecord(value)
    : around && parseMonologContext(around.before, value, around.after)
  if (record) return {...nothing, others: [{line, captured: record}]}
  const {found: inside, broken, isTooDeep} = searchEvents(text, value)
  const hasEvents = inside.some(each => 'event' in each)
  // Beside an event, the word in a text is not a lost event.
  const lost = hasEvents ? broken.filter(({why}) => why !== 'bare') : broken
  const faults = lost.map(each => toFault({...each, line}))
  if (isTooDeep) faults.push({line, why: TOO_MANY_LEVELS})
  if (!hasEvents && faults.length === 0 && WORD.test(text))
    faults.push(toFault({line, text, size: text.length, why: 'bare'}))
  return {...nothing, found: inside, others: faults}
}

const WORD = new RegExp(`\\b${EVENT_MEMBER}\\b`)

const UNKNOWN = {method: undefined, target: undefined, headers: []}

/** @param isWhole otherwise the author of the text around it may have invented everything but a signature */
function toCaptured(event: FoundEvent, isWhole: boolean): CapturedRequest {
  const {target, around, isPlain, isSent, value} = event
  const body = Buffer.from(event.body)
  const members = isPlain && isObject(value) && isEvent(value) ? value : undefined
  const call = describeRequest(around, body)
  if (!isWhole) return {...UNKNOWN, headers: call.headers, body, members}
  const isCall = call.method === undefined || call.method === 'POST'
  return {
    ...(isCall ? call : UNKNOWN),
    ...(target === undefined ? {} : {target}),
    body,
    members,
    isListable: isPlain && !isSent,
  }
}

/** Without the colours of `jq -C`: no JSON has the byte that begins them. */
function stripColours(bytes: Buffer): Buffer {
  if (!bytes.includes(ESCAPE)) return bytes
  return Buffer.from(bytes.toString('latin1').replace(COLOUR, ''), 'latin1')
}

const ESCAPE = 0x1b
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what begins a colour
const COLOUR = /\u001b\[[\d;]*m/g

/** Reads a line that is only an object, as most lines of JSON are. */
function readLine(bytes: Buffer, line: number): InputPiece[] | undefined {
  const body = trimBytes(bytes)
  if (body[0] !== OPEN_OBJECT || body.at(-1) !== CLOSE_OBJECT || !isUtf8(body)) return undefined
  const text = body.toString('utf8')
  const value = parseObjectText(text)
  if (!value) return undefined
  if (isEvent(value)) return [{line, captured: {...UNKNOWN, body, members: value, isListable: true}}]
  const pieces = listPieces([readObject({text, line, isWhole: true}, value)])
  return pieces.length > 0 || EMPTY.test(text) ? pieces : [{line, isPassedOver: true}]
}

/** An object with a list of nothing. */
const EMPTY = /"\w+"\s*:\s*\[\s*\]/
