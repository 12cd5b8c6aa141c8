import {isDigestAmong} from './webhook-token.js'

/** A webhook token that the shop has or had, as it is stored: never the token itself. */
export interface StoredToken {
  /** SHA-256, lower-case hex. */
  readonly digest: string
  /**
   * - `own`: of the profile
   * - `accepted`: of another sales channel; the shop itself accepted it
   */
  readonly kind: 'own' | 'accepted'
  /** When storectl first saw it. */
  readonly from: Date
  /** When storectl first saw its successor; `undefined` while it is in use. */
  readonly to: Date | undefined
  /** From when on it no longer counts, because others know it; `undefined` if that was not reported. */
  readonly leakedSince: Date | undefined
}

/** The provider uses a replaced token for as long as it retries an event. */
const STILL_SENT_MS = 3 * 86_400_000

/** The webhook tokens of a shop: which of them vouched for the sender of a call, and when. */
export class KnownTokens {
  readonly #digests: readonly (readonly [StoredToken, Buffer])[]

  constructor(tokens: readonly StoredToken[]) {
    this.#digests = tokens.map(token => [token, Buffer.from(token.digest, 'hex')])
  }

  /** Whether a token was one of the shop's when a call with it was received. */
  isOwn(digest: Buffer, receivedAt: Date): boolean {
    const counting = this.#digests.filter(([token]) => countsAt(token, receivedAt)).map(([, each]) => each)
    return isDigestAmong(digest, counting)
  }

  /** Whether a token had leaked when a call with it was received. */
  hasLeaked(digest: Buffer, receivedAt: Date): boolean {
    const leaked = this.#digests.filter(([{leakedSince}]) => leakedSince && receivedAt >= leakedSince)
    return isDigestAmong(
      digest,
      leaked.map(([, each]) => each),
    )
  }
}

function countsAt({to, leakedSince}: StoredToken, receivedAt: Date): boolean {
  if (leakedSince && receivedAt >= leakedSince) return false
  return to === undefined || receivedAt.getTime() < to.getTime() + STILL_SENT_MS
}

/** Where the webhook tokens of shops are stored. Every write is durable once its promise resolves. */
export interface TokenStore {
  list(target: string): Promise<StoredToken[]>
  /**
   * Stores a token of the profile; earlier tokens of the profile end with it.
   *
   * @param isCertain whether a known token is in use again; else it stays unchanged
   */
  noteOwn(target: string, digest: Buffer, at: Date, isCertain: boolean): Promise<void>
  /** Stores a replaced token of the shop; a known one ends, unless it already has. */
  noteReplaced(target: string, digest: Buffer, at: Date): Promise<void>
  /** Stores a token that the shop itself accepted. */
  noteAccepted(target: string, digest: Buffer, at: Date): Promise<void>
  /**
   * Ends the trust in all tokens but one: calls with one of the others since then count as having a wrong token.
   *
   * @returns how many stored events are affected
   */
  noteLeaked(target: string, current: Buffer | undefined, since: Date, at: Date): Promise<number>
}
