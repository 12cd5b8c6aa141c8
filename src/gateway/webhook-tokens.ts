import {createHash, timingSafeEqual} from 'node:crypto'
import {buildTokenParts, type TokenLocation} from '../providers/route.js'
import type {Headers} from '../webhook/event/headers.js'

/** A webhook call, as far as it may hold the token. */
export interface TokenBearer {
  /** What stands behind `?` in its address. */
  readonly query: string
  readonly headers: Headers
}

/** What a webhook call says of its sender. */
/** Query and headers are those that go on to the shop. */
export interface Shown extends TokenBearer {
  /** Whether it holds the token that only provider and shop know, or one that the shop has taken before. */
  readonly isProven: boolean
  /** Whether it goes on with the profile's token. */
  readonly isOwn: boolean
  /** The token as it came, to be kept out of everything that is written down. */
  readonly secrets: readonly string[]
}

/** A shop has one for each sales channel at most. */
const MOST_PROVEN = 1000

/** Shorter ones are no secret, and would be found in many a header. */
const SHORTEST_SECRET = 8

/**
 * The webhook tokens that prove who sends. One that is the profile's is put into the address anew. Any other goes on to the
 * shop as it came: a stranger must not get the true one from us, and the shop may know more than one.
 */
export class WebhookTokens {
  /** The profile's, and the one that it replaced. */
  readonly #own: readonly Buffer[]
  readonly #proven = new Set<string>()
  constructor(
    private readonly token: string,
    /** `undefined` where the shop expects no token: whoever calls proves nothing by it, and needs not to. */
    private readonly location: TokenLocation | undefined,
    /** One that the provider may still show; what shows it is handed on with the token that took its place. */
    oldToken?: string,
  ) {
    this.#own = [token, ...(oldToken === undefined ? [] : [oldToken])].map(digest)
  }

  read(call: TokenBearer): Shown {
    if (!this.location) return {...call, isProven: true, isOwn: false, secrets: []}
    const shown = this.#findToken(call, this.location)
    const secrets = [this.token, shown ?? ''].filter(each => each.length >= SHORTEST_SECRET)
    if (shown !== undefined && this.#isOwn(shown))
      return {...this.#rebuildTokenParts(call, this.location), isProven: true, isOwn: true, secrets}
    const isProven = shown !== undefined && this.#proven.has(digest(shown).toString('hex'))
    return {...call, isProven, isOwn: false, secrets}
  }

  /** The headers of a call that may be written down: without the token. */
  removeToken(headers: Headers): Headers {
    return this.location?.in === 'header'
      ? headers.filter(header => !isHeader(header, this.location))
      : headers
  }

  /** The shop has taken the token of this call. */
  prove(call: TokenBearer): void {
    const shown = this.location && this.#findToken(call, this.location)
    if (shown !== undefined && this.#proven.size < MOST_PROVEN)
      this.#proven.add(digest(shown).toString('hex'))
  }

  /** What goes on to the shop, with the profile's token in place of the one that was shown. */
  #rebuildTokenParts({query, headers}: TokenBearer, location: TokenLocation): TokenBearer {
    const own = buildTokenParts(location, this.token)
    if (location.in === 'header')
      return {query, headers: [...this.removeToken(headers), ...Object.entries(own.headers)]}
    const others = query.split('&').filter(piece => piece !== '' && !isParameter(piece, location))
    return {query: [...others, own.query].join('&'), headers}
  }

  #isOwn(shown: string): boolean {
    const sent = digest(shown)
    return this.#own.map(own => timingSafeEqual(sent, own)).includes(true)
  }

  /** The last one counts; a list of them is none. */
  #findToken(call: TokenBearer, location: TokenLocation): string | undefined {
    const value = location.in === 'header' ? readHeader(call, location) : readParameter(call, location)
    return normalizeToken(value) === '' ? undefined : value
  }
}

function readHeader({headers}: TokenBearer, location: TokenLocation): string {
  return headers.findLast(header => isHeader(header, location))?.[1] ?? ''
}

function readParameter({query}: TokenBearer, location: TokenLocation): string {
  const last = query.split('&').findLast(piece => isParameter(piece, location))
  if (last === undefined || nameOf(last) !== location.name || !last.includes('=')) return ''
  return decodeQueryText(last.slice(last.indexOf('=') + 1))
}

function isHeader([name]: Headers[number], location: TokenLocation | undefined): boolean {
  return name.toLowerCase() === location?.name.toLowerCase()
}

function isParameter(piece: string, {name: wanted}: TokenLocation): boolean {
  const name = nameOf(piece)
  return name === wanted || name.startsWith(`${wanted}[`)
}

/** Letters and digits count, whatever their case. @see protocol.md §4.1 */
function digest(token: string): Buffer {
  return createHash('sha256').update(normalizeToken(token)).digest()
}

function normalizeToken(token: string): string {
  return token.replace(/[^A-Za-z0-9]/g, '').toLowerCase()
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
