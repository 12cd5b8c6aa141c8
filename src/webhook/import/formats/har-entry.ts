import type {Headers} from '../../event/headers.js'
import type {CapturedAnswer, CapturedRequest} from './captured-request.js'

/** What we read of an entry of a HAR file. @see HAR 1.2 */
interface Entry {
  readonly startedDateTime?: unknown
  readonly request?: {
    readonly method?: unknown
    readonly url?: unknown
    readonly headers?: unknown
    readonly bodySize?: unknown
    readonly postData?: {readonly text?: unknown; readonly encoding?: unknown} | null
  } | null
  readonly response?: {
    readonly status?: unknown
    readonly content?: {readonly text?: unknown; readonly encoding?: unknown} | null
  } | null
}

/** An entry as a request; `undefined` for what is none. */
export function parseHarEntry(value: unknown): CapturedRequest | undefined {
  const {startedDateTime, request, response} = (value ?? {}) as Entry
  if (typeof request !== 'object' || request === null) return undefined
  const {method, url, headers, bodySize, postData} = request
  const body = decodeContent(postData)
  const at = new Date(typeof startedDateTime === 'string' ? startedDateTime : Number.NaN)
  return {
    method: typeof method === 'string' ? method : undefined,
    target: typeof url === 'string' ? url : undefined,
    headers: listHeaders(headers),
    body,
    at: Number.isNaN(at.getTime()) ? undefined : at,
    answer: answerOf(response),
    doubt: describeDoubt(body, bodySize),
  }
}

/** HAR holds text, and bytes only as base64. */
function decodeContent(content: {text?: unknown; encoding?: unknown} | null | undefined): Buffer | undefined {
  if (typeof content?.text !== 'string' || content.text === '') return undefined
  return Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8')
}

function answerOf(response: Entry['response']): CapturedAnswer | undefined {
  const status = Number(response?.status)
  // 0 stands for a request that was never answered.
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined
  return {status, body: decodeContent(response?.content)}
}

function describeDoubt(body: Buffer | undefined, bodySize: unknown): string | undefined {
  if (!body) return undefined
  const sent = Number(bodySize)
  if (sent > 0 && sent !== body.length) {
    return `the file holds its text and not its bytes: ${sent} were sent, the text has ${body.length}`
  }
  return body.includes('\ufffd') ? 'some bytes were not text and are lost' : undefined
}

function listHeaders(headers: unknown): Headers {
  if (!Array.isArray(headers)) return []
  return headers.flatMap((header: {name?: unknown; value?: unknown} | null) =>
    typeof header?.name === 'string' && typeof header.value === 'string'
      ? [[header.name, header.value] as const]
      : [],
  )
}
