import {type RawBuilder, sql} from 'kysely'
import {assertOneOf} from '../../runs/journal/assert-records.js'
import type {PlannedItem} from '../../runs/journal/claim.js'
import type {JournalEntry, LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {NewRun, RunRow} from '../../runs/journal/run-store.js'
import type {ParameterType} from '../../storage/engine/statement.js'
import type {LedgerTable, RecordsTables, RunPlanTable, RunRecordTable, RunTable} from '../schema/schema.js'
import {prepareBulkWrite} from '../schema/sql.js'

/** A new run as a row, without its first heartbeat. */
export function buildRunRow(run: NewRun): Omit<RunTable, 'heartbeat_at_ms'> {
  const {startedAt, options, total, reason, continues, watchId = null} = run
  const {id, kind, target, profile, who, host, pid} = run
  return {
    ...{id, kind, target, profile, who, host, pid, reason, total, continues},
    state: 'running',
    process_start: run.processStart,
    started_at_ms: startedAt.getTime(),
    ended_at_ms: null,
    options: JSON.stringify(options),
    counts: '{}',
    stop_code: null,
    stop_reason: null,
    watch_id: watchId,
  }
}

/** @param row with the time at which it was read */
export function parseRunRow(row: RunTable & {readonly now_ms: number}): Omit<RunRow, 'workers' | 'control'> {
  const {id, target, profile, who, host, pid, reason, total, continues} = row
  return {
    ...{id, target, profile, who, host, pid, reason, total, continues},
    kind: row.kind as RunRow['kind'],
    state: row.state as RunRow['state'],
    processStart: row.process_start,
    startedAt: new Date(row.started_at_ms),
    endedAt: row.ended_at_ms === null ? null : new Date(row.ended_at_ms),
    heartbeatAt: new Date(row.heartbeat_at_ms),
    heartbeatAgeMs: row.now_ms - row.heartbeat_at_ms,
    options: JSON.parse(row.options),
    counts: JSON.parse(row.counts),
    stopCode: row.stop_code,
    stopReason: row.stop_reason,
    watchId: row.watch_id,
  }
}

/** @param position in the plan, from 0 */
export function buildPlanRow(
  {item, orderingKey, isUnsure, metadata, block}: PlannedItem & {readonly block: number},
  runId: string,
  position: number,
): RunPlanTable {
  return {run_id: runId, position, item, ordering_key: orderingKey, block, unsure: isUnsure ? 1 : 0, metadata}
}

export function buildRecordRow(record: JournalEntry): RunRecordTable {
  const {runId, worker, sequence, kind, item, orderingKey, contentHash, attempt, at, hash} = record
  const {resultClass, result, status, detail, facts} = record
  return {
    run_id: runId,
    worker,
    sequence,
    kind,
    item,
    ordering_key: orderingKey,
    content_hash: contentHash,
    attempt,
    at_ms: at.getTime(),
    result_class: resultClass ?? null,
    result: result ?? null,
    status: status ?? null,
    detail: detail ?? null,
    facts: facts === undefined ? null : JSON.stringify(facts),
    hash,
  }
}

const RECORD_COLUMNS = {
  run_id: 'text',
  worker: 'text',
  sequence: 'integer',
  kind: 'text',
  item: 'text',
  ordering_key: 'text',
  content_hash: 'text',
  attempt: 'integer',
  at_ms: 'integer',
  result_class: 'text',
  result: 'text',
  status: 'integer',
  detail: 'text',
  facts: 'text',
  hash: 'text',
} as const satisfies Record<keyof RunRecordTable, ParameterType>

/** Appends rows to the journals of runs. */
export const insertRecordRows = prepareBulkWrite<RecordsTables, RunRecordTable>(RECORD_COLUMNS, (db, rows) =>
  db.insertInto('run_record').values(rows).compile(),
)

export function parseRecordRow(row: RunRecordTable): JournalEntry {
  return {
    runId: row.run_id,
    worker: row.worker,
    sequence: row.sequence,
    kind: row.kind as JournalEntry['kind'],
    item: row.item,
    orderingKey: row.ordering_key,
    contentHash: row.content_hash,
    attempt: row.attempt,
    at: new Date(row.at_ms),
    resultClass: (row.result_class ?? undefined) as JournalEntry['resultClass'],
    result: row.result ?? undefined,
    status: row.status ?? undefined,
    detail: row.detail ?? undefined,
    facts: row.facts === null ? undefined : JSON.parse(row.facts),
    hash: row.hash,
  }
}

/** @param record a final result of its item */
export function buildLedgerRow(run: {kind: string; target: string}, record: JournalEntry): LedgerTable {
  const {item, contentHash, resultClass, result, status, detail, attempt, at, runId, facts} = record
  return {
    kind: run.kind,
    target: run.target,
    key: item,
    content_hash: contentHash,
    result_class: resultClass as string,
    result: result ?? '',
    status: status ?? null,
    detail: detail ?? null,
    attempts: attempt,
    at_ms: at.getTime(),
    run_id: runId,
    facts: resultClass === 'unknown' && facts ? JSON.stringify(facts) : null,
  }
}

/** Classes of final results. */
const FINAL_CLASSES = ['done', 'failed', 'unknown'] as const

/** @throws StorectlError `internal.records_contradict` */
export function parseLedgerRow(row: LedgerTable): LedgerEntry {
  return {
    key: row.key,
    contentHash: row.content_hash,
    resultClass: assertOneOf(row.result_class, FINAL_CLASSES, `the last result of ${row.key}`),
    result: row.result,
    status: row.status ?? undefined,
    detail: row.detail ?? undefined,
    attempts: row.attempts,
    at: new Date(row.at_ms),
    runId: row.run_id,
    ...(row.facts !== null && {facts: JSON.parse(row.facts) as Readonly<Record<string, unknown>>}),
  }
}

/** Whether the run has no result for the row's item; the index covers all records except intents. */
export function lacksResult(table: 'run_plan' | 'run_record', run: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select 1 from run_record as answer
    where answer.item = ${sql.ref(`${table}.item`)} and answer.run_id = ${run}
      and answer.kind <> 'intent' and answer.kind = 'result'
  )`
}
