import {type Kysely, sql} from 'kysely'
import {haveSameContent, isListedContent} from '../../providers/same-content.js'
import {detectEngine} from '../../storage/engine/database.js'
import type {ArrivedEvent, WebhookEvent} from '../../webhook/event/event.js'
import {
  compareSenders,
  type EventSender,
  findSender,
  isSignedEvent,
  isTrusted,
} from '../../webhook/event/sender.js'
import type {SeenAttempt} from '../../webhook/inbox/inbox.js'
import {EVENT_TABLES, type RecordsTables, type WebhookEventTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {buildBodyRow, buildEventRow, readSenderEvidence} from './event-rows.js'

type Db = Kysely<RecordsTables>

/** Columns that determine how far a row's body is trusted. */
export type BodyHead = Pick<
  WebhookEventTable,
  'id' | 'sha256' | 'arrived_with' | 'verification' | 'verification_reason' | 'conflict'
>

/**
 * What to do with a body whose id exists already:
 *
 * - `same`: it has the same content
 * - `replace`: its sender is the stronger, so it replaces the other
 * - `beside`: its sender is the weaker: it is stored beside the other, and only it is marked
 * - `conflict`: neither is the stronger: it is stored beside the other, and both are marked
 * - `ignore`: the provider's list differs from a body that the provider signed
 */
export type BodyVerdict = 'same' | 'replace' | 'beside' | 'conflict' | 'ignore'

/** Compares a new body with the stored one of the same id. */
export function judgeBody(event: ArrivedEvent, there: BodyHead, stored: Uint8Array | undefined): BodyVerdict {
  const isSame =
    event.sha256 === there.sha256 ||
    (stored !== undefined &&
      (event.isListed ? isListedContent(event.body, stored) : haveSameContent(stored, event.body)))
  if (isSame) return 'same'
  const evidence = readSenderEvidence(there)
  if (event.isListed) return isSignedEvent(evidence) ? 'ignore' : 'replace'
  const order = compareSenders(findSender(readSenderEvidence(buildEventRow('', event))), findSender(evidence))
  if (order === 0) return 'conflict'
  return order > 0 ? 'replace' : 'beside'
}

/** Digits of the hash that tell two bodies of one id apart. */
const HASH_DIGITS = 12

/** The id for storing a body whose own id belongs to another. */
export function nameBeside({id, sha256}: Pick<WebhookEvent, 'id' | 'sha256'>): string {
  return `${id}~${sha256.slice(0, HASH_DIGITS)}`
}

function findBaseId(id: string): string {
  return id.replace(/~[0-9a-f]{12}$/, '')
}

/** Marks rows whose id has several bodies. */
export async function markConflicts(
  db: Db,
  target: string,
  ids: readonly string[],
  conflict: 0 | 1 = 1,
): Promise<void> {
  for (const some of splitKeys(ids)) {
    await db
      .updateTable('webhook_event')
      .set({conflict})
      .where('target', '=', target)
      .where('id', 'in', some)
      .where('conflict', '<>', conflict)
      .execute()
  }
}

/**
 * Replaces the body of an id. The known results of deliveries stay only where the old body had an accepted sender: the
 * result of a stranger's call says nothing about the new one.
 */
export async function replaceBody(db: Db, target: string, event: ArrivedEvent): Promise<void> {
  const there = await db
    .selectFrom('webhook_event')
    .selectAll()
    .where('target', '=', target)
    .where('id', '=', event.id)
    .executeTakeFirst()
  const row = buildEventRow(target, event)
  const isKept = there !== undefined && isTrusted(findSender(readSenderEvidence(there)))
  const {status, answer, message, attempts, changed_at_ms, in_flight_by, in_flight_until_ms} = there ?? row
  const kept = isKept
    ? {status, answer, message, attempts, changed_at_ms, received_at_ms: there.received_at_ms}
    : {}
  const {target: _, id: __, ...values} = {...row, ...kept, in_flight_by, in_flight_until_ms}
  await db
    .updateTable('webhook_event')
    .set(values)
    .where('target', '=', target)
    .where('id', '=', event.id)
    .execute()
  const {headers, body} = buildBodyRow(target, event)
  await db
    .updateTable('webhook_body')
    .set({headers, body})
    .where('target', '=', target)
    .where('id', '=', event.id)
    .execute()
}

/** Stores stronger evidence of the sender from a further copy of a stored body. */
export async function strengthenSender(
  db: Db,
  target: string,
  event: ArrivedEvent,
  there: BodyHead,
): Promise<void> {
  const row = buildEventRow(target, event)
  const {arrivedWith, verification} = readSenderEvidence(there)
  const isStronger = compareSenders(readSenderEvidence(row).arrivedWith, arrivedWith) > 0
  const isConfirmed = event.isListed === true && verification !== 'verified'
  if (!isStronger && !isConfirmed) return
  const {arrived_with, token_digest, verification: listed, verification_reason} = row
  await db
    .updateTable('webhook_event')
    .set({
      ...(isStronger ? {arrived_with, token_digest} : {}),
      ...(isConfirmed ? {verification: listed, verification_reason, conflict: 0} : {}),
    })
    .where('target', '=', target)
    .where('id', '=', event.id)
    .execute()
}

/** Most calls of strangers that are stored with one event: anyone who knows its body may make any number. */
const MOST_OF_STRANGERS = 20

/**
 * Stores the result of a call with an event's body from a weaker sender, without changing the event's own status. The
 * same sighting again is the same attempt.
 */
export async function addStrangersAttempt(
  db: Db,
  target: string,
  id: string,
  {at, status, answer, message, sender}: SeenAttempt & {readonly sender: EventSender},
): Promise<void> {
  const ofEvent = sql`target = ${target} and id = ${id}`
  // Numbering an event's attempts locks its row until the end of the write.
  await sql`update webhook_event set in_flight_by = in_flight_by where ${ofEvent}`.execute(db)
  const atMs = at.getTime()
  const {rows} = await sql<{count: number; same: number}>`
    select count(*) as count, count(case when at_ms = ${atMs} then 1 end) as same
    from webhook_attempt where ${ofEvent} and sender is not null`.execute(db)
  if (rows.some(({count, same}) => Number(count) >= MOST_OF_STRANGERS || Number(same) > 0)) return
  const numbered = detectEngine(db) === 'sqlite' ? sql`true` : ofEvent
  await sql`
    insert into webhook_attempt (number, target, id, at_ms, status, answer, message, sender)
    select coalesce(max(number), 0) + 1, ${target}, ${id}, ${sql.lit(atMs)}, ${status}, ${sql.lit(answer)}, ${message}, ${sender}
    from webhook_attempt where ${numbered}`.execute(db)
}

/** Stores a check from elsewhere with the body that was checked. */
export async function copyVerification(
  db: Db,
  target: string,
  {id, sha256, verification, verification_reason}: WebhookEventTable,
): Promise<void> {
  await db
    .updateTable('webhook_event')
    .set({verification, verification_reason})
    .where('target', '=', target)
    .where('sha256', '=', sha256)
    .where('id', 'in', [id, nameBeside({id, sha256})])
    .where(({eb, or}) => or([eb('verification', 'is', null), eb('verification', '<>', 'verified')]))
    .execute()
  await decideConflicts(db, target, [id, nameBeside({id, sha256})])
}

/** Columns for comparing two bodies of one id. */
const HEAD_COLUMNS = [
  'id',
  'sha256',
  'arrived_with',
  'verification',
  'verification_reason',
  'conflict',
] as const

/** Reads the stored bodies of some ids. */
export async function readBodyHeads(
  db: Db,
  target: string,
  ids: readonly string[],
): Promise<Map<string, BodyHead>> {
  const found = new Map<string, BodyHead>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(HEAD_COLUMNS)
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

/**
 * Resolves conflicts after checks: of several bodies under one id, the one with the strongest sender gets the id, and
 * is no longer in conflict.
 *
 * @param checked ids of rows whose sender may have changed
 */
export async function decideConflicts(db: Db, target: string, checked: readonly string[]): Promise<void> {
  const marked = [...(await readBodyHeads(db, target, checked)).values()].filter(
    ({conflict}) => conflict === 1,
  )
  for (const base of new Set(marked.map(({id}) => findBaseId(id)))) await decideConflict(db, target, base)
}

/** Reads all bodies of one id: the one that has it, and those beside it. */
export function readHeadsUnder(db: Db, target: string, base: string): Promise<BodyHead[]> {
  return db
    .selectFrom('webhook_event')
    .select(HEAD_COLUMNS)
    .where('target', '=', target)
    .where(({eb, or, and}) =>
      or([eb('id', '=', base), and([eb('id', '>=', `${base}~`), eb('id', '<', `${base}~g`)])]),
    )
    .execute()
}

async function decideConflict(db: Db, target: string, base: string): Promise<void> {
  const rows = await readHeadsUnder(db, target, base)
  const rank = (row: BodyHead) => findSender(readSenderEvidence(row))
  const [first, second] = [...rows].sort((one, other) => compareSenders(rank(other), rank(one)))
  const main = rows.find(({id}) => id === base)
  if (!first || !second || !main || compareSenders(rank(first), rank(second)) <= 0) return
  if (first.id !== base) {
    await renameEvent(db, target, base, nameBeside(main))
    await renameEvent(db, target, first.id, base)
    await markConflicts(db, target, [nameBeside(main)])
  }
  await markConflicts(db, target, [base], 0)
}

async function renameEvent(db: Db, target: string, from: string, id: string): Promise<void> {
  for (const table of EVENT_TABLES)
    await db.updateTable(table).set({id}).where('target', '=', target).where('id', '=', from).execute()
}
