import {buildTokenParts, type TokenLocation} from '../providers/route.js'
import type {Headers} from '../webhook/event/headers.js'
import {KnownTokens} from '../webhook/event/known-tokens.js'
import {type ArrivedWith, classifyArrival} from '../webhook/event/sender.js'
import {
  digestToken,
  findShownToken,
  isDigestAmong,
  isTokenHeader,
  isTokenParameter,
  type TokenBearer,
} from '../webhook/event/webhook-token.js'

/** What a webhook call says of its sender. Query and headers are those that go on to the shop. */
export interface Shown extends TokenBearer {
  /** What it came with, before the shop has answered. */
  readonly arrivedWith: ArrivedWith
  /** SHA-256 of the token as it came; `undefined` where there is none. */
  readonly digest: Buffer | undefined
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

/** Tokens that a capture knows besides the profile's. */
export interface OtherTokens {
  /** One that the provider may still show; what shows it is handed on with the token that took its place. */
  readonly old?: string | undefined
  /** Those that the shop had or that it took before. */
  readonly known?: KnownTokens | undefined
}

/**
 * The webhook tokens that prove who sends. One that is the profile's is put into the address anew. Any other goes on to the
 * shop as it came: a stranger must not get the true one from us, and the shop may know more than one.
 */
export class WebhookTokens {
  /** The profile's, and the one that it replaced. */
  readonly #own: readonly Buffer[]
  readonly #proven = new Set<string>()
  readonly #known: KnownTokens

  constructor(
    private readonly token: string,
    /** `undefined` where the shop expects no token: whoever calls proves nothing by it, and needs not to. */
    private readonly location: TokenLocation | undefined,
    {old, known}: OtherTokens = {},
  ) {
    this.#own = [token, ...(old === undefined ? [] : [old])].map(digestToken)
    this.#known = known ?? new KnownTokens([])
  }

  /** @param at when the call came */
  read(call: TokenBearer, at: Date): Shown {
    const {location} = this
    const shown = location && findShownToken(call, location)
    const secrets = location ? [this.token, shown ?? ''].filter(each => each.length >= SHORTEST_SECRET) : []
    const digest = shown === undefined ? undefined : digestToken(shown)
    const isOwn = digest !== undefined && isDigestAmong(digest, this.#own)
    const isKnown = isOwn || (digest && this.#isKnown(digest, at))
    const arrivedWith = classifyArrival({
      isNeeded: location !== undefined,
      isOwn: isKnown,
      isRefused: false,
    })
    const isProven = arrivedWith === 'token' || arrivedWith === 'not-needed'
    const forwarded = isOwn && location ? this.#rebuildTokenParts(call, location) : call
    return {...forwarded, arrivedWith, digest, isProven, isOwn, secrets}
  }

  /** The headers of a call that may be written down: without the token. */
  removeToken(headers: Headers): Headers {
    return this.location?.in === 'header'
      ? headers.filter(header => !isTokenHeader(header, this.location))
      : headers
  }

  /** The shop has taken a token. @returns whether that is news */
  prove(digest: Buffer): boolean {
    const name = digest.toString('hex')
    if (this.#proven.has(name) || this.#proven.size >= MOST_PROVEN) return false
    this.#proven.add(name)
    return true
  }

  #isKnown(digest: Buffer, at: Date): boolean {
    return this.#proven.has(digest.toString('hex')) || this.#known.isOwn(digest, at)
  }

  /** What goes on to the shop, with the profile's token in place of the one that was shown. */
  #rebuildTokenParts({query, headers}: TokenBearer, location: TokenLocation): TokenBearer {
    const own = buildTokenParts(location, this.token)
    if (location.in === 'header')
      return {query, headers: [...this.removeToken(headers), ...Object.entries(own.headers)]}
    const others = query.split('&').filter(piece => piece !== '' && !isTokenParameter(piece, location))
    return {query: [...others, own.query].join('&'), headers}
  }
}
