import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import {listMembers} from '../../language/list-members.js'
import {escapeControls} from '../../output/escape-controls.js'

/** The payment provider's own API, signed in. */
export interface Provider {
  readonly url: URL
  /** For reads: it retries after 429, 5xx or no answer. */
  readonly patient: HttpClient
  /** For calls that must not be repeated. */
  readonly signed: HttpClient
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
}

/** Which events are listed. */
export interface EventsQuery {
  /** Both included. */
  readonly since: Date
  readonly until: Date
  /** The exact type; default: all. */
  readonly type?: string | undefined
}

/** Some events of a listing, the newest first. */
export interface EventPage {
  /** The bytes of each. */
  readonly events: readonly Uint8Array[]
  /** Whether the page was full, so that there may be more. */
  readonly isFull: boolean
}

const EVENTS = '/v1/notifications/webhooks-events'

/** Events per page: the more the better; a provider that refuses 100 is asked for 10. */
const PAGE_SIZES = [100, 10] as const

/** Most pages of a listing, so that it ends. */
const MOST_PAGES = 100_000

/**
 * The pages of one listing. It may be incomplete: the provider may end it anywhere.
 *
 * @param signal aborts the current call
 * @throws StorectlError as `HttpClient` and `refusal` do, and `unavailable.provider_listing` for a next page that cannot
 *   be requested
 * @see protocol.md §4.7
 */
export async function* fetchEventPages(
  wanted: EventsQuery,
  provider: Provider,
  signal: AbortSignal,
): AsyncGenerator<EventPage, void, void> {
  const seen = new Set<string>()
  let size: number = PAGE_SIZES[0]
  let query: string | undefined = buildFirstQuery(wanted, size)
  while (query !== undefined) {
    if (seen.has(query) || seen.size >= MOST_PAGES) throw createEndlessError(provider, query)
    const answer: HttpResponse = await provider.patient.call({
      method: 'GET',
      path: `${EVENTS}?${query}`,
      headers: {accept: 'application/json'},
      signal,
    })
    if (answer.status === 400 && seen.size === 0 && size !== PAGE_SIZES[1]) {
      size = PAGE_SIZES[1]
      query = buildFirstQuery(wanted, size)
      continue
    }
    if (answer.status !== 200) throw provider.refusal(answer, 'the list of events')
    seen.add(query)
    const page = await pageIn(answer, provider)
    yield {events: page.events, isFull: page.events.length >= size}
    if (page.events.length === 0) return
    query = readNextQuery(page.next, provider)
  }
}

function buildFirstQuery({since, until, type}: EventsQuery, size: number): string {
  return new URLSearchParams({
    page_size: String(size),
    start_time: since.toISOString(),
    end_time: until.toISOString(),
    ...(type === undefined ? {} : {event_type: type}),
  }).toString()
}

/** The next page is requested from the same host, whatever its link names: no other host gets the token. */
async function pageIn(answer: HttpResponse, {refusal}: Provider): Promise<{events: Buffer[]; next: unknown}> {
  const {links, events: list} = (parseJson(answer.body) ?? {}) as {links?: unknown; events?: unknown}
  if (!Array.isArray(list)) throw refusal(answer, 'the list of events')
  const text = Buffer.from(answer.body).toString('utf8')
  const start = text.indexOf('{')
  const member = [...listMembers(text, start)].findLast(({key}) => key === 'events')
  const events = [...listMembers(text, member?.from)].map(({from, end}) => Buffer.from(text.slice(from, end)))
  const next = Array.isArray(links) ? links.find(link => link?.rel === 'next')?.href : undefined
  return {events, next}
}

/** @returns `undefined` if there is no further page */
function readNextQuery(next: unknown, {url}: Provider): string | undefined {
  if (next === undefined || next === null) return undefined
  const query = typeof next === 'string' ? next.split('?')[1] : undefined
  if (query) return query
  const named = escapeControls(JSON.stringify(next).slice(0, 200))
  throw createListingError(`${url.host} names an invalid next page: ${named}.`)
}

function createEndlessError({url}: Provider, query: string): StorectlError {
  return createListingError(
    `The list of events at ${url.host} never ends: its next page is again ${escapeControls(query)}.`,
  )
}

function createListingError(message: string): StorectlError {
  return new StorectlError('unavailable.provider_listing', message, {
    nextSteps: ['import a shorter span: storectl webhook import --from-provider --since TIME --until TIME'],
  })
}

/**
 * One event as the provider shows it.
 *
 * @returns its bytes; `undefined` if the provider does not know it
 * @throws StorectlError as `HttpClient` and `refusal` do
 */
export async function fetchEvent(
  id: string,
  {patient, refusal}: Provider,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const answer = await patient.call({
    method: 'GET',
    path: `${EVENTS}/${encodeURIComponent(id)}`,
    headers: {accept: 'application/json'},
    signal,
  })
  if (answer.status === 200) return answer.body
  if (answer.status === 404 || answer.status === 400) return undefined
  throw refusal(answer, 'an event')
}

/**
 * Has the provider deliver an event again.
 *
 * @param webhookId the receiver; if unknown, every webhook that should have received it
 * @see provider.md §2
 */
export function resend(id: string, webhookId: string | undefined, {signed}: Provider): Promise<HttpResponse> {
  return signed.call({
    method: 'POST',
    path: `${EVENTS}/${encodeURIComponent(id)}/resend`,
    headers: {accept: 'application/json', 'content-type': 'application/json'},
    body: JSON.stringify(webhookId === undefined ? {} : {webhook_ids: [webhookId]}),
  })
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
