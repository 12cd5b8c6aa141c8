import type {ReplayRow} from '../../contract/replay-rows.js'
import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {prepareRun} from '../../runs/bulk-run.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {NewWatch, WatchProgress, WatchStore} from '../../runs/journal/watch-store.js'
import {GAVE_WAY} from '../../runs/open-run.js'
import type {Run} from '../../runs/run.js'
import {HEARTBEAT_MS} from '../../runs/workers/liveness.js'
import {STOPPED_BY_REQUEST} from '../../runs/workers/peer-monitor.js'
import {NEEDS_DOING} from '../event/event-status.js'
import type {Inbox} from '../inbox/inbox.js'
import type {ReplayTask} from '../replay/replay.js'
import {HeldEvents} from './held-events.js'
import {findNextLost, leaveOutRefused, type RefusedEventsDeps} from './refused-events.js'
import {RunGuard} from './run-guard.js'
import {ShopProbe, type ShopProbeDeps} from './shop-probe.js'

/** What one round needs besides the command line. */
export interface RoundRequest {
  readonly id: string
  readonly guard: RunGuard
  /** Leaves out events that wait. */
  readonly narrow: (events: Parameters<typeof leaveOutRefused>[0]) => ReturnType<typeof leaveOutRefused>
}

export interface WatchDeps
  extends Pick<ShopProbeDeps, 'ask' | 'problems'>,
    Pick<RefusedEventsDeps, 'target' | 'provider'> {
  readonly watch: NewWatch
  readonly watches: Pick<WatchStore, 'begin' | 'writeHeartbeat' | 'readControl' | 'changeControl' | 'end'>
  readonly store: Pick<RunStore, 'findLedgerEntries'>
  readonly inbox: Pick<Inbox, 'readLastPosition' | 'listChanges' | 'list'>
  /** Brings events stored elsewhere into the inbox. */
  readonly refresh: () => Promise<void>
  /** A lost call that ended this long ago counts as not applied, milliseconds; `undefined` for never. */
  readonly presumeLostAfterMs: number | undefined
  /** Opens a replay of the inbox, with the present token and settings. */
  readonly openRound: (request: RoundRequest) => Promise<{readonly task: ReplayTask; close(): Promise<void>}>
  readonly clock: Clock
  readonly stopping: AbortSignal
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** How often the inbox and people's requests are polled. */
const LOOK_MS = 1000
/** Changed events that are read together. */
const CHANGES = 250
/** The longest time without a plan, which finds changes that nothing announces. */
const LONGEST_IDLE_MS = 600_000
/** Planning takes at most 1 in this many parts of the time. */
const REST_FACTOR = 10
/** The pause after a run that stopped because too much failed, and after an error of the records. */
const LONG_REST_MS = 30_000
const SHORT_REST_MS = 5_000
/** How soon held events are planned again after something else was delivered. */
const HELD_MS = 60_000
/** How soon to check again whether a capture still forwards an event. */
const IN_FLIGHT_MS = 15_000

/**
 * Replays the inbox whenever there is something to send and the shop takes events, until it is stopped.
 *
 * @returns rows of the runs as their items end; leaving them ends the watch
 */
export async function* watchInbox(deps: WatchDeps): AsyncGenerator<readonly ReplayRow[], void, void> {
  const {watches, watch, clock} = deps
  await watches.begin(watch)
  const loop = new WatchLoop(deps)
  const timer = setInterval(() => void loop.writeHeartbeat(), HEARTBEAT_MS)
  try {
    yield* loop.run()
  } finally {
    clearInterval(timer)
    await watches.end(watch.id, clock.now()).catch(() => undefined)
  }
}

class WatchLoop {
  readonly #probe: ShopProbe
  #seen: Awaited<ReturnType<Inbox['readLastPosition']>> | undefined
  /** Moments since 1970, milliseconds: the next plan, and the earliest one. */
  #dueMs = 0
  #restUntilMs = 0
  #plannedMs = 0
  #runId: string | null = null
  /** The last note, so that it is not repeated. */
  #said = ''
  #saidHeld = ''
  #isOver = false

  constructor(private readonly deps: WatchDeps) {
    this.#probe = new ShopProbe(deps)
  }

  get #nowMs(): number {
    return this.deps.clock.now().getTime()
  }

  async writeHeartbeat(): Promise<void> {
    const {last: probe, awaySince} = this.#probe
    const progress: WatchProgress = {probe, awaySince, runId: this.#runId}
    await this.deps.watches.writeHeartbeat(this.deps.watch.id, progress).catch(() => undefined)
  }

  async *run(): AsyncGenerator<readonly ReplayRow[], void, void> {
    const {stopping, clock} = this.deps
    while (!this.#isOver && !stopping.aborted) {
      try {
        if (!(await this.#mayBegin()) || !(await this.#hasWork())) await clock.sleep(LOOK_MS, stopping)
        else if (await this.#waitForShop()) yield* this.#replay()
      } catch (error) {
        if (stopping.aborted) return
        await this.#noteFailure(error)
      }
    }
  }

  /** Whether nobody has paused or ended the watch. */
  async #mayBegin(): Promise<boolean> {
    const {watches, watch, stopping} = this.deps
    const {isPaused, stopReason, askedBy} = await watches.readControl(watch.id)
    if (stopReason !== null) {
      this.#isOver = true
      await this.#noteOnce(`stopped by ${askedBy}${stopReason === '' ? '' : `: ${stopReason}`}`)
    } else if (isPaused) await this.#noteOnce(`paused by ${askedBy}`)
    return !isPaused && !this.#isOver && !stopping.aborted
  }

  async #hasWork(): Promise<boolean> {
    const {inbox, target, refresh} = this.deps
    if (this.#nowMs < this.#restUntilMs) return false
    await refresh()
    if (!this.#seen || this.#nowMs >= this.#dueMs) return this.#hasAny()
    const page = {after: this.#seen, size: CHANGES}
    const changes = await inbox.listChanges(target, {statuses: NEEDS_DOING}, page)
    if (changes.some(({event}) => !event.isInFlight)) return true
    const isMoved =
      this.#saidHeld !== '' && (await inbox.listChanges(target, {}, {...page, size: 1})).length > 0
    if (isMoved) this.#expect(this.#plannedMs + HELD_MS)
    return false
  }

  /** Whether anything is left to send, or waits; if not, the shop need not be asked. */
  async #hasAny(): Promise<boolean> {
    const {inbox, target} = this.deps
    const seen = await inbox.readLastPosition()
    for await (const _ of inbox.list(target, {statuses: NEEDS_DOING, limit: 1})) return true
    this.#seen = seen
    this.#dueMs = this.#nowMs + LONGEST_IDLE_MS
    for (const kind of ['events-held', 'breaker-open'] as const) this.deps.problems?.clear(kind)
    if (this.#probe.awaySince && (await this.#waitForShop())) await this.#probe.noteWell()
    return false
  }

  async #waitForShop(): Promise<boolean> {
    this.#probe.begin()
    do {
      for (let untilMs = this.#nowMs + this.#probe.waitMs; this.#nowMs < untilMs; )
        await this.deps.clock.sleep(Math.min(LOOK_MS, untilMs - this.#nowMs), this.deps.stopping)
      if (!(await this.#mayBegin())) return false
    } while (!(await this.#probe.askOnce()))
    return true
  }

  async *#replay(): AsyncGenerator<readonly ReplayRow[], void, void> {
    const {deps} = this
    const guard = new RunGuard({probe: this.#probe, clock: deps.clock})
    const begunMs = deps.clock.readTicks()
    await deps.refresh()
    this.#seen = await deps.inbox.readLastPosition()
    this.#plannedMs = this.#nowMs
    this.#dueMs = this.#plannedMs + LONGEST_IDLE_MS
    let waits = false
    const onWait = (until: Date) => {
      waits = true
      this.#expect(until.getTime())
    }
    const narrow: RoundRequest['narrow'] = events =>
      leaveOutRefused(events, {...deps, now: deps.clock.now(), onWait})
    const round = await deps.openRound({id: deps.watch.id, guard, narrow})
    try {
      const run = await prepareRun(round.task)
      this.#restUntilMs =
        this.#nowMs + Math.min(LONG_REST_MS, (deps.clock.readTicks() - begunMs) * REST_FACTOR)
      this.#runId = run.id
      await this.writeHeartbeat()
      const held = yield* this.#readRows(run)
      await this.#noteEnd(run, guard, !waits || held.hasState)
    } finally {
      this.#runId = null
      await round.close()
    }
  }

  /** Rows of a run; a round that sends nothing has none. */
  async *#readRows(run: Run<ReplayRow>): AsyncGenerator<readonly ReplayRow[], HeldEvents, void> {
    const ended = new AbortController()
    const following = this.#follow(run, ended.signal)
    const held = new HeldEvents(this.deps.presumeLostAfterMs !== undefined)
    try {
      for await (const rows of run.start()) {
        held.count(rows)
        if (rows.some(({result}) => WELL.has(result ?? ''))) await this.#probe.noteWell()
        if (run.id !== null) yield rows
      }
    } finally {
      ended.abort()
      await following
    }
    if (held.hasInFlight) this.#expect(this.#nowMs + IN_FLIGHT_MS)
    await this.#noteHeld(held)
    return held
  }

  /** Notes what waits for a person or for its time, if that has changed. */
  async #noteHeld(held: HeldEvents): Promise<void> {
    held.alert(this.deps.problems, this.deps.clock.now())
    const text = held.describe()
    if (text !== '' && text !== this.#saidHeld)
      await this.deps.note(`${text}: storectl webhook replay --dry-run`)
    this.#saidHeld = text
  }

  /** Ends a run once its requests in flight have ended, if somebody pauses or ends the watch. */
  async #follow(run: Run<ReplayRow>, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await this.deps.clock.sleep(LOOK_MS, ended)
      if (!ended.aborted && !(await this.#mayBegin().catch(() => true))) return run.close()
    }
  }

  /** @param isAsked whether the shop was asked about everything to do, or answered anything */
  async #noteEnd(run: Run<ReplayRow>, guard: RunGuard, isAsked: boolean): Promise<void> {
    const {watches, watch, note} = this.deps
    const {halt, summary, id} = run
    this.#said = ''
    if (id !== null) await note(`${summary.describeResults() || 'nothing sent'} (run ${id})`)
    if (!halt && !guard.hasTrouble && (id !== null || isAsked)) await this.#probe.noteWell()
    this.#expect(await findNextLost({...this.deps, now: this.deps.clock.now()}))
    if (halt || guard.hasTrouble || run.left > 0) this.#expect(this.#nowMs)
    this.#alertToBreaker(run, guard)
    if (!halt) return
    if (halt.code === STOPPED_BY_REQUEST)
      await watches.changeControl(watch.id, {isPaused: true}, `the stop of run ${id}`)
    if (halt.code === 'stopped.breaker_open') this.#delay(LONG_REST_MS)
    if (halt.code === GAVE_WAY || halt.code === 'stopped.canary_failed') this.#delay(SHORT_REST_MS)
    if (halt.code !== 'unavailable.shop_away') await this.#noteOnce(halt.message)
  }

  /** A shop that is away also opens the breaker, which is not a problem of the events. */
  #alertToBreaker({halt, id}: Run<ReplayRow>, {hasTrouble}: RunGuard): void {
    const {problems, clock} = this.deps
    if (halt?.code === 'stopped.breaker_open' && !hasTrouble)
      problems?.report('breaker-open', {since: clock.now(), cause: halt.message})
    else if (!halt && id !== null) problems?.clear('breaker-open')
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (!(error instanceof StorectlError)) throw error
    const {code, exitName, message} = error
    this.#expect(this.#nowMs)
    const isOfRecords = code.startsWith('unavailable.database')
    if (!isOfRecords && (exitName === 'unavailable' || exitName === 'auth'))
      await this.#probe.noteTrouble(message, exitName === 'auth')
    else await this.#noteOnce(message, code)
    if (code === 'conflict.lease_held') return this.#delay(SHORT_REST_MS)
    this.#delay(exitName === 'unavailable' ? LOOK_MS : LONG_REST_MS)
  }

  #expect(atMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, atMs)
  }

  #delay(ms: number): void {
    this.#restUntilMs = Math.max(this.#restUntilMs, this.#nowMs + ms)
  }

  /** @param what identifies the note, if its text varies */
  async #noteOnce(text: string, what = text): Promise<void> {
    if (this.#said === what) return
    this.#said = what
    await this.deps.note(text)
  }
}

/** Results that only a shop that takes events produces. */
const WELL: ReadonlySet<string> = new Set(['applied', 'unchanged', 'accepted'])
