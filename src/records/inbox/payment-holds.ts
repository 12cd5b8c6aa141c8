import {type CompiledQuery, type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import {isLive, type LocalProcess} from '../../runs/workers/lease.js'
import {type Database, LONGEST_LEASE_MS} from '../../storage/engine/database.js'
import {createBatchStatement} from '../../storage/engine/statement.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>

/** The clock that leases go by. */
export type LeaseClock = Pick<Database<RecordsTables>, 'readLeaseMs'>

/** As long as a call, its wait for the payment and the write behind it may take; only a worker that lives has so long. */
const HOLD_MS = 75_000

/** Tells a payment that a replay holds from the ordering keys that captures hold. */
const REPLAYED = 'replay '

/**
 * Notes which payments a replay has an event of on its way, among what it writes down anyway: an intent takes the payment
 * for its worker, the answer gives it back. One that a killed replay has left is over by itself.
 */
export function preparePaymentHolds({readLeaseMs}: LeaseClock) {
  let compiled: {readonly take: CompiledQuery; readonly release: CompiledQuery} | undefined
  return async (db: Db, target: string, records: readonly JournalEntry[]): Promise<void> => {
    compiled ??= {take: compileTake(db), release: compileRelease(db)}
    let untilMs: number | undefined
    for (const record of records) {
      const {kind, item, attempt} = record
      const holder = nameWorker(record)
      const isSent = kind === 'intent'
      if (!isSent && attempt === 0) continue
      if (isSent) untilMs ??= (await readLeaseMs(db)) + HOLD_MS
      const parameters = isSent ? [holder, untilMs as number, target, item] : [target, holder, target, item]
      const {sql: text} = isSent ? compiled.take : compiled.release
      await db.executeQuery(createBatchStatement(text, [parameters]))
    }
  }
}

function compileTake(db: Db): CompiledQuery {
  return sql`
    insert into webhook_turn (target, ordering_key, holder, until_ms)
    select target, ${sql.lit(REPLAYED)} || transaction_key, cast(${''} as text), cast(${0} as bigint) from webhook_event
    where target = ${''} and id = ${''} and transaction_key is not null
    on conflict (target, ordering_key) do update set holder = excluded.holder, until_ms = excluded.until_ms`.compile(
    db,
  )
}

function compileRelease(db: Db): CompiledQuery {
  return sql`
    delete from webhook_turn where target = ${''} and holder = ${''} and ordering_key = (
      select ${sql.lit(REPLAYED)} || transaction_key from webhook_event where target = ${''} and id = ${''})`.compile(
    db,
  )
}

/**
 * Whether a replay has an event of a payment on its way. What a worker had that has ended, or was declared gone, is over.
 *
 * @param transaction what names the payment
 */
export async function isPaymentReplayed(
  {reads, readLeaseMs, selectNowMs, local}: HoldReads,
  target: string,
  transaction: string,
): Promise<boolean> {
  const nowMs = await readLeaseMs(reads)
  const turn = await reads
    .selectFrom('webhook_turn')
    .select('holder')
    .where('target', '=', target)
    .where('ordering_key', '=', REPLAYED + transaction)
    .where('until_ms', '>', nowMs)
    .where('until_ms', '<', nowMs + LONGEST_LEASE_MS)
    .executeTakeFirst()
  if (!turn) return false
  const [runId = '', worker = ''] = turn.holder.split(' ')
  const found = await reads
    .selectFrom('run_worker')
    .select(['host', 'pid', 'process_start as processStart'])
    .select(sql<number>`${selectNowMs()} - heartbeat_at_ms`.as('heartbeatAgeMs'))
    .where('run_id', '=', runId)
    .where('worker', '=', worker)
    .where('state', '=', 'working')
    .executeTakeFirst()
  return found !== undefined && isLive(found, local)
}

function nameWorker({runId, worker}: Pick<JournalEntry, 'runId' | 'worker'>): string {
  return `${runId} ${worker}`
}

type HoldReads = Pick<Database<RecordsTables>, 'reads' | 'selectNowMs'> &
  LeaseClock & {readonly local: LocalProcess}
