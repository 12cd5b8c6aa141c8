/**
 * Bytes of all bodies in memory. Callers without a known token get three quarters of the room, so that they cannot keep
 * the provider's calls out.
 */
export class HeldBytes {
  #bytes = 0

  /** @param limit bytes */
  constructor(private readonly limit: number) {}

  /** How many there are. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts received bytes. @returns whether there was room for them; they count until released, either way */
  hold(bytes: number, isTokenKnown: boolean): boolean {
    this.#bytes += bytes
    return this.#bytes <= (isTokenKnown ? this.limit : this.limit * LIMITS.unverifiedShare)
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }
}

/** Room for a few of the largest bodies at least. @returns bytes */
export function computeHeldLimit(bodyBytes: number): number {
  return Math.max(LIMITS.heldBytes, 4 * bodyBytes)
}

const MIB = 1024 * 1024

/** Limits and time-outs of a capture. */
export const LIMITS = {
  /** How long the head of a request may take to arrive, and a whole one. */
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  /** How often slow senders are checked. */
  slowCheckMs: 5000,
  /** Longer than a proxy in front keeps an idle connection, 60 s for most, so that the proxy closes it. */
  keepAliveMs: 75_000,
  /** For each further connection, the longest idle one is closed. */
  connections: 2000,
  /** Most bytes of bodies in memory at once. Each takes about three times its size while it is read, parsed and stored. */
  heldBytes: 64 * MIB,
  /** The share of memory and disk that callers without a known token may fill. */
  unverifiedShare: 0.75,
  /** How long an event waits for earlier events of its payment to be answered. */
  eventLockMs: 30_000,
  /** How long storing may take, which may itself wait for another writing program. */
  writingMs: 15_000,
  /** For how long an event is in flight unless renewed, and how often it is renewed. */
  leaseMs: 30_000,
  renewLeasesMs: 5_000,
  /** The wait asked of the provider, seconds. */
  retryAfterS: 60,
  /** Most results that wait until the database can be written again. */
  waitingResults: 10_000,
  /** Most rows that wait for a reader of stdout; further ones are left out. */
  waitingRows: 10_000,
} as const
