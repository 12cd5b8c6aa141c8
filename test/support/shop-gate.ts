import {createServer, type IncomingHttpHeaders, type IncomingMessage} from 'node:http'
import {onTestFinished} from 'vitest'
import {listen} from './listen.js'

/** A request as it passed the gate. */
interface PassedRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

/**
 * A server before a shop that notes what is asked, and hands it on. It ends with the test.
 *
 * @param answer status that takes the place of the shop's answer; `undefined` to hand the request on
 */
export async function startGate(
  shopUrl: string,
  answer: (request: PassedRequest) => number | undefined = () => undefined,
) {
  const requests: PassedRequest[] = []
  const server = createServer(async (request, response) => {
    requests.push(request)
    const body = await readBody(request)
    const status = answer(request)
    if (status !== undefined) return void response.writeHead(status).end()
    const {method = 'GET', url = '/', headers} = request
    const passed = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
    const got = await fetch(new URL(url, shopUrl), {
      ...{method, headers: passed.map(([name, value]) => [name, String(value)] as [string, string])},
      ...(body.length > 0 ? {body} : {}),
    })
    const type = got.headers.get('content-type') ?? 'application/json'
    response.writeHead(got.status, {'content-type': type}).end(Buffer.from(await got.arrayBuffer()))
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${port}`, requests}
}

const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
])

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
