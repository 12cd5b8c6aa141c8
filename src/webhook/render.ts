import type {View} from '../output/view.js'
import type {JournalRecord} from '../run/record.js'
import type {EventContent, InboxEvent} from './event.js'
import type {EventGroup} from './inbox.js'
import type {Plan} from './plan.js'

export const EVENTS: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'status'},
    {path: 'type'},
    {path: 'answer', kind: 'number'},
    {path: 'cause'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
    {path: 'attempts', kind: 'number'},
  ],
}

export const GROUPS: View = {
  noun: ['group', 'groups'],
  id: 'key',
  columns: [
    {path: 'key'},
    {path: 'count', kind: 'number'},
    {path: 'statuses'},
    {path: 'first', kind: 'time'},
    {path: 'last', kind: 'time'},
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
    {path: 'cause'},
    {path: 'attempts', kind: 'number'},
    {path: 'createdAt', kind: 'time'},
    {path: 'receivedAt', kind: 'time'},
    {path: 'changedAt', kind: 'time'},
    {path: 'transaction'},
    {path: 'source'},
    {path: 'sizeBytes', kind: 'number'},
    {path: 'sha256'},
    {path: 'body'},
  ],
}

export const IMPORTED: View = {
  noun: ['import', 'imports'],
  id: 'added',
  columns: [
    {path: 'added', kind: 'number'},
    {path: 'known', kind: 'number'},
    {path: 'conflicting', kind: 'number'},
    {path: 'unusable', kind: 'number'},
    {path: 'passedOver', header: 'PASSED OVER', kind: 'number'},
  ],
}

export const PLAN: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'verdict'},
    {path: 'id'},
    {path: 'type'},
    {path: 'createdAt', header: 'CREATED', kind: 'time'},
    {path: 'state'},
    {path: 'reason'},
  ],
}

export const REPLAYED: View = {
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'outcome'},
    {path: 'id'},
    {path: 'type'},
    {path: 'status', kind: 'number'},
    {path: 'attempts', kind: 'number'},
    {path: 'detail'},
  ],
}

export const ATTEMPTS: View = {
  noun: ['attempt', 'attempts'],
  id: 'run',
  columns: [
    {path: 'at', kind: 'time'},
    {path: 'run'},
    {path: 'attempt', kind: 'number'},
    {path: 'outcome'},
    {path: 'status', kind: 'number'},
    {path: 'detail'},
  ],
}

/** An event of the inbox as it is printed. Keys are stable. */
export function eventRow(event: InboxEvent) {
  return {
    id: event.id,
    status: event.status,
    type: event.type,
    answer: event.answer,
    cause: event.cause,
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
  }
}

/** Events of one key, counted. Keys are stable. */
export function groupRow({key, count, first, last, statuses}: EventGroup) {
  return {
    key: key instanceof Date ? key.toISOString() : key,
    count,
    first: first.toISOString(),
    last: last.toISOString(),
    statuses,
  }
}

/** One event with its body; `body` is what the bytes say, not the bytes. */
export function eventRecord(event: InboxEvent, {headers, body}: EventContent, withHeaders: boolean) {
  const decoded = JSON.parse(Buffer.from(body).toString('utf8'))
  return {...eventRow(event), ...(withHeaders ? {headers: Object.fromEntries(headers)} : {}), body: decoded}
}

/** One attempt to send an event again. Keys are stable. */
export function attemptRow({at, runId, attempt, outcome, grade, status, detail}: JournalRecord) {
  return {
    at: at.toISOString(),
    run: runId,
    attempt,
    outcome: outcome ?? grade ?? null,
    status: status ?? null,
    detail: detail ?? null,
  }
}

/** `12 to send, 3 hold:stale, 40 skip:delivered`. */
export function planText({counts, sends}: Plan): string {
  const others = [...counts].filter(([verdict]) => verdict !== 'send').sort()
  return [`${sends} to send`, ...others.map(([verdict, count]) => `${count} ${verdict}`)].join(', ')
}
