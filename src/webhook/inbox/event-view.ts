import type {AttemptRow, EventRecord, EventRow} from '../../contract/event-rows.js'
import type {View} from '../../output/view.js'
import type {Present} from '../../payment/present-states.js'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import type {Headers} from '../event/headers.js'
import type {Resolution, SeenAttempt} from './inbox.js'

export const EVENTS: View = {
  hasAnyField: true,
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'status', priority: 1},
    {path: 'type', priority: 7},
    {path: 'answer', kind: 'number', priority: 8},
    {path: 'message', priority: 3},
    {path: 'createdAt', header: 'CREATED', ageHeader: 'AGE', kind: 'time', priority: 5},
    {path: 'attempts', kind: 'number', priority: 9},
    {path: 'cause', priority: 2},
    {path: 'orderNumber', header: 'ORDER', priority: 6},
    {path: 'amount', kind: 'money', priority: 4},
    {path: 'resolvedReason', header: 'RESOLVED', priority: 6},
    {path: 'resolvedBy', header: 'RESOLVED BY', priority: 10},
    {path: 'resolvedAt', ageHeader: 'RESOLVED AGE', kind: 'time', priority: 11},
  ],
}

export const EVENT: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'type'},
    {path: 'status'},
    {path: 'answer', kind: 'number'},
    {path: 'message'},
    {path: 'attempts', kind: 'number'},
    {path: 'createdAt', kind: 'time'},
    {path: 'receivedAt', kind: 'time'},
    {path: 'changedAt', kind: 'time'},
    {path: 'orderNumber', label: 'Order'},
    {path: 'amount', kind: 'money'},
    {path: 'cause'},
    {path: 'resolvedReason'},
    {path: 'resolvedBy'},
    {path: 'resolvedAt', kind: 'time'},
    {path: 'resolvedRun'},
    {path: 'transaction'},
    {path: 'state'},
    {path: 'stateWhy', label: 'State unknown'},
    {path: 'sender'},
    {path: 'verification'},
    {path: 'verificationReason'},
    {path: 'source'},
    {path: 'sizeBytes', kind: 'bytes'},
    {path: 'sha256'},
    {path: 'body'},
  ],
}

export const ATTEMPTS: View = {
  noun: ['attempt', 'attempts'],
  id: 'run',
  columns: [
    {path: 'at', kind: 'time'},
    {path: 'by'},
    {path: 'run'},
    {path: 'attempt', kind: 'number'},
    {path: 'result'},
    {path: 'status', kind: 'number'},
    {path: 'detail', isProse: true},
    {path: 'sender'},
  ],
}

/** An event of the inbox as it is printed. Keys are stable. */
function toEventRow(event: InboxEvent): EventRow {
  return {
    id: event.id,
    status: event.status,
    type: event.type,
    answer: event.answer,
    message: event.message,
    createdAt: event.createdAt.toISOString(),
    receivedAt: event.receivedAt.toISOString(),
    changedAt: event.changedAt.toISOString(),
    attempts: event.attempts,
    transaction: event.traits.keyText,
    resourceType: event.resourceType,
    source: event.source,
    sizeBytes: event.sizeBytes,
    sha256: event.sha256,
    conflict: event.hasConflict,
    sender: event.sender,
    verification: event.verification,
    verificationReason: event.verificationReason,
    orderNumber: event.orderNumber,
    amount: event.traits.amount ?? null,
    cause: event.cause,
    resolvedAt: event.resolution?.at.toISOString() ?? null,
    resolvedBy: event.resolution?.who ?? null,
    resolvedReason: event.resolution?.reason ?? null,
    resolvedRun: event.resolution?.run ?? null,
  }
}

/** One event with its body; `body` is the parsed value, not the bytes. */
export function toEventRecord(
  event: InboxEvent,
  {headers, body}: EventContent,
  withHeaders: boolean,
  state: ReturnType<typeof stateColumns>,
): EventRecord {
  return {
    ...toEventRow(event),
    ...state,
    ...(withHeaders ? {headers: groupHeaders(headers)} : {}),
    body: decodeBody(body),
  }
}

/** A capture also stores bodies that are not JSON: they are shown as text. */
function decodeBody(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A header that came more than once is a list. */
function groupHeaders(headers: Headers): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const before = all[name]
    all[name] = before === undefined ? value : [...[before].flat(), value]
  }
  return all
}

/** The state of an event's transaction, or why it is unknown. */
export function stateColumns(now: Present): {state: string | null; stateWhy: string | null} {
  switch (now.kind) {
    case 'found':
      return {state: now.transaction.state, stateWhy: null}
    case 'absent':
      return {state: null, stateWhy: 'the shop does not know this transaction'}
    case 'unnamed':
      return {state: null, stateWhy: 'the event names no transaction'}
    default:
      return {state: null, stateWhy: now.why}
  }
}

/**
 * The history of an event, the oldest first: entries of runs, deliveries by others, and changes by hand.
 *
 * @param seen deliveries stored in the inbox; those of our own runs are among them, with the time of their entry
 */
export function attemptRows(
  records: readonly JournalEntry[],
  seen: readonly SeenAttempt[],
  resolutions: readonly Resolution[],
): AttemptRow[] {
  const ours = new Set(records.map(({at}) => at.getTime()))
  return [
    ...records.map(toRunAttempt),
    ...seen.filter(({at}) => !ours.has(at.getTime())).map(toObservedAttempt),
    ...resolutions.map(toResolutionAttempt),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function toRunAttempt({at, runId, attempt, result, resultClass, status, detail}: JournalEntry): AttemptRow {
  return {
    ...{at: at.toISOString(), by: 'run', run: runId, attempt},
    result: result ?? resultClass ?? null,
    status: status ?? null,
    ...{detail: detail ?? null, sender: null},
  }
}

function toObservedAttempt({at, status, answer, message, sender}: SeenAttempt): AttemptRow {
  const nobody = {run: null, attempt: null}
  return {
    at: at.toISOString(),
    by: 'delivery',
    ...nobody,
    result: status,
    status: answer,
    detail: message,
    sender,
  }
}

function toResolutionAttempt({at, who, kind, reason, run}: Resolution): AttemptRow {
  const detail = reason === null ? who : `${who}: ${reason}`
  return {
    at: at.toISOString(),
    by: 'person',
    run,
    attempt: null,
    result: kind,
    status: null,
    detail,
    sender: null,
  }
}

/** Rows of events, as they come. */
export async function* streamEventRows(events: AsyncIterable<InboxEvent>) {
  for await (const event of events) yield toEventRow(event)
}
