import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {createFaultList, type FaultInjector} from '../../src/shop/faults/active-faults.js'
import {createFaultInterceptor} from '../../src/shop/faults/faults.js'
import {parseFaultRule} from '../../src/shop/faults/parse.js'
import {replaceToken} from '../../src/shop/rules/webhook-tokens.js'
import {BASE_IDS, deriveStateId} from '../../src/shop/runtime/base-data.js'
import type {ShopCredentials} from '../../src/shop/runtime/credentials.js'
import type {ShopRuntime} from '../../src/shop/runtime/runtime.js'
import {type RunningShop, startServer} from '../../src/shop/shop.js'
import {insertEntities} from '../../src/shop/store/entities/insert-entities.js'
import type {ShopDatabase} from '../../src/shop/store/schema/schema.js'
import {findTransaction} from '../../src/shop/store/state-changes.js'
import type {ShopVersionName} from '../../src/shopware/editions.js'
import {ENTITY_MODEL} from '../../src/shopware/entities/entities.js'
import {generateId, SYSTEM_CURRENCY_ID} from '../../src/shopware/ids.js'
import {StoppedClock} from './clock.js'
import type {ProviderEvent} from './events.js'
import {giveCredentials, prepareShop} from './prepared-shop.js'

export interface ShopOptions {
  /** Keeps the shop of an earlier call. */
  dataFolder?: string
  faults?: string[]
  provider?: string
  tokenPrefix?: string
  shopVersion?: ShopVersionName
  clock?: StoppedClock
}

/** A bundled shop on a loopback port, with a clock that stands still. */
export interface TestShop {
  readonly url: string
  readonly dataFolder: string
  readonly db: ShopDatabase
  readonly runtime: ShopRuntime
  readonly credentials: ShopCredentials
  readonly clock: StoppedClock
  /** Those of the options, and whatever a test adds. */
  readonly faults: FaultInjector
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The token of the administrator in person, who may write roles, integrations and users. */
  signInVerified(): Promise<string>
  /** Posts JSON with an administrator's token. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Reads JSON with an administrator's token. */
  get(path: string): Promise<Response>
  /** A webhook token that the shop had until a moment ago. */
  earlierToken(): Promise<string>
  /** Delivers a notification with the shop's own token, or another one. */
  deliver(event: ProviderEvent | string, token?: string): Promise<Response>
  stop(): Promise<void>
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

const JSON_TYPE = {'content-type': 'application/json'}

/** Starts a shop that ends, with its files, when the test does. */
export async function testShop(options: ShopOptions = {}): Promise<TestShop> {
  const shop = await runShop(options)
  onTestFinished(() => shop.remove())
  return shop
}

/** Starts a shop that whoever asked for it ends, for the tests of a whole file. */
export async function runShop(options: ShopOptions = {}): Promise<TestShop> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'storectl-shop-'))
  const clock = options.clock ?? new StoppedClock()
  const faults = createFaultList((options.faults ?? []).map(parseFaultRule))
  const isThere = existsSync(join(dataFolder, 'shop.db'))
  const password = isThere ? undefined : await prepareShop(dataFolder, clock.now())
  const running = await start(dataFolder, clock, faults, options)
  if (password !== undefined) await giveCredentials(running.db, {dataFolder, password, now: clock.now()})
  const stop = once(() => running.stop())
  const credentials = JSON.parse(readFileSync(join(dataFolder, 'credentials'), 'utf8')) as ShopCredentials
  const post: TestShop['post'] = (path, body = '', headers = {}) =>
    fetch(`${running.url}${path}`, {method: 'POST', body: asBody(body), headers})
  let bearer: Promise<string> | undefined
  const signedIn = async () => {
    bearer ??= signIn(post, credentials)
    return {accept: 'application/json', authorization: `Bearer ${await bearer}`}
  }
  return {
    url: running.url,
    dataFolder,
    db: running.db,
    runtime: running.runtime,
    credentials,
    clock,
    faults,
    post,
    signInVerified: () => signInVerified(post, credentials),
    call: async (path, body, headers = {}) =>
      post(path, body ?? {}, {...JSON_TYPE, ...(await signedIn()), ...headers}),
    earlierToken: async () => {
      const earlier = 'Earlier0'.repeat(4)
      await running.db.writes.run(async db => {
        await replaceToken(db, earlier, clock.now())
        await replaceToken(db, credentials.webhookToken, clock.now())
      })
      return earlier
    },
    get: async path => fetch(`${running.url}${path}`, {headers: await signedIn()}),
    deliver: (event, token = credentials.webhookToken) => {
      const {body, headers} = typeof event === 'string' ? {body: event, headers: JSON_TYPE} : event
      const {pathname} = new URL(running.webhookUrl)
      return post(`${pathname}?${running.runtime.tokenPrefix}-token=${token}`, body, headers)
    },
    stop,
    remove: async () => {
      await stop()
      rmSync(dataFolder, {recursive: true, force: true})
    },
  }
}

