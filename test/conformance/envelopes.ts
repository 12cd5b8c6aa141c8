import {expect} from 'vitest'
import type {Reply} from './call.js'
import {byVersion} from './versions.js'

/** The reason phrases that stand as titles. */
const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
}

/** The entry of errors that are no shop's own. @see protocol.md §1.3 */
export function plainEntry(status: number, detail: string) {
  return {code: '0', status: String(status), title: TITLES[status], detail}
}

/** The entry of the grants' library. @see protocol.md §2.5 */
export function oauthEntry(status: number, code: string, title: string, detail: string | null) {
  return {code, status: String(status), title, detail}
}

/** The entry of the shop's own errors; no parameters are a list. @see protocol.md §1.3, trap 26 */
export function shopEntry(status: number, code: string, detail: string, parameters: object = []) {
  return {status: String(status), code, title: TITLES[status], detail, meta: {parameters}}
}

/** The entry of what is wrong with criteria. @see protocol.md §1.3 */
export function criteriaEntry(
  status: number,
  code: string,
  detail: string,
  pointer: string,
  parameters: object = [],
) {
  return {status: String(status), code, title: TITLES[status], detail, source: {pointer}, meta: {parameters}}
}

/** The entry of a filter that cannot be read. @see protocol.md §6.8 */
export function filterEntry(detail: string, pointer: string, path = pointer) {
  const parameters = byVersion<object>({path}, {'6.5': {message: detail}})
  return criteriaEntry(400, 'FRAMEWORK__INVALID_FILTER_QUERY', detail, pointer, parameters)
}

/** The entry of a language that the shop does not have. @see protocol.md §3.2 */
export function languageEntry(value: string) {
  const code = 'FRAMEWORK__LANGUAGE_NOT_FOUND'
  return byVersion(
    shopEntry(412, code, `Could not find language with id "${value}"`, {
      entity: 'language',
      field: 'id',
      value,
    }),
    {'6.5': shopEntry(412, code, `The language "${value}" was not found.`, {languageId: value})},
  )
}

/** JSON as an `application/json` answer spells it: order of keys, escapes and all. @see protocol.md §1.3 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/\\["\\]/g, pair => (pair === '\\"' ? '\\u0022' : pair))
    .replace(/['<>&]/g, sign => `\\u00${hex(sign).toUpperCase()}`)
    .replace(/\//g, '\\/')
    .replace(/[\u0080-\uffff]/g, sign => `\\u${hex(sign).padStart(4, '0')}`)
}

function hex(sign: string): string {
  return sign.charCodeAt(0).toString(16)
}

/** Status, content type, CORS headers and the body to the byte: the entries, and nothing but them. */
export function expectErrors(reply: Reply, status: number, ...entries: object[]): void {
  expect([reply.status, reply.text]).toEqual([status, plainJson({errors: entries})])
  expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headers['access-control-allow-origin']).toBe('*')
  expect(reply.headers['x-frame-options']).toBe(byVersion<string | undefined>(undefined, {'6.5': 'deny'}))
}
