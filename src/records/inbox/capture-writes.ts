import {type CompiledQuery, type Kysely, sql} from 'kysely'
import type {LocalProcess} from '../../runs/workers/liveness.js'
import type {Database} from '../../storage/engine/database.js'
import {keepByEngine, readFirstRow, runStatement, type Statement} from '../../storage/engine/statement.js'
import type {ArrivedEvent} from '../../webhook/event/event.js'
import {isProven} from '../../webhook/event/sender.js'
import {
  type Arrival,
  BEING_HANDED_ON,
  type EventCapture,
  type HandedOn,
  type Kept,
  type LeaseTerm,
  NOT_STORED,
  readNotStored,
} from '../../webhook/inbox/capture-inbox.js'
import type {RecordsTables} from '../schema/schema.js'
import {
  addStrangersAttempt,
  type BodyHead,
  judgeBody,
  markConflicts,
  nameBeside,
  replaceBody,
  strengthenSender,
} from './competing-bodies.js'
import {readContents} from './event-contents.js'
import {buildBodyRow, buildEventRow, insertBodyRows, insertEventRows} from './event-rows.js'
import {nameHolder} from './holders.js'
import {readSourcePosition} from './inbox-reads.js'
import {isLeaseHeld} from './lease-condition.js'
import {findReplayOf} from './payment-holds.js'

type Db = Kysely<RecordsTables>

/** The inbox for a capture. */
export function createCaptureInbox(database: Database<RecordsTables>, local: LocalProcess): EventCapture {
  const {reads, writes, readLeaseMs} = database
  const statements = {...prepareStatements(database), readLeaseMs, holder: nameHolder(local)}
  return {
    take: (target, arrival) => writes.run(db => storeArrival(db, target, arrival, statements)),
    storeResult: (target, handedOn) => writes.run(db => storeDelivery(db, target, handedOn, statements)),
    renewLeases: (target, terms, ms) => writes.run(db => renewLeases(db, target, {terms, ms}, statements)),
    countBytes: async (target, source, rowBytes) => {
      const {rows} = await sql<{bytes: number | null}>`
        select sum(length(body) + length(headers) + ${sql.lit(rowBytes)}) as bytes
        from webhook_event as event
        join webhook_body as content on content.target = event.target and content.id = event.id
        where event.target = ${target} and event.source = ${source}`.execute(reads)
      return Number(rows[0]?.bytes ?? 0)
    },
    noteNotStored: (target, calls, at) => writes.run(db => addNotStored(db, target, calls, at)),
    countByStatus: async target => {
      const rows = await reads
        .selectFrom('webhook_event')
        .select(({fn}) => ['status', fn.countAll<number>().as('count')])
        .where('target', '=', target)
        .groupBy('status')
        .execute()
      return new Map(rows.map(({status, count}) => [status, Number(count)]))
    },
    tryToWrite: () => writes.run(tryWrite),
    findReplay: (target, ...which) => findReplayOf({...database, local}, target, ...which),
  }
}

type Statements = ReturnType<typeof prepareStatements> &
  Pick<Database<RecordsTables>, 'readLeaseMs'> & {
    /** This process. */
    readonly holder: string
  }

/** It need not be sent any more, even after a later failure. */
const OVER = sql.raw(`status in ('delivered', 'resolved')`)

/** An earlier call of it has an unknown result, which a later failed call does not settle. */
const IN_DOUBT = sql`(status = 'unknown' and coalesce(message, '') <> ${sql.lit(BEING_HANDED_ON)})`

interface EventKey {
  readonly target: string
  readonly id: string
}

type Again = EventKey & {
  readonly status: string
  readonly message: string | null
  readonly atMs: number
  readonly untilMs: number | null
  readonly holder: string | null
}

type Ended = Omit<Again, 'untilMs' | 'holder'> & {
  readonly answer: number | null
  readonly untilMs: number
  readonly arrivedWith: string
  readonly isProven: number
}

type Known = BodyHead & Pick<RecordsTables['webhook_event'], 'status' | 'in_flight_until_ms'>

