import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {notification, order} from '../payloads.js'
import {cpuSeconds, median} from '../processes.js'
import {run, side, start} from '../programs.js'
import {bundledShop, storectlIn} from '../shops.js'

export const about = 'the routes of the bundled server against a bare Fastify route that parses the same body'

/** So many that each payment is moved a few times, as payments are, and not hundreds of times. */
const ORDERS = 12_000
const CUSTOMERS = 5000
const JSON_BOTH_WAYS = {'content-type': 'application/json', accept: 'application/json'}

export async function* bench(options) {
  const shopHome = join(options.home, 'shop')
  await mkdir(shopHome)
  const own = storectlIn(options, shopHome)
  const shop = await bundledShop(options, shopHome)
  const bare = await start(side('bare-fastify'))
  const durable = await start(side('durable-fastify'))
  const load = fork(join(import.meta.dirname, '../sides/load.js'))
  try {
    await run(own('server', 'seed', '--customers', String(CUSTOMERS), '--orders', String(ORDERS)))
    const groups = await routesOf(shop, own)
    const measured = []
    for (const route of groups) measured.push(await compare(route, {shop, bare, durable, load}, options))
    const [shopMemory, bareMemory] = [await shop.stop(), await bare.stop()]
    for (const rows of measured) Object.assign(rows[0], bareMemory) && Object.assign(rows[1], shopMemory)
    for (const [at, rows] of measured.entries()) {
      yield {title: groups[at].title, unit: 'requests/s', rows}
    }
  } finally {
    load.kill()
    await Promise.all([shop.stop(), bare.stop(), durable.stop()])
  }
}

async function routesOf({url, webhookUrl, credentials}, own) {
  const token = (await run({...own('auth', 'token'), wantsOutput: true})).stdout.trim()
  const signed = {...JSON_BOTH_WAYS, authorization: `Bearer ${token}`}
  const found = await askAll(url, signed, 'order-transaction', {
    filter: [{type: 'equals', field: 'stateMachineState.technicalName', value: 'open'}],
    includes: {order_transaction: ['id']},
  })
  const customers = await ask(url, signed, 'customer', {limit: 500})
  const grant = {
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  }
  return [
    // Before anything is written: texts are indexed a while later, at the cost of whoever asks meanwhile.
    {
      title: 'customer search by e-mail',
      path: '/api/search/customer',
      headers: signed,
      bodies: customers.map(({email}) =>
        JSON.stringify({filter: [{type: 'equals', field: 'email', value: email}]}),
      ),
      atLeast: 0.4,
    },
    {
      title: 'webhook execute, 2 KB, each moves a payment',
      path: `${new URL(webhookUrl).pathname}?sw-token=${credentials.webhookToken}`,
      headers: {'content-type': 'application/json'},
      bodies: [undefined, '0.01'].flatMap(refund =>
        found.map(({id}) => notification('@@@@@@@@@@@@', id, {refund})),
      ),
      writes: true,
      atLeast: 0.25,
    },
    {
      title: 'fulfillment order',
      path: '/api/fulfillment/order',
      headers: signed,
      bodies: [order('R-@@@@@@@@@@@@')],
      writes: true,
      atLeast: 0.4,
    },
    {
      title: 'token, by client credentials',
      path: '/api/oauth/token',
      headers: JSON_BOTH_WAYS,
      bodies: [JSON.stringify(grant)],
      signs: true,
      // More attempts at once than the throttle lets through would be refused.
      inFlight: 8,
    },
  ]
}

async function askAll(url, headers, entity, criteria) {
  const all = []
  for (let page = 1; ; page++) {
    const some = await ask(url, headers, entity, {...criteria, limit: 500, page})
    all.push(...some)
    if (some.length < 500) return all
  }
}

async function ask(url, headers, entity, criteria) {
  const answer = await fetch(`${url}/api/search/${entity}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(criteria),
  })
  const {data} = await answer.json()
  return data
}

/**
 * Bare and ours in turn; of a write the comparison is also with a Fastify that keeps the body by a single insert, of a
 * token with what signing alone takes.
 */
async function compare({signs, writes, atLeast, inFlight, ...route}, {shop, bare, durable, load}, options) {
  const {repeats, seconds} = options
  const job = {...route, inFlight: inFlight ?? options.load, seconds}
  const sides = [
    {name: 'bare Fastify', measure: () => flood(load, {...job, url: bare.url}, bare)},
    {
      name: 'bundled server',
      measure: () => flood(load, {...job, url: shop.url}, shop),
      atLeast,
    },
  ]
  const oneInsert = 'Fastify, one durable insert'
  if (writes) sides.push({name: oneInsert, measure: () => flood(load, {...job, url: durable.url}, durable)})
  if (signs) sides.push({name: 'bare RS256 loop', measure: () => sign(seconds)})
  const measured = sides.map(() => [])
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [at, {measure}] of sides.entries()) measured[at].push(await measure())
  }
  const rows = sides.map(({name, atLeast}, at) => ({...rowOf(measured[at]), name, atLeast}))
  const share = (rows[1].value / rows[2]?.value).toFixed(2)
  if (writes) addNote(rows[1], `${share} of one durable insert`)
  if (signs) addNote(rows[1], `${share} of the RS256 loop, aim ≥ 0.5`)
  return rows
}

function addNote(row, text) {
  row.note = row.note ? `${row.note}; ${text}` : text
}

async function flood(load, {path, url, ...job}, {pid}) {
  const before = cpuSeconds(pid)
  load.send({...job, url: url + path})
  const [measured] = await once(load, 'message')
  if (measured.error) throw new Error(`${path}: ${measured.error}`)
  return {...measured, cpuUs: ((cpuSeconds(pid) - before) * 1e6) / measured.requests}
}

async function sign(seconds) {
  return JSON.parse((await run({...side('signing-loop', seconds), wantsOutput: true})).stdout)
}

function rowOf(measured) {
  const of = name => measured.map(one => one[name])
  const cpuUs = median(of('cpuUs'))
  const refused = of('refused').reduce((sum, count = 0) => sum + count, 0)
  return {
    value: median(of('perSecond')),
    p99Ms: of('p99Ms')[0] === undefined ? undefined : median(of('p99Ms')),
    note: [
      ...(refused > 0 ? [`${refused} refused`] : []),
      ...(Number.isFinite(cpuUs) ? [`${Math.round(cpuUs)} µs of CPU each`] : []),
    ].join('; '),
  }
}
