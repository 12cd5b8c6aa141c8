import {LIMITS} from './capture-limits.js'

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
