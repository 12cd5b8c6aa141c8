import {StorectlError} from '../errors.js'
import type {Arrival, CaptureInbox, HandedOn, Kept, LeaseTerm} from '../webhook/inbox/capture-inbox.js'
import {LIMITS} from './held-bytes.js'

export interface InboxWriterDeps {
  readonly captures: CaptureInbox
  readonly target: string
  readonly now: () => Date
  /** Called when nothing can be written, and when it can again; once a minute at most. */
  readonly note: (text: string) => void
}

/** A nearly full disk takes a few writes now and then. */
const SAID_LAST_MS = 60_000

/** How long the last write counts for the next. */
const FRESH_MS = 1000

/**
 * The inbox of a capture, also while it cannot be written: calls that cannot be stored are not acknowledged, and results
 * of events are stored as soon as there is room again.
 */
export class InboxWriter {
  #trouble: string | undefined
  #isSaid = false
  #saidAtMs = Number.NEGATIVE_INFINITY
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #waiting: HandedOn[] = []
  #writingWaiting: Promise<void> | undefined

  readonly #leases: EventLeases

  constructor(private readonly deps: InboxWriterDeps) {
    this.#leases = new EventLeases(deps.captures, deps.target, LIMITS.leaseMs)
  }

  /** Stores an event. @returns `undefined` if nothing can be written */
  async take(arrival: Arrival): Promise<Kept | 'no-room' | undefined> {
    const {captures, target} = this.deps
    const kept = await this.#tryToWrite(() => captures.take(target, arrival))
    if (typeof kept === 'object') this.#leases.hold(kept)
    return kept
  }

  /** Renews the time in flight of events; for a timer. */
  renewLeases(): Promise<void> {
    return this.#leases.renew()
  }

  /** Stores the result of an event, now or as soon as possible. */
  async storeResult(result: HandedOn): Promise<void> {
    const handedOn = await this.#leases.release(result)
    if (await this.#tryToStore(handedOn)) return
    if (this.#waiting.length < LIMITS.waitingResults) this.#waiting.push(handedOn)
  }

  /** Why nothing can be written, as an error code; `undefined` if writing works. Tested once a second at most. */
  async checkWritable(): Promise<string | undefined> {
    if (this.deps.now().getTime() - this.#lookedAtMs >= FRESH_MS) {
      this.#looking ??= this.#tryToWrite(() => this.deps.captures.tryToWrite()).then(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return this.#trouble
  }

  /** The result of the last write. */
  get isWritable(): boolean {
    return this.#trouble === undefined
  }

  /** Stores waiting results, as far as possible. */
  async writeWaiting(): Promise<void> {
    this.#writingWaiting ??= this.#storeWaiting().finally(() => {
      this.#writingWaiting = undefined
    })
    await this.#writingWaiting
  }

  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [next] = this.#waiting
      if (!(await this.#tryToStore(next as HandedOn))) return
      this.#waiting.shift()
    }
  }

  async #tryToStore(handedOn: HandedOn): Promise<boolean> {
    const {captures, target} = this.deps
    return (
      (await this.#tryToWrite(async () => captures.storeResult(target, handedOn).then(() => true))) ?? false
    )
  }

  async #tryToWrite<T>(write: () => Promise<T>): Promise<T | undefined> {
    try {
      const value = await write()
      this.#noteSuccess()
      return value
    } catch (error) {
      this.#noteFailure(error)
      return undefined
    } finally {
      this.#lookedAtMs = this.deps.now().getTime()
    }
  }

  #noteSuccess(): void {
    if (this.#trouble !== undefined && this.#isSaid) this.deps.note('The inbox is writable again.')
    this.#isSaid = false
    this.#trouble = undefined
    if (this.#waiting.length > 0 && !this.#writingWaiting) void this.writeWaiting()
  }

  #noteFailure(error: unknown): void {
    const code = error instanceof StorectlError ? error.code : 'internal.error'
    const nowMs = this.deps.now().getTime()
    if (this.#trouble === undefined && nowMs - this.#saidAtMs >= SAID_LAST_MS) {
      this.deps.note(`The inbox is not writable, so no event is acknowledged: ${(error as Error).message}`)
      this.#saidAtMs = nowMs
      this.#isSaid = true
    }
    this.#trouble = code
  }
}

/**
 * Leases of a capture's events in flight. Each is short, so that others soon take over from a killed capture, and is
 * renewed while its event is in flight.
 */
class EventLeases {
  /** By the original lease. */
  readonly #held = new Map<string, LeaseTerm>()
  #renewing: Promise<void> | undefined

  constructor(
    private readonly captures: Pick<CaptureInbox, 'renewLeases'>,
    private readonly target: string,
    private readonly leaseMs: number,
  ) {}

  /** Renews the lease of an event from now on. */
  hold({id, inFlightUntilMs}: Pick<Kept, 'id' | 'inFlightUntilMs'>): void {
    if (inFlightUntilMs !== null) this.#held.set(name(id, inFlightUntilMs), {id, untilMs: inFlightUntilMs})
  }

  /** Stops renewing it. @returns the result with the present lease */
  async release<T extends Pick<HandedOn, 'id' | 'inFlightUntilMs'>>(handedOn: T): Promise<T> {
    const {id, inFlightUntilMs} = handedOn
    const key = name(id, inFlightUntilMs ?? 0)
    if (this.#held.has(key)) await this.#renewing
    const held = this.#held.get(key)
    this.#held.delete(key)
    return held ? {...handedOn, inFlightUntilMs: held.untilMs} : handedOn
  }

  /** Renews all held leases; one that another call has taken over is left to it. */
  async renew(): Promise<void> {
    if (this.#held.size === 0) return
    this.#renewing ??= this.#renewHeld().finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
  }

  async #renewHeld(): Promise<void> {
    const held = [...this.#held]
    const terms = held.map(([, term]) => term)
    // A lease that cannot be renewed expires.
    const renewed = await this.captures.renewLeases(this.target, terms, this.leaseMs).catch(() => terms)
    for (const [at, [key]] of held.entries()) {
      const term = renewed[at]
      if (term) this.#held.set(key, term)
      else this.#held.delete(key)
    }
  }
}

function name(id: string, untilMs: number): string {
  return `${untilMs} ${id}`
}
