import {createServer, request as httpRequest, type IncomingMessage, type ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import {onTestFinished} from 'vitest'
import {type TestContextOptions, testContext} from '../support/context.js'
import {readJsonLines} from '../support/json-lines.js'
import {listen} from '../support/listen.js'
import {type Ended, storectl} from '../support/storectl.js'
import {until} from '../support/until.js'

export const TOKEN = 'Ab12'.repeat(8)
export const WEBHOOK = '/api/_action/paypal/webhook/execute'

/** A call as the shop got it: bytes as they came, headers in turn with their values. */
export interface Arrived {
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface RawShop {
  readonly url: string
  readonly arrived: Arrived[]
  /** Answers a call; 200 with nothing in it unless a test says otherwise. */
  answer: (call: Arrived, response: ServerResponse, request: IncomingMessage) => Promise<void> | void
  close(): Promise<void>
}

/** A shop that keeps what it gets byte for byte; on the given port, or one that was free. */
export async function rawShop(port = 0): Promise<RawShop> {
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    if (request.headers['sw-expect-packages'] !== undefined) {
      response.writeHead(404).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = {url: request.url ?? '', rawHeaders: request.rawHeaders, body: Buffer.concat(chunks)}
    shop.arrived.push(call)
    await shop.answer(call, response, request)
  })
  server.maxHeadersCount = 0
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const own = await listen(server, port)
  const close = () =>
    new Promise<void>(resolve => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  onTestFinished(close)
  const shop: RawShop = {
    url: `http://127.0.0.1:${own}`,
    arrived: [],
    answer: (_call, response) => void response.end(),
    close,
  }
  return shop
}

/** From now on leaves calls without an answer. @returns answers the last of them with 200 */
export function holdAnswers(shop: RawShop): () => void {
  let end = () => {}
  shop.answer = (_call, response) => {
    end = () => void response.end()
  }
  return () => end()
}

/** The error envelope of the shop. */
export function refuse(response: ServerResponse, status: number, detail: string): void {
  const errors = [{code: '0', status: String(status), title: 'x', detail}]
  response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify({errors}))
}

export interface RunningCapture {
  readonly url: string
  readonly home: string
  readonly out: () => string
  readonly err: () => string
  readonly env: Record<string, string>
  /** Sends the body of an event, or any bytes. */
  send(body: object | string | Uint8Array, options?: SendOptions): Promise<Answered>
  /** Runs another command on the same home and shop. */
  run(...words: string[]): Promise<Ended>
  /** What the inbox says, by id. */
  inbox(): Promise<Map<string, Record<string, unknown>>>
  interrupt(): void
  readonly ended: Promise<Ended>
}

export interface SendOptions {
  /** Default: the path of the webhook with the right token. */
  readonly target?: string
  readonly token?: string
  readonly method?: string
  /** Names and values in turn. Default: a content type of JSON. */
  readonly headers?: readonly string[]
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** `webhook capture` in this process, in front of a shop; stopped when the test ends. @param shopUrl `undefined` for that of a profile */
export async function runCapture(
  shopUrl: string | undefined,
  flags: readonly string[] = [],
  given: TestContextOptions = {},
): Promise<RunningCapture> {
  const env = {
    ...(shopUrl === undefined ? {} : {STORECTL_URL: shopUrl, STORECTL_WEBHOOK_TOKEN: TOKEN}),
    STORECTL_TOKEN: 'signed-in',
    ...given.env,
  }
  const test = testContext({...given, env})
  const ended = storectl(['webhook', 'capture', '--listen', '0', '-o', 'ndjson', ...flags], test)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  onTestFinished(async () => {
    test.interruption.stop('SIGINT')
    await ended
  })
  const url = await until('the gateway listens', () => {
    const [, found] = /^Captures .* at (https?:\/\/\S+)$/m.exec(test.err()) ?? []
    if (found === undefined && !isOver) throw new Error(`not ready: ${test.err()}`)
    return found ?? ''
  })
  const same = {env, home: test.home}
  return {
    ...{url, home: test.home, env, ended},
    out: test.out,
    err: test.err,
    send: (body, options = {}) => sendTo(url, body, options),
    run: (...words) => storectl(words, same),
    inbox: async () => {
      const {stdout} = await storectl(['webhook', 'list', '--all', '-o', 'ndjson'], same)
      const rows = readJsonLines(stdout)
      return new Map(rows.map(row => [row.id, row]))
    },
    interrupt: () => test.interruption.stop('SIGINT'),
  }
}

export function sendTo(
  url: string,
  body: object | string | Uint8Array,
  {target, token = TOKEN, method = 'POST', headers = ['Content-Type', 'application/json']}: SendOptions = {},
): Promise<Answered> {
  const at = new URL(url)
  const isPlain = typeof body === 'string' || body instanceof Uint8Array
  const bytes = Buffer.from(isPlain ? (body as string) : JSON.stringify(body))
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...{host: at.hostname, port: at.port, method, agent: false},
        path: target ?? `${at.pathname}?sw-token=${token}`,
        headers: ['Host', at.host, 'Content-Length', String(bytes.length), ...headers],
      },
      async response => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk as Buffer)
        const {statusCode = 0, headers: answered} = response
        resolve({status: statusCode, headers: answered, body: Buffer.concat(chunks).toString()})
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
}
