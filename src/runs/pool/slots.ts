import type {PoolSlot} from './attempt-item.js'
import {FIRST_UNKNOWN} from './circuit-breaker.js'

/** Items in doubt at most. */
const MOST_IN_DOUBT = 1000

/** Most items in doubt while nothing was applied for `QUIET_MS`: the other side may answer nothing in time. */
const ENOUGH_IN_DOUBT = 20
const QUIET_MS = 20_000

/** What an item waits for: its answer, its result, the end of its grace period. */
type Phase = 'active' | 'settling' | 'inDoubt'

/** The state of the items of a pool, and how many more may start. */
export class Slots {
  readonly #counts: Record<Phase, number> = {active: 0, settling: 0, inDoubt: 0}
  /** Items that are no longer in doubt and wait for a slot. */
  readonly #returning: (() => void)[] = []
  #hasEnded = false
  #appliedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly deps: {
      /** Called whenever something has changed. */
      readonly onChange: () => void
      /** Called with the number of items in doubt, whenever that changes. */
      readonly onDoubt?: ((inDoubt: number) => void) | undefined
    },
  ) {}

  /** Items with a call in flight. */
  get active(): number {
    return this.#counts.active
  }

  /** Those, and items whose call was answered and whose result is not yet known; without those in doubt. */
  get inHand(): number {
    return this.#counts.active + this.#counts.settling
  }

  /** All items that were begun and have no result. */
  get begun(): number {
    return this.inHand + this.#counts.inDoubt
  }

  /** Opens the slot of an item that begins. */
  open(): PoolSlot & {close(): void} {
    let phase: Phase = 'active'
    this.#counts.active++
    const move = (next: Phase) => {
      this.#change(phase, next)
      phase = next
    }
    return {
      noteAnswer: () => {
        if (phase !== 'active') return
        move('settling')
        this.deps.onChange()
      },
      leave: () => {
        move('inDoubt')
        this.deps.onChange()
      },
      acquire: () =>
        new Promise(resolve => {
          this.#returning.push(() => {
            move('active')
            resolve()
          })
          this.deps.onChange()
        }),
      close: () => this.#change(phase, undefined),
    }
  }

  /** Gives free slots to items that are no longer in doubt. */
  returnItems(hasFreeSlot: () => boolean): void {
    while (this.#returning.length > 0 && hasFreeSlot()) this.#returning.shift()?.()
  }

  /** Counts a result. */
  noteResult(isDone: boolean, now: Date): void {
    this.#hasEnded = true
    if (isDone) this.#appliedMs = now.getTime()
  }

  /** Whether one more may start: items in doubt hold back new ones, which might only come into doubt too. */
  mayStart(isCanaryOut: boolean, now: Date): boolean {
    const {active, inDoubt} = this.#counts
    const open = active + inDoubt
    if (inDoubt > 0 && (isCanaryOut || open >= MOST_IN_DOUBT)) return false
    if (!this.#hasEnded) return open < FIRST_UNKNOWN
    const quietMs = now.getTime() - this.#appliedMs
    if (inDoubt === 0 || quietMs < QUIET_MS) return true
    return open < (quietMs === Number.POSITIVE_INFINITY ? FIRST_UNKNOWN : ENOUGH_IN_DOUBT)
  }

  #change(from: Phase, next: Phase | undefined): void {
    this.#counts[from]--
    if (next) this.#counts[next]++
    if (from === 'inDoubt' || next === 'inDoubt') this.deps.onDoubt?.(this.#counts.inDoubt)
  }
}
