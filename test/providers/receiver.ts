import {endpoint, type Received, type Reply} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {storectl} from '../support/storectl.js'

/** A shop whose plugin is another provider's than PayPal's. */
export interface Receiver {
  readonly url: string
  /** The home of a profile called `shop` that has this shop's address and provider. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Webhook calls, in order of arrival. */
  readonly calls: Received[]
  /** States of the shop's transactions, by id. */
  readonly states: Map<string, string>
  /** Answers a webhook call. */
  answer: (call: Received) => Reply
  /** Runs a command for the profile. */
  run(...words: string[]): ReturnType<typeof storectl>
  /** The rows of a command that prints NDJSON. */
  rows(...words: string[]): Promise<Record<string, unknown>[]>
}

/** A shop with transactions that can be searched, for a profile with this provider. */
export async function runReceiver(provider: string, env: Record<string, string> = {}): Promise<Receiver> {
  const home = temporaryFolder()
  const {url} = await endpoint(request => {
    if (request.url.startsWith('/api/search/')) return search(request, receiver.states)
    if (request.url === '/api/_info/version') return {status: 200, body: {version: '6.6.7.1'}}
    if (request.url.startsWith('/api/_info/')) return {status: 404, body: {}}
    receiver.calls.push(request)
    return receiver.answer(request)
  })
  const context = {home, env: {STORECTL_TOKEN: 'signed-in', ...env}}
  const receiver: Receiver = {
    ...{url, home, env: context.env, calls: [], states: new Map(), answer: () => ({status: 200})},
    run: (...words) => storectl([...words, '--profile', 'shop'], context),
    rows: async (...words) => {
      const {stdout, stderr} = await receiver.run(...words, '-o', 'ndjson')
      if (stdout === '' && stderr !== '') throw new Error(stderr)
      return readJsonLines(stdout)
    },
  }
  const set = ['profile', 'set', 'shop', '--url', url, '--provider', provider]
  const {exit, stderr} = await storectl(set, context)
  if (exit !== 0) throw new Error(stderr)
  return receiver
}

function search({body}: Received, states: Map<string, string>): Reply {
  const {ids = []} = JSON.parse(body) as {ids?: string[]}
  const data = ids
    .filter(id => states.has(id))
    .map(id => ({
      ...{id, stateMachineState: {technicalName: states.get(id)}},
      ...{amount: {totalPrice: 12.5}, order: {currency: {isoCode: 'EUR'}}},
    }))
  return {status: 200, body: {total: data.length, data, aggregations: []}}
}
