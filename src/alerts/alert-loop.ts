import type {Alert} from '../contract/status-rows.js'
import {computeBackoffMs} from '../platform/backoff.js'
import type {Clock} from '../platform/clock.js'
import {createRunId} from '../runs/journal/run-id.js'
import {buildAlert} from './format-alert.js'
import type {DueAlert, Incident, IncidentKind, IncidentStore, Problem, Problems} from './incident.js'

/** Sends an alert somewhere. @throws Error whose message says why that failed, without a secret */
export type SendAlert = (alert: Alert, signal: AbortSignal) => Promise<void>

export interface AlertDeps extends Pick<Incident, 'target' | 'profile'> {
  readonly store: IncidentStore
  readonly receivers: readonly SendAlert[]
  /** A shop that is away for a shorter time is no incident, milliseconds. */
  readonly awayAfterMs: number
  readonly clock: Pick<Clock, 'now' | 'readTicks'>
  /** Counts the events of the inbox that are not delivered. */
  readonly countEvents: () => Promise<Pick<Incident, 'counts' | 'amounts'>>
  /** Looks for problems that no call shows. */
  readonly examine: (problems: Problems) => Promise<void>
  readonly note: (text: string) => Promise<void>
}

/** A process may take so long for an alert before another one may send it, milliseconds. */
const CLAIM_MS = 90_000
/** How long a receiver may take. */
const SEND_MS = 30_000
/** How often it is looked for alerts that another process left. */
const LOOK_MS = 3000
/** How often it is looked for what no call shows. */
const EXAMINE_MS = 30_000
/** A retry comes a little later than the claim ends. */
const MARGIN_MS = 50
const BACKOFF = {firstMs: 1000, longestMs: 60_000}
/** Changes that wait for the records; later ones are left out. */
const MOST_CHANGES = 32

/** A change that is not in the records yet. */
interface Change {
  readonly kind: IncidentKind
  /** What began; `undefined` where nothing is known of it but that it is over. */
  readonly incident: Incident | undefined
  readonly state: DueAlert['state']
  readonly at: Date
}

/**
 * Alerts somebody when a problem begins and when it is over, once each, beside whatever finds it. What is to be sent
 * waits in the records. Where those cannot be written, it is sent all the same.
 */
export class AlertLoop implements Problems {
  /** By kind, what was found last; `null` for no problem. */
  readonly #found = new Map<IncidentKind, Incident | null>()
  readonly #changes: Change[] = []
  /** Alerts that were sent without the records, and to which receivers others were. */
  readonly #sent = new Set<string>()
  readonly #stopping = new AbortController()
  /** As `readTicks`. */
  #examineAt = 0
  #failures = 0
  #noted = ''
  #wake = () => {}
  #isAwake = false
  #running: Promise<void> | undefined

  constructor(private readonly deps: AlertDeps) {}