/** Building the SQL anew for each event would cost more than running it. */
const prepareStatements = keepByEngine(
  ({
    rowLocks,
    reads,
  }: Database<RecordsTables>): {
    readonly known: Statement<RecordsTables, EventKey, Known>
    readonly again: Statement<RecordsTables, Again, unknown>
    readonly storeResult: Statement<RecordsTables, Ended, unknown>
    readonly renew: CompiledQuery
  } => ({
    known: (db, {target, id}) =>
      sql<Known>`
      select id, sha256, arrived_with, verification, verification_reason, conflict, status, in_flight_until_ms
      from webhook_event where target = ${target} and id = ${id} ${rowLocks.forUpdate}`.compile(db),
    again: (db, {target, id, status, message, atMs, untilMs, holder}) =>
      sql`
      update webhook_event set
        status = case when ${OVER} then status else ${status} end,
        message = case when ${OVER} then message else ${message} end,
        changed_at_ms = case when ${OVER} then changed_at_ms else ${atMs} end,
        in_flight_until_ms = ${untilMs}, in_flight_by = ${holder}
      where target = ${target} and id = ${id}`.compile(db),
    renew: sql`
      update webhook_event set in_flight_until_ms = ${0}
      where target = ${''} and id = ${''} and in_flight_until_ms = ${0}`.compile(reads),
    storeResult: (db, {target, id, status, message, answer, atMs, untilMs, arrivedWith, isProven}) =>
      sql`
      update webhook_event set
        status = case when (${OVER} or ${IN_DOUBT}) and ${status} = 'failed' then status else ${status} end,
        answer = case when ${OVER} and ${status} = 'failed' then answer else ${answer} end,
        message = case when ${OVER} and ${status} = 'failed' then message else ${message} end,
        changed_at_ms = case when ${OVER} and ${status} = 'failed' then changed_at_ms else ${atMs} end,
        attempts = attempts + 1, in_flight_until_ms = case when in_flight_until_ms > ${untilMs} then in_flight_until_ms end,
        arrived_with = case when arrived_with in ('token', 'not-needed') then arrived_with else ${arrivedWith} end
      where target = ${target} and id = ${id} and (${isProven} = 1 or arrived_with not in ('token', 'not-needed'))`.compile(
        db,
      ),
  }),
)

/** Locks the present rows until the write has ended; of two that write the same new id, one is repeated. */
async function storeArrival(
  db: Db,
  target: string,
  arrival: Arrival,
  statements: Statements,
): Promise<Kept | 'no-room'> {
  const {event} = arrival
  const there = await readFirstRow(db, statements.known, {target, id: event.id})
  if (!there) {
    if (!arrival.hasRoom) return 'no-room'
    const inFlightUntilMs = await insertEvent(db, target, arrival, statements)
    return {id: event.id, isKnown: false, wasDelivered: false, wasInDoubt: false, inFlightUntilMs}
  }
  const isRespelled = there.sha256 !== event.sha256
  const stored = isRespelled ? (await readContents(db, target, [event.id])).get(event.id) : undefined
  const arrived = buildArrived(arrival)
  const verdict = judgeBody(arrived, there, stored?.body)
  if (verdict === 'beside' || verdict === 'conflict')
    return storeBeside(db, target, arrival, {statements, marksBoth: verdict === 'conflict'})
  if (verdict === 'replace') {
    await replaceBody(db, target, arrived)
    await markConflicts(db, target, [event.id], 0)
    const begun = {arrival, there: {...there, status: 'pending'}}
    return {...(await updateKnownEvent(db, target, begun, statements)), isKnown: false}
  }
  await strengthenSender(db, target, arrived, there)
  return updateKnownEvent(db, target, {arrival, there}, statements)
}

function buildArrived({event, arrivedWith, tokenDigest}: Arrival): ArrivedEvent {
  return {...event, arrivedWith, tokenDigest}
}

/** Stores a body whose id belongs to another body. */
async function storeBeside(
  db: Db,
  target: string,
  arrival: Arrival,
  {statements, marksBoth}: {readonly statements: Statements; readonly marksBoth: boolean},
): Promise<Kept | 'no-room'> {
  const {event} = arrival
  const id = nameBeside(event)
  const kept = await storeArrival(db, target, {...arrival, event: {...event, id}}, statements)
  if (kept === 'no-room') return kept
  await markConflicts(db, target, marksBoth ? [event.id, id] : [id])
  return kept
}

