import {listMembers} from '../../language/list-members.js'
import {
  type ByteRange,
  type Draft,
  type DraftSource,
  formatPath,
  type OrderRules,
  type ParseError,
  type SourceSpan,
} from '../draft/draft.js'
import {JsonFault, locateValues} from './json-positions.js'
import {JsonSlicer, type OrderSlice} from './json-slices.js'
import {findJsonWrapper} from './json-wrapper.js'

/**
 * The orders of JSON: one, a list, also as `orders` or `data` of an object, or one after the other (NDJSON).
 *
 * @param pieces UTF-8 without a byte order mark
 * @param byLine whether each order is known to have a line of its own
 * @param shape what an order may contain, to distinguish an object around a list from one
 */
export async function* readJsonDrafts(
  pieces: AsyncIterable<Buffer>,
  byLine: boolean,
  shape?: OrderRules['shape'],
): AsyncGenerator<Draft[]> {
  let stray = 0
  for await (const slices of readSlices(pieces, byLine, shape)) {
    const drafts: Draft[] = []
    for (const slice of slices) {
      const draft = buildDraft(slice)
      if (draft.isOfInput && ++stray === MOST_STRAY) {
        yield [...drafts, endOfReading(draft)]
        return
      }
      drafts.push(draft)
    }
    if (drafts.length > 0) yield drafts
  }
}

/** Most commas and brackets outside orders: an input with more contains no orders. */
const MOST_STRAY = 1000

async function* readSlices(
  pieces: AsyncIterable<Buffer>,
  byLine: boolean,
  shape: OrderRules['shape'],
): AsyncGenerator<Iterable<OrderSlice>> {
  let slicer: JsonSlicer | undefined
  for await (const piece of pieces) {
    const wrapper = slicer || byLine ? undefined : findJsonWrapper(piece, shape)
    slicer ??= new JsonSlicer(byLine, wrapper?.isEndedBy)
    yield slicer.push(wrapper?.piece ?? piece)
  }
  yield (slicer ?? new JsonSlicer(byLine)).finish()
}

function endOfReading(draft: Draft): Draft {
  const message = `${MOST_STRAY} misplaced commas or brackets`
  const broken = (draft.broken ?? []).map(({span}) => ({
    span,
    field: '',
    message,
    readOn: 'nowhere' as const,
  }))
  return {...draft, broken}
}

function buildDraft(slice: OrderSlice): Draft {
  const {bytes, problem, members} = slice
  const source = new JsonSource(slice)
  const renderBody = () => bytes
  if (problem !== undefined) {
    const broken = [{span: source.buildWholeSpan(), field: '', message: problem}]
    return {
      order: undefined,
      renderBody,
      source,
      broken,
      isOfInput: bytes.length === 0 && slice.start === slice.end,
    }
  }
  const order = parseOrder(bytes)
  if (order === NO_JSON)
    return {order: undefined, renderBody, source, broken: [buildParseError(slice, source)]}
  const broken = members === countMembers(order) ? [] : listRepeated(bytes, source)
  const draft = hasErrorMembers(order)
    ? {...removeErrorMembers(order, bytes), source}
    : {order, renderBody, source}
  return broken.length > 0 ? {...draft, broken} : draft
}

const NO_JSON = Symbol('no JSON')

function parseOrder(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return NO_JSON
  }
}

function listRepeated(bytes: Buffer, source: JsonSource): ParseError[] {
  return findRepeatedMembers(bytes.toString('utf8'), offset => source.buildSpan(offset))
}

function buildParseError({bytes, isCutOff}: OrderSlice, source: JsonSource): ParseError {
  const {message, at} = findSyntaxError(bytes.toString('utf8'))
  return {span: source.buildSpan(at), field: '', message, ...(isCutOff && {readOn: 'nowhere'})}
}

