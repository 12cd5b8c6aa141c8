import {createUsageError} from '../../errors.js'
import type {EventFlags} from '../../flags/event-flags.js'
import {type ListOrder, parseListOrder} from '../../language/list-order.js'
import {suggestNearest} from '../../language/nearest-word.js'
import {checkCondition, type Tested} from '../../language/where/comparison.js'
import type {Fields, FieldType, KnownField} from '../../language/where/value.js'
import {parseWhere} from '../../language/where/where.js'
import type {EventStatus} from './event-status.js'

/** Fields of an event of the inbox for `--where`: the keys of its JSON, and values from its body. */
export const EVENT_FIELDS = {
  id: 'text',
  type: 'text',
  status: 'text',
  answer: 'number',
  message: 'text',
  attempts: 'number',
  createdAt: 'time',
  receivedAt: 'time',
  changedAt: 'time',
  transaction: 'text',
  resourceType: 'text',
  resourceVersion: 'text',
  source: 'text',
  sizeBytes: 'number',
  sha256: 'text',
  conflict: 'boolean',
  sender: 'text',
  verification: 'text',
  verificationReason: 'text',
  resolvedAt: 'time',
  resolvedBy: 'text',
  resolvedReason: 'text',
  resolvedRun: 'text',
  orderNumber: 'text',
  finalCapture: 'boolean',
  amount: 'number',
  currency: 'text',
  payer: 'list',
} as const satisfies Readonly<Record<string, FieldType>>

export type EventField = keyof typeof EVENT_FIELDS

/** Fields only of conditions; a row of a list has all others. */
const ONLY_IN_CONDITIONS = ['resourceVersion', 'finalCapture', 'currency', 'payer']

/** Fields of a row of a list. */
export const PRINTED_EVENT_FIELDS: readonly string[] = [
  ...Object.keys(EVENT_FIELDS).filter(name => !ONLY_IN_CONDITIONS.includes(name)),
  'cause',
]

/**
 * Refuses `--fields` that no row of a list has.
 *
 * @throws StorectlError `usage.fields`
 */
export function requireEventFields(fields: readonly string[] = []): void {
  const known = PRINTED_EVENT_FIELDS
  const unknown = fields.find(field => !known.includes(field) && !/^amount\.(value|currency)$/.test(field))
  if (unknown === undefined) return
  throw createUsageError(
    'fields',
    `--fields: unknown field "${unknown}".${suggestNearest(unknown, known)} Fields: ${known.join(', ')}.`,
    ['storectl webhook list --limit 1 -o json'],
  )
}

/** The prefix of the path of a member of the body: `body.resource.invoice_id`. */
export const BODY = 'body.'

/** Fields by which a list can be sorted. */
export const ORDER_FIELDS = [
  'createdAt',
  'receivedAt',
  'changedAt',
  'id',
  'type',
  'status',
  'answer',
  'attempts',
  'sizeBytes',
] as const satisfies readonly EventField[]

export type OrderField = (typeof ORDER_FIELDS)[number]

/** The sort order of a list; equal rows are sorted by id. */
export type EventOrder = ListOrder<OrderField>

/** The field of earlier versions, which meant events without a known token. */
const NO_UNVERIFIED =
  '"unverified" is no longer a field: use the sender: sender in ("wrong-token", "unverified")'

const FIELDS: Fields = {
  find: path => {
    if (path === 'unverified') return {problem: NO_UNVERIFIED, at: 0}
    if (path.startsWith(BODY)) return {type: 'any'} satisfies KnownField
    const type = Object.hasOwn(EVENT_FIELDS, path) ? EVENT_FIELDS[path as EventField] : undefined
    if (type) return {type}
    const names = [...Object.keys(EVENT_FIELDS), 'body']
    const hint = path === 'body' ? ' Name a member of it: body.resource.id.' : suggestNearest(path, names)
    return {
      problem: `unknown field "${path}" in an event.${hint} List fields: storectl webhook list --limit 1 -o json`,
      at: 0,
    }
  },
}

/**
 * Reads a condition on events.
 *
 * @throws StorectlError `usage.where`
 * @see docs/where.md
 */
export function parseEventCondition(text: string): Tested {
  return checkCondition(parseWhere(text), text, FIELDS)
}

/**
 * Which events the flags select.
 *
 * @param now ages count back from here
 * @param statuses the default if no flag names any
 * @throws StorectlError as `parseEventCondition` does
 */
export function parseEventFilters(
  {status, type, since, until, where}: EventFlags,
  now: Date,
  statuses?: readonly EventStatus[],
) {
  return {
    statuses: status ?? statuses,
    types: type,
    since: since?.(now),
    until: until?.(now),
    where: where === undefined ? undefined : parseEventCondition(where),
  }
}

/** Flags that filter, sort and limit a list of events. */
interface ListFlags extends EventFlags {
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly all?: boolean
}

/**
 * What a list of events shows: the newest, unless flags say otherwise.
 *
 * @param usualLimit the default limit
 * @throws StorectlError `usage.sort`, `usage.where`
 */
export function parseEventQuery({sort, limit, all, ...filters}: ListFlags, now: Date, usualLimit: number) {
  return {
    ...parseEventFilters(filters, now),
    order: sort === undefined ? undefined : parseListOrder(sort, ORDER_FIELDS),
    limit: all ? undefined : (limit ?? usualLimit),
  }
}

/** What the flags select, for an empty list: `failed events`, `events that match`. */
export function describeFilters({status, type, since, until, where, cause}: EventFlags): string {
  const isNarrowed = [type, since, until, where, cause].some(each => each !== undefined)
  return `${status?.length === 1 ? `${status[0]} ` : ''}events${isNarrowed ? ' that match' : ''}`
}
