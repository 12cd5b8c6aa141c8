import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import {createBatchStatement, keepByEngine, runBatch} from '../../storage/engine/statement.js'
import type {ArrivedEvent} from '../../webhook/event/event.js'
import {compareSenders, findSender} from '../../webhook/event/sender.js'
import type {Added, ObservedEvent, Seen} from '../../webhook/inbox/inbox.js'
import type {RecordListener} from '../runs/record-listener.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import {EVENT_TABLES, type RecordsTables, type WebhookEventTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {
  addStrangersAttempt,
  type BodyHead,
  copyVerification,
  judgeBody,
  markConflicts,
  nameBeside,
  readBodyHeads,
  replaceBody,
  strengthenSender,
} from './competing-bodies.js'
import {readContents} from './event-contents.js'
import {
  buildBodyRow,
  buildEventRow,
  insertBodyRows,
  insertEventRows,
  parseStoredEvent,
  readSenderEvidence,
} from './event-rows.js'
import {type LeaseClock, preparePaymentHolds} from './payment-holds.js'
import {decideTransmission, moveTransmissions} from './signatures.js'

type Db = Kysely<RecordsTables>

/**
 * Adds events, each once; `judgeBody` decides about bodies whose id exists already. They are inserted in the order of their
 * ids, so that one write of an index page serves many of them; of events with one id the first stays the first.
 */
export async function addEvents(db: Db, target: string, events: readonly ArrivedEvent[]): Promise<Added> {
  let added = 0
  const conflicts: string[] = []
  for (const some of splitKeys([...events].sort(compareIds))) {
    const there = await readBodyHeads(db, target, [...new Set(some.map(({id}) => id))])
    const fresh: WebhookEventTable[] = []
    const bodies: RecordsTables['webhook_body'][] = []
    const others: ArrivedEvent[] = []
    for (const event of some) {
      if (there.has(event.id)) others.push(event)
      else {
        const row = buildEventRow(target, event)
        there.set(event.id, row)
        fresh.push(row)
        bodies.push(buildBodyRow(target, event))
      }
    }
    await insertEventRows(db, fresh)
    await insertBodyRows(db, bodies)
    added += fresh.length
    conflicts.push(...(await addOthers(db, target, others, there)))
  }
  return {added, known: events.length - added - conflicts.length, conflicts: [...new Set(conflicts)]}
}

function compareIds({id: one}: ArrivedEvent, {id: other}: ArrivedEvent): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** Adds events whose ids exist already. @returns ids of those with other content and no stronger sender */
async function addOthers(
  db: Db,
  target: string,
  events: readonly ArrivedEvent[],
  there: Map<string, BodyHead>,
): Promise<string[]> {
  const respelled = events.filter(({id, sha256}) => there.get(id)?.sha256 !== sha256)
  const contents = await readContents(db, target, [...new Set(respelled.map(({id}) => id))])
  const conflicts: string[] = []
  for (const event of events) {
    const {id} = event
    const head = there.get(id) as BodyHead
    const verdict = judgeBody(event, head, contents.get(id)?.body)
    const isDisputed = verdict === 'ignore' || head.verification === 'forged'
    if (event.isListed) await endDoubts(db, target, event, isDisputed)
    if (verdict === 'same') await strengthenSender(db, target, event, head)
    if (verdict === 'replace') {
      await replaceBody(db, target, event)
      contents.set(id, event)
      there.set(id, {...buildEventRow(target, event)})
    }
    if (verdict !== 'beside' && verdict !== 'conflict') continue
    const beside = {...event, id: nameBeside(event)}
    await addEvents(db, target, [beside])
    await markConflicts(db, target, verdict === 'conflict' ? [id, beside.id] : [beside.id])
    if (verdict === 'conflict') conflicts.push(id)
  }
  return conflicts
}

/** The provider's list confirms an event: its body is no longer in doubt. */
async function endDoubts(db: Db, target: string, event: ArrivedEvent, isDisputed: boolean): Promise<void> {
  if (isDisputed) await decideTransmission(db, target, event)
  await markConflicts(db, target, [event.id], 0)
}

/** A result that our own run has written since is newer than a sighting. */
export async function storeSighting(
  db: Db,
  target: string,
  {event, answer, message, at}: Seen,
): Promise<void> {
  const head = (await readBodyHeads(db, target, [event.id])).get(event.id)
  const sender = findSender(readSenderEvidence(buildEventRow(target, event)))
  if (!head) return
  if (compareSenders(sender, findSender(readSenderEvidence(head))) < 0) {
    if (head.sha256 !== event.sha256) return
    const status = answer >= 200 && answer < 300 ? 'delivered' : 'failed'
    return addStrangersAttempt(db, target, event.id, {status, answer, message, at, sender})
  }
  await db
    .updateTable('webhook_event')
    .set(({eb}) => ({
      status: computeSeenStatus(answer),
      answer,
      message,
      attempts: eb('attempts', '+', 1),
      changed_at_ms: at.getTime(),
    }))
    .where('target', '=', target)
    .where('id', '=', event.id)
    .where('sha256', '=', event.sha256)
    .where('changed_at_ms', '<=', at.getTime())
    .where('status', '<>', 'delivered')
    .execute()
}

/** A resolved event does not become failed again. */
function computeSeenStatus(answer: number) {
  return answer >= 200 && answer < 300
    ? sql<string>`'delivered'`
    : sql<string>`case when status = 'resolved' then status else 'failed' end`
}

/** Deletes everything of one target. */
export async function deleteTarget(db: Db, target: string): Promise<void> {
  for (const table of EVENT_TABLES) await db.deleteFrom(table).where('target', '=', target).execute()
}