function start(
  dataFolder: string,
  clock: StoppedClock,
  faults: FaultInjector,
  options: ShopOptions,
): Promise<RunningShop> {
  const {provider, tokenPrefix, shopVersion} = options
  return startServer(
    {
      dataFolder,
      faults,
      intercept: createFaultInterceptor(faults, ms => clock.sleep(ms)),
      ...(provider === undefined ? {} : {provider}),
      ...(tokenPrefix === undefined ? {} : {tokenPrefix}),
      ...(shopVersion === undefined ? {} : {shopVersion}),
    },
    {
      now: () => clock.now(),
      process: {pid: process.pid, start: '0'},
      isRunning: () => false,
      files: {
        readTextIfThere: file => readIfThere(file),
        writeWhole: (file, text) => writeFileSync(file, text, {mode: 0o600}),
        makePrivateFolder: folder => void mkdirSync(folder, {recursive: true, mode: 0o700}),
        removeIfThere: file => rmSync(file, {force: true}),
      },
    },
  )
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function signIn(post: TestShop['post'], {clientId, clientSecret}: ShopCredentials): Promise<string> {
  return askForToken(post, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
}

function signInVerified(post: TestShop['post'], {username, password}: ShopCredentials): Promise<string> {
  const person = {grant_type: 'password', client_id: 'administration', scope: 'user-verified'}
  return askForToken(post, {...person, username, password})
}

async function askForToken(post: TestShop['post'], grant: object): Promise<string> {
  const answer = await post('/api/oauth/token', grant, JSON_TYPE)
  return ((await answer.json()) as {access_token: string}).access_token
}

function asBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body)
}

function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= stop()
    return stopped
  }
}

export interface TransactionOptions {
  /** Technical name. Default open. */
  state?: string
  /** Default 100. */
  amount?: number
  orderNumber?: string
  /** The order's id at the provider; none when null. */
  providerOrderId?: string | null
  parentPayment?: string
  payUponInvoice?: boolean
}

/** Signs an operator in to a shop and to a provider. @param provider base URL; by default the one that the shop plays */
export function operatorOf(
  {url, credentials}: Pick<TestShop, 'url' | 'credentials'>,
  provider = `${url}/provider/paypal`,
): Record<string, string> {
  return {
    STORECTL_URL: url,
    STORECTL_CLIENT_ID: credentials.clientId,
    STORECTL_CLIENT_SECRET: credentials.clientSecret,
    STORECTL_WEBHOOK_TOKEN: credentials.webhookToken,
    STORECTL_PROVIDER_URL: provider,
    STORECTL_PROVIDER_CLIENT_ID: credentials.providerClientId,
    STORECTL_PROVIDER_CLIENT_SECRET: credentials.providerClientSecret,
  }
}

/** Puts an order with one transaction into the shop. @returns the transaction's id */
export async function addTransaction(shop: TestShop, options: TransactionOptions = {}): Promise<string> {
  const [id] = await addTransactions(shop, [options])
  return id as string
}

/** The same for many, in one write. @returns their ids in that order */
export async function addTransactions(
  {db: {writes}, clock}: TestShop,
  many: readonly TransactionOptions[],
): Promise<string[]> {
  const now = clock.now()
  const rows = many.map(options => rowsOf(options, now))
  await writes.run(async db => {
    const [orders, transactions] = [rows.map(({order}) => order), rows.map(({transaction}) => transaction)]
    await insertEntities(db, ENTITY_MODEL.get('order'), orders, now)
    await insertEntities(db, ENTITY_MODEL.get('order_transaction'), transactions, now)
  })
  return rows.map(({transaction}) => transaction.id)
}

function rowsOf(options: TransactionOptions, now: Date) {
  const [orderId, id] = [generateId(now), generateId(now)]
  const {state = 'open', amount = 100, providerOrderId = '5O190127TN364715T', parentPayment} = options
  const customFields = {
    ...(providerOrderId === null ? {} : {swag_paypal_order_id: providerOrderId}),
    ...(parentPayment === undefined ? {} : {swag_paypal_transaction_id: parentPayment}),
  }
  const order = {
    id: orderId,
    orderNumber: options.orderNumber ?? '10000',
    amountTotal: amount,
    currencyId: SYSTEM_CURRENCY_ID,
  }
  const transaction = {
    id,
    orderId,
    paymentMethodId: options.payUponInvoice ? BASE_IDS.payUponInvoice : BASE_IDS.payPal,
    amount: {unitPrice: amount, totalPrice: amount, quantity: 1},
    stateId: deriveStateId('order_transaction.state', state),
    customFields: Object.keys(customFields).length > 0 ? customFields : null,
  }
  return {
    order: {...order, stateId: deriveStateId('order.state', 'open'), autoIncrement: null},
    transaction,
  }
}

/** The technical name of a transaction's present state. */
export async function stateOf({db}: TestShop, transactionId: string): Promise<string | undefined> {
  return (await findTransaction(db.reads, transactionId))?.state
}
