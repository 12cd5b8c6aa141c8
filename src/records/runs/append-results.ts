import type {Kysely} from 'kysely'
import {createContradictionError} from '../../runs/journal/assert-records.js'
import {appendToChain, computeChainOrigin} from '../../runs/journal/hash-chain.js'
import type {NewEntry} from '../../runs/journal/journal-entry.js'
import type {RunRef} from '../../runs/journal/run-store.js'
import {ResultTotaler} from '../../runs/ledger/result-totals.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {findRunById} from './leases.js'
import {buildRecordRow, insertRecordRows} from './run-rows.js'
import {updateProgress} from './workers.js'

/**
 * Appends results to the chain of a run's only worker, in the commit of their changes.
 *
 * @throws StorectlError `conflict.lease_lost` where the run has ended
 */
export async function appendResults(
  db: Kysely<RecordsTables>,
  run: RunRef,
  {results, at}: {readonly results: readonly NewEntry[]; readonly at: Date},
  ways: Pick<Database<RecordsTables>, 'selectNowMs'>,
): Promise<void> {
  const stored = await findRunById(db, run.id, ways)
  const worker = stored?.workers.find(({id}) => id === run.id)
  if (!stored || !worker) throw createContradictionError(`run ${run.id} is not there`)
  let {sequence} = worker
  let hash = sequence === 0 ? computeChainOrigin(stored) : worker.hash
  const entries = results.map(result => {
    const position = {runId: run.id, worker: worker.id, sequence: ++sequence, at}
    const entry = appendToChain(result, position, hash)
    hash = entry.hash
    return entry
  })
  const totals = new ResultTotaler()
  totals.addTotals(worker)
  for (const entry of entries) totals.addEntry(entry)
  const {counts, amounts} = totals
  const done = worker.done + entries.filter(({resultClass}) => resultClass === 'done').length
  const progress = {counts, amounts, done, failed: worker.failed, sequence, hash}
  await updateProgress(db, {...run, worker: run.id}, progress)
  await insertRecordRows(db, entries.map(buildRecordRow))
}
