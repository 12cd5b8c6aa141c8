import {type ErrorCode, StorectlError} from '../../errors.js'
import type {Execution} from '../execute.js'
import {releaseOpenItems} from '../journal/recover-open-items.js'
import type {ClassCounts, Counts, RunRow, RunStore, Worker} from '../journal/run-store.js'
import {HEARTBEAT_MS, isLive, type Machine} from './lease.js'
import type {Participant} from './worker-session.js'

/** How often a worker looks at the others of its run. */
export const LOOK_MS = 1000

export interface CompanyDeps {
  readonly store: Pick<RunStore, 'find' | 'declareGone' | 'halt'>
  readonly machine: Machine
  readonly now: () => Date
  /** Called after each look. */
  readonly looked: () => void
}

/**
 * The other workers of a run, as they were at the last look: counts with them what goes wrong, stops with them, and
 * declares gone who is silent.
 */
export class Company {
  /** Workers that are at work, this one among them. */
  atWork = 1
  /** What the others have ended. */
  counts: Counts = {}
  #execution: Execution<unknown> | undefined
  readonly #graded = new Map<string, ClassCounts>()
  #timer: NodeJS.Timeout | undefined
  #looks = 0
  #looking: Promise<void> | undefined

  constructor(
    private readonly run: Participant,
    private readonly deps: CompanyDeps,
  ) {}

  /** Begins to look, with what is to be stopped when the others stop. */
  start(execution: Execution<unknown>): void {
    this.#execution = execution
    execution.closing.addEventListener('abort', () => this.#tellHalt(), {once: true})
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  /** Looks no more; resolves when the last look has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Looks once, unless it is looking already. A look that fails is no error: the next write finds out what is wrong. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined
        this.deps.looked()
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const {run, deps} = this
    const [row] = await deps.store.find(run.id)
    const others = (row?.workers ?? []).filter(({id}) => id !== run.worker)
    const working = others.filter(({state}) => state === 'working')
    this.atWork = 1 + working.length
    // Alone nobody needs to know more often than a lease wants it.
    if (working.length > 0 || ++this.#looks % (HEARTBEAT_MS / LOOK_MS) === 0) await run.beat()
    this.#count(others)
    if (!row || isShutOut(row, run.worker)) return
    if (row.stoppedBy !== null) this.#execution?.stop(stoppedElsewhere(run.id, row.stoppedBy))
    const silent = new Set(working.filter(worker => !isLive(worker, deps.machine)).map(({id}) => id))
    if (silent.size === 0) return
    const {kind, target} = row
    await deps.store.declareGone(
      {id: run.id, kind, target},
      worker => silent.has(worker.id) && !isLive(worker, deps.machine),
      (open, worker) => releaseOpenItems(open, worker, deps.now()),
    )
  }

  /** What the others have ended since the last look counts for the limits of the run. */
  #count(others: readonly Worker[]): void {
    const counts: Record<string, number> = {}
    const news = {done: 0, failed: 0}
    for (const {id, done, failed, counts: its} of others) {
      for (const [outcome, count] of Object.entries(its)) counts[outcome] = (counts[outcome] ?? 0) + count
      const before = this.#graded.get(id)
      this.#graded.set(id, {done, failed})
      if (!before) continue
      news.done += Math.max(0, done - before.done)
      news.failed += Math.max(0, failed - before.failed)
    }
    this.counts = counts
    if (news.done + news.failed > 0) this.#execution?.noteOthers(news)
  }

  #tellHalt(): void {
    const halt = this.#execution?.halt
    if (halt) this.deps.store.halt(this.run.id, halt.code).catch(() => undefined)
  }
}

/** Its next write says so; nothing of the run is this worker's any more. */
function isShutOut({state, workers}: RunRow, worker: string): boolean {
  return state !== 'running' || workers.find(({id}) => id === worker)?.state !== 'working'
}

function stoppedElsewhere(id: string, code: string): StorectlError {
  return new StorectlError(
    code as ErrorCode,
    `Another worker stopped run ${id} (${code}): nothing else was started.`,
    {nextSteps: [`storectl run show ${id} --results`, `storectl run resume ${id}`]},
  )
}
