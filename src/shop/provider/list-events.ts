import type {EventsFault} from '../faults/effects.js'
import type {RouteResponse} from '../http/route.js'
import {type Parameters, type RuleDeps, readParameter} from '../runtime/runtime.js'
import {describeListed} from './list-members.js'
import {type BookedEvent, listProviderEvents} from './provider.js'
import type {Webhook} from './resend.js'
import {createJsonAnswer, createProviderErrorAnswer} from './sign-in.js'

const DEFAULT_PAGE = 10
const LARGEST_PAGE = 100

/** Most events of one listing; a shorter time span gets the rest. */
const LONGEST_LISTING = 1000

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text))
}

/** `GET /v1/notifications/webhooks-events`, the newest first. @see protocol.md §4.7 */
export async function listEvents(
  query: Parameters,
  api: string,
  deps: RuleDeps & {readonly webhooks: readonly Webhook[]; readonly hows: ReadonlySet<EventsFault>},
): Promise<RouteResponse> {
  const {db, now, webhooks, hows} = deps
  const readText = (name: string) => {
    const value = readParameter(query, name)
    return typeof value === 'string' ? value : undefined
  }
  for (const field of ['start_time', 'end_time']) {
    const value = readText(field)
    if (value !== undefined && !isMoment(value))
      return createInvalidFieldAnswer(field, value, 'INVALID_DATE_TIME')
  }
  const size = Number(readText('page_size') ?? DEFAULT_PAGE)
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE)
    return createInvalidFieldAnswer('page_size', readText('page_size') ?? '', 'INVALID_PAGE_SIZE')
  const seen = Number(readText('offset') ?? 0)
  const at = readText('index_time')
  const limit = Math.min(size, LONGEST_LISTING - seen)
  const found = await listProviderEvents(
    db.reads,
    {
      since: new Date(readText('start_time') ?? 0),
      until: new Date(readText('end_time') ?? now()),
      type: readText('event_type'),
      transactionId: readText('transaction_id'),
      after: at === undefined ? undefined : {at, id: readText('index_id') ?? ''},
      limit: limit + 1,
    },
    api,
  )
  const page = found.slice(0, limit)
  const next = found.length > page.length && seen + page.length < LONGEST_LISTING ? page.at(-1) : undefined
  return createJsonAnswer({
    events: page.map(booked => describeListed(booked, webhooks, hows)),
    count: page.length,
    links: buildEventLinks(query, api, next, seen + page.length),
  })
}

function buildEventLinks(query: Parameters, api: string, next: BookedEvent | undefined, seen: number) {
  const buildHref = (more: Record<string, string>) => {
    const kept: [string, string][] = [
      'start_time',
      'end_time',
      'event_type',
      'transaction_id',
      'page_size',
    ].flatMap(name => {
      const value = readParameter(query, name)
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    return `${api}/v1/notifications/webhooks-events?${new URLSearchParams([...kept, ...Object.entries(more)])}`
  }
  const self = {href: buildHref({}), rel: 'self', method: 'GET'}
  if (!next) return [self]
  const more = {move_to: 'next', index_time: next.at, index_id: next.id, offset: String(seen)}
  return [self, {href: buildHref(more), rel: 'next', method: 'GET'}]
}

function createInvalidFieldAnswer(field: string, value: string, issue: string): RouteResponse {
  const description = `The value of ${field} is not valid`
  return createProviderErrorAnswer(400, 'VALIDATION_ERROR', 'Invalid request - see details', {
    ...{field, value, issue, description},
  })
}
