import {findProvider} from '../../providers/providers.js'
import {assertOneOf} from '../../runs/journal/assert-records.js'
import type {LocalProcess} from '../../runs/workers/liveness.js'
import {detectEngine} from '../../storage/engine/database.js'
import type {ParameterType} from '../../storage/engine/statement.js'
import type {ArrivedEvent, EventContent, InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {STATUSES} from '../../webhook/event/event-status.js'
import {type ArrivedWith, findSender, type SenderEvidence} from '../../webhook/event/sender.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import type {RecordsTables, WebhookEventTable} from '../schema/schema.js'
import {prepareBulkWrite} from '../schema/sql.js'
import {isHolderGone} from './holders.js'

const EVENT_COLUMNS = {
  ...{target: 'text', id: 'text', sha256: 'text', size_bytes: 'integer', type: 'text'},
  ...{created_at_ms: 'integer', received_at_ms: 'integer', resource_type: 'text', resource_version: 'text'},
  ...{transaction_key: 'text', ordering_keys: 'text', traits: 'text', source: 'text', status: 'text'},
  ...{answer: 'integer', message: 'text', attempts: 'integer', changed_at_ms: 'integer', conflict: 'integer'},
  ...{
    in_flight_until_ms: 'integer',
    in_flight_by: 'text',
    verification: 'text',
    verification_reason: 'text',
    arrived_with: 'text',
    token_digest: 'text',
    order_number: 'text',
    cause: 'text',
    cause_for_ms: 'integer',
  },
} as const satisfies Record<keyof WebhookEventTable, ParameterType>

/** Inserts rows of events. */
export const insertEventRows = prepareBulkWrite<RecordsTables, WebhookEventTable>(EVENT_COLUMNS, (db, rows) =>
  chooseRecordsDialect({engine: detectEngine(db)}).insertEvents(db, rows),
)

/** Inserts their bodies. */
export const insertBodyRows = prepareBulkWrite<RecordsTables, RecordsTables['webhook_body']>(
  {target: 'text', id: 'text', headers: 'text', body: 'blob'},
  (db, rows) => db.insertInto('webhook_body').values(rows).compile(),
)

/** A new event as a row, not delivered yet. */
export function buildEventRow(target: string, event: ArrivedEvent): WebhookEventTable {
  const {id, sha256, type, createdAt, receivedAt, source, traits} = event
  return {
    target,
    id,
    sha256,
    size_bytes: event.sizeBytes,
    type,
    created_at_ms: createdAt.getTime(),
    received_at_ms: receivedAt.getTime(),
    resource_type: event.resourceType,
    resource_version: event.resourceVersion,
    transaction_key: traits.keyText,
    ordering_keys: JSON.stringify(event.orderingKeys),
    traits: JSON.stringify(traits),
    source,
    status: 'pending',
    answer: null,
    message: null,
    attempts: 0,
    changed_at_ms: receivedAt.getTime(),
    conflict: 0,
    in_flight_until_ms: null,
    in_flight_by: null,
    verification: event.isListed ? 'verified' : null,
    verification_reason: event.isListed ? 'listed' : null,
    arrived_with: event.arrivedWith ?? findUsualArrival(event),
    token_digest: event.tokenDigest ?? null,
    order_number: null,
    cause: null,
    cause_for_ms: null,
  }
}

/** The sender of an event that came without evidence. */
function findUsualArrival({traits}: WebhookEvent): ArrivedWith {
  return findProvider(traits.provider).token === null ? 'not-needed' : 'unverified'
}

/** Reads the evidence of the sender from a row. */
export function readSenderEvidence({
  arrived_with,
  verification,
  verification_reason,
}: Pick<WebhookEventTable, 'arrived_with' | 'verification' | 'verification_reason'>): SenderEvidence &
  Pick<InboxEvent, 'verificationReason'> {
  return {
    arrivedWith: arrived_with as ArrivedWith,
    verification: (verification ?? 'not-checked') as InboxEvent['verification'],
    verificationReason: verification_reason as InboxEvent['verificationReason'],
  }
}

export function buildBodyRow(
  target: string,
  {id, headers, body}: WebhookEvent,
): RecordsTables['webhook_body'] {
  return {target, id, headers: JSON.stringify(headers), body}
}

/** Further columns that are read with an event's row. */
type ReadColumns = Readonly<Record<'resolvedBy' | 'resolvedReason' | 'resolvedRun', string | null>> &
  Readonly<Record<'resolvedAt' | 'is_in_flight', number | null>>

function parseResolution({resolvedAt, resolvedBy, resolvedReason, resolvedRun}: ReadColumns) {
  if (resolvedAt === null || resolvedBy === null) return undefined
  return {at: new Date(Number(resolvedAt)), who: resolvedBy, reason: resolvedReason, run: resolvedRun}
}

/**
 * @param row with the state of its lease at the time of reading, and who resolved it
 * @param local the reading process: a capture of the same machine that has ended has nothing in flight
 */
export function parseEventRow(row: WebhookEventTable & ReadColumns, local: LocalProcess): InboxEvent {
  const evidence = readSenderEvidence(row)
  return {
    id: row.id,
    type: row.type,
    createdAt: new Date(row.created_at_ms),
    receivedAt: new Date(row.received_at_ms),
    resourceType: row.resource_type,
    resourceVersion: row.resource_version,
    orderingKeys: JSON.parse(row.ordering_keys),
    traits: JSON.parse(row.traits),
    sha256: row.sha256,
    sizeBytes: row.size_bytes,
    source: row.source,
    status: assertOneOf(row.status, STATUSES, `the status of event ${row.id}`),
    answer: row.answer,
    message: row.message,
    attempts: row.attempts,
    changedAt: new Date(row.changed_at_ms),
    hasConflict: row.conflict === 1,
    isInFlight: row.is_in_flight === 1 && !isHolderGone(row.in_flight_by, local),
    sender: findSender(evidence),
    verification: evidence.verification,
    verificationReason: evidence.verificationReason,
    orderNumber: row.order_number,
    resolution: parseResolution(row),
    cause: row.cause_for_ms === row.changed_at_ms ? (row.cause as InboxEvent['cause']) : null,
  }
}

export function parseBodyRow({
  headers,
  body,
}: Pick<RecordsTables['webhook_body'], 'headers' | 'body'>): EventContent {
  return {headers: JSON.parse(headers), body}
}

/** An event as it arrived, from its rows. */
export function parseStoredEvent(
  row: WebhookEventTable & Pick<RecordsTables['webhook_body'], 'headers' | 'body'>,
): ArrivedEvent {
  return {
    ...{id: row.id, type: row.type, sha256: row.sha256, sizeBytes: row.size_bytes, source: row.source},
    ...{createdAt: new Date(row.created_at_ms), receivedAt: new Date(row.received_at_ms)},
    ...{resourceType: row.resource_type, resourceVersion: row.resource_version},
    ...{orderingKeys: JSON.parse(row.ordering_keys), traits: JSON.parse(row.traits)},
    ...{tokenDigest: row.token_digest ?? undefined, ...parseBodyRow(row)},
  }
}
