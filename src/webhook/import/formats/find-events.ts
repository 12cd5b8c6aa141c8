import {isObject, parseObjectText} from '../../../language/json-object.js'
import {listMembers} from '../../../language/list-members.js'
import {type BrokenText, ObjectScanner} from '../../../language/scan/object-scanner.js'
import type {ProviderDefinition} from '../../../providers/provider.js'
import {PROVIDERS} from '../../../providers/providers.js'
import {matchRoute} from '../../../providers/route.js'
import {EVENT_MEMBER, type ObjectMembers} from './captured-request.js'
import {type Described, describeRequest, holdsCall} from './describe-request.js'

/** An event inside an object. */
export interface FoundEvent {
  readonly id: string
  readonly body: string
  /** Where the provider sends it, if the event itself says so. */
  readonly target: string | undefined
  /** The objects around it, the outermost first: up to what a call's sender wrote, a text, or a list outside calls. */
  readonly around: readonly ObjectMembers[]
  /** Whether it is in a part of a call that its sender wrote. */
  readonly isSent: boolean
  /** Whether it is an object, and not in a text or in somebody's response. */
  readonly isPlain: boolean
  readonly level: number
  /** The element of a list, or the whole, that it belongs to. */
  readonly record: unknown
  /** Its contents. */
  readonly value: unknown
}

/** An event, or a call without one. */
export type Found = {readonly event: FoundEvent} | {readonly call: Described}

export interface FoundEvents {
  readonly found: readonly Found[]
  readonly broken: readonly BrokenText[]
  /** Whether something is nested more deeply than is searched. */
  readonly isTooDeep: boolean
}

/** Most objects, lists and texts around an event. */
const MOST_LEVELS = 8

/** Whether a text may contain an event at all. */
export function mayHoldEvent(text: string): boolean {
  return MAY_HOLD.test(text)
}

/**
 * The events in a JSON object, in whatever member, as objects or as text, eight levels down at most.
 *
 * @param text of the object, from which bodies are taken byte for byte
 */
export function searchEvents(text: string, value: ObjectMembers): FoundEvents {
  const search = new Search()
  search.visitRecord(
    {text, from: 0, end: text.length, value, level: 0},
    {around: [], isPlain: true, isSent: false, record: value},
  )
  return search
}

interface JsonPart {
  readonly text: string
  readonly from: number
  readonly end: number
  readonly value: unknown
  readonly level: number
}

type Context = Pick<FoundEvent, 'around' | 'isPlain' | 'isSent' | 'record'>

class Search {
  readonly found: Found[] = []
  readonly broken: BrokenText[] = []
  isTooDeep = false

  /** An element of a list, or the whole. */
  visitRecord(part: JsonPart, context: Context): void {
    const before = this.found.length
    this.visit(part, context)
    const {value} = part
    if (!context.isPlain || context.isSent || !isObject(value) || this.found.length > before) return
    const call = describeRequest([value])
    if (call.target !== undefined) this.found.push({call})
  }

  visit(part: JsonPart, context: Context): void {
    const {text, from, end, value, level} = part
    if (!mayHoldEvent(text.slice(from, end))) return
    if (level > MOST_LEVELS) this.isTooDeep = true
    else if (typeof value === 'string') this.#visitText(value, level, context)
    else if (Array.isArray(value)) this.#visitList(part, value, context)
    else if (isObject(value)) this.#visitObject(part, value, context)
  }

  #visitObject({text, from, end, level}: JsonPart, value: ObjectMembers, context: Context): void {
    const event = readEventObject(value)
    if (event) {
      this.found.push({
        event: {value, ...event, body: event.body ?? text.slice(from, end), level, ...context},
      })
      return
    }
    const around = context.isPlain && !context.isSent ? [...context.around, value] : context.around
    // Of two members of one name, a parser takes the last.
    const members = new Map([...listMembers(text, from)].map(each => [each.key, each]))
    for (const [spelled, member] of members) {
      const key = spelled.includes('\\') ? (JSON.parse(`"${spelled}"`) as string) : spelled
      const inner = RESPONSE.test(key)
        ? {...context, isPlain: false, around: []}
        : {...context, around, isSent: context.isSent || SENT.test(key)}
      this.visit({text, ...member, value: value[key], level: level + 1}, inner)
    }
  }

  #visitList({text, from, level}: JsonPart, list: readonly unknown[], context: Context): void {
    const form = readForm(list)
    if (form !== undefined) {
      this.#addForm(form, level, context)
      return
    }
    // How systemd's journal stores a text with control characters.
    if (list.every(isByte)) {
      this.#visitText(Buffer.from(list as number[]).toString('utf8'), level, context)
      return
    }
    // A body in parts, as ModSecurity stores it; a list of several events is not one.
    if (list.every(each => typeof each === 'string')) {
      const before = this.found.length
      this.#visitText(list.join(''), level, context)
      if (this.found.length === before + 1) return
      this.found.length = before
    }
    const around = context.isSent || holdsCall(context.around) ? context.around : []
    let index = 0
    for (const member of listMembers(text, from)) {
      const value = list[index++]
      this.visitRecord({text, ...member, value, level: level + 1}, {...context, around, record: value})
    }
  }

  #visitText(text: string, level: number, context: Context): void {
    const decoded = decodeBase64(text) ?? text
    if (FORM.test(decoded)) {
      this.#addForm(decoded, level, context)
      return
    }
    const scanner = new ObjectScanner(EVENT_MEMBER)
    const bytes = Buffer.from(decoded)
    for (const {objects, broken} of [scanner.readLine(bytes, 1), scanner.end()]) {
      this.broken.push(...broken)
      for (const {text: inner} of objects) {
        const part = {text: inner, from: 0, end: inner.length, value: parseObjectText(inner), level}
        this.visit(part, {...context, isPlain: false})
      }
    }
  }

  #addForm(body: string, level: number, context: Context): void {
    const id = new URLSearchParams(body).get(FORM_ID) ?? ''
    this.found.push({event: {id, body, value: body, target: undefined, level, ...context}})
  }
}