  report(kind: IncidentKind, problem: Problem): void {
    const {clock, awayAfterMs, target, profile} = this.deps
    const now = clock.now()
    if (this.#found.get(kind)) return
    if (kind === 'shop-away' && now.getTime() - problem.since.getTime() < awayAfterMs) return
    const id = createRunId(now, Math.random)
    const incident = {counts: {}, amounts: [], ...problem, id, target, profile, kind, until: null}
    this.#found.set(kind, incident)
    this.#change({kind, incident, state: 'open', at: problem.since})
  }

  clear(kind: IncidentKind): void {
    const incident = this.#found.get(kind)
    if (incident === null) return
    this.#found.set(kind, null)
    this.#change({kind, incident, state: 'over', at: this.deps.clock.now()})
  }

  look(): void {
    if (this.#found.get('untrusted-events')) return
    this.#examineAt = 0
    this.#signal()
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Sends nothing more; what is open stays open in the records. */
  async close(): Promise<void> {
    this.#stopping.abort()
    this.#signal()
    await this.#running
    await this.#storeChanges(false).catch(() => undefined)
  }

  #change(change: Change): void {
    if (this.#changes.length < MOST_CHANGES) this.#changes.push(change)
    this.#signal()
  }

  #signal(): void {
    this.#isAwake = true
    this.#wake()
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isAwake = false
      const waitMs = await this.#work().catch(async error => {
        await this.#noteOnce(`Alerts wait for the records: ${(error as Error).message}`)
        return LOOK_MS
      })
      await this.#wait(waitMs)
    }
  }

  /** A real wait, whatever the clock is: the receivers are elsewhere. */
  async #wait(ms: number): Promise<void> {
    if (this.#isAwake) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @returns how long to wait until there may be something to do, milliseconds */
  async #work(): Promise<number> {
    const {store, target, examine, clock} = this.deps
    if (clock.readTicks() >= this.#examineAt) {
      this.#examineAt = clock.readTicks() + EXAMINE_MS
      await examine(this).catch(() => undefined)
    }
    await this.#storeChanges(true)
    const failed = new Set<string>()
    let retryMs = LOOK_MS
    while (!this.#stopping.signal.aborted) {
      const due = await store.claim(target, CLAIM_MS)
      if (!due) break
      const {id} = due.incident
      if (!failed.has(id) && (await this.#send(due)) === undefined) {
        await store.finish(due)
        continue
      }
      if (failed.size === 0) retryMs = computeBackoffMs(++this.#failures, undefined, Math.random, BACKOFF)
      await store.release(id, this.#stopping.signal.aborted ? 0 : Math.floor(retryMs) - MARGIN_MS)
      if (failed.has(id)) break
      failed.add(id)
    }
    return Math.min(retryMs, LOOK_MS)
  }

  /** @param sends whether what cannot be stored is sent without being stored */
  async #storeChanges(sends: boolean): Promise<void> {
    let failure: unknown
    for (const change of [...this.#changes]) {
      const {incident, state, at} = change
      try {
        if (failure === undefined) await this.#store(change)
      } catch (error) {
        failure = error
      }
      if (failure === undefined) this.#changes.shift()
      else if (incident && sends)
        await this.#send({incident: {...incident, until: state === 'over' ? at : null}, state})
    }
    if (failure !== undefined) throw failure
  }

  async #store({kind, incident, state, at}: Change): Promise<void> {
    const {store, target, countEvents} = this.deps
    const isSent = incident !== undefined && this.#sent.has(nameSending(incident.id, state))
    if (state === 'over') return store.close(target, kind, at, isSent)
    const isCounted = Object.keys(incident?.counts ?? {}).length > 0
    const counted = isCounted ? {} : await countEvents()
    if (incident) await store.open({...incident, ...counted}, isSent)
  }

  /** Sends to those receivers that do not have it yet, side by side. @returns why one did not take it */
  async #send(due: DueAlert): Promise<string | undefined> {
    const {receivers} = this.deps
    const name = nameSending(due.incident.id, due.state)
    const alert = buildAlert(due)
    if (this.#sent.has(name)) return undefined
    const failures = await Promise.all(
      receivers.map(async (send, index) => {
        if (this.#sent.has(`${name} ${index}`)) return undefined
        try {
          await send(alert, AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(SEND_MS)]))
          this.#sent.add(`${name} ${index}`)
        } catch (error) {
          return (error as Error).message
        }
      }),
    )
    const failure = failures.find(each => each !== undefined)
    if (failure === undefined) {
      this.#failures = 0
      this.#noted = ''
      if (this.#sent.size > MOST_CHANGES * receivers.length) this.#sent.clear()
      this.#sent.add(name)
    } else if (!this.#stopping.signal.aborted)
      await this.#noteOnce(`An alert could not be sent, and is sent again: ${failure}`)
    return failure
  }

  async #noteOnce(text: string): Promise<void> {
    if (this.#noted === text) return
    this.#noted = text
    await this.deps.note(text).catch(() => undefined)
  }
}

function nameSending(id: string, state: DueAlert['state']): string {
  return `${id} ${state}`
}
