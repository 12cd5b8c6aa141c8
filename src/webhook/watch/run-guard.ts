import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {RunSignals} from '../../runs/workers/run-signals.js'
import type {ShopProbe} from './shop-probe.js'

export interface RunGuardDeps {
  readonly probe: ShopProbe
  readonly clock: Pick<Clock, 'sleep'>
}

/**
 * Halts a watch's run at the first event that the shop refuses because it is away: nothing new is sent until two probes
 * are good. If they are not once nothing is in flight or in doubt, the run is stopped.
 */
export class RunGuard {
  /** Whether the shop refused an event of the run, or did not answer. */
  hasTrouble = false
  #signals: RunSignals | undefined
  #isHeldUp = false
  #inFlight = 0
  #inDoubt = 0

  constructor(private readonly deps: RunGuardDeps) {}

  /** The guarded operation of a run. Retries wait for probes, not for the time that the shop asks for. */
  guard<T, Row>(operation: Operation<T, Row>) {
    return {
      operation: {
        ...operation,
        prepare: async (item: Item<T>) => {
          const action = await operation.prepare(item)
          return action === 'send' ? action : this.#check(action)
        },
        execute: async (...attempt: Parameters<typeof operation.execute>) => {
          if (this.#isHeldUp) return NOT_SENT
          this.#inFlight++
          try {
            return this.#check(await operation.execute(...attempt))
          } finally {
            this.#inFlight--
          }
        },
      },
      onOpen: (signals: RunSignals) => {
        this.#signals = signals
        signals.inDoubt.listen(count => {
          this.#inDoubt = count
        })
      },
    }
  }

  #check(result: Result): Result {
    if (result.exit === 'unavailable' || result.halt) {
      this.hasTrouble = true
      this.#holdUp(result.detail ?? result.result)
    }
    return {...result, retryAfterMs: undefined}
  }

  #holdUp(why: string): void {
    const signals = this.#signals
    if (!signals || this.#isHeldUp || signals.closing.aborted) return
    this.#isHeldUp = true
    signals.holdUp(true)
    void this.#waitUntilBack(why, signals)
  }

  async #waitUntilBack(why: string, signals: RunSignals): Promise<void> {
    const {probe, clock} = this.deps
    await probe.noteTrouble(why)
    for (let isBack = false; !isBack; ) {
      await clock.sleep(probe.waitMs, signals.closing)
      if (signals.closing.aborted) return
      isBack = await probe.askOnce()
      if (!isBack && probe.last?.isGood === false && this.#inFlight + this.#inDoubt === 0)
        return signals.stop(new StorectlError('unavailable.shop_away', `The shop is away: ${why}`))
    }
    this.#isHeldUp = false
    signals.holdUp(false)
  }
}

/** An event whose turn came just after the shop refused another one. */
const NOT_SENT: Result = {
  ...{resultClass: 'later', result: 'failed', exit: 'unavailable'},
  detail: 'not sent: the shop is away',
}
