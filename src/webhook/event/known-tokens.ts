import {isDigestAmong} from './webhook-token.js'

/** A webhook token that the shop has or had, as it is stored: never the token itself. */
export interface StoredToken {
  /** SHA-256, lower-case hex. */
  readonly digest: string
  /**
   * - `own`: of the profile
   * - `accepted`: of another sales channel; the shop itself took it
   */
  readonly kind: 'own' | 'accepted'
  /** When storectl first saw it. */
  readonly from: Date
  /** When storectl first saw the one that took its place; `undefined` while it is in use. */
  readonly to: Date | undefined
  /** From when on it counts no more, because others know it; `undefined` where nobody said so. */
  readonly leakedSince: Date | undefined
}

/** The provider goes on with a token that was replaced for as long as it sends an event again. */
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

  /** Whether others knew a token when a call with it was received. */
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
   * Stores a token of the profile; those that the profile had before end with it.
   *
   * @param isCertain whether a token that was known before is in use again; else a known one stays as it is
   */
  noteOwn(target: string, digest: Buffer, at: Date, isCertain: boolean): Promise<void>
  /** Stores a token of the shop that was replaced; one that is known ends, where it has not ended. */
  noteReplaced(target: string, digest: Buffer, at: Date): Promise<void>
  /** Stores a token that the shop itself took. */
  noteAccepted(target: string, digest: Buffer, at: Date): Promise<void>
  /**
   * Ends the trust in all tokens but one: what came with one of them since then did not come with a token of the shop.
   *
   * @returns how many stored events that concerns
   */
  noteLeaked(target: string, current: Buffer | undefined, since: Date, at: Date): Promise<number>
}
