/**
 * Bytes of all bodies that are in memory. Callers without a known token get three quarters of the room, so that whoever
 * sends much does not keep the provider's calls out.
 */
export class HeldBytes {
  #bytes = 0

  /** @param limit bytes */
  constructor(private readonly limit: number) {}

  /** How many there are. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts bytes that have come. @returns whether there was room for them; they count until they are released, either way */
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

/** What a capture takes, and how long it waits. */
export const LIMITS = {
  /** How long the head of a request may take to come, and a whole one. */
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 60_000,
  /** How often slow senders are looked for. */
  slowCheckMs: 5000,
  /** Longer than a proxy in front keeps a silent connection, which is 60 s for most: it is the one to close it. */
  keepAliveMs: 75_000,
  /** For a further one the longest idle is closed. */
  connections: 2000,
  /** Bodies that are in memory at once, bytes. Each takes about three times its size while it is read, parsed and stored. */
  heldBytes: 64 * MIB,
  /** What callers without a known token may fill, of the room in memory and on the disk. */
  unverifiedShare: 0.75,
  /** How long an event waits until those of its payment that came before have been answered. */
  eventLockMs: 30_000,
  /** How long writing down may take, which may itself wait for another program that writes. */
  writingMs: 15_000,
  /** For how long an event is in flight unless that is renewed, and how often it is. */
  leaseMs: 30_000,
  renewLeasesMs: 5_000,
  /** How long the provider is asked to wait, seconds. */
  retryAfterS: 60,
  /** Results that wait until the database can be written again. */
  waitingResults: 10_000,
  /** Rows that wait for a reader of stdout; further ones are left out. */
  waitingRows: 10_000,
} as const
