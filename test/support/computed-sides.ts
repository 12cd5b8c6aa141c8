import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {listen} from './listen.js'

const HOUR_MS = 3_600_000
const MOST_REPORTED = 10_000

/** What of the n-th payment is not as usual: paid in the shop, captured at the provider. */
const isWaiting = (n: number) => n % 100 === 13
const isMissed = (n: number) => n % 1000 === 7
const isUnknown = (n: number) => n % 10_000 === 5000

/** How many of so many payments differ. */
export function countDifferent(payments: number): number {
  const numbers = Array.from({length: payments}, (_, n) => n)
  return numbers.filter(n => isMissed(n) || isUnknown(n)).length
}

/**
 * A shop and its provider that compute the n-th payment instead of storing it. One of 100 waits in the shop without
 * money, one of 1,000 waits and is captured, and one of 10,000 is not in the shop.
 *
 * @param count payments, 86,400,000 at most, evenly spread over six days that ended before today
 */
export async function startComputedSides(count: number) {
  const begin = Date.now() - 7 * 24 * HOUR_MS + HOUR_MS
  const stepMs = Math.floor((6 * 24 * HOUR_MS) / count)
  const calls = {searches: 0, reports: 0, orders: 0}
  const findFirst = (ms: number) => Math.max(0, Math.ceil((ms - begin) / stepMs))
  const timeOf = (n: number) => new Date(begin + n * stepMs).toISOString()

  const isInShop = (n: number) => n < count && !isUnknown(n)
  const describeRow = (n: number) => {
    const [id, at] = [toId(n), timeOf(n)]
    const technicalName = isWaiting(n) || isMissed(n) ? 'open' : 'paid'
    const customFields = {swag_paypal_order_id: `O${n}`}
    const own = {
      id,
      createdAt: at,
      stateMachineState: {technicalName},
      amount: {totalPrice: 10},
      customFields,
    }
    const order = {id: toId(n, 'c'), orderNumber: String(n), currency: {isoCode: 'EUR'}, transactions: [own]}
    return {...own, order: {...order, salesChannelId: null, stateMachineState: {technicalName: 'open'}}}
  }
  const search = ({filter: [{field, parameters, value}], page = 1, limit}: SearchCriteria) => {
    calls.searches++
    if (value) {
      const numbers = value.map(name => (field === 'id' ? toNumber(name) : Number(name.slice(1))))
      return {data: numbers.filter(isInShop).map(describeRow)}
    }
    const numbers: number[] = []
    for (
      let n = findFirst(Date.parse(parameters?.gte ?? ''));
      n < count && numbers.length < page * limit;
      n++
    )
      if (isInShop(n)) numbers.push(n)
    return {data: numbers.slice((page - 1) * limit).map(describeRow)}
  }
  const describeMovement = (n: number) => ({
    transaction_info: {
      ...{transaction_id: `C${n}`, transaction_event_code: 'T0006', transaction_status: 'S'},
      ...{paypal_reference_id: `O${n}`, paypal_reference_id_type: 'ODR', custom_field: toId(n)},
      transaction_amount: {currency_code: 'EUR', value: '10.00'},
      transaction_initiation_date: timeOf(n),
    },
  })
  const report = (query: URLSearchParams) => {
    calls.reports++
    const read = (name: string) => Number(query.get(name))
    const from = findFirst(Date.parse(query.get('start_date') ?? ''))
    const to = Math.min(count, findFirst(Date.parse(query.get('end_date') ?? '') + 1))
    if (to - from > MOST_REPORTED) return {status: 400, body: {name: 'RESULTSET_TOO_LARGE'}}
    const [size, page] = [read('page_size'), read('page')]
    const start = from + (page - 1) * size
    const length = Math.max(0, Math.min(size, to - start))
    const numbers = Array.from({length}, (_, index) => start + index).filter(n => !isWaiting(n))
    const body = {
      transaction_details: numbers.map(describeMovement),
      total_pages: Math.ceil((to - from) / size),
    }
    return {status: 200, body}
  }
  const showOrder = (n: number) => {
    calls.orders++
    const amount = {currency_code: 'EUR', value: '10.00'}
    const capture = {id: `C${n}`, status: 'COMPLETED', amount, final_capture: true, create_time: timeOf(n)}
    const payments = isWaiting(n) ? {} : {captures: [capture]}
    const status = isWaiting(n) ? 'CREATED' : 'COMPLETED'
    return {id: `O${n}`, status, purchase_units: [{custom_id: toId(n), payments}]}
  }
  const answer = (path: string, body: string): {status: number; body: object} => {
    const {pathname, searchParams} = new URL(path, 'http://side')
    if (pathname.endsWith('/token')) return {status: 200, body: TOKEN}
    if (pathname.startsWith('/api/search/')) return {status: 200, body: search(JSON.parse(body))}
    if (pathname.endsWith('/v1/reporting/transactions')) return report(searchParams)
    const [, number] = /\/v2\/checkout\/orders\/O(\d+)$/.exec(pathname) ?? []
    return number === undefined ? {status: 404, body: {}} : {status: 200, body: showOrder(Number(number))}
  }
  const server = createServer((request, response) => void respond(request, response, answer))
  const port = await listen(server)
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{STORECTL_URL: url, STORECTL_CLIENT_ID: 'id', STORECTL_CLIENT_SECRET: 'secret'},
    STORECTL_PROVIDER_URL: `${url}/provider`,
    ...{STORECTL_PROVIDER_CLIENT_ID: 'id', STORECTL_PROVIDER_CLIENT_SECRET: 'secret'},
  }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return {env, calls, stop}
}

interface SearchFilter {
  readonly field: string
  readonly parameters?: {readonly gte: string}
  readonly value?: readonly string[]
}

interface SearchCriteria {
  readonly filter: readonly [SearchFilter]
  readonly page?: number
  readonly limit: number
}

const TOKEN = {access_token: 'token', token_type: 'Bearer', expires_in: 3600, scope: ''}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: string) => {status: number; body: object},
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const {status, body} = answer(request.url ?? '', Buffer.concat(parts).toString())
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
}

/** 32 hexadecimal digits, as ids of a shop are. */
function toId(n: number, kind = 'a'): string {
  return kind + n.toString(16).padStart(31, '0')
}

function toNumber(id: string): number {
  return Number.parseInt(id.slice(1), 16)
}
