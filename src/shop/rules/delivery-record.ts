import {readHead} from '../../providers/paypal/notification/notification.js'
import {parseCustomId} from '../../providers/traits.js'
import {WEBHOOK_NOT_EXECUTED} from '../../shopware/error-texts.js'
import {generateId} from '../../shopware/ids.js'
import {buildErrorAnswer} from '../http/replies.js'
import type {RefusedRequest, RouteResponse} from '../http/route.js'
import type {Parameters} from '../runtime/runtime.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import type {WebhookDeliveryContentRow, WebhookDeliveryRow} from '../store/schema/schema.js'
import {removeWebhookToken} from './webhook-registration.js'
import type {DeliverySender} from './webhook-tokens.js'

/** How a delivery ended, as it is written down. */
export interface Ending {
  readonly answer: RouteResponse
  /** For operators; never on the wire. */
  readonly reason: string
  readonly transactionId: string | undefined
}

/** Headers that sign a caller in; they are of no use later and would lie about. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie'])

/** A delivery that is over. */
interface EndedDelivery {
  readonly request: RefusedRequest
  readonly ending: Ending
  /** The shop's time of its arrival, which also leads its id. */
  readonly receivedAt: Date
  readonly sender: DeliverySender
  /** The body where it was read already; else its bytes are, as far as they can be. */
  readonly decoded?: Parameters | undefined
}

/** A delivery as it is kept: bytes as they came, headers in their order, the query without the token. */
export function buildDeliveryRows(
  {request, ending, receivedAt, sender, decoded}: EndedDelivery,
  tokenPrefix: string,
): [row: WebhookDeliveryRow, content: Omit<WebhookDeliveryContentRow, 'id'>] {
  const body = decoded ?? parseDeliveryBody(request.body)
  const head = readHead(body)
  const row = {
    id: generateId(receivedAt),
    received_at: receivedAt.toISOString(),
    status: ending.answer.status ?? 200,
    event_id: head.id,
    event_type: head.type,
    event_created_at: head.createTime,
    transaction_id: ending.transactionId ?? findTransactionId(body) ?? null,
    reason: ending.reason,
    size_bytes: request.body.length,
    sender: sender.sender,
    token_digest: sender.digest,
  }
  const content = {
    path: request.path,
    query: removeWebhookToken(request.queryString, tokenPrefix),
    headers: JSON.stringify(pairHeaders(request.rawHeaders)),
    body: request.body,
    answer_content_type: ending.answer.contentType ?? null,
    answer_body: String(ending.answer.body ?? ''),
  }
  return [row, content]
}

/** What a refused one is about is worth knowing too. */
function findTransactionId(body: unknown): string | undefined {
  const {resource} = (body ?? {}) as {resource?: unknown}
  const {custom_id: customId} = (resource ?? {}) as {custom_id?: unknown}
  const key = parseCustomId(typeof customId === 'string' ? customId : undefined)
  return key.by === 'id' ? key.id : undefined
}

/** Whatever its content type claims: what is to be found again is what the bytes say. */
function parseDeliveryBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function pairHeaders(raw: readonly string[]): [name: string, value: string][] {
  const headers: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index] as string, raw[index + 1] as string]
    if (!CREDENTIALS.has(name.toLowerCase())) headers.push([name, value])
  }
  return headers
}

/** Nothing in it, and of this type. @see protocol.md §4.2 */
const ACCEPTED: RouteResponse = {status: 200, contentType: 'text/html; charset=UTF-8'}

/** Handled, ignored, or already so. @param reason for operators */
export function createAcceptedEnding(reason: string, transactionId?: string): Ending {
  return {answer: ACCEPTED, reason, transactionId}
}

/** The one text for everything that goes wrong in a handler. @see protocol.md §4.2 rows 10 and 11 */
export function createFailedEnding(reason: string, transactionId?: string): Ending {
  return createRefusedEnding(createHttpError(400, WEBHOOK_NOT_EXECUTED), reason, transactionId)
}

/** A refusal with a text of its own; it is its own reason unless there is a better one. */
export function createRefusedEnding(
  error: ShopError,
  reason = error.message,
  transactionId?: string,
): Ending {
  return {answer: buildErrorAnswer(error), reason, transactionId}
}
