import {isUtf8} from 'node:buffer'
import type {IncomingMessage} from 'node:http'
import {MALFORMED_BODY} from '../../shopware/error-texts.js'
import {DEEPEST_JSON} from '../runtime/limits.js'
import type {Parameters} from '../runtime/runtime.js'
import {createHttpError} from '../runtime/shop-error.js'
import {nestFields, parseForm} from './form.js'

export const NO_BODY = Buffer.alloc(0)

/** A body refused for its size; the rest of it was not read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/** Whether a request announces a body, of any length. @see RFC 9112 §6.3 */
export function announcesBody({headers}: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/**
 * Reads a whole body.
 *
 * @throws BodyTooLargeError as soon as there are more than `mostBytes`, or more are announced
 * @throws ShopError 400 when its sender disconnects before the end
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > mostBytes) return reject(new BodyTooLargeError())
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const gather = (chunk: Buffer) => {
      sizeBytes += chunk.length
      chunks.push(chunk)
      if (sizeBytes <= mostBytes) return
      request.off('data', gather)
      reject(new BodyTooLargeError())
    }
    request.on('data', gather)
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.once('error', error => reject(createHttpError(400, error.message)))
  })
}

/**
 * The parameters in a body. JSON is recognized by the beginning of its content type, in any case; forms have nested
 * keys; with any other type, or none, the body counts as empty. So do scalars and `null`.
 *
 * @throws ShopError 400 `MALFORMED_BODY`, which takes precedence over every other error
 * @see protocol.md §1.2
 */
export function decodeParameters(body: Buffer, contentType: string, readsTypesExactly: boolean): Parameters {
  if (body.length === 0) return {}
  const type = contentType.toLowerCase()
  if ((readsTypesExactly ? contentType : type).startsWith('application/json')) return decodeJson(body)
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(body.toString('utf8'))
  if (type.startsWith('multipart/form-data')) return nestFields(parseMultipartFields(body, contentType))
  return {}
}

function decodeJson(body: Buffer): Parameters {
  if (!isUtf8(body)) throw createHttpError(400, MALFORMED_BODY)
  let value: unknown
  const text = body.toString('utf8')
  // Checked before parsing, which takes seconds for a million brackets.
  if (isNestedTooDeep(text)) throw createHttpError(400, MALFORMED_BODY)
  try {
    value = JSON.parse(text)
  } catch {
    throw createHttpError(400, MALFORMED_BODY)
  }
  return typeof value === 'object' && value !== null ? (value as Parameters) : {}
}

/** Whether JSON nests deeper than the shop allows; counted without recursion. Undefined for invalid JSON. */
function isNestedTooDeep(json: string): boolean {
  if (!hasManyBrackets(json)) return false
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

/** Whether there are enough brackets to nest too deep: hardly any body has, and counting them is fast. */
function hasManyBrackets(json: string): boolean {
  let left = DEEPEST_JSON
  for (const bracket of '[{')
    for (let at = json.indexOf(bracket); at >= 0 && left >= 0; at = json.indexOf(bracket, at + 1)) left--
  return left < 0
}

/** The end of the string that opens at `start`; the end of the text when it never closes. */
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

/**
 * The text fields of a `multipart/form-data` body; without files, which no operation takes.
 *
 * @returns names and values in the order of the body; none when the boundary is missing or does not occur
 * @see RFC 7578
 */
function parseMultipartFields(body: Buffer, contentType: string): [name: string, value: string][] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined) return []
  const parts = body.toString('latin1').split(`--${delimiter}`).slice(1, -1)
  return parts.flatMap(part => {
    const field = parseMultipartField(part)
    return field ? [field] : []
  })
}

function parseMultipartField(part: string): [name: string, value: string] | undefined {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const disposition = /^content-disposition:(.*)$/im.exec(part.slice(0, end))?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined || /;\s*filename\*?=/i.test(disposition)) return undefined
  return [decodeUtf8(name), decodeUtf8(part.slice(end + 4).replace(/\r\n$/, ''))]
}

function decodeUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
