import type {Problems} from '../../alerts/incident.js'
import {formatDuration} from '../../output/cell.js'
import type {Clock} from '../../platform/clock.js'
import type {WatchProbe} from '../../runs/journal/watch-store.js'

/** Longest wait between two probes, milliseconds. */
const LONGEST_WAIT_MS = 30_000

/** Wait after the first failed probe, and between the two good ones. */
const FIRST_WAIT_MS = 1000

/** This many good probes in a row mean that the shop is back. */
const ENOUGH_GOOD = 2

export interface ShopProbeDeps {
  /** Asks once, with a call that changes nothing; never rejects. */
  readonly ask: () => Promise<Omit<WatchProbe, 'at'> & {readonly refusesToken?: boolean}>
  readonly problems?: Problems | undefined
  readonly clock: Pick<Clock, 'now'>
  readonly note: (text: string) => Promise<void>
}

/** Finds out whether a shop takes events, and when to ask next: after a second, doubling, at most 30 seconds. */
export class ShopProbe {
  /** The last one; `null` before the first. */
  last: WatchProbe | null = null
  /** Since when the shop takes no events; `null` while it takes them. */
  awaySince: Date | null = null
  #good = 0
  #failures = 0

  constructor(private readonly deps: ShopProbeDeps) {}

  /** How long to wait before the next one, milliseconds. */
  get waitMs(): number {
    if (this.#good > 0) return FIRST_WAIT_MS
    if (this.#failures === 0) return 0
    return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(10, this.#failures - 1))
  }

  /** From now on two good ones are needed again. */
  begin(): void {
    this.#good = 0
  }

  /** Asks once. @returns whether there are now enough good ones in a row */
  async askOnce(): Promise<boolean> {
    const {isGood, answer, refusesToken} = await this.deps.ask()
    this.last = {isGood, answer, at: this.deps.clock.now()}
    if (!isGood) await this.noteTrouble(answer, refusesToken)
    else this.#good++
    return this.#good >= ENOUGH_GOOD
  }

  /** The shop refused an event or a look-up. @param why its answer @param refusesToken it is up, but refuses the token */
  async noteTrouble(why: string, refusesToken = false): Promise<void> {
    const {problems, clock} = this.deps
    this.#good = 0
    this.#failures++
    const since = this.awaySince ?? clock.now()
    problems?.report(refusesToken ? 'token-refused' : 'shop-away', {since, cause: why})
    if (this.awaySince) return
    this.awaySince = since
    await this.deps.note(`the shop is away: ${why}`)
  }

  /** The shop took events, or none were to be sent. */
  async noteWell(): Promise<void> {
    this.#failures = 0
    this.deps.problems?.clear('shop-away')
    this.deps.problems?.clear('token-refused')
    const since = this.awaySince
    this.awaySince = null
    if (!since) return
    const awayMs = this.deps.clock.now().getTime() - since.getTime()
    await this.deps.note(`the shop is back, after ${formatDuration(awayMs)}`)
  }
}
