import {isObject} from '../../../language/json-object.js'
import {parseLogTime} from '../../../language/lines/log-time.js'
import {findProvider} from '../../../providers/providers.js'
import {matchRoute} from '../../../providers/route.js'
import type {Headers} from '../../event/headers.js'
import type {CapturedAnswer, CapturedRequest, ObjectMembers} from './captured-request.js'

/** The names that tools give to the parts of a call; other names are ignored. */
const REQUESTS = ['request', 'req', 'http', 'httpRequest']
const RESPONSES = ['response', 'res', 'resp']
const METHODS = ['method', 'request_method', 'requestMethod', 'RequestMethod', 'httpMethod']
const LINES = ['request', 'request_line', 'firstLine']
const ADDRESSES = [
  ...['url', 'uri', 'target', 'path', 'rawPath', 'request_uri', 'requestUri', 'request_url', 'requestUrl'],
  ...['RequestPath', 'originalUrl'],
]
const HEADERS = ['headers', 'header', 'request_headers', 'requestHeaders']
const TIMES = [
  ...['startedDateTime', 'time_iso8601', 'time_local', 'datetime', '@timestamp', 'timestamp', 'Timestamp'],
  ...['time', 'created_at', 'start', 'ts', 'StartUTC', 'eventTime'],
  ...['__REALTIME_TIMESTAMP', '@t', '_time', 'msec'],
]
/** Names that can mean nothing but the answer to a call. */
const ANSWERS = ['response_status', 'responseStatus', 'response_status_code', 'DownstreamStatus']
/** Names that mean that only beside a call. */
const STATUSES = ['status', 'statusCode', 'StatusCode', 'status_code', 'http_code']

/** A call without its body. */
export type Described = CapturedRequest & {readonly body: undefined}

/**
 * What a record says about the call around an event's body, in tools' own words, such as `res.statusCode`.
 *
 * @param around objects around the body, the outermost first: the logger's own members come before those sent to it
 * @param body where it is known
 */
