import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {ActivityLookup, PaymentActivity} from '../inbox/payment-activity.js'
import type {Planned} from '../plan/planned.js'

/** What was known of a payment just before an attempt. */
export interface Before {
  readonly transaction: Transaction | undefined
  readonly activity: PaymentActivity
}

export interface LookAheadDeps {
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly findActivity: ActivityLookup
  readonly now: () => Date
}

type Event = Pick<Planned, 'event'>

interface Seen {
  readonly askedMs: number
  /** Rejects as `Transactions.find`. */
  readonly before: Promise<Before>
  isKnown: boolean
}

/** A look-up older than this is repeated, milliseconds. */
const FRESH_MS = 2000

/**
 * Looks up payments a moment before their events are sent, and after, many in one call. A look-up is used while it is
 * fresh; the inbox shows just before the send whether anything was delivered since.
 */
export class LookAhead {
  readonly #seen = new WeakMap<Event, Seen>()
  #inFlight = 0

  constructor(private readonly deps: LookAheadDeps) {}

  /** Looks up the payment of an event soon. */
  begin(event: Event): void {
    const {transactions, now} = this.deps
    if (!transactions) return
    const before = this.#look(event, transactions)
    const seen = {askedMs: now().getTime(), before, isKnown: false}
    this.#seen.set(event, seen)
    // The consumer gets the error.
    before
      .catch(() => undefined)
      .finally(() => {
        seen.isKnown = true
      })
    this.#hurryWhenIdle()
  }

  /**
   * The result of the look-up, once.
   *
   * @returns `undefined` if it is not fresh, or a capture was forwarding an event of that payment
   * @throws as `Transactions.find`
   */
  async take(event: Event): Promise<Before | undefined> {
    const seen = this.#seen.get(event)
    if (!seen) return undefined
    this.#seen.delete(event)
    if (!seen.isKnown) this.deps.transactions?.askNow()
    const before = await seen.before
    const isFresh = this.deps.now().getTime() - seen.askedMs < FRESH_MS
    return isFresh && !before.activity.isInFlight ? before : undefined
  }

  /** Notes the start of a call. @returns to be called when it is answered, any number of times */
  noteSend(): () => void {
    this.#inFlight++
    let isAnswered = false
    return () => {
      if (isAnswered) return
      isAnswered = true
      this.#inFlight--
      this.#hurryWhenIdle()
    }
  }

  async #look({event: {traits}}: Event, transactions: Transactions): Promise<Before> {
    // Read before the state: a delivery in between shows as a difference later.
    const activity = await this.deps.findActivity(traits.keyText)
    return {activity, transaction: await transactions.findSoon(traits.key)}
  }

  /** No other caller can come while nothing is in flight. */
  #hurryWhenIdle(): void {
    if (this.#inFlight > 0) return
    setImmediate(() => {
      if (this.#inFlight === 0) this.deps.transactions?.askNow()
    })
  }
}
