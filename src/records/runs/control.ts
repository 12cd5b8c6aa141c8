import type {Kysely} from 'kysely'
import type {ControlChange, RunControl, RunRef, RunStore} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {AUTO, readControlOf} from './control-rows.js'
import {nameLease} from './leases.js'

type Db = Kysely<RecordsTables>

/** Control requests for runs in progress. */
export function createRunControl({
  reads,
  writes,
  readNowMs,
}: Pick<Database<RecordsTables>, 'reads' | 'writes' | 'readNowMs'>): Pick<
  RunStore,
  'changeControl' | 'readControl'
> {
  return {
    changeControl: (run, change, askedBy) =>
      writes.run(
        async db => {
          if (!(await isUnderWay(db, run))) return false
          const {control: before} = await readControlOf(db, run.id)
          const atMs = Math.max(await readNowMs(db), (before?.askedAt.getTime() ?? 0) + 1)
          await storeControl(db, run.id, {
            ...NOTHING_ASKED,
            ...before,
            ...change,
            askedBy,
            askedAt: new Date(atMs),
          })
          return true
        },
        {exclusive: nameLease(run)},
      ),
    readControl: id => readControlOf(reads, id),
  }
}

const NOTHING_ASKED: Required<ControlChange> = {isPaused: false, ratePerSecond: null, concurrency: null}

async function isUnderWay(db: Db, {id}: RunRef): Promise<boolean> {
  const run = await db.selectFrom('run').select('state').where('id', '=', id).executeTakeFirst()
  return run?.state === 'running'
}

async function storeControl(db: Db, id: string, control: RunControl): Promise<void> {
  const {isPaused, ratePerSecond, concurrency, askedBy, askedAt} = control
  const values = {
    paused: isPaused ? 1 : 0,
    rate_per_second: ratePerSecond === null ? null : String(ratePerSecond),
    concurrency: concurrency === 'auto' ? AUTO : concurrency,
    ...{asked_by: askedBy, asked_at_ms: askedAt.getTime()},
  }
  await db
    .insertInto('run_control')
    .values({run_id: id, ...values})
    .onConflict(conflict => conflict.column('run_id').doUpdateSet(values))
    .execute()
}