export function describeRequest(around: readonly ObjectMembers[], body?: Uint8Array): Described {
  const known = around.slice(0, findCall(around) + 1)
  const calls = known.flatMap(each => [each, ...listRequests(each)])
  const [, lineMethod, lineTarget] =
    /^([A-Z]{3,10}) (\S+)(?: HTTP\/|$)/.exec(findText(calls, LINES) ?? '') ?? []
  const targets = [...listTexts(calls, ADDRESSES), ...(lineTarget ? [lineTarget] : [])]
  const route = targets.find(each => matchRoute(each))
  const target = route ?? targets.find(each => /^(https?:\/)?\//.test(each))
  return {
    method: (findText(calls, METHODS) ?? lineMethod)?.toUpperCase(),
    ...{target, body: undefined, doubt: body && describeDoubt(body, calls)},
    headers: [...calls.flatMap(readHeaders), ...known.flatMap(listSignatureHeaders)],
    at: findTime([...known, ...listChildrenOf(known, ['transaction'])]),
    answer: findAnswer(known),
  }
}

function listChildren(value: ObjectMembers, names: readonly string[]): ObjectMembers[] {
  return names.map(name => value[name]).filter(isObject)
}

/** The outermost that describes a call: its contents were sent with it, and may say anything. */
function findCall(around: readonly ObjectMembers[]): number {
  const index = around.findIndex(each => findText([each, ...listRequests(each)], ADDRESSES) !== undefined)
  return index < 0 ? around.length : index
}

/** Whether one of them describes a call: its address and method. */
export function holdsCall(around: readonly ObjectMembers[]): boolean {
  return around.some(each =>
    [ADDRESSES, [...METHODS, ...LINES]].every(
      names => findText([each, ...listRequests(each)], names) !== undefined,
    ),
  )
}

/** The calls of an object, also one level further inside. */
function listRequests(value: ObjectMembers): ObjectMembers[] {
  const own = listChildren(value, REQUESTS)
  return [...own, ...own.flatMap(each => listChildren(each, REQUESTS))]
}

function listChildrenOf(all: readonly ObjectMembers[], names: readonly string[]): ObjectMembers[] {
  return all.flatMap(each => listChildren(each, names))
}

function listTexts(all: readonly ObjectMembers[], names: readonly string[]): string[] {
  return all.flatMap(each =>
    names.flatMap(name => {
      const value = each[name]
      const text = isObject(value) ? (value.raw ?? value.path) : value
      return typeof text === 'string' && text !== '' ? [text] : []
    }),
  )
}

function findText(all: readonly ObjectMembers[], names: readonly string[]): string | undefined {
  return listTexts(all, names)[0]
}

function findTime(all: readonly ObjectMembers[]): Date | undefined {
  for (const each of all) {
    for (const name of TIMES) {
      const at = parseLogTime(each[name])
      if (at) return at
    }
  }
  return undefined
}

function findAnswer(around: readonly ObjectMembers[]): CapturedAnswer | undefined {
  for (const each of around) {
    const requests = listRequests(each)
    const named = [each, ...requests].filter(call => findText([call], [...METHODS, ...LINES]) !== undefined)
    const responses = listChildrenOf([each, ...requests], RESPONSES)
    const candidates = [
      ...ANSWERS.map(name => each[name]),
      ...[...responses, ...named, ...(requests.length > 0 ? [each] : [])].flatMap(part =>
        STATUSES.map(name => part[name]),
      ),
    ]
    const status = candidates.map(readStatus).find(found => found !== undefined)
    if (status !== undefined) return {status, body: readAnswerBody(each)}
  }
  return undefined
}

/** An answer's body in HAR. */
function readAnswerBody(value: ObjectMembers): Buffer | undefined {
  const [content] = listChildrenOf(listChildren(value, RESPONSES), ['content'])
  if (typeof content?.text !== 'string' || content.text === '') return undefined
  return Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8')
}

/** Why a body may not be the bytes that were sent: HAR has their number. */
function describeDoubt(body: Uint8Array, calls: readonly ObjectMembers[]): string | undefined {
  const given = calls.find(each => 'bodySize' in each)?.bodySize
  if (given === undefined) return undefined
  const sent = Number(given)
  if (sent > 0 && sent !== body.length)
    return `the file holds its text and not its bytes: ${sent} were sent, the text has ${body.length}`
  return Buffer.from(body).includes('\ufffd') ? 'some bytes were not text and are lost' : undefined
}

/** `400`, `"400"` or `"400 Bad Request"`. */
function readStatus(value: unknown): number | undefined {
  const [, text] = /^([1-5]\d\d)(?: [A-Z].*)?$/.exec(String(value)) ?? []
  return text === undefined ? undefined : Number(text)
}

function readHeaders(value: ObjectMembers): Headers {
  const own = HEADERS.map(name => value[name]).find(each => each !== undefined)
  return [...listHeaders(own), ...listVariables(value)]
}

/** Headers as an object, as pairs, or as objects with a name or a key. */
function listHeaders(headers: unknown): Headers {
  const all = isObject(headers) && Array.isArray(headers.headers) ? headers.headers : headers
  const named = typeof all === 'string' ? undefined : all
  const pairs = Array.isArray(named) ? named.map(toPair) : Object.entries(isObject(named) ? named : {})
  return pairs.flatMap(([name, given]) => {
    const value = Array.isArray(given) ? given[0] : given
    return typeof name === 'string' && typeof value === 'string' ? [[name, value] as const] : []
  })
}

function toPair(header: unknown): readonly unknown[] {
  if (Array.isArray(header)) return header
  return isObject(header) ? [header.name ?? header.key, header.value] : []
}

/** Headers as nginx calls them: variables that begin with `http_`, all but the type of the content. */
function listVariables(value: ObjectMembers): Headers {
  return Object.entries(value).flatMap(([key, said]) => {
    const [, name] = key === 'content_type' ? ['', key] : (/^http_(.+)$/.exec(key) ?? [])
    if (name === undefined || typeof said !== 'string' || said === '' || said === '-') return []
    return [[name.replaceAll('_', '-'), said] as const]
  })
}

/** Members of a request to check a signature, and which header each comes from. @see protocol.md §4.7 */
const SIGNATURE_MEMBERS = {
  auth_algo: 'algorithm',
  cert_url: 'certificateUrl',
  transmission_id: 'transmissionId',
  transmission_sig: 'signature',
  transmission_time: 'transmissionTime',
} as const

function listSignatureHeaders(value: ObjectMembers): Headers {
  const names = findProvider().signature?.headers
  if (!names || !('webhook_event' in value)) return []
  return Object.entries(SIGNATURE_MEMBERS).flatMap(([member, header]) => {
    const given = value[member]
    return typeof given === 'string' ? [[names[header].toUpperCase(), given] as const] : []
  })
}
