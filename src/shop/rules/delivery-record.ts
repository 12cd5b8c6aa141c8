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

/** The stored result of a delivery. */
export interface Ending {
  readonly answer: RouteResponse
  /** For operators; not part of the response. */
  readonly reason: string
  readonly transactionId: string | undefined
}

/** Headers with credentials; they are not needed later and should not be stored. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie'])

/** A completed delivery. */
interface EndedDelivery {
  readonly request: RefusedRequest
  readonly ending: Ending
  /** The shop's time of its arrival, which also begins its id. */
  readonly receivedAt: Date
  readonly sender: DeliverySender
  /** The decoded body, if available; else it is decoded from the bytes, if possible. */
  readonly decoded?: Parameters | undefined
}

/** Builds the rows of a delivery: unchanged bytes, headers in order, the query without the token. */
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

/** Also for refused deliveries. */
function findTransactionId(body: unknown): string | undefined {
  const {resource} = (body ?? {}) as {resource?: unknown}
  const {custom_id: customId} = (resource ?? {}) as {custom_id?: unknown}
  const key = parseCustomId(typeof customId === 'string' ? customId : undefined)
  return key.by === 'id' ? key.id : undefined
}

/** Ignores the content type: the delivery must be found by its actual content. */
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

/** Empty, with this type. @see protocol.md §4.2 */
const ACCEPTED: RouteResponse = {status: 200, contentType: 'text/html; charset=UTF-8'}

/** Handled, ignored, or already in this state. @param reason for operators */
export function createAcceptedEnding(reason: string, transactionId?: string): Ending {
  return {answer: ACCEPTED, reason, transactionId}
}

/** The same text for all failures in a handler. @see protocol.md §4.2 rows 10 and 11 */
export function createFailedEnding(reason: string, transactionId?: string): Ending {
  return createRefusedEnding(createHttpError(400, WEBHOOK_NOT_EXECUTED), reason, transactionId)
}

/** An error with a text of its own, which is also the default reason. */
export function createRefusedEnding(
  error: ShopError,
  reason = error.message,
  transactionId?: string,
): Ending {
  return {answer: buildErrorAnswer(error), reason, transactionId}
}
