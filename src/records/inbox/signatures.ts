import {type CompiledQuery, type Kysely, sql} from 'kysely'
import {haveSameContent, isListedContent} from '../../providers/same-content.js'
import type {Database} from '../../storage/engine/database.js'
import {createBatchStatement} from '../../storage/engine/statement.js'
import type {ArrivedEvent} from '../../webhook/event/event.js'
import type {Verification, VerificationReason} from '../../webhook/event/verification.js'
import type {CheckedEvent, SignatureStore} from '../../webhook/inbox/signature-store.js'
import type {RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {decideConflicts, nameBeside, readHeadsUnder} from './competing-bodies.js'
import {readContents} from './event-contents.js'

type Db = Kysely<RecordsTables>
type Transmission = RecordsTables['webhook_transmission']

/** Checks of the provider's signatures, stored with their events. */
export function createSignatureStore({reads, writes}: Database<RecordsTables>): SignatureStore {
  const statements = compileStatements(reads)
  return {
    store: (target, checks) => writes.run(db => storeChecks(db, target, checks, statements)),
    listWebhookIds: async target => {
      const rows = await reads
        .selectFrom('webhook_registration')
        .select('webhook_id')
        .where('target', '=', target)
        .orderBy('seen_at_ms', 'desc')
        .orderBy('webhook_id')
        .execute()
      return rows.map(row => row.webhook_id)
    },
    addWebhookIds: (target, webhookIds, at) => writes.run(db => addWebhookIds(db, target, webhookIds, at)),
  }
}

type Statements = ReturnType<typeof compileStatements>

function compileStatements(db: Db): {readonly insert: CompiledQuery; readonly update: CompiledQuery} {
  return {
    insert: sql`
      insert into webhook_transmission (target, transmission_id, id, sha256)
      values (${''}, ${''}, ${''}, ${''}) on conflict (target, transmission_id) do nothing`.compile(db),
    update: sql`
      update webhook_event set verification = ${''}, verification_reason = ${null}
      where target = ${''} and id in (${''}, ${''}) and sha256 = ${''} and coalesce(verification, '') <> 'verified'
        and (${''} = 'verified' or exists (
          select 1 from webhook_body as content
          where content.target = webhook_event.target and content.id = webhook_event.id and content.headers = ${''}))`.compile(
      db,
    ),
  }
}

async function storeChecks(
  db: Db,
  target: string,
  checks: readonly CheckedEvent[],
  statements: Statements,
): Promise<Verification[]> {
  const known = await findTransmissions(db, target, checks)
  const results: Verification[] = []
  const fresh: Transmission[] = []
  for (const check of checks) {
    const result = await judge(db, target, check, known.get(check.transmissionId))
    results.push(result)
    if (result.result !== 'verified' || known.has(check.transmissionId)) continue
    const {transmissionId: transmission_id, id, sha256} = check
    const row = {target, transmission_id, id, sha256}
    known.set(transmission_id, row)
    fresh.push(row)
  }
  await runEach(
    db,
    statements.insert,
    fresh.map(row => [row.target, row.transmission_id, row.id, row.sha256]),
  )
  await runEach(
    db,
    statements.update,
    checks.map(({id, sha256, headers}, at) => {
      const {result, reason} = results[at] as Verification
      const beside = nameBeside({id, sha256})
      return [result, reason, target, id, beside, sha256, result, JSON.stringify(headers)]
    }),
  )
  const decided = checks
    .filter((_, at) => results[at]?.result !== 'not-checked')
    .flatMap(check => [check.id, nameBeside(check)])
  await decideConflicts(db, target, decided)
  return results
}

async function runEach(db: Db, statement: CompiledQuery, rows: readonly unknown[][]): Promise<void> {
  if (rows.length > 0) await db.executeQuery(createBatchStatement(statement.sql, rows))
}

async function findTransmissions(
  db: Db,
  target: string,
  checks: readonly CheckedEvent[],
): Promise<Map<string, Transmission>> {
  const found = new Map<string, Transmission>()
  for (const some of splitKeys([...new Set(checks.map(({transmissionId}) => transmissionId))])) {
    const rows = await db
      .selectFrom('webhook_transmission')
      .selectAll()
      .where('target', '=', target)
      .where('transmission_id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.transmission_id, row)
  }
  return found
}

/** A transmission has one body: a second one is forged, unless it is the first in another spelling. */
async function judge(
  db: Db,
  target: string,
  {result, reason, sha256, body}: CheckedEvent,
  there: Transmission | undefined,
): Promise<Verification> {
  if (!there || there.sha256 === sha256 || reason === 'changed-bytes') return {result, reason}
  const stored = (await readContents(db, target, [there.id])).get(there.id)
  // The transmission outlives its event, so the body to compare with may have been deleted.
  if (result !== 'verified' && stored === undefined) return {result, reason}
  const isRespelled = result !== 'verified' && stored !== undefined && haveSameContent(stored.body, body)
  return isRespelled ? {result: 'not-checked', reason: 'changed-bytes'} : FORGED
}

const OTHER_BODY = 'other-body' satisfies VerificationReason
const FORGED: Verification = {result: 'forged', reason: OTHER_BODY}

/**
 * Decides between two bodies of one transmission by the provider's own response: the body that agrees with the
 * provider's list is genuine, and the earlier one, crafted to have the same CRC-32, is forged.
 *
 * @param listed an event of the provider's list
 */
export async function decideTransmission(db: Db, target: string, listed: ArrivedEvent): Promise<void> {
  const heads = await readHeadsUnder(db, target, listed.id)
  const refused = heads.filter(head => head.verification_reason === OTHER_BODY)
  const contents = await readContents(
    db,
    target,
    refused.map(({id}) => id),
  )
  const genuine = refused.find(({id}) => {
    const content = contents.get(id)
    return content && isListedContent(listed.body, content.body)
  })
  if (!genuine) return
  const values = contents.get(genuine.id)?.headers.map(([, value]) => value) ?? []
  const forged = await db
    .selectFrom('webhook_transmission')
    .selectAll()
    .where('target', '=', target)
    .where('transmission_id', 'in', [...new Set(values)])
    .where('sha256', '<>', genuine.sha256)
    .execute()
  const mark = (ids: string[], sha256: string, {result, reason}: Verification) =>
    db
      .updateTable('webhook_event')
      .set({verification: result, verification_reason: reason})
      .where('target', '=', target)
      .where('id', 'in', ids)
      .where('sha256', '=', sha256)
      .execute()
  await mark([genuine.id], genuine.sha256, {result: 'verified', reason: 'listed'})
  const checked = [genuine.id]
  for (const {id, sha256, transmission_id} of forged) {
    const ids = [id, nameBeside({id, sha256})]
    await mark(ids, sha256, FORGED)
    await db
      .updateTable('webhook_transmission')
      .set({id: genuine.id, sha256: genuine.sha256})
      .where('target', '=', target)
      .where('transmission_id', '=', transmission_id)
      .execute()
    checked.push(...ids)
  }
  await decideConflicts(db, target, checked)
}

async function addWebhookIds(db: Db, target: string, webhookIds: readonly string[], at: Date): Promise<void> {
  const seen_at_ms = at.getTime()
  for (const webhook_id of new Set(webhookIds)) {
    await db
      .insertInto('webhook_registration')
      .values({target, webhook_id, seen_at_ms})
      .onConflict(conflict => conflict.columns(['target', 'webhook_id']).doUpdateSet({seen_at_ms}))
      .execute()
  }
}

/** Moves the verified transmissions of events that were put aside. Existing ones stay. */
export async function moveTransmissions(db: Db, from: string, target: string): Promise<void> {
  await sql`
    insert into webhook_transmission (target, transmission_id, id, sha256)
    select ${target}, transmission_id, id, sha256 from webhook_transmission where target = ${from}
    on conflict (target, transmission_id) do nothing`.execute(db)
  await db.deleteFrom('webhook_transmission').where('target', '=', from).execute()
}
