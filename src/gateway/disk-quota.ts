import {LIMITS} from './held-bytes.js'

const MIB = 1024 * 1024

/** A default that leaves a small machine usable. */
const DEFAULT_BYTES = 1024 * MIB

/** Size of an event without its body and headers: its row and index entries, bytes. */
export const ROW_BYTES = 1024

/** How long a count of stored bytes stays valid if there is no room: a prune may have freed some. */
const FULL_LASTS_MS = 15_000

/** How long otherwise: another capture may share the inbox. */
const COUNT_LASTS_MS = 300_000

/** How long a call that was not stored affects `/healthz`, milliseconds. */
const DEGRADED_MS = 3_600_000

export interface DiskQuotaDeps {
  /** Bytes of the stored calls. */
  readonly countBytes: () => Promise<number>
  readonly now: () => Date
  readonly note: (text: string) => void
}

/**
 * How much of the disk calls may fill: those without a known token three quarters of it, the others all. Also counts
 * calls that were not stored.
 */
export class DiskQuota {
  #notStored = 0
  #notStoredAtMs = Number.NEGATIVE_INFINITY
  #countedAtMs: number
  #isSaid = false
  /** Whether the last call with a known token found no room. */
  #refusesKnown = false

  private constructor(
    readonly limitBytes: number,
    private usedBytesNow: number,
    private readonly deps: DiskQuotaDeps,
  ) {
    this.#countedAtMs = deps.now().getTime()
  }

  /**
   * Counts what is stored already.
   *
   * @param limitBytes `undefined`: 1 GiB, and at most half of the free space beside what is stored
   * @param freeBytes on the disk of the inbox; `undefined` if unknown
   */
  static async open(
    limitBytes: number | undefined,
    freeBytes: number | undefined,
    deps: DiskQuotaDeps,
  ): Promise<DiskQuota> {
    const used = await deps.countBytes()
    const most = freeBytes === undefined ? DEFAULT_BYTES : Math.min(DEFAULT_BYTES, used + freeBytes / 2)
    return new DiskQuota(limitBytes ?? most, used, deps)
  }

  get usedBytes(): number {
    return this.usedBytesNow
  }

  /** Calls that were not stored since this capture began. */
  get notStored(): number {
    return this.#notStored
  }

  /** `full` if no call is stored, `degraded` if only those with a known token are, or one was lately not stored. */
  get health(): 'ok' | 'degraded' | 'full' {
    if (this.#refusesKnown || !this.#fits(ROW_BYTES, true)) return 'full'
    const isRecent = this.deps.now().getTime() - this.#notStoredAtMs <= DEGRADED_MS
    return isRecent || !this.#fits(ROW_BYTES, false) ? 'degraded' : 'ok'
  }

  /** Reserves room for a call, to be released if it was not stored after all. @returns whether there was any */
  async reserve(bytes: number, isTokenKnown: boolean): Promise<boolean> {
    const ageMs = this.deps.now().getTime() - this.#countedAtMs
    if (ageMs > COUNT_LASTS_MS || (ageMs > FULL_LASTS_MS && !this.#fits(bytes, isTokenKnown)))
      await this.#count()
    const fits = this.#fits(bytes, isTokenKnown)
    if (isTokenKnown) this.#refusesKnown = !fits
    if (!fits) return false
    this.usedBytesNow += bytes
    return true
  }

  release(bytes: number): void {
    this.usedBytesNow -= bytes
  }

  countNotStored(): void {
    this.#notStored++
    this.#notStoredAtMs = this.deps.now().getTime()
    if (this.#isSaid) return
    this.#isSaid = true
    const room = `${Math.floor((this.limitBytes * LIMITS.unverifiedShare) / MIB)} MiB`
    this.deps.note(
      `Calls without a known token are forwarded, but no longer stored: three quarters of --max-disk (${room}) are in use. storectl webhook prune makes room.`,
    )
  }

  #fits(bytes: number, isTokenKnown: boolean): boolean {
    const share = isTokenKnown ? 1 : LIMITS.unverifiedShare
    return this.usedBytesNow + bytes <= this.limitBytes * share
  }

  async #count(): Promise<void> {
    this.#countedAtMs = this.deps.now().getTime()
    this.usedBytesNow = await this.deps.countBytes().catch(() => this.usedBytesNow)
    if (this.#fits(ROW_BYTES, false)) this.#isSaid = false
  }
}
