import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bodyLoops} from '../loops.js'
import {idOf, notification} from '../payloads.js'
import {run} from '../programs.js'
import {compared, inTurn} from '../rounds.js'
import {bundledShop, copyOf, plainShop, signIn, storectlIn} from '../shops.js'

export const about =
  'stored 2 KB events of distinct transactions, from start to exit, against loops that send the same bodies'

/** Of the seeded payments about a third are open. */
const ORDERS_AN_EVENT = 3.2

export async function* bench(options) {
  yield {title: 'replay to bare node:http', unit: 'events/s', rows: await toPlainShop(options)}
  yield {title: 'replay to the bundled server', unit: 'events/s', rows: await toBundledShop(options)}
}

async function toPlainShop(options) {
  const shop = await plainShop()
  try {
    const home = join(options.home, 'plain')
    await mkdir(home)
    await signIn(options, home, shop)
    const open = Array.from({length: options.events}, (_, at) => ({
      id: idOf(`transaction ${at}`),
      amount: {totalPrice: 100},
    }))
    const file = await store(options, home, open)
    const fresh = async () => {
      await (await fetch(`${shop.url}/reset`, {method: 'POST'})).text()
      return copyOf(home, join(options.home, 'run'))
    }
    const sides = [...bodyLoops(options, file, webhookOf(shop)), ...ours(options, {fresh}, GUARDS)]
    const rows = costs(await inTurn(sides, options.repeats))
    return compared(rows, EVERY_GUARD, 'shell loop over curl')
  } finally {
    await shop.stop()
  }
}

async function toBundledShop(options) {
  const home = join(options.home, 'bundled')
  await mkdir(home)
  const own = storectlIn(options, home)
  const first = await bundledShop(options, home)
  await run(own('server', 'seed', '--orders', String(Math.ceil(options.events * ORDERS_AN_EVENT))))
  const port = new URL(first.url).port
  await signIn(options, home, first)
  const file = await store(options, home, await openTransactions(first, own, options.events))
  await first.stop()
  // Payments move but once, so that every run begins with a fresh copy of the shop.
  const started = {}
  const begin = async () => {
    const place = await copyOf(home, join(options.home, 'run'))
    started.shop = await bundledShop(options, place, port)
    return place
  }
  const end = () => started.shop.stop()
  const {webhookToken} = first.credentials
  const [pool] = bodyLoops(options, file, `${first.webhookUrl}?sw-token=${webhookToken}`)
  const loop = {
    ...pool,
    prepare: async () => {
      await begin()
      return {...(await pool.prepare()), after: end}
    },
  }
  const some = [
    {name: NO_STATES, words: STATES},
    {name: EVERY_GUARD, words: [], atLeast: 0.93},
  ]
  return inTurn([loop, ...ours(options, {fresh: begin, after: end}, some)], options.repeats)
}

const EVERY_GUARD = 'webhook replay'
const NO_GUARD = 'webhook replay, no guard'
const NO_STATES = 'webhook replay --no-check-state'

const [BREAKER, CANARY, STATES] = [
  ['--breaker-failures', 'none', '--breaker-rate', 'none'],
  ['--canary', 'none'],
  ['--no-check-state'],
]

/** What turns the guards off that a side goes without. */
const GUARDS = [
  {name: NO_GUARD, words: [...BREAKER, ...CANARY, ...STATES]},
  {name: 'webhook replay, breaker alone', words: [...CANARY, ...STATES]},
  {name: 'webhook replay, canary alone', words: [...BREAKER, ...STATES]},
  {name: 'webhook replay, states alone', words: [...BREAKER, ...CANARY]},
  {name: NO_STATES, words: STATES},
  {name: EVERY_GUARD, words: [], atLeast: 0.75},
]

/** Says in the rows what the guards cost. */
function costs(rows) {
  const none = rows.find(({name}) => name === NO_GUARD)
  for (const row of rows) {
    if (row === none || !GUARDS.some(({name}) => name === row.name)) continue
    const percent = Math.round((none.value / row.value - 1) * 100)
    row.note = `${percent >= 0 ? '+' : ''}${percent} % time for its guards`
  }
  return rows
}

function ours(options, {fresh, after}, sides) {
  const unlimited = ['--rate', 'none', '--max', 'none']
  const replay = [
    'webhook',
    'replay',
    '--yes',
    '-o',
    'ndjson',
    // The events of a file have no sender, and nobody is asked.
    ...['--include-unverified', '--offline'],
    '--concurrency',
    String(options.connections),
    ...unlimited,
  ]
  const sideOf = (name, words, atLeast) => ({
    name,
    count: options.events,
    atLeast,
    prepare: async () => {
      const place = await fresh()
      return {command: storectlIn(options, place)(...replay, ...words), after}
    },
  })
  return sides.map(({name, words, atLeast}) => sideOf(name, words, atLeast))
}

/** Puts an event for each transaction into the inbox of a home. @returns the same bodies as a file, one a line */
async function store(options, home, transactions) {
  const file = join(options.home, 'events.ndjson')
  const begin = Date.now() - 3600_000
  const events = transactions.map(({id, amount}, at) =>
    notification(String(at).padStart(12, '0'), id, {
      createTime: new Date(begin + at).toISOString(),
      amount: amount.totalPrice.toFixed(2),
    }),
  )
  await writeFile(file, `${events.join('\n')}\n`)
  await run(storectlIn(options, home)('webhook', 'import', file))
  return file
}

async function openTransactions({url}, own, count) {
  const token = (await run({...own('auth', 'token'), wantsOutput: true})).stdout.trim()
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${token}`,
  }
  const filter = [{type: 'equals', field: 'stateMachineState.technicalName', value: 'open'}]
  const includes = {order_transaction: ['id', 'amount']}
  const found = []
  for (let page = 1; found.length < count; page++) {
    const body = JSON.stringify({filter, includes, limit: 500, page, sort: [{field: 'id'}]})
    const answer = await fetch(`${url}/api/search/order-transaction`, {method: 'POST', headers, body})
    const {data} = await answer.json()
    if (data.length === 0) throw new Error(`only ${found.length} payments are open`)
    found.push(...data)
  }
  return found.slice(0, count)
}

function webhookOf({url}) {
  return `${url}/api/_action/paypal/webhook/execute?sw-token=${'x'.repeat(32)}`
}
