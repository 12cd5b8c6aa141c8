import type {Problems} from '../../alerts/incident.js'
import type {ReplayRow} from '../../contract/replay-rows.js'
import {AmountTotals} from '../../language/amount-totals.js'

/** Holds that end by themselves, and those for senders that are counted elsewhere. */
const NO_DECISION: ReadonlySet<string> = new Set(['in-flight', 'blocked', 'forged', 'wrong-token'])

/** Events that a check held in a round, by reason. */
export class HeldEvents {
  readonly #counts = new Map<string, number>()
  /** Amounts of events that wait for a person. */
  readonly #amounts = new AmountTotals()

  /** Whether the shop gave the state of a payment. */
  hasState = false

  /** @param looksAgain whether events that may have been applied are looked up again automatically */
  constructor(private readonly looksAgain: boolean) {}

  count(rows: readonly ReplayRow[]): void {
    for (const {result, detail, amount, before} of rows) {
      if (before !== null) this.hasState = true
      const [held = ''] = result === 'held' ? (detail ?? '').split(':', 1) : []
      const reason = result === 'invalid' ? result : held
      if (reason === '') continue
      this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
      if (this.#needsPerson(reason)) this.#amounts.add(amount ?? undefined)
    }
  }

  /** Whether a capture still forwards one. */
  get hasInFlight(): boolean {
    return this.#counts.has('in-flight')
  }

  /** `3 held (expired), 1 held (unverified)`; empty for none. */
  describe(): string {
    const named = [...this.#counts].filter(([reason]) => reason !== 'in-flight' && reason !== 'invalid')
    return named.map(([reason, count]) => `${count} held (${reason})`).join(', ')
  }

  /** Alerts to holds that no retry ends. */
  alert(problems: Problems | undefined, since: Date): void {
    const counts = Object.fromEntries([...this.#counts].filter(([reason]) => this.#needsPerson(reason)))
    const [cause] = Object.keys(counts)
    if (cause === undefined) problems?.clear('events-held')
    else problems?.report('events-held', {since, cause, counts, amounts: this.#amounts.list()})
  }

  #needsPerson(reason: string): boolean {
    return !NO_DECISION.has(reason) && !(this.looksAgain && reason === 'unknown-result')
  }
}
