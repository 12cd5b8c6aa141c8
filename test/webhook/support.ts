import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {readTraits} from '../../src/providers/paypal/event-traits.js'
import {deriveEffect} from '../../src/providers/paypal/notification/handler-effects.js'
import {findHandler} from '../../src/providers/paypal/notification/handlers.js'
import {applyActions, STATE_MACHINES} from '../../src/shopware/state-machines.js'
import {SkippingClock, timeAgo} from '../support/clock.js'
import type {TestContextOptions} from '../support/context.js'
import {endpoint, type Received, type Reply, type ToldVersions} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {storectl} from '../support/storectl.js'

export const TOKEN = 'Ab12'.repeat(8)

/** A shop of the test's own: transactions with a state, the search that finds them, and the webhook route. */
export interface TestShop {
  readonly url: string
  /** What a command needs to talk to it. */
  readonly env: Record<string, string>
  readonly states: Map<string, string>
  /** Webhook tokens that it takes: its own, and those of further sales channels. */
  readonly tokens: Set<string>
  /** What payments are over, where it is not 10 EUR. */
  readonly amounts: Map<string, {readonly total: number; readonly currency: string}>
  /** Webhook calls, in order of arrival. */
  readonly received: Received[]
  /** Ids of the events that arrived, in order. */
  readonly arrived: () => string[]
  /** Told of each search for transactions, before it is answered. */
  searched: (ids: readonly string[]) => void
  /** Whether a search is answered 503. */
  failsToFind: () => boolean
  /** Answers a webhook call in place of the shop; `undefined` leaves it to the shop. */
  intercept: (request: Received, count: number) => Promise<Reply | undefined> | Reply | undefined
}

export async function testShop(
  states: Record<string, string> = {},
  versions?: ToldVersions | null,
): Promise<TestShop> {
  const {url} = await endpoint(async request => {
    if (request.url.startsWith('/api/search/')) {
      shop.searched(JSON.parse(request.body).ids ?? [])
      if (shop.failsToFind()) return {status: 503}
      return found(request, shop)
    }
    if (request.url.startsWith('/api/_info/')) return {status: 404, body: {}}
    shop.received.push(request)
    const instead = await shop.intercept(request, shop.received.length)
    if (instead) return instead
    if (!shop.tokens.has(request.url.split('?sw-token=')[1] ?? ''))
      return refusal('Shopware token is invalid')
    return apply(request, shop.states)
  }, versions)
  const shop: TestShop = {
    url,
    env: {STORECTL_URL: url, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: TOKEN},
    states: new Map(Object.entries(states)),
    tokens: new Set([TOKEN]),
    amounts: new Map(),
    received: [],
    arrived: () => shop.received.map(request => JSON.parse(request.body).id),
    searched: () => {},
    failsToFind: () => false,
    intercept: () => undefined,
  }
  return shop
}

function found({body}: Received, {states, amounts}: Pick<TestShop, 'states' | 'amounts'>): Reply {
  const {ids = []} = JSON.parse(body) as {ids?: string[]}
  const data = ids
    .filter(id => states.has(id))
    .map(id => {
      const {total, currency} = amounts.get(id) ?? {total: 10, currency: 'EUR'}
      return {
        id,
        stateMachineState: {technicalName: states.get(id)},
        amount: {totalPrice: total},
        order: {currency: {isoCode: currency}},
        customFields: {},
      }
    })
  return {status: 200, body: {total: data.length, data, aggregations: []}}
}

/** What the shop does with an event, by its own tables. */
export function apply({body}: Pick<Received, 'body'>, states: Map<string, string>): Reply {
  const event = JSON.parse(body)
  const handler = findHandler(event.event_type)
  if (!handler) return {status: 200}
  const {key, finalCapture, refunded} = readTraits(handler, event)
  const state = key.by === 'id' ? states.get(key.id) : undefined
  if (key.by !== 'id' || state === undefined) return refusal(GENERIC)
  const effect = deriveEffect(
    handler.rule,
    {finalCapture, breakdown: refunded === undefined ? undefined : {totalRefunded: refunded as never}},
    {state, amountTotal: 10, payUponInvoice: false},
  )
  if (effect.kind === 'missing') return {status: 500, body: errors('500', 'uninitialised')}
  const result = applyActions(STATE_MACHINES.order_transaction, state, effect.actions)
  if (result.kind === 'refused') return refusal(GENERIC)
  states.set(key.id, result.state)
  return {status: 200}
}

