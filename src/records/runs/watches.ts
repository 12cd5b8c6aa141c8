import type {Kysely} from 'kysely'
import type {
  NewWatch,
  WatchControl,
  WatchProgress,
  WatchRow,
  WatchStore,
} from '../../runs/journal/watch-store.js'
import type {Database} from '../../storage/engine/database.js'
import {readFirstRow, type Statement} from '../../storage/engine/statement.js'
import type {RecordsTables, WatchTable} from '../schema/schema.js'
import {readByKeyset} from '../schema/sql.js'

/** Stores watches. */
export function createWatchStore({
  reads,
  writes,
  selectNowMs,
}: Pick<Database<RecordsTables>, 'reads' | 'writes' | 'selectNowMs'>): WatchStore {
  const select = () => reads.selectFrom('watch').selectAll().select(selectNowMs().as('now_ms'))
  return {
    begin: watch =>
      writes.run(async db => {
        const values = {...buildNewRow(watch), heartbeat_at_ms: selectNowMs()}
        await db.insertInto('watch').values(values).execute()
      }),
    writeHeartbeat: (id, progress) =>
      writes.run(async db => {
        const changes = {...buildProgress(progress), heartbeat_at_ms: selectNowMs()}
        await db.updateTable('watch').set(changes).where('id', '=', id).execute()
      }),
    readControl: async id => parseControl(await readFirstRow(reads, selectControl, {id})),
    changeControl: (id, change, askedBy) => writes.run(db => changeControl(db, id, change, askedBy)),
    end: (id, endedAt) =>
      writes.run(async db => {
        const changes = {ended_at_ms: endedAt.getTime(), run_id: null}
        await db.updateTable('watch').set(changes).where('id', '=', id).execute()
      }),
    find: async id => {
      const rows = await select().where('id', '>=', id).where('id', '<', `${id}~`).limit(2).execute()
      return rows.map(parseRow)
    },
    list: ({target, isOpen}) =>
      readByKeyset(undefined, async (after: WatchRow | undefined, size) => {
        const rows = await select()
          .$if(target !== undefined, query => query.where('target', '=', target as string))
          .$if(isOpen !== undefined, query => query.where('ended_at_ms', isOpen ? 'is' : 'is not', null))
          .$if(after !== undefined, query => query.where('id', '<', (after as WatchRow).id))
          .orderBy('id', 'desc')
          .limit(size)
          .execute()
        return rows.map(parseRow)
      }),
  }
}

async function changeControl(
  db: Kysely<RecordsTables>,
  id: string,
  {isPaused, stopReason}: Parameters<WatchStore['changeControl']>[1],
  askedBy: string,
): Promise<boolean> {
  const changed = await db
    .updateTable('watch')
    .set({
      asked_by: askedBy,
      ...(isPaused !== undefined && {paused: isPaused ? 1 : 0}),
      ...(stopReason !== undefined && {stop_reason: stopReason}),
    })
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .returning('id')
    .execute()
  return changed.length > 0
}

type ControlColumns = Pick<WatchTable, 'paused' | 'stop_reason' | 'asked_by'>

const selectControl: Statement<RecordsTables, {id: string}, ControlColumns> = (db, {id}) =>
  db.selectFrom('watch').select(['paused', 'stop_reason', 'asked_by']).where('id', '=', id).compile()

function parseControl(row: ControlColumns | undefined): WatchControl {
  return {
    isPaused: row?.paused === 1,
    stopReason: row?.stop_reason ?? null,
    askedBy: row?.asked_by ?? null,
  }
}

/** A new watch as a row, without its first heartbeat. */
function buildNewRow(watch: NewWatch): Omit<WatchTable, 'heartbeat_at_ms'> {
  const {id, target, profile, who, host, pid, processStart, reason, options, startedAt} = watch
  return {
    ...{id, target, profile, who, host, pid, process_start: processStart, reason},
    ...{options: JSON.stringify(options), started_at_ms: startedAt.getTime(), ended_at_ms: null},
    ...{paused: 0, stop_reason: null, asked_by: null},
    ...buildProgress({probe: null, awaySince: null, runId: null}),
  }
}

function buildProgress({probe, awaySince, runId}: WatchProgress) {
  return {
    probed_at_ms: probe?.at.getTime() ?? null,
    probe_good: probe ? Number(probe.isGood) : null,
    probe_answer: probe?.answer ?? null,
    away_since_ms: awaySince?.getTime() ?? null,
    run_id: runId,
  }
}

/** @param row with the time at which it was read */
function parseRow(row: WatchTable & {readonly now_ms: number}): WatchRow {
  const {id, target, profile, who, host, pid, process_start: processStart, reason} = row
  const {probed_at_ms: probedMs, ended_at_ms: endedMs, away_since_ms: awayMs} = row
  return {
    ...{id, target, profile, who, host, pid, processStart, reason, ...parseControl(row)},
    options: JSON.parse(row.options),
    startedAt: new Date(row.started_at_ms),
    endedAt: endedMs === null ? null : new Date(endedMs),
    heartbeatAt: new Date(row.heartbeat_at_ms),
    heartbeatAgeMs: row.now_ms - row.heartbeat_at_ms,
    probe:
      probedMs === null
        ? null
        : {at: new Date(probedMs), isGood: row.probe_good === 1, answer: row.probe_answer ?? ''},
    awaySince: awayMs === null ? null : new Date(awayMs),
    runId: row.run_id,
  }
}
