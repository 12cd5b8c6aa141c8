import {hash} from 'node:crypto'
import {removeListOnly} from '../../providers/same-content.js'
import {detectEngine, type UntypedDatabase} from '../../storage/engine/database.js'
import {chooseRecordsDialect} from './choose-dialect.js'
import {EVENT_TABLES, type RecordsTables} from './schema.js'
import {readByKeyset} from './sql.js'

type StoredBody = RecordsTables['webhook_body']

/**
 * Removes members that only the provider's list has from bodies that an earlier version stored from it: they contain
 * the shop's token. Signed bodies stay byte for byte.
 */
export async function removeListMembers(db: UntypedDatabase): Promise<void> {
  await chooseRecordsDialect({engine: detectEngine(db)}).prepareDeletion(db)
  for await (const row of readByKeyset(undefined, (after: StoredBody | undefined, size) =>
    readBodies(db, after, size),
  )) {
    const body = removeListOnly(row.body, JSON.parse(row.headers))
    if (body !== row.body) await replaceBody(db, {...row, body})
  }
}

function readBodies(db: UntypedDatabase, after: StoredBody | undefined, size: number): Promise<StoredBody[]> {
  let rows = db.selectFrom('webhook_body').selectAll()
  if (after)
    rows = rows.where(({eb, refTuple, tuple}) =>
      eb(refTuple('target', 'id'), '>', tuple(after.target, after.id)),
    )
  return rows.orderBy('target').orderBy('id').limit(size).execute() as Promise<StoredBody[]>
}

async function replaceBody(db: UntypedDatabase, {target, id, body}: StoredBody): Promise<void> {
  const sha256 = hash('sha256', body)
  const values = {webhook_body: {body}, webhook_event: {sha256, size_bytes: body.length}}
  for (const [table, changed] of Object.entries(values))
    await db.updateTable(table).set(changed).where('target', '=', target).where('id', '=', id).execute()
  await renameBeside(db, {target, id, sha256})
}

/** A body that is stored beside another of its id is named after its hash. */
async function renameBeside(
  db: UntypedDatabase,
  {target, id, sha256}: {readonly target: string; readonly id: string; readonly sha256: string},
): Promise<void> {
  const [, base, digits] = /^(.*)~([0-9a-f]{12})$/.exec(id) ?? []
  if (base === undefined || digits === undefined) return
  const name = `${base}~${sha256.slice(0, digits.length)}`
  const taken = await db
    .selectFrom('webhook_event')
    .select('id')
    .where('target', '=', target)
    .where('id', '=', name)
    .executeTakeFirst()
  if (taken) return
  for (const table of EVENT_TABLES)
    await db.updateTable(table).set({id: name}).where('target', '=', target).where('id', '=', id).execute()
}