function findSyntaxError(text: string): {message: string; at: number} {
  try {
    locateValues(text)
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
  return {message: 'this is not JSON', at: 0}
}

class JsonSource implements DraftSource {
  constructor(private readonly slice: OrderSlice) {}

  listRanges(): ByteRange[] {
    const {start, end} = this.slice
    return [{start, end}]
  }

  buildWholeSpan(): SourceSpan {
    return this.buildSpan(0)
  }

  buildSpan(offset: number): SourceSpan {
    const {start, end} = this.slice
    return {start, end, locateIn: () => offset}
  }

  findSpan(pointer: string): SourceSpan {
    const {start, end} = this.slice
    return {start, end, locateIn: text => locateValues(text).find(pointer)}
  }

  getField(pointer: string): string {
    return formatPath(pointer)
  }
}

/** `--rejects` stores its notes about an order in members with this prefix, last in the object. */
const PREFIX = '_error'

/** The notes about a failed order. */
export interface Reject {
  readonly status: string
  readonly detail: string
}

/** Whether a parsed order has notes of an earlier rejection. */
function hasErrorMembers(order: unknown): order is Record<string, unknown> {
  if (typeof order !== 'object' || order === null) return false
  for (const name in order) if (name.startsWith(PREFIX)) return true
  return false
}

/** The order as it is sent: without such notes, and otherwise byte for byte. */
function removeErrorMembers(
  parsed: Record<string, unknown>,
  bytes: Buffer,
): {order: unknown; renderBody: () => string} {
  const order = Object.fromEntries(Object.entries(parsed).filter(([name]) => !name.startsWith(PREFIX)))
  const cut = removeTrailingMembers(bytes.toString('utf8'))
  const isWhole = !hasErrorMembers(JSON.parse(cut))
  return {order, renderBody: () => (isWhole ? cut : JSON.stringify(order))}
}

/** The text of an order with new notes in place of earlier ones. */
export function withErrorMembers(text: string, {status, detail}: Reject): string {
  const cut = removeTrailingMembers(text.trimEnd())
  const end = cut.lastIndexOf('}')
  const members = `"${PREFIX}_status":${JSON.stringify(status)},"${PREFIX}":${JSON.stringify(detail)}`
  return `${cut.slice(0, end).trimEnd()},${members}}`
}

/** Removes what `--rejects` has added: strings, after at least one member of the order's own. */
function removeTrailingMembers(given: string): string {
  const text = given.trimStart()
  let kept = 0
  let last = 0
  for (const {key, from, end} of listMembers(text)) {
    if (!/^_error\w*$/.test(key) || text[from] !== '"') kept = end
    last = end
  }
  return kept === 0 || kept === last ? text : `${text.slice(0, kept)}}`
}

/** The error for a member whose name its object already has. */
const REPEATED = 'appears twice in the same object'

/** How many members the objects of a JSON value have, those inside them too. */
function countMembers(value: unknown): number {
  let count = 0
  const left = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) pushObjects(next, left)
    else count += pushMemberObjects(next as Record<string, unknown>, left)
  }
  return count
}

function pushObjects(values: readonly unknown[], left: unknown[]): void {
  for (const each of values) if (typeof each === 'object') left.push(each)
}

/** @returns how many members the object has */
function pushMemberObjects(object: Record<string, unknown>, left: unknown[]): number {
  let count = 0
  for (const name in object) {
    count++
    const member = object[name]
    if (typeof member === 'object') left.push(member)
  }
  return count
}

/**
 * The members that repeat a name in the same object; `JSON.parse` silently takes the last.
 *
 * @param text JSON
 * @param at converts an offset in the text to a position
 */
function findRepeatedMembers(text: string, at: (offset: number) => ParseError['span']): ParseError[] {
  return locateValues(text)
    .repeated.filter(({pointer}) => !pointer.startsWith('/_error'))
    .map(({pointer, at: offset, value}) => ({
      span: at(offset),
      field: formatPath(pointer),
      message: REPEATED,
      value: JSON.parse(value) as unknown,
      pointer,
    }))
}
