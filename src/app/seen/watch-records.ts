import type {RunStore} from '../../runs/journal/run-store.js'
import {findRestoration, type SeenRecords, type SeenWorker} from '../../runs/ledger/seen-records.js'
import type {SeenStore} from './seen-store.js'

/** What a home, which notes how far it has seen its records, knows of them. */
export interface Watched {
  /** Why they count as restored from a backup; `undefined` where they do not. */
  readonly restored: string | undefined
  readonly seen: SeenStore
  /** Notes that a person has checked them: they no longer count as restored. */
  noteChecked(check: {readonly who: string; readonly reason: string}): Promise<void>
}

/** What is watched of open records. */
interface WatchableRecords {
  readonly runs: RunStore
  close(): Promise<void>
}

/** An entry of a run that is under way is noted at most so long after the one before, milliseconds. */
const NOTED_EVERY_MS = 1000

/** Workers that are remembered; the oldest go first. */
const MOST_WORKERS = 16

/**
 * Compares records with what this home has seen of them, and notes from then on what is committed: the ledger's head before
 * anything of a run is sent, and every second how far a run has come.
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
  // Records that somebody else has checked begin anew here.
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
      // What is not noted now is noted by the next command.
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

/** Notes what this home has seen; of records that count as restored nothing until they were checked. */
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

  /** Begins anew with records that were checked. */
  async restart(): Promise<void> {
    this.#isStopped = false
    await this.noteHead(true)
  }

  /** @param isNew what was seen before is of other records */
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