function isByte(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 255
}

/** Parts of a call, in which its sender may write anything. */
const SENT = /^((request_?)?(raw_?)?body|payload|post_?data|query|query_?string|params|cookies|headers)$/i
/** Members that contain an answer, not a call. */
const RESPONSE = /^(res|resp|response|reply)(_?body)?$/i

/** An event that is there twice counts once: the outermost, as an object rather than as text. */
export function dropRepeats(found: readonly FoundEvent[]): readonly FoundEvent[] {
  if (found.length < 2) return found
  const kept = new Map<string, FoundEvent[]>()
  const isBefore = (one: FoundEvent, other: FoundEvent) =>
    one.level - other.level || Number(other.isPlain) - Number(one.isPlain)
  for (const each of [...found].sort(isBefore)) {
    const others = kept.get(each.id) ?? []
    const isRepeat = others.some(other => other.record === each.record || hasSameContent(other, each))
    if (!isRepeat) kept.set(each.id, [...others, each])
  }
  return found.filter(each => kept.get(each.id)?.includes(each))
}

function hasSameContent({value}: FoundEvent, other: FoundEvent): boolean {
  return JSON.stringify(value) === JSON.stringify(other.value)
}

const ALL = [...PROVIDERS.values()]
const FORM_PROVIDER = ALL.find(({body}) => body.format === 'form') as ProviderDefinition
const {id: FORM_ID, idPattern: FORM_PATTERN = /^/, listedAddress = ''} = FORM_PROVIDER.body
/**
 * Without one of these there is no event and no call that lacks one: the member, an id of a provider that sends forms,
 * base64 of an object or a call, an address of a webhook, an object as a list of its bytes.
 */
const MAY_HOLD = new RegExp(
  `${EVENT_MEMBER}|\\b(?:${listIdPrefixes().join('|')})\\w|"(?:ey|ew|UE9T|aWQ9)[\\w+/-]{12}|/webhook/|\\b123,\\s*34,`,
)

function listIdPrefixes(): string[] {
  const {type} = FORM_PROVIDER.body
  return typeof type === 'string' ? [] : Object.keys(type.idPrefixes)
}

/** A form whose id is one of a provider that sends forms. */
const FORM = new RegExp(`^\\s*(?:\\S*&)?${FORM_ID}=${FORM_PATTERN.source.slice(1, -1)}(?:&\\S*)?\\s*$`)

/** Whether a text is a form that a provider sends. */
export function isEventForm(text: string): boolean {
  return FORM.test(text)
}

/** Whether an object is an event as it is sent. */
export function isEvent({id, [EVENT_MEMBER]: type}: ObjectMembers): boolean {
  return typeof id === 'string' && typeof type === 'string'
}

/** The event that an object is, of any provider; without a body if the object itself is the body. */
function readEventObject(
  value: ObjectMembers,
): {id: string; body?: string; target: string | undefined} | undefined {
  const {id, [listedAddress]: target} = value
  if (typeof id !== 'string') return undefined
  if (isEvent(value)) return {id, target: undefined}
  if (typeof target !== 'string' || !FORM_PATTERN.test(id)) return undefined
  return matchRoute(target)?.provider === FORM_PROVIDER ? {id, body: `${FORM_ID}=${id}`, target} : undefined
}

/** A form as pairs of names and values, as Postman and HAR have it. */
function readForm(list: readonly unknown[]): string | undefined {
  const pairs = list
    .filter(isObject)
    .map((each): [string, string] => [String(each.name ?? each.key), String(each.value)])
  const isForm = pairs.some(([name, value]) => name === FORM_ID && FORM_PATTERN.test(value))
  return isForm ? new URLSearchParams(pairs).toString() : undefined
}

/** A body, or a whole call, in base64. */
function decodeBase64(text: string): string | undefined {
  if (!/^(ey|ew|UE9T|aWQ9)[\w+/\n\r-]*={0,2}$/.test(text.trim())) return undefined
  return Buffer.from(text, 'base64').toString('utf8')
}
