import {isUtf8} from 'node:buffer'
import {DEEPEST_JSON} from '../runtime/limits.js'
import type {Parameters} from '../runtime/parameters.js'
import {httpError, type ShopError} from '../runtime/shop-error.js'
import {nestFields, parseForm} from './form.js'
import {multipartFields} from './multipart.js'

/**
 * The parameters that a body stands for. JSON is known by how its content type begins, in any case; forms are read
 * with nested keys; every other type, and none, counts as no body at all. Scalars and `null` count as empty.
 *
 * @throws ShopError 400 `The JSON payload is malformed.`, which comes before every other refusal
 * @see protocol.md §1.2
 */
export function decodeBody(body: Buffer, contentType: string): Parameters {
  if (body.length === 0) return {}
  const type = contentType.toLowerCase()
  if (type.startsWith('application/json')) return decodeJson(body)
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(body.toString('utf8'))
  if (type.startsWith('multipart/form-data')) return nestFields(multipartFields(body, contentType))
  return {}
}

function decodeJson(body: Buffer): Parameters {
  if (!isUtf8(body)) throw malformed()
  let value: unknown
  const text = body.toString('utf8')
  // Before it is parsed: a million brackets cost seconds there.
  if (nestsTooDeep(text)) throw malformed()
  try {
    value = JSON.parse(text)
  } catch {
    throw malformed()
  }
  return typeof value === 'object' && value !== null ? (value as Parameters) : {}
}

/** Whether JSON nests deeper than the shop reads; counted without recursion. Of what is no JSON it may say either. */
function nestsTooDeep(json: string): boolean {
  if (json.length <= DEEPEST_JSON) return false
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '"') index = endOfString(json, index)
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > DEEPEST_JSON) return true
  }
  return false
}

/** Where the string that opens at `start` closes; the end of everything when it never does. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function malformed(): ShopError {
  return httpError(400, 'The JSON payload is malformed.')
}
