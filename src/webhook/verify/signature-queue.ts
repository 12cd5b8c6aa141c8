import type {WebhookEvent} from '../event/event.js'

/** Checks signatures and stores the results with the events. */
export type StoredEventCheck = (events: readonly WebhookEvent[]) => Promise<void>

/** Most waiting events; further ones are not checked now, and `webhook verify` checks them later. */
const MOST_WAITING = 1000
const BATCH = 100

/** Checks signatures beside the calls, which never wait for it. */
export class SignatureQueue {
  readonly #waiting: WebhookEvent[] = []
  #working: Promise<void> | undefined

  /** @param check `undefined` if nothing is checked; its errors leave events unchecked */
  constructor(private readonly check: StoredEventCheck | undefined) {}

  /** Has a stored event checked, with the result of its call. */
  add(event: WebhookEvent): void {
    if (!this.check || this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push(event)
    this.#working ??= this.#work(this.check).finally(() => {
      this.#working = undefined
    })
  }

  /** Resolves when none waits, or time is up. @param limitMs milliseconds */
  async isOver(limitMs: number): Promise<void> {
    if (!this.#working) return
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>(resolve => {
      timer = setTimeout(resolve, Math.max(0, limitMs))
    })
    await Promise.race([this.#working, limit])
    clearTimeout(timer)
  }

  async #work(check: StoredEventCheck): Promise<void> {
    while (this.#waiting.length > 0) {
      await check(this.#waiting.splice(0, BATCH)).catch(() => undefined)
    }
  }
}
