import {type ErrorCode, StorectlError} from '../../errors.js'
import {releaseOpenItems} from '../journal/recover-open-items.js'
import type {RunRow, RunStop, RunStore, WorkerRef} from '../journal/run-store.js'
import type {ClassCounts, Worker} from '../journal/worker.js'
import {HEARTBEAT_MS, isLive, type Machine} from './liveness.js'
import type {RunSignals} from './run-signals.js'

/** How often a worker checks the others of its run. */
export const CHECK_MS = 1000

/** The worker that checks the others. */
interface Watcher {
  readonly ref: WorkerRef
  writeHeartbeat(): Promise<void>
}

export interface PeerMonitorDeps {
  readonly store: Pick<RunStore, 'find' | 'declareGone' | 'halt'>
  readonly machine: Machine
  readonly now: () => Date
}

/** Polls the other workers of a run: counts their failures, stops with them, and declares unresponsive ones gone. */
export class PeerMonitor {
  readonly #known = new Map<string, ClassCounts>()
  #timer: NodeJS.Timeout | undefined
  #checks = 0
  #checking: Promise<void> | undefined

  constructor(
    private readonly session: Watcher,
    private readonly signals: RunSignals,
    private readonly deps: PeerMonitorDeps,
  ) {}

  /** Checks every second from now on. */
  async begin(): Promise<void> {
    this.signals.closing.addEventListener('abort', () => this.#storeHalt(), {once: true})
    this.#timer = setInterval(() => this.check(), CHECK_MS)
  }

  /** Stops checking; resolves when the last check has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  /** Checks once, unless it is doing so already. A check that fails is no error: the next write finds out what is wrong. */
  check(): Promise<void> {
    this.#checking ??= this.#checkPeers()
      .catch(() => undefined)
      .finally(() => {
        this.#checking = undefined
        this.signals.peersChecked.tell()
      })
    return this.#checking
  }

  async #checkPeers(): Promise<void> {
    const {session, signals, deps} = this
    const {id, worker: own} = session.ref
    const [row] = await deps.store.find(id)
    const peers = (row?.workers ?? []).filter(worker => worker.id !== own)
    const working = peers.filter(({state}) => state === 'working')
    signals.activeWorkers = 1 + working.length
    // A single worker needs no more checks than its lease does.
    if (working.length > 0 || ++this.#checks % (HEARTBEAT_MS / CHECK_MS) === 0) await session.writeHeartbeat()
    this.#count(peers)
    if (!row || isShutOut(row, own)) return
    if (row.stopCode !== null)
      signals.stop(createStop(id, {code: row.stopCode, reason: row.stopReason ?? row.stopCode}))
    await this.#declareUnresponsive(row, working)
  }

  async #declareUnresponsive({id, kind, target}: RunRow, working: readonly Worker[]): Promise<void> {
    const {store, machine, now} = this.deps
    const unresponsive = new Set(working.filter(worker => !isLive(worker, machine)).map(worker => worker.id))
    if (unresponsive.size === 0) return
    await store.declareGone(
      {id, kind, target},
      worker => unresponsive.has(worker.id) && !isLive(worker, machine),
      (open, worker) => releaseOpenItems(open, worker, now()),
    )
  }

  /** Results of the others since the last check count for the limits of the run. */
  #count(peers: readonly Worker[]): void {
    const counts: Record<string, number> = {}
    const news = {done: 0, failed: 0}
    for (const {id, done, failed, counts: its} of peers) {
      for (const [result, count] of Object.entries(its)) counts[result] = (counts[result] ?? 0) + count
      const before = this.#known.get(id)
      this.#known.set(id, {done, failed})
      if (!before) continue
      news.done += Math.max(0, done - before.done)
      news.failed += Math.max(0, failed - before.failed)
    }
    this.signals.peerCounts = counts
    if (news.done + news.failed > 0) this.signals.peerResults.tell(news)
  }

  #storeHalt(): void {
    const {halt} = this.signals
    if (halt)
      this.deps.store
        .halt(this.session.ref.id, {code: halt.code, reason: halt.message})
        .catch(() => undefined)
  }
}

/** Its next write fails; this worker no longer has any part of the run. */
function isShutOut({state, workers}: RunRow, worker: string): boolean {
  return state !== 'running' || workers.find(({id}) => id === worker)?.state !== 'working'
}

/** The code of a run that a person stopped from another terminal. */
export const STOPPED_BY_REQUEST = 'stopped.by_request'

/** Who stopped a run elsewhere: a person, or another worker. */
export function createStop(id: string, {code, reason}: RunStop): StorectlError {
  const isAsked = code === STOPPED_BY_REQUEST
  const message = isAsked ? `Run ${id} was ${reason}.` : `Another worker stopped run ${id}: ${reason}`
  return new StorectlError(code as ErrorCode, message, {
    nextSteps: [`storectl run show ${id} --results`, `storectl run resume ${id}`],
  })
}
