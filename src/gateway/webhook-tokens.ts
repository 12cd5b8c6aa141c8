import {createHash, timingSafeEqual} from 'node:crypto'

/** What the query of a webhook call says. */
export interface Shown {
  /** Whether it holds the token that only provider and shop know, or one that the shop has taken before. */
  readonly isProven: boolean
  /** Whether it goes on with the profile's token. */
  readonly isOwn: boolean
  /** The query that goes on to the shop. */
  readonly query: string
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
  readonly #parameter: string

  constructor(
    private readonly token: string,
    prefix: string,
    /** One that the provider may still show; what shows it is handed on with the token that took its place. */
    oldToken?: string,
  ) {
    this.#own = [token, ...(oldToken === undefined ? [] : [oldToken])].map(digest)
    this.#parameter = `${prefix}-token`
  }

  read(query: string): Shown {
    const pieces = query.split('&')
    const shown = this.#findToken(pieces)
    const secrets = [this.token, shown ?? ''].filter(each => each.length >= SHORTEST_SECRET)
    if (shown !== undefined && this.#isOwn(shown)) {
      const others = pieces.filter(piece => piece !== '' && !this.#isToken(piece))
      const own = `${encodeURIComponent(this.#parameter)}=${encodeURIComponent(this.token)}`
      return {isProven: true, isOwn: true, query: [...others, own].join('&'), secrets}
    }
    const isProven = shown !== undefined && this.#proven.has(digest(shown).toString('hex'))
    return {isProven, isOwn: false, query, secrets}
  }

  /** The shop has taken the token of this query. */
  prove(query: string): void {
    const shown = this.#findToken(query.split('&'))
    if (shown !== undefined && this.#proven.size < MOST_PROVEN)
      this.#proven.add(digest(shown).toString('hex'))
  }

  #isOwn(shown: string): boolean {
    const sent = digest(shown)
    return this.#own.map(own => timingSafeEqual(sent, own)).includes(true)
  }

  /** The last one counts; a list of them is none. */
  #findToken(pieces: readonly string[]): string | undefined {
    const last = pieces.findLast(piece => this.#isToken(piece))
    if (last === undefined || nameOf(last) !== this.#parameter) return undefined
    const value = last.includes('=') ? decodeQueryText(last.slice(last.indexOf('=') + 1)) : ''
    return normalizeToken(value) === '' ? undefined : value
  }

  #isToken(piece: string): boolean {
    const name = nameOf(piece)
    return name === this.#parameter || name.startsWith(`${this.#parameter}[`)
  }
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
