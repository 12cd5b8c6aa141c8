import {parseLogTime} from '../../../language/lines/log-time.js'
import {findStringEnd} from '../../../language/list-members.js'
import {matchRoute} from '../../../providers/route.js'
import type {CapturedRequest} from './captured-request.js'
import type {LineFormat} from './import-format.js'

/** A request in an access log. */
export const ACCESS_LOG = {
  takes: 'line',
  name: 'nginx',
  starts: text => /[A-Z]{3,10} \S/.test(text),
  read: (text, {line}) => {
    const captured = parseNginxLine(text)
    // Braces may contain something other than the event, so such a line is read as text.
    const isElsewhere = text.includes('"event_type') && !captured?.body?.toString().includes('event_type')
    return captured?.method === undefined || isElsewhere ? undefined : [{line, captured}]
  },
} as const satisfies LineFormat

/** The body alone. A line of any log may look like one of nginx; without an event in it, that says nothing. */
export const BODY_LOG = {
  takes: 'line',
  name: 'nginx',
  starts: text => text.includes('event_type') && /\\x(7B|22)/i.test(text),
  read: (text, {line}) => {
    const captured = parseNginxLine(text)
    return captured && [{line, captured}]
  },
} as const satisfies LineFormat

/**
 * A line of an nginx access log with `$request_body` in its format, whatever else it has.
 *
 * The body's bytes are those that arrived: nginx writes the others as `\xNN`, or, with `escape=json`, as JSON does.
 *
 * @param line as latin1, so that each character is a byte
 * @returns `undefined` if it does not look like a log line
 */
function parseNginxLine(line: string): (CapturedRequest & {readonly body: Buffer | undefined}) | undefined {
  const fields = splitFields(line)
  const index = fields.findIndex(({text}) => REQUEST.test(text))
  const [, method, target] = REQUEST.exec(fields[index]?.text ?? '') ?? []
  // A caller's User-Agent may look like a request.
  const isClear = !fields.slice(index + 1).some(({text}) => REQUEST.test(text))
  const body = findBody(fields, line) ?? findForm(fields, target)
  if (method === undefined && body === undefined) return undefined
  const status = fields.slice(index + 1).find(({text, isQuoted}) => !isQuoted && /^[1-5]\d\d$/.test(text))
  return {
    method,
    target: isClear ? target : undefined,
    headers: [],
    body,
    at: timeIn(fields),
    answer: isClear && method !== undefined && status ? {status: Number(status.text)} : undefined,
  }
}

const REQUEST = /^([A-Z]{3,10}) (\S+)(?: HTTP\/[\d.]+)?$/

interface Field {
  readonly text: string
  readonly isQuoted: boolean
  /** Where it begins in the line. */
  readonly at: number
}

/** Brackets are not nested, so that unclosed ones do not start a search each. */
const FIELD = /\s*(?:"|\[([^[\]]*)\]|([^\s"]+))/y

/** An unclosed quote takes the rest of the line, as in a line that was cut off. */
function splitFields(line: string): Field[] {
  const fields: Field[] = []
  FIELD.lastIndex = 0
  for (let found = FIELD.exec(line); found; found = FIELD.exec(line)) {
    const [all, bracketed, bare] = found
    const text = bracketed ?? bare
    const behind = found.index + all.length
    if (text !== undefined) fields.push({text, isQuoted: false, at: found.index + all.search(/\S/)})
    else {
      const end = findStringEnd(line, behind)
      fields.push({text: line.slice(behind, end), isQuoted: true, at: behind - 1})
      FIELD.lastIndex = end + 1
    }
  }
  return fields
}

function findBody(fields: readonly Field[], line: string): Buffer | undefined {
  for (const {text, isQuoted} of fields) {
    if (isQuoted && /^\s*(\{|\\x7B)/i.test(text)) return unescapeBytes(text)
  }
  const bare = fields.find(({text, isQuoted}) => !isQuoted && /^\{(\\|$)/.test(text))
  return bare && unescapeBytes(line.slice(bare.at).trimEnd())
}

/** Only its address distinguishes a form from other fields: that of a provider that sends forms. */
function findForm(fields: readonly Field[], target: string | undefined): Buffer | undefined {
  const {format, id} = matchRoute(target)?.provider.body ?? {}
  if (format !== 'form') return undefined
  const field = fields.find(({text}) => text.split('&').some(part => part.startsWith(`${id}=`)))
  return field && unescapeBytes(field.text)
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/g
const SHORT: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

function unescapeBytes(text: string): Buffer {
  const bytes = text.replace(ESCAPE, (_, hex?: string, unicode?: string, one?: string) => {
    if (hex) return String.fromCharCode(Number.parseInt(hex, 16))
    if (unicode) return Buffer.from(String.fromCharCode(Number.parseInt(unicode, 16))).toString('latin1')
    return SHORT[one ?? ''] ?? one ?? ''
  })
  return Buffer.from(bytes, 'latin1')
}

function timeIn(fields: readonly Field[]): Date | undefined {
  for (const {text} of fields) {
    // A number may be anything.
    const at = /^[\d.]+$/.test(text) ? undefined : parseLogTime(text)
    if (at) return at
  }
  return undefined
}
