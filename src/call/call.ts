import {createUsageError} from '../errors.js'
import type {HttpClient, HttpResponse, Pieces, Receive} from '../http/http.js'
import {parseHeaderField} from '../wire/intermediaries.js'
import {buildMembers, buildQuery} from './body-members.js'
import {type CallMethod, isQuestion, parsePath} from './target.js'

/** The call that a person requests. */
export interface Wanted {
  readonly method: CallMethod
  /** As typed. */
  readonly path: string
  /** `key=value` words whose values may be numbers and such; of a GET they are its query. */
  readonly fields: readonly string[]
  /** `key=value` words whose values are texts. */
  readonly texts: readonly string[]
  /** `Name: value` words. */
  readonly headers: readonly string[]
  /** The body as it is; excludes fields. */
  readonly input: Pieces | undefined
}

export interface CallDeps {
  readonly signed: HttpClient
  /** Retries calls that change nothing. */
  readonly patient: HttpClient
  /** Resolves when the person agrees to a change of a protected shop. */
  agree(what: string, warning: string | undefined): Promise<void>
  readonly signal: AbortSignal
  /** Consumes the body of an answer that is not a refusal. */
  readonly take: Receive['take']
}

/** The answer, and the request without its query, for messages. */
interface Called {
  readonly asked: string
  readonly answer: HttpResponse
}

/**
 * Makes one call with the access token of the chosen shop. Body and requested answer are JSON unless a header says
 * otherwise.
 *
 * @throws StorectlError `usage.field`, `usage.header`, `usage.other_shop`, what `agree` throws, and those of an
 *   HttpClient; any status that came back is an answer
 */
export async function call(
  wanted: Wanted,
  {signed, patient, agree, signal, take}: CallDeps,
): Promise<Called> {
  const path = parsePath(wanted.path, signed.baseUrl)
  const [target = ''] = path.split('?', 1)
  const asked = `${wanted.method} ${target}`
  const changesNothing = isQuestion(wanted.method, target)
  const request = {...buildRequest(wanted, path), receive: {take, signal}}
  if (!changesNothing) await agree(`send ${asked}`, warnOfSync(target))
  const answer = await (changesNothing ? patient.call({...request, signal}) : signed.call(request))
  return {asked, answer}
}

/** @see real-shop.md V13 */
function warnOfSync(target: string): string | undefined {
  return /^\/api\/(v\d+\/)?_action\/sync\/?$/.test(target)
    ? 'warning: since Shopware 6.7, a delete with criteria deletes every matching row of every entity'
    : undefined
}

function buildRequest({method, fields, texts, headers, input}: Wanted, path: string) {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  const words = [...fields, ...texts]
  if (input && words.length > 0)
    throw createUsageError('input', '--input is the whole body: omit the fields.')
  if (input && !hasBody) throw createUsageError('input', `A ${method} has no body: omit --input.`)
  if (!hasBody) {
    const query = buildQuery(words)
    const joint = path.includes('?') ? '&' : '?'
    return {method, path: query ? `${path}${joint}${query}` : path, headers: parseCallHeaders(headers, false)}
  }
  const body = input ?? (words.length > 0 ? JSON.stringify(buildMembers(fields, texts)) : undefined)
  return {
    method,
    path,
    headers: parseCallHeaders(headers, body !== undefined),
    ...(body === undefined ? {} : {body}),
  }
}

/** Headers that a call sets itself, and names of secret headers. */
const TAKEN = new Set(['host', 'content-length', 'connection', 'transfer-encoding'])
const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'sw-access-key'])

/**
 * Headers from `Name: value` words; JSON both ways where they say nothing else.
 *
 * @throws StorectlError `usage.header`, which never repeats a value
 */
function parseCallHeaders(words: readonly string[], hasBody: boolean): Record<string, string> {
  const json = {accept: 'application/json', ...(hasBody ? {'content-type': 'application/json'} : {})}
  return {...json, ...Object.fromEntries(words.map(parseHeader))}
}

function parseHeader(word: string): [name: string, value: string] {
  const {name: typed = '', value = ''} = parseHeaderField(word) ?? {}
  const name = typed.toLowerCase()
  if (name === '') throw createUsageError('header', 'A header is written "Name: value", in ASCII.')
  if (TAKEN.has(name)) throw createUsageError('header', `The header "${typed}" is set by storectl itself.`)
  if (SECRET.has(name)) {
    throw createUsageError(
      'header',
      `The header "${typed}" contains a secret, which other processes could read.`,
      [
        'storectl sends the access token itself',
        'printf "Name: value" | storectl profile set NAME --header-stdin',
      ],
    )
  }
  return [name, value]
}

const SECRETS_IN_SECRET = /secret|passw|token|api-?_?key|access-?_?key|credential|auth|cookie|signature/i

/**
 * Secrets, by name, among the arguments of a call: fields, parts of the query, headers. They were visible when typed,
 * but are not printed again.
 */
export function findCallSecrets({
  path,
  fields,
  texts,
  headers,
}: Pick<Wanted, 'path' | 'fields' | 'texts' | 'headers'>): string[] {
  const [, query = ''] = path.split(/\?(.*)/s)
  const words = [...fields, ...texts, ...query.split('&').map(decodePair)]
  return [
    ...words.flatMap(word => takeAfterSign(word, '=')),
    ...headers.flatMap(word => takeAfterSign(word, ':')),
  ]
}

function takeAfterSign(word: string, sign: string): string[] {
  const at = word.indexOf(sign)
  return at > 0 && SECRETS_IN_SECRET.test(word.slice(0, at)) ? [word.slice(at + 1).trim()] : []
}

function decodePair(pair: string): string {
  try {
    return decodeURIComponent(pair.replaceAll('+', ' '))
  } catch {
    return pair
  }
}