/** Deletes everything of targets whose names sort from `first` up to, but without, `end`. */
export async function deleteTargetRange(db: Db, first: string, end: string): Promise<void> {
  for (const table of EVENT_TABLES) {
    await db.deleteFrom(table).where('target', '>=', first).where('target', '<', end).execute()
  }
}

/** Moves events that were put aside into the inbox, as if they arrived now. */
export async function moveEvents(db: Db, from: string, target: string): Promise<void> {
  await moveKnown(db, from, target)
  for (const table of ['webhook_body', 'webhook_event'] as const) {
    await sql`
      update ${sql.table(table)} set target = ${target} where target = ${from} and not exists (
        select 1 from webhook_event as there where there.target = ${target} and there.id = ${sql.ref(`${table}.id`)})`.execute(
      db,
    )
    if (table === 'webhook_event') {
      await moveTransmissions(db, from, target)
      await db.deleteFrom('webhook_body').where('target', '=', from).execute()
      await db.deleteFrom('webhook_event').where('target', '=', from).execute()
    }
  }
}

/** Moves events that the inbox already has: they keep their status, unless another body replaces theirs. */
async function moveKnown(db: Db, from: string, target: string): Promise<void> {
  const {rows} = await sql<{id: string}>`
    select aside.id from webhook_event as aside
    join webhook_event as there on there.target = ${target} and there.id = aside.id
    where aside.target = ${from} and (aside.sha256 <> there.sha256 or aside.conflict = 1
      or aside.arrived_with <> there.arrived_with
      or coalesce(aside.verification, '') <> coalesce(there.verification, ''))`.execute(db)
  for (const ids of splitKeys(rows.map(({id}) => id))) await moveSome(db, from, {target, ids})
}

async function moveSome(
  db: Db,
  from: string,
  {target, ids}: {readonly target: string; readonly ids: readonly string[]},
): Promise<void> {
  const rows = await db
    .selectFrom('webhook_event')
    .innerJoin('webhook_body', join =>
      join
        .onRef('webhook_body.target', '=', 'webhook_event.target')
        .onRef('webhook_body.id', '=', 'webhook_event.id'),
    )
    .selectAll('webhook_event')
    .select(['webhook_body.headers', 'webhook_body.body'])
    .where('webhook_event.target', '=', from)
    .where('webhook_event.id', 'in', [...ids])
    .execute()
  for (const row of rows) {
    const {arrivedWith, verification, verificationReason} = readSenderEvidence(row)
    const isListed = verificationReason === 'listed'
    const {conflicts} = await addEvents(db, target, [{...parseStoredEvent(row), arrivedWith, isListed}])
    if (row.conflict === 1 && conflicts.length === 0) await markConflicts(db, target, [row.id])
    if (verification !== 'not-checked' && !isListed) await copyVerification(db, target, row)
  }
}

const STATUS = {done: 'delivered', failed: 'failed', unknown: 'unknown'} as const

/**
 * Updates the inbox from the records of a replay, in the same commit. A delivered event stays delivered, unless it was
 * sent again with an unknown result; a resolved event does not become failed again. A replay or a repair holds a
 * payment from each intent to its response.
 */
export function prepareReplayUpdate(database: LeaseClock): RecordListener {
  const text = compileUpdate(database)
  const holdPayments = preparePaymentHolds(database)
  return {
    onRecords: (db, {kind, target}, records) => holdPayments(db, target, kind, records),
    onResults: async (db, {kind, target}, results) => {
      if (kind !== 'replay') return
      await runBatch(
        db,
        createBatchStatement(
          text,
          results.map(record => buildParameters(target, record)),
        ),
      )
    },
  }
}

/** Its parameters are in the order of `buildParameters`. */
const compileUpdate = keepByEngine(
  ({engine, reads}: LeaseClock) =>
    sql`
    update ${chooseRecordsDialect({engine}).orFail} webhook_event
    set status = case when status in ('delivered', 'resolved') and ${''} = 'failed' then status else ${''} end, answer = ${null},
      message = ${null}, attempts = attempts + ${0}, changed_at_ms = ${0}
    where target = ${''} and id = ${''}`.compile(reads).sql,
)

function buildParameters(
  target: string,
  {item, resultClass, status, detail, attempt, at}: JournalEntry,
): unknown[] {
  const now = STATUS[resultClass as keyof typeof STATUS]
  return [now, now, status ?? null, detail ?? null, attempt, at.getTime(), target, item]
}

/**
 * Stores results of deliveries that others have seen, where they are the first or newer. The same sighting again
 * changes nothing, and a failed attempt does not settle an earlier one in doubt.
 */
export async function updateSighted(
  db: Kysely<RecordsTables>,
  target: string,
  sightings: readonly ObservedEvent[],
): Promise<void> {
  const there = await readBodyHeads(db, target, [...new Set(sightings.map(({id}) => id))])
  for (const {id, sha256, status, answer, message, at, sender} of sightings) {
    const atMs = at.getTime()
    const head = there.get(id)
    if (!head) continue
    // The result of a stranger's call says nothing about the event that the provider sent.
    if (compareSenders(sender, findSender(readSenderEvidence(head))) < 0) {
      if (head.sha256 === sha256)
        await addStrangersAttempt(db, target, id, {status, answer, message, at, sender})
      continue
    }
    await sql`
      update webhook_event
      set status = case when status = 'unknown' and ${status} = 'failed' then status else ${status} end, answer = ${answer}, message = ${message}, attempts = attempts + 1,
        changed_at_ms = case when changed_at_ms < ${atMs} then ${atMs} else changed_at_ms end
      where target = ${target} and id = ${id} and (sha256 = ${sha256} or conflict = 0)
        and status not in ('delivered', 'resolved')
        and ((status = 'pending' and attempts = 0 and answer is null) or changed_at_ms < ${atMs})`.execute(db)
  }
}
