import {createHash, timingSafeEqual} from 'node:crypto'
import type {TokenLocation} from '../../providers/route.js'
import {normalizeToken} from '../../wire/normalize-token.js'
import type {Headers} from './headers.js'

/** A webhook call, as far as it may hold the token. */
export interface TokenBearer {
  /** The part after `?` in its address. */
  readonly query: string
  readonly headers: Headers
}

/** The token of a call: the last one counts; a list is not a token, nor is a value without letters and digits. */
export function findShownToken(call: TokenBearer, location: TokenLocation): string | undefined {
  const value = location.in === 'header' ? readHeader(call, location) : readParameter(call, location)
  return normalizeToken(value) === '' ? undefined : value
}

/** The query of an address, without `?` and fragment. */
export function readQuery(address: string): string {
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? []
  return query
}

/** Whether a token was masked before it was logged: `***`, `xxxxxxxx`, `REDACTED`. */
export function isMasked(token: string): boolean {
  const text = normalizeToken(token)
  return /^(.)\1*$/.test(text) || /redacted|masked|filtered|removed|hidden|secret/.test(text)
}

/** SHA-256 of a token as the shop compares it: only letters and digits, ignoring case. @see protocol.md §4.1 */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(normalizeToken(token)).digest()
}

/** Whether a digest is one of some, in constant time. */
export function isDigestAmong(digest: Buffer, known: readonly Buffer[]): boolean {
  return known.map(each => timingSafeEqual(digest, each)).includes(true)
}

export function isTokenHeader([name]: Headers[number], location: TokenLocation | undefined): boolean {
  return name.toLowerCase() === location?.name.toLowerCase()
}

export function isTokenParameter(piece: string, {name: wanted}: TokenLocation): boolean {
  const name = nameOf(piece)
  return name === wanted || name.startsWith(`${wanted}[`)
}

function readHeader({headers}: TokenBearer, location: TokenLocation): string {
  return headers.findLast(header => isTokenHeader(header, location))?.[1] ?? ''
}

function readParameter({query}: TokenBearer, location: TokenLocation): string {
  const last = query.split('&').findLast(piece => isTokenParameter(piece, location))
  if (last === undefined || nameOf(last) !== location.name || !last.includes('=')) return ''
  return decodeQueryText(last.slice(last.indexOf('=') + 1))
}

function nameOf(piece: string): string {
  return decodeQueryText(piece.split('=', 1)[0] as string)
}

function decodeQueryText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