/** An event is not known to be delivered until the response has been stored. */
async function describeProgress(
  db: Db,
  {busyMs, message}: Arrival,
  {readLeaseMs}: Statements,
  there?: Pick<Known, 'in_flight_until_ms'>,
) {
  if (busyMs === null) return {status: 'pending', message, inFlightUntilMs: null}
  const nowMs = await readLeaseMs(db)
  const before = there?.in_flight_until_ms ?? null
  const untilMs = Math.max(nowMs + busyMs, isLeaseHeld(before, nowMs) ? (before as number) + 1 : 0)
  return {status: 'unknown', message, inFlightUntilMs: untilMs}
}

async function insertEvent(
  db: Db,
  target: string,
  arrival: Arrival,
  statements: Statements,
): Promise<number | null> {
  const {event} = arrival
  const {status, message, inFlightUntilMs} = await describeProgress(db, arrival, statements)
  const row = {
    ...buildEventRow(target, buildArrived(arrival)),
    status,
    message,
    in_flight_until_ms: inFlightUntilMs,
    in_flight_by: inFlightUntilMs === null ? null : statements.holder,
  }
  await insertEventRows(db, [row])
  await insertBodyRows(db, [buildBodyRow(target, event)])
  return inFlightUntilMs
}

async function updateKnownEvent(
  db: Db,
  target: string,
  {arrival, there}: {readonly arrival: Arrival; readonly there: Known},
  statements: Statements,
): Promise<Kept> {
  const {id, receivedAt} = arrival.event
  const isInFlight = isLeaseHeld(there.in_flight_until_ms, await statements.readLeaseMs(db))
  const wasInDoubt = there.status === 'unknown' && !isInFlight
  const kept = {id, isKnown: true, wasDelivered: there.status === 'delivered', wasInDoubt}
  if (!isProven(arrival.arrivedWith)) return {...kept, inFlightUntilMs: null}
  const {status, message, inFlightUntilMs} = await describeProgress(db, arrival, statements, there)
  const holder = inFlightUntilMs === null ? null : statements.holder
  const again = {target, id, status, message, atMs: receivedAt.getTime(), untilMs: inFlightUntilMs, holder}
  await runStatement(db, statements.again, again)
  return {...kept, inFlightUntilMs}
}

async function storeDelivery(
  db: Db,
  target: string,
  handedOn: HandedOn,
  statements: Statements,
): Promise<void> {
  const {id, status, answer, message, at, arrivedWith, inFlightUntilMs, isKnown} = handedOn
  if (isKnown && !isProven(arrivedWith))
    return addStrangersAttempt(db, target, id, {status, answer, message, at, sender: arrivedWith})
  const ended = {target, id, status, message, answer, atMs: at.getTime(), untilMs: inFlightUntilMs ?? 0}
  await runStatement(db, statements.storeResult, {
    ...ended,
    arrivedWith,
    isProven: isProven(arrivedWith) ? 1 : 0,
  })
}

async function renewLeases(
  db: Db,
  target: string,
  {terms, ms}: {readonly terms: readonly LeaseTerm[]; readonly ms: number},
  {renew, readLeaseMs}: Statements,
): Promise<(LeaseTerm | undefined)[]> {
  const nowMs = await readLeaseMs(db)
  const renewed: (LeaseTerm | undefined)[] = []
  for (const {id, untilMs} of terms) {
    const laterMs = Math.max(nowMs + ms, untilMs)
    const {numAffectedRows} = await db.executeQuery({...renew, parameters: [laterMs, target, id, untilMs]})
    renewed.push(numAffectedRows === 1n ? {id, untilMs: laterMs} : undefined)
  }
  return renewed
}

async function addNotStored(db: Db, target: string, calls: number, at: Date): Promise<void> {
  const before = await readSourcePosition(db, target, NOT_STORED)
  const position = `${readNotStored(before, at) + calls} ${at.getTime()}`
  await db
    .insertInto('webhook_source')
    .values({target, source: NOT_STORED, position})
    .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position}))
    .execute()
}

/** SQLite writes nothing where nothing changes. */
const OTHER = sql<string>`case when webhook_source.position = '1' then '2' else '1' end`

/** Not a real shop, so that it is never taken for the position of a source. */
const NOWHERE = {target: '', source: 'write test'}

async function tryWrite(db: Db): Promise<void> {
  await db
    .insertInto('webhook_source')
    .values({...NOWHERE, position: '1'})
    .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position: OTHER}))
    .execute()
}
