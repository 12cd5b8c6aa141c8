import * as http from 'node:http'
import * as https from 'node:https'

/** One call as it goes over the wire: nothing is added but `Host`, unless it is given, and the length of a body. */
export interface Call {
  /** Default `GET`, or `POST` with a body. */
  method?: string
  /** From the base URL on, with the query string: `/api/_info/version`. */
  path: string
  /** An object, or pairs where a name comes twice or its order counts. */
  headers?: Record<string, string> | readonly (readonly [name: string, value: string])[]
  /** Text and bytes go as they are, anything else as JSON; its content type is for the caller to say. */
  body?: unknown
  /** Our own address of this call, where the machine has several. */
  from?: string
}

/** An answer as it came. */
export interface Reply {
  status: number
  /** Names in lower case; what came twice is joined by `, `. */
  headers: Record<string, string>
  /** Names and values in turn, capitals as sent. */
  rawHeaders: string[]
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a member that is missing fails the row that asks for it
  json(): any
}

export type Caller = (call: Call) => Promise<Reply>

/** Calls below a base URL over connections that are kept. */
export function callerOf(baseUrl: string): {call: Caller; close(): void} {
  const {host, hostname, port, protocol, pathname} = new URL(baseUrl)
  const {request, Agent} = protocol === 'https:' ? https : http
  const agent = new Agent({keepAlive: true})
  const server = {host: hostname.replace(/^\[|\]$/g, ''), port, agent}
  const call = ({method, path, headers = {}, body, from}: Call) =>
    new Promise<Reply>((resolve, reject) => {
      const bytes = bytesOf(body)
      const given = Array.isArray(headers) ? headers : Object.entries(headers)
      const namesHost = given.some(([name]) => name?.toLowerCase() === 'host')
      const lines = namesHost ? [...given] : [['Host', host], ...given]
      if (bytes) lines.push(['Content-Length', String(bytes.length)])
      const sent = request({
        ...server,
        ...(from === undefined ? {} : {localAddress: from, agent: false}),
        method: method ?? (bytes ? 'POST' : 'GET'),
        path: pathname.replace(/\/$/, '') + path,
        headers: lines.flat(),
      })
      sent.on('response', answer => void replyOf(answer).then(resolve, reject))
      sent.on('error', reject)
      sent.end(bytes)
    })
  return {call, close: () => agent.destroy()}
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

async function replyOf(answer: http.IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const headers: Record<string, string> = {}
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = (answer.rawHeaders[at] as string).toLowerCase()
    const value = answer.rawHeaders[at + 1] as string
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return {
    status: answer.statusCode as number,
    headers,
    rawHeaders: answer.rawHeaders,
    text,
    json: () => JSON.parse(text),
  }
}
