import Agent from 'undici/lib/dispatcher/agent.js'
import {expect, onTestFinished, test} from 'vitest'
import {SqliteConnection} from '../src/storage/sqlite/connection.js'
import {customerRow, customerShop, signedInTo} from './support/customer-pages.js'
import {endpoint} from './support/endpoint.js'
import {temporaryFolder} from './support/home.js'
import {loginWords} from './support/login-words.js'
import {orderOf, orderShop} from './support/order-shop.js'
import {tokenShop} from './support/shop-endpoint.js'
import {countInStack, joinStacks} from './support/stacks.js'
import {storectl} from './support/storectl.js'
import {event, ndjson, testShop, transactionId} from './webhook/support.js'

/** Own files on the way from a command's `run()` to each of its requests, and to each insert of a journal entry. */
interface Ways {
  readonly requests: string[][]
  readonly inserts: string[][]
  /** How often the client stands in the stack of each request. */
  readonly clients: number[]
}

/** Runs a command with both ends of its ways watched: where undici takes a request, and where SQLite takes a row. */
async function waysOf(run: () => Promise<{readonly exit: number}>): Promise<Ways> {
  const {here, stop} = joinStacks()
  const ways: Ways = {requests: [], inserts: [], clients: []}
  const {dispatch} = Agent.prototype
  const {runEach} = SqliteConnection.prototype
  Agent.prototype.dispatch = function (...given) {
    ways.requests.push(here())
    ways.clients.push(countInStack('http/client.ts'))
    return dispatch.apply(this, given)
  }
  SqliteConnection.prototype.runEach = function (sql, lists) {
    const watched = function* () {
      ways.inserts.push(here())
      yield* lists
    }
    const isJournal = sql.startsWith('insert into "run_record"')
    runEach.call(this, sql, isJournal ? (watched() as Iterable<unknown[]> as unknown[][]) : lists)
  }
  onTestFinished(() => {
    stop()
    Agent.prototype.dispatch = dispatch
    SqliteConnection.prototype.runEach = runEach
  })
  expect((await run()).exit).toBe(0)
  return ways
}

const longerThan = (most: number, ways: readonly string[][]) => ways.filter(({length}) => length > most)

/** The end of a way that a journal entry takes: from the journal to the row. */
const behindJournal = (way: readonly string[]) => way.slice(way.indexOf('runs/journal/journal.ts'))

test('a replay reaches socket and journal through 15 files at most', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const given = {env: shop.env, home: temporaryFolder(), stdin: ndjson([event(1)])}
  const ways = await waysOf(() => storectl(['webhook', 'replay', '-', '--yes', '--rate', '5'], given))
  expect(shop.arrived()).toHaveLength(1)
  // The version is looked up once; states are, for the plan, before the event is sent, and after it.
  expect(ways.requests.map(way => way.at(0))).toEqual(Array(5).fill('commands/webhook/replay.ts'))
  expect(ways.requests.map(way => way.at(-1))).toEqual(Array(5).fill('http/exchange.ts'))
  expect(longerThan(15, [...ways.requests, ...ways.inserts])).toEqual([])
  expect(ways.inserts).toHaveLength(2)
  expect(longerThan(8, ways.inserts.map(behindJournal))).toEqual([])
  // The call, what carries it out, and what makes the request.
  expect(ways.clients.filter(times => times < 1 || times > 3)).toEqual([])
})

test('a submit reaches socket and journal through 15 files at most', async () => {
  const shop = await orderShop()
  const given = {
    env: signedInTo(shop.url),
    home: temporaryFolder(),
    stdin: JSON.stringify([orderOf('A-1')]),
  }
  const ways = await waysOf(() => storectl(['order', 'submit', '-', '--yes'], given))
  expect(ways.requests.map(way => way.at(0))).toEqual(['commands/order/submit.ts'])
  expect(longerThan(15, [...ways.requests, ...ways.inserts])).toEqual([])
  expect(ways.inserts).toHaveLength(2)
  expect(longerThan(8, ways.inserts.map(behindJournal))).toEqual([])
})

test('a search reaches the socket through 12 files at most', async () => {
  const shop = await endpoint(customerShop(() => [customerRow(1)]))
  const ways = await waysOf(() => storectl(['customer', 'search', 'ada'], {env: signedInTo(shop.url)}))
  expect(ways.requests.map(way => way.at(0))).toEqual(['commands/customer/search.ts'])
  expect(longerThan(12, ways.requests)).toEqual([])
})

test('a sign-in reaches the socket through 8 files at most', async () => {
  const shop = await tokenShop({answer: () => ({status: 200, body: {version: '6.6.7.1'}})})
  const given = {home: temporaryFolder(), stdin: 'hidden-secret\n'}
  const ways = await waysOf(() => storectl(loginWords(shop.url), given))
  expect(ways.requests.map(way => way.at(0))).toEqual(['commands/login.ts', 'commands/login.ts'])
  expect(longerThan(8, ways.requests)).toEqual([])
})
