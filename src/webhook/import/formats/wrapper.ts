import {findEmbeddedObjects, sliceMember} from '../../../language/embedded-json.js'
import {isObject} from '../../../language/json-object.js'
import {findProvider} from '../../../providers/providers.js'
import type {Headers} from '../../event/headers.js'
import type {CapturedAnswer, CapturedRequest} from './captured-request.js'
import {readLogTime} from './modsecurity-text.js'
import {parseMonologRecord} from './monolog.js'

type Members = Readonly<Record<string, unknown>>

/** Lists of requests in exports, and how many lists may be inside each other. */
const LISTS = ['item', 'data', 'requests', 'resources', 'collection', 'children', 'logEvents'] as const
const MOST_LEVELS = 8

/** Where a request is inside a record. */
const REQUESTS: readonly (readonly string[])[] = [[], ['request'], ['transaction', 'request']]

/** Where its body is. */
const BODIES: readonly (readonly string[])[] = [
  ...[['body', 'raw'], ['body', 'text'], ['body'], ['raw'], ['text'], ['content']],
  ...[['webhook_event'], ['payload'], ['message'], ['log']],
]

interface UnwrapOptions {
  /** Whether the object is all of a line or a document, and no part of another. */
  readonly isWhole: boolean
  readonly level?: number
}

/**
 * Requests that hold an event, out of what a tool wrapped around them: Postman, Insomnia, Charles, ngrok, webhook.site,
 * CloudWatch, ModSecurity, Monolog, and the provider's own request to check a signature. One level is opened.
 *
 * @param text of the object, from which the event's bytes are taken where it is no text of its own
 * @param value the object
 */
export function unwrapObject(
  text: string,
  value: Members,
  {isWhole, level = 0}: UnwrapOptions,
): CapturedRequest[] {
  const own = (isWhole ? parseMonologRecord(value) : undefined) ?? unwrapOne(text, value)
  if (own) return [own]
  if (level === MOST_LEVELS) return []
  return LISTS.flatMap(name => {
    const list = value[name]
    if (!Array.isArray(list)) return []
    return list
      .filter(isObject)
      .flatMap(each => unwrapObject(JSON.stringify(each), each, {isWhole: false, level: level + 1}))
  })
}

function unwrapOne(text: string, value: Members): CapturedRequest | undefined {
  for (const path of REQUESTS) {
    const request = readPath(value, path)
    if (!isObject(request)) continue
    for (const inner of BODIES) {
      const body = readEventText(text, request, [...path, ...inner])
      if (body !== undefined) return toRequest(value, request, body)
    }
  }
  return undefined
}

function readEventText(text: string, request: Members, path: readonly string[]): string | undefined {
  const value = readPath(request, path.slice(path.indexOf('request') + 1))
  if (isObject(value)) return isEventLike(value) ? sliceMember(text, path) : undefined
  const found = joinParts(value) ?? decodeRaw(value) ?? value
  if (typeof found !== 'string' || !found.includes('event_type')) return undefined
  for (const embedded of findEmbeddedObjects(found))
    if (isEventLike(embedded.value)) return found.trimStart().startsWith('{') ? found : embedded.text
  return undefined
}

/** ModSecurity has a body in parts. */
function joinParts(value: unknown): string | undefined {
  return Array.isArray(value) && value.every(part => typeof part === 'string') ? value.join('') : undefined
}

/** The body of a whole request in base64, as ngrok has it. */
function decodeRaw(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[A-Z][A-Za-z0-9+/]{15,}/.test(value) || value.length % 4 !== 0)
    return undefined
  const raw = Buffer.from(value, 'base64').toString('utf8')
  const end = raw.indexOf('\r\n\r\n')
  return /^[A-Z]+ \S+ HTTP\//.test(raw) && end >= 0 ? raw.slice(end + 4) : undefined
}

/** Whether an object is what the provider sends. */
export function isEventLike({id, event_type: type}: Members): boolean {
  return typeof id === 'string' && typeof type === 'string'
}

function toRequest(value: Members, request: Members, body: string): CapturedRequest {
  const {url} = request
  const [, lineMethod, lineTarget] = /^([A-Z]+) (\S+) HTTP\//.exec(String(request.request_line ?? '')) ?? []
  const method = [request.method, lineMethod].find(each => typeof each === 'string')
  const target = [isObject(url) ? url.raw : url, request.uri, value.url, lineTarget].find(
    each => typeof each === 'string',
  )
  return {
    method: method as string | undefined,
    target: target as string | undefined,
    headers: [
      ...listHeaders(request.headers ?? request.header ?? value.headers),
      ...listSignatureHeaders(value),
    ],
    body: Buffer.from(body),
    at: readTime(value),
    answer: readAnswer(value),
  }
}

/** Headers as an object, as pairs, or as objects with a name or a key. */
function listHeaders(headers: unknown): Headers {
  const all = isObject(headers) && Array.isArray(headers.headers) ? headers.headers : headers
  const pairs = Array.isArray(all) ? all.map(toPair) : Object.entries(isObject(all) ? all : {})
  return pairs.flatMap(([name, given]) => {
    const value = Array.isArray(given) ? given[0] : given
    return typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : []
  })
}

function toPair(header: unknown): readonly unknown[] {
  if (Array.isArray(header)) return header
  return isObject(header) ? [header.name ?? header.key, header.value] : []
}

/** Members of a request to check a signature, and which header each comes from. @see protocol.md §4.7 */
const SIGNATURE_MEMBERS = {
  auth_algo: 'algorithm',
  cert_url: 'certificateUrl',
  transmission_id: 'transmissionId',
  transmission_sig: 'signature',
  transmission_time: 'transmissionTime',
} as const

function listSignatureHeaders(value: Members): Headers {
  const names = findProvider().signature?.headers
  if (!names || !('webhook_event' in value)) return []
  return Object.entries(SIGNATURE_MEMBERS).flatMap(([member, header]) => {
    const given = value[member]
    return typeof given === 'string' ? [[names[header].toUpperCase(), given] as const] : []
  })
}

const TIMES = [
  'startedDateTime',
  'created_at',
  'datetime',
  'timestamp',
  '@timestamp',
  'time',
  'start',
] as const

function readTime(value: Members): Date | undefined {
  for (const name of TIMES) {
    const text = typeof value[name] === 'string' ? (value[name] as string) : ''
    // webhook.site writes UTC without a zone.
    const at = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text}Z` : text)
    if (!Number.isNaN(at.getTime())) return at
  }
  return readLogTime(String(readPath(value, ['transaction', 'time']) ?? ''))
}

function readAnswer(value: Members): CapturedAnswer | undefined {
  const response = [value.response, readPath(value, ['transaction', 'response'])].find(isObject)
  const codes = [response?.status, response?.status_code, response?.http_code].map(Number)
  const status = codes.find(code => Number.isInteger(code) && code >= 100 && code <= 599)
  return status === undefined ? undefined : {status}
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value)
}

/** JSON of an object in a text; `undefined` for anything else. */
export function parseObjectText(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
