import type {Clock} from '../../platform/clock.js'

/** Tells the person about calls in doubt: once about the first wait, and once that nothing new starts. */
export class DoubtNotes {
  #count = 0
  #sinceMs: number | undefined
  #untilMs = 0
  #isSaid = false
  #isHeldUp = false

  constructor(
    private readonly deps: {
      readonly clock: Pick<Clock, 'now'>
      readonly note?: ((text: string) => Promise<void>) | undefined
    },
  ) {}

  /** Sets how many items are in doubt, 0 or more. */
  noteCount(count: number): void {
    this.#count = count
    if (count > 0) return
    this.#sinceMs = undefined
    this.#untilMs = 0
  }

  /** An item waits, or waits longer, for the effect of its call. @param untilMs latest end of the wait, since 1970 */
  noteWait(untilMs: number): void {
    this.#sinceMs ??= this.deps.clock.now().getTime()
    this.#untilMs = Math.max(this.#untilMs, untilMs)
    if (this.#isSaid) return
    this.#isSaid = true
    const so = 'given up, though the shop may still be at work'
    const held = this.#isHeldUp ? '; nothing new starts meanwhile' : ''
    this.#report(`${so}; looking for an effect until ${formatSecond(this.#untilMs)}${held}`)
  }

  /** Nothing new starts while this many are in doubt. Does nothing if none is. */
  noteHeldUp(): void {
    if (this.#count === 0 || this.#isHeldUp) return
    this.#isHeldUp = true
    if (this.#isSaid) this.#report('nothing new starts until one of them ends')
  }

  /** How many there are, for a bar: `3 in doubt until 12:01:07Z`; `undefined` if there are none. */
  describe(): string | undefined {
    if (this.#sinceMs === undefined) return undefined
    return `${this.#count} in doubt until ${formatSecond(this.#untilMs).slice('2026-11-27T'.length)}`
  }

  #report(what: string): void {
    const since = formatSecond(this.#sinceMs ?? 0)
    void this.deps.note?.(`calls in doubt: ${this.#count}, since ${since}; ${what}`).catch(() => undefined)
  }
}

function formatSecond(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '')
}
