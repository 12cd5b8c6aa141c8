import {type Kysely, sql} from 'kysely'
import type {DueAlert, Incident, IncidentStore} from '../alerts/incident.js'
import {type Database, LONGEST_LEASE_MS} from '../storage/engine/database.js'
import type {IncidentTable, RecordsTables} from './schema/schema.js'

/** The end of an open incident. */
const OPEN = 0

/** Stores incidents of shops. */
export function createIncidentStore({
  writes,
  selectLeaseMs,
  selectNowMs,
}: Pick<Database<RecordsTables>, 'writes' | 'selectLeaseMs' | 'selectNowMs'>): IncidentStore {
  const setClaim = (db: Kysely<RecordsTables>, id: string, ms: number) =>
    db
      .updateTable('incident')
      .set({claimed_until_ms: sql<number>`${selectLeaseMs()} + ${sql.lit(ms)}`})
      .where('id', '=', id)
  const matchFree = () => sql<boolean>`(claimed_until_ms <= ${selectLeaseMs()}
    or claimed_until_ms > ${selectLeaseMs()} + ${sql.lit(LONGEST_LEASE_MS)})`
  return {
    open: (incident, isSent) => writes.run(db => openIncident(db, incident, isSent)),
    close: (target, kind, until, isSent) =>
      writes.run(async db => {
        const closed_at_ms = until.getTime()
        await db
          .updateTable('incident')
          .set({closed_at_ms, closed_sent_at_ms: isSent ? closed_at_ms : null})
          .where('target', '=', target)
          .where('kind', '=', kind)
          .where('closed_at_ms', '=', OPEN)
          .execute()
      }),
    claim: (target, forMs) =>
      writes.run(async db => {
        const row = await db
          .selectFrom('incident')
          .selectAll()
          .where('target', '=', target)
          .where(sql<boolean>`(sent_at_ms is null or (closed_at_ms > 0 and closed_sent_at_ms is null))`)
          .where(matchFree())
          .orderBy('opened_at_ms')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
        const isMine = row && (await setClaim(db, row.id, forMs).where(matchFree()).returning('id').execute())
        return isMine?.length ? parseDue(row as IncidentTable) : undefined
      }),
    release: (id, afterMs) => writes.run(async db => void (await setClaim(db, id, afterMs).execute())),
    finish: ({incident: {id}, state}) =>
      writes.run(async db => {
        const sent = state === 'open' ? {sent_at_ms: selectNowMs()} : {closed_sent_at_ms: selectNowMs()}
        await db
          .updateTable('incident')
          .set({...sent, claimed_until_ms: 0})
          .where('id', '=', id)
          .execute()
      }),
  }
}

/** The key allows one open incident of a kind; one that another process closed since it began is the same. */
async function openIncident(
  db: Kysely<RecordsTables>,
  {id, target, kind, since, until: _, ...facts}: Incident,
  isSent: boolean,
): Promise<void> {
  const opened_at_ms = since.getTime()
  const known = await db
    .selectFrom('incident')
    .select('id')
    .where('target', '=', target)
    .where('kind', '=', kind)
    .where('closed_at_ms', '>=', opened_at_ms)
    .limit(1)
    .execute()
  if (known.length > 0) return
  await db
    .insertInto('incident')
    .values({
      ...{id, target, kind, opened_at_ms, sent_at_ms: isSent ? opened_at_ms : null},
      ...{closed_at_ms: OPEN, closed_sent_at_ms: null, claimed_until_ms: 0, facts: JSON.stringify(facts)},
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

function parseDue({id, target, kind, facts, ...row}: IncidentTable): DueAlert {
  const isOver = row.sent_at_ms !== null
  const until = isOver ? new Date(row.closed_at_ms) : null
  const known = {id, target, kind: kind as Incident['kind'], since: new Date(row.opened_at_ms), until}
  return {incident: {...known, ...JSON.parse(facts)}, state: isOver ? 'over' : 'open'}
}
