import type {IncomingMessage, ServerResponse} from 'node:http'
import {discardBody} from '../http/listener.js'
import type {TokenBearer} from '../webhook/event/webhook-token.js'
import {buildJsonReply, buildRefusal, buildRetryLater, type Reply} from './capture-response.js'
import type {DiskQuota} from './disk-quota.js'
import {endToEnd, hasBeenHere} from './forward-headers.js'
import type {HeldBytes} from './held-bytes.js'
import type {InboxWriter} from './inbox-writer.js'
import type {Incoming} from './receive.js'
import type {RequestHandler} from './webhook-listener.js'

/** Calls that never became an event, by reason. */
export type RefusalReason =
  | 'path'
  | 'method'
  | 'too-large'
  | 'no-room'
  | 'gone'
  | 'connections'
  | 'loop'
  | 'error'

interface WebhookRouteDeps {
  /** The path below the shop's base URL of a call of the webhook; `undefined` for any other. */
  readonly findWebhookPath: (path: string) => string | undefined
  readonly self: string
  readonly bodyBytes: number
  readonly held: HeldBytes
  /** Whether a call has a token that only the provider knows. */
  readonly isTokenKnown: (call: TokenBearer) => boolean
  readonly receive: (incoming: Incoming) => Promise<Reply>
  readonly onRefused: (reason: RefusalReason) => void
  readonly onBug: (error: unknown) => void
}

/** Answers at a path of its own, for anybody. */
export type Pages = ReadonlyMap<string, () => Promise<Reply>>

/** Answers calls of the webhook and of our own pages, and no others. */
export function createWebhookHandler(deps: WebhookRouteDeps, pages: Pages): RequestHandler {
  return async (request, response) => {
    try {
      await write(request, response, await replyTo(request, deps, pages))
    } catch (error) {
      deps.onRefused('error')
      deps.onBug(error)
      await write(request, response, buildRefusal(500, 'Internal error; see the log.'))
    }
  }
}

/** Answers only calls of our own pages. */
export function createPagesHandler(pages: Pages): RequestHandler {
  return async (request, response) => {
    const page = pages.get(readPath(request))
    await write(request, response, page ? await pageReply(request, page) : NOTHING_HERE)
  }
}

/** The page that shows whether events can be stored, and the room left for them. */
export async function checkHealth(inboxWriter: InboxWriter, disk: DiskQuota): Promise<Reply> {
  const trouble = await inboxWriter.checkWritable()
  if (trouble !== undefined) return buildJsonReply(503, {status: 'unwritable', code: trouble})
  const {health: status, notStored, usedBytes, limitBytes} = disk
  if (status === 'ok') return buildJsonReply(200, {status})
  const maxDiskBytes = Math.floor(limitBytes)
  return buildJsonReply(status === 'full' ? 503 : 200, {status, notStored, usedBytes, maxDiskBytes})
}

const NOTHING_HERE = buildRefusal(404, 'Not found.')

async function replyTo(request: IncomingMessage, deps: WebhookRouteDeps, pages: Pages): Promise<Reply> {
  const at = readPath(request)
  const page = pages.get(at)
  if (page) return pageReply(request, page)
  const refuse = (reason: RefusalReason, reply: Reply) => {
    deps.onRefused(reason)
    return reply
  }
  const path = deps.findWebhookPath(at)
  if (path === undefined) return refuse('path', NOTHING_HERE)
  if (request.method !== 'POST') {
    return refuse('method', buildRefusal(405, 'Method Not Allowed (Allow: POST)', [['Allow', 'POST']]))
  }
  const headers = endToEnd(request.rawHeaders)
  if (hasBeenHere(headers, deps.self)) return refuse('loop', buildRefusal(508, WENT_ROUND))
  const query = readQuery(request)
  const isTokenKnown = deps.isTokenKnown({headers, query})
  const body = await readBody(request, deps.bodyBytes, {
    hold: bytes => deps.held.hold(bytes, isTokenKnown),
    release: bytes => deps.held.release(bytes),
  })
  if (body === 'too-large') return refuse('too-large', buildRefusal(413, 'The request body is too large.'))
  if (body === 'gone') return refuse('gone', NOTHING_HERE)
  if (body === 'no-room') return refuse('no-room', buildRetryLater('Too many requests at once.'))
  try {
    return await deps.receive({path, headers, query, body})
  } finally {
    deps.held.release(body.length)
  }
}

const WENT_ROUND = 'The capture received its own request: --forward-to must name the shop, not this capture.'

async function pageReply({method}: IncomingMessage, page: () => Promise<Reply>): Promise<Reply> {
  return method === 'GET' || method === 'HEAD'
    ? page()
    : buildRefusal(405, 'Method Not Allowed (Allow: GET)', [['Allow', 'GET, HEAD']])
}

/** Such an answer has no length. @see RFC 9110 §8.6 */
const NO_CONTENT = 204

/** What has not been read of a body is read and thrown away, so that whoever sends it sees the answer. */
async function write(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
  if (!request.complete && !request.destroyed) {
    response.shouldKeepAlive = false
    await discardBody(request)
  }
  if (response.destroyed || response.headersSent) return
  const length = reply.status === NO_CONTENT ? [] : ['Content-Length', String(reply.body.length)]
  response.writeHead(reply.status, [...reply.headers.flat(), ...length])
  response.end(request.method === 'HEAD' ? undefined : reply.body)
}

function readPath(request: IncomingMessage): string {
  return (readOriginForm(request).split('?', 1)[0] ?? '') || '/'
}

function readQuery(request: IncomingMessage): string {
  const target = readOriginForm(request)
  const at = target.indexOf('?')
  return at < 0 ? '' : target.slice(at + 1)
}

/** Whoever takes us for a proxy sends the whole address. @see RFC 9112 §3.2.2 */
function readOriginForm({url = ''}: IncomingMessage): string {
  const [address = ''] = url.split('#', 1)
  return address.replace(/^https?:\/\/[^/?]*/i, '')
}

/** Room in memory for the body of one call. */
interface Room {
  readonly hold: (bytes: number) => boolean
  readonly release: (bytes: number) => void
}

type BodyRead = Buffer | 'too-large' | 'no-room' | 'gone'

/**
 * Reads a body to its end.
 *
 * @param limitBytes of this one
 * @param room held as it comes; whoever takes the body releases it
 */
function readBody(request: IncomingMessage, limitBytes: number, room: Room): Promise<BodyRead> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too-large')
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const end = (result: BodyRead) => {
      if (isOver) return
      isOver = true
      request.off('data', take)
      if (typeof result === 'string') room.release(size)
      resolve(result)
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      const hasRoom = room.hold(chunk.length)
      if (size > limitBytes) end('too-large')
      else if (!hasRoom) end('no-room')
    }
    request.on('data', take)
    request.once('end', () => end(Buffer.concat(chunks)))
    request.once('error', () => end('gone'))
    request.once('close', () => end('gone'))
  })
}
