import type {RunStore} from '../../runs/journal/run-store.js'
import {findRestoration, type SeenRecords, type SeenWorker} from '../../runs/ledger/seen-records.js'
import type {SeenStore} from './seen-store.js'

/** What a home knows about its records. */
export interface Watched {
  /** Why they count as restored from a backup; `undefined` if they do not. */
  readonly restored: string | undefined
  readonly seen: SeenStore
  /** Notes that a person has checked them: they no longer count as restored. */
  noteChecked(check: {readonly who: string; readonly reason: string}): Promise<void>
}

/** The parts of open records that are watched. */
interface WatchableRecords {
  readonly runs: RunStore
  close(): Promise<void>
}

/** Shortest interval between notes about a run under way, milliseconds. */
const NOTED_EVERY_MS = 1000

/** Most workers remembered; the oldest are dropped first. */
const MOST_WORKERS = 16

/**
 * Compares records with what this home has seen of them, and notes commits from then on: the ledger's head before a run
 * sends anything, and every second the progress of a run.
 */
export async function watchRecords<Opened extends WatchableRecords>(
  records: Opened,
  seen: SeenStore,
  now: () => Date,
): Promise<Opened & Watched> {
  const known = seen.read()
  const found = known && (await findRestoration(known, records.runs))
  const restored = found?.isChecked ? undefined : found?.why
  const watch = new Watch(records.runs, seen, {noted: known?.number, isStopped: restored !== undefined})
  if (known && restored !== undefined && known.restored === undefined)
    await seen.update(there => ({...(there ?? known), restored}))
  // For records that somebody else has checked, this home starts again.
  await watch.noteHead(found?.isChecked)
  if (known && !found) await watch.dropEnded(known.workers)
  return {
    ...records,
    ...{restored, seen, runs: watchRuns(records.runs, watch, now)},
    noteChecked: async content => {
      await records.runs.appendRunLedgerRow({kind: 'restored', content})
      await watch.restart()
    },
    close: async () => {
      // The next command notes what this one could not.
      await watch.noteHead().catch(() => undefined)
      await records.close()
    },
  }
}

function watchRuns(runs: RunStore, watch: Watch, now: () => Date): RunStore {
  let notedMs = Number.NEGATIVE_INFINITY
  return {
    ...runs,
    begin: async (...how) => {
      const begun = await runs.begin(...how)
      await watch.noteHead()
      return begun
    },
    setTotal: async (...how) => {
      await runs.setTotal(...how)
      await watch.noteHead()
    },
    appendRunLedgerRow: async row => {
      await runs.appendRunLedgerRow(row)
      await watch.noteHead()
    },
    append: async (at, take) => {
      let sequence = 0
      await runs.append(at, () => {
        const taken = take()
        sequence = taken.progress.sequence
        return taken
      })
      const nowMs = now().getTime()
      if (Math.abs(nowMs - notedMs) < NOTED_EVERY_MS) return
      notedMs = nowMs
      await watch.noteWorker(at.worker, {run: at.id, sequence})
    },
  }
}

/** Notes what this home has seen; nothing while records count as restored and are not checked. */
class Watch {
  #noted: number | undefined
  #isStopped: boolean

  constructor(
    private readonly runs: RunStore,
    private readonly seen: SeenStore,
    begun: {readonly noted: number | undefined; readonly isStopped: boolean},
  ) {
    this.#noted = begun.noted
    this.#isStopped = begun.isStopped
  }

  /** Starts again with checked records. */
  async restart(): Promise<void> {
    this.#isStopped = false
    await this.noteHead(true)
  }

  /** @param isNew what was seen before belongs to other records */
  async noteHead(isNew = false): Promise<void> {
    if (this.#isStopped) return
    const {number} = await this.runs.readRunLedgerHead()
    if (number === this.#noted && !isNew) return
    const row = await this.runs.findRunLedgerRow(number)
    const head = {number, hash: row?.hash ?? '', at: row?.at.toISOString() ?? ''}
    await this.seen.update(there => {
      if (isNew || !there)
        return {...head, first: there?.first ?? number, isFirstSaid: there?.isFirstSaid ?? false, workers: {}}
      return there.restored === undefined && number > there.number ? {...there, ...head} : undefined
    })
    this.#noted = number
  }

  /** The row of a run's end, which is noted, covers its workers. */
  async dropEnded(workers: SeenRecords['workers']): Promise<void> {
    const ended = new Set<string>()
    for (const [id, {run}] of Object.entries(workers))
      if ((await this.runs.find(run))[0]?.state !== 'running') ended.add(id)
    if (ended.size === 0) return
    await this.seen.update(there => {
      const left = Object.entries(there?.workers ?? {}).filter(([id]) => !ended.has(id))
      return there && {...there, workers: Object.fromEntries(left)}
    })
  }

  async noteWorker(id: string, worker: SeenWorker): Promise<void> {
    if (this.#isStopped) return
    await this.seen.update(there => {
      if (!there || there.restored !== undefined) return undefined
      const others = Object.entries(there.workers).filter(([other]) => other !== id)
      const workers = Object.fromEntries([...others, [id, worker]].slice(-MOST_WORKERS))
      return {...there, workers}
    })
  }
}
