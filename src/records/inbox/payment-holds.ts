import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import {isLive, type LocalProcess} from '../../runs/workers/liveness.js'
import {type Database, LONGEST_LEASE_MS} from '../../storage/engine/database.js'
import {
  createBatchStatement,
  keepByEngine,
  readFirstRow,
  runBatch,
  type Statement,
} from '../../storage/engine/statement.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>

/** The clock for leases. */
export type LeaseClock = Pick<Database<RecordsTables>, 'engine' | 'reads' | 'readLeaseMs'>

/** Longest time of a call, its wait for the payment and the write after it; holds of a dead worker end earlier. */
const HOLD_MS = 75_000

/** Distinguishes payments that a replay holds from ordering keys that captures hold. */
const REPLAYED = 'replay '

/**
 * Stores which payments a replay or a repair has a call in flight for, together with its records: an intent holds the
 * payment for its worker, the response releases it. The hold of a killed process expires.
 *
 * @param kind kind of the run: an item of a replay is an event, that of a repair a transaction
 */
export function preparePaymentHolds(database: LeaseClock) {
  const {replay, repair} = compileHolds(database)
  return async (db: Db, target: string, kind: string, records: readonly JournalEntry[]): Promise<void> => {
    if (kind !== 'replay' && kind !== 'repair') return
    const {take, release} = kind === 'replay' ? replay : repair
    const answered = records.filter(({kind, attempt}) => kind !== 'intent' && attempt > 0)
    const sent = records.filter(({kind}) => kind === 'intent')
    // An intent is durable before its response is known, so one batch never takes and releases the same hold.
    if (answered.length > 0) {
      const lists = answered.map(record => [target, ...nameHolders(record), target, record.item])
      await runBatch(db, createBatchStatement(release, lists))
    }
    if (sent.length === 0) return
    const untilMs = (await database.readLeaseMs(db)) + HOLD_MS
    const lists = sent.map(record => [nameHolder(record), untilMs, target, record.item])
    await runBatch(db, createBatchStatement(take, lists))
  }
}

/** The ordering key of a transaction by its id, as in its events. */
const OF_TRANSACTION = sql.lit(`${REPLAYED}id:`)

/** All runs of a kind use the same statements. */
const compileHolds = keepByEngine(({reads: db}: LeaseClock) => ({
  repair: {
    take: sql`
    insert into webhook_turn (holder, until_ms, target, ordering_key)
    select cast(${''} as text), cast(${0} as bigint), cast(${''} as text), ${OF_TRANSACTION} || cast(${''} as text)
    where true on conflict (target, ordering_key) do update set holder = excluded.holder, until_ms = excluded.until_ms`.compile(
      db,
    ).sql,
    release: sql`
    delete from webhook_turn where target = ${''} and (holder = ${''} or holder = ${''}) and ordering_key = (
      select ${OF_TRANSACTION} || named.item from (select cast(${''} as text) as target, cast(${''} as text) as item) as named)`.compile(
      db,
    ).sql,
  },
  replay: {
    take: sql`
    insert into webhook_turn (target, ordering_key, holder, until_ms)
    select target, ${sql.lit(REPLAYED)} || transaction_key, cast(${''} as text), cast(${0} as bigint) from webhook_event
    where target = ${''} and id = ${''} and transaction_key is not null
    on conflict (target, ordering_key) do update set holder = excluded.holder, until_ms = excluded.until_ms`.compile(
      db,
    ).sql,
    release: sql`
    delete from webhook_turn where target = ${''} and (holder = ${''} or holder = ${''}) and ordering_key = (
      select ${sql.lit(REPLAYED)} || transaction_key from webhook_event where target = ${''} and id = ${''})`.compile(
      db,
    ).sql,
  },
}))

type Hold = Pick<RecordsTables['webhook_turn'], 'target' | 'ordering_key'> & {
  readonly after: number
  readonly before: number
}

const selectHold: Statement<RecordsTables, Hold, {holder: string}> = (
  db,
  {target, ordering_key, after, before},
) =>
  db
    .selectFrom('webhook_turn')
    .select('holder')
    .where('target', '=', target)
    .where('ordering_key', '=', ordering_key)
    .where('until_ms', '>', after)
    .where('until_ms', '<', before)
    .compile()

/**
 * The run that has an event of a payment in flight. Holds of a worker that has ended, or was declared gone, have
 * ended. An event that a replay asked the provider to send is let through.
 *
 * @param transaction key of the payment
 * @param eventId of the event that arrived
 */
export async function findReplayOf(
  {reads, readLeaseMs, selectNowMs, local}: HoldReads,
  target: string,
  transaction: string,
  eventId: string,
): Promise<string | undefined> {
  const nowMs = await readLeaseMs(reads)
  const when = {after: nowMs, before: nowMs + LONGEST_LEASE_MS}
  const turn = await readFirstRow(reads, selectHold, {target, ordering_key: REPLAYED + transaction, ...when})
  if (!turn) return undefined
  const [runId = '', worker = '', ...asked] = turn.holder.split(' ')
  if (asked.length > 0 && asked.join(' ') === eventId) return undefined
  const found = await reads
    .selectFrom('run_worker')
    .select(['host', 'pid', 'process_start as processStart'])
    .select(sql<number>`${selectNowMs()} - heartbeat_at_ms`.as('heartbeatAgeMs'))
    .where('run_id', '=', runId)
    .where('worker', '=', worker)
    .where('state', '=', 'working')
    .executeTakeFirst()
  return found && isLive(found, local) ? runId : undefined
}

/** The worker, followed by the event that it asked the provider for: the item of a replay, or a fact of a repair. */
function nameHolder(record: JournalEntry): string {
  const [worker, asking] = nameHolders(record)
  return record.facts?.via === 'provider' ? asking : worker
}

function nameHolders({runId, worker, item, facts}: JournalEntry): [worker: string, asking: string] {
  return [`${runId} ${worker}`, `${runId} ${worker} ${facts?.event ?? item}`]
}

type HoldReads = Pick<Database<RecordsTables>, 'reads' | 'selectNowMs'> &
  LeaseClock & {readonly local: LocalProcess}
