import {usageError} from '../errors.js'
import type {Answer, Caller, Pieces, Receive} from '../http/http.js'
import {membersFrom, queryFrom} from './body-members.js'
import {callHeaders} from './headers.js'
import {isQuestion, type Method, pathOf} from './target.js'

/** What a person wants called. */
export interface Wanted {
  readonly method: Method
  /** As it was typed. */
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
  readonly signed: Caller
  /** Calls that change nothing are made again where that may help. */
  readonly patient: Caller
  /** Resolves when the person agrees to a change of a protected shop. */
  agree(what: string): Promise<void>
  readonly signal: AbortSignal
  /** Takes the body of an answer that is no refusal. */
  readonly take: Receive['take']
}

/** What came back, and what had been asked, without its query, for messages. */
export interface Called {
  readonly asked: string
  readonly answer: Answer
}

/**
 * Makes one call with the access token of the shop that was chosen. A body is JSON unless a header says otherwise, and
 * so is the answer that is asked for.
 *
 * @throws StorectlError `usage.field`, `usage.header`, `usage.other_shop`, what `agree` throws, and those of a
 * Caller; any status that came back is an answer
 */
export async function call(
  wanted: Wanted,
  {signed, patient, agree, signal, take}: CallDeps,
): Promise<Called> {
  const path = pathOf(wanted.path, signed.baseUrl)
  const [place = ''] = path.split('?', 1)
  const asked = `${wanted.method} ${place}`
  const changesNothing = isQuestion(wanted.method, place)
  const request = {...requestOf(wanted, path), receive: {take, signal}}
  if (!changesNothing) await agree(`send ${asked}`)
  const answer = await (changesNothing ? patient.call({...request, signal}) : signed.call(request))
  return {asked, answer}
}

function requestOf({method, fields, texts, headers, input}: Wanted, path: string) {
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  const words = [...fields, ...texts]
  if (input && words.length > 0) throw usageError('input', '--input is the whole body: leave the fields out.')
  if (input && !hasBody) throw usageError('input', `A ${method} has no body: leave --input out.`)
  if (!hasBody) {
    const query = queryFrom(words)
    const joint = path.includes('?') ? '&' : '?'
    return {method, path: query ? `${path}${joint}${query}` : path, headers: callHeaders(headers, false)}
  }
  const body = input ?? (words.length > 0 ? JSON.stringify(membersFrom(fields, texts)) : undefined)
  return {
    method,
    path,
    headers: callHeaders(headers, body !== undefined),
    ...(body === undefined ? {} : {body}),
  }
}