export const GENERIC = 'An error occurred during execution of webhook'

export function refusal(detail: string): Reply {
  return {status: 400, body: errors('400', detail)}
}

/** What the shop itself answers when it breaks. */
export const SHOP_ERROR: Reply = {status: 500, body: errors('500', 'it broke')}

function errors(status: string, detail: string) {
  return {errors: [{code: '0', status, title: 'Bad Request', detail}]}
}

/** The id of transaction `index`: 32 lower-case hex digits. */
export function transactionId(index: number): string {
  return index.toString(16).padStart(32, '0')
}

export interface EventOptions {
  readonly id?: string
  readonly type?: string
  /** Index of the transaction it is about. */
  readonly transaction?: number
  readonly createdAt?: string
  readonly final?: boolean
  /** In EUR; by default all that a payment of `testShop` is over. */
  readonly amount?: string
  readonly refunded?: string
}

/** Id of event `index`, in the provider's form. */
export function eventId(index: number): string {
  return `WH-${String(index).padStart(17, '0')}-${String(index).padStart(17, '0')}`
}

/** A capture or refund as the provider sends it; by default a final capture of a minute ago. */
export function event(index: number, options: EventOptions = {}) {
  const {type = 'PAYMENT.CAPTURE.COMPLETED', transaction = index, final = true, refunded = '10.00'} = options
  const {amount = '10.00'} = options
  const isRefund = type === 'PAYMENT.CAPTURE.REFUNDED'
  return {
    id: options.id ?? eventId(index),
    create_time: options.createdAt ?? timeAgo(60_000 - index),
    resource_type: isRefund ? 'refund' : 'capture',
    event_type: type,
    resource: {
      id: `${isRefund ? 'REF' : 'CAP'}${index}`,
      custom_id: transactionId(transaction),
      amount: {currency_code: 'EUR', value: amount},
      ...(isRefund
        ? {seller_payable_breakdown: {total_refunded_amount: {currency_code: 'EUR', value: refunded}}}
        : {final_capture: final}),
    },
    event_version: '1.0',
    resource_version: '2.0',
  }
}

/** One event a line, each with the address that it was sent to: with the token of the shop. */
export function ndjson(events: Iterable<object>, token = TOKEN): string {
  const url = `/api/_action/paypal/webhook/execute?sw-token=${token}`
  const request = (each: object) => {
    if ('body' in each) return {url, ...each}
    return 'event_type' in each ? {url, body: JSON.stringify(each)} : each
  }
  return [...events].map(each => `${JSON.stringify(request(each))}\n`).join('')
}

/** One event a line, and nothing that establishes its sender. */
export function bareNdjson(events: Iterable<object>): string {
  return [...events].map(each => `${JSON.stringify(each)}\n`).join('')
}

/** Events about transactions 0 to `count` - 1, all open. */
export function openPayments(count: number) {
  const all = Array.from({length: count}, (_, index) => index)
  return {
    states: Object.fromEntries(all.map(index => [transactionId(index), 'open'])),
    events: all.map(index => event(index)),
  }
}

/** No limits on speed, and nothing asked. */
export const FAST = ['--yes', '--rate', '0', '-o', 'ndjson']

/** Runs `webhook replay` against the shop, and gives its rows. */
export async function replay(shop: TestShop, words: readonly string[], options: TestContextOptions = {}) {
  const home = options.home ?? temporaryFolder()
  const ended = await storectl(['webhook', 'replay', ...FAST, ...words], {
    clock: new SkippingClock(),
    ...options,
    home,
    env: {...shop.env, ...options.env},
  })
  const rows = readJsonLines(ended.stdout)
  return {...ended, home, rows, outcomes: rows.map(row => [row.id, row.result])}
}

/** A file of the test's own. */
export function file(content: string, name = 'events.ndjson'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}
