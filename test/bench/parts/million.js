import {fork} from 'node:child_process'
import {once} from 'node:events'
import {mkdir} from 'node:fs/promises'
import {request} from 'node:http'
import {join} from 'node:path'
import {median} from '../processes.js'
import {run} from '../programs.js'
import {bundledShop, storectlIn} from '../shops.js'
import {everything, TWELVE} from './search.js'

export const about =
  'a million customers: seeding them, searches of the bundled server among them, and printing all'

const WARM_UP = 5
const TIMES = 40
/** An order for every fifth customer. */
const ORDERS_SHARE = 0.2
const PAGE = 500

export async function* bench(options) {
  const home = join(options.home, 'million')
  await mkdir(home)
  const own = storectlIn(options, home)
  yield {title: 'server seed', unit: 's', rows: [await seeding(options, own)]}
  const shop = await bundledShop(options, home)
  try {
    const ask = asker(shop, (await run({...own('auth', 'token'), wantsOutput: true})).stdout.trim())
    yield {title: 'one search, from request to answer', unit: 'ms', rows: await searches(options, ask)}
    yield {title: `pages of ${PAGE}, whole rows`, unit: 'rows/s', rows: [await pages(options, ask)]}
    const all = {...options, customers: options.million, repeats: 1}
    yield await everything(all, own, shop, 'twelve fields', ['--fields', TWELVE])
    yield await everything(all, own, shop, 'whole customers', [])
  } finally {
    await shop.stop()
  }
}

async function seeding({million}, own) {
  const orders = Math.round(million * ORDERS_SHARE)
  const {ms, memoryMiB} = await run(
    own('server', 'seed', '--customers', String(million), '--orders', String(orders)),
  )
  return {
    name: `${million} customers, ${orders} orders`,
    value: ms / 1000,
    memoryMiB,
    note: 'aim < 90 s, < 400 MiB',
  }
}

/** @returns what asks for customers, and `few()`, which asks for one of three things: the cost of asking alone */
function asker({url}, token) {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }
  return {
    url: `${url}/api/search/customer`,
    headers,
    few: () => sent(`${url}/api/search/salutation`, {method: 'POST', headers}, '{"limit":1}'),
    search: criteria =>
      sent(`${url}/api/search/customer`, {method: 'POST', headers}, JSON.stringify(criteria)),
  }
}

function sent(url, options, body) {
  return new Promise((resolve, reject) => {
    const sending = request(url, options, answer => {
      const chunks = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () => {
        if (answer.statusCode !== 200) return reject(new Error(`${url}: ${answer.statusCode}`))
        resolve(Buffer.concat(chunks))
      })
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

async function searches({million}, ask) {
  const [{email, customerNumber}] = JSON.parse(
    await ask.search({limit: 1, page: Math.ceil(million / 2)}),
  ).data
  const filter = (type, field, value) => [{type, field, value}]
  const cases = [
    ['by e-mail', {filter: filter('equals', 'email', email)}, 1],
    ['by number', {filter: filter('equals', 'customerNumber', customerNumber)}, 1],
    ['contains in a name, common', {limit: 25, filter: filter('contains', 'lastName', 'müll')}, 10],
    ['contains in a name, in nobody’s', {limit: 25, filter: filter('contains', 'lastName', 'xyzzy')}, 10],
    ['page 2000 of 25', {limit: 25, page: Math.min(2000, Math.floor(million / 25))}, 5],
    ['exact count, who is not active', counted(filter('equals', 'active', false)), 200],
    ['exact count, made after a day', counted([created('2024-01-05')]), 200],
    ['exact count, contains in a name', counted(filter('contains', 'lastName', 'müll')), 200],
    ['term, an e-mail address', {limit: 25, term: email}],
    ['term, a common name', {limit: 25, term: 'Müller'}],
  ]
  const bare = {name: 'a salutation, of three', value: await medianMs(ask.few)}
  const rows = [bare]
  for (const [name, criteria, aimMs] of cases) {
    const value = await medianMs(() => ask.search(criteria))
    const beyond = Math.max(0, value - bare.value)
    const aim = aimMs === undefined ? '' : `, aim < ${aimMs} ms${beyond < aimMs ? '' : ' ✗'}`
    rows.push({name, value, note: `${beyond.toFixed(2)} ms more${aim}`})
  }
  return rows
}

function counted(filter) {
  return {limit: 1, 'total-count-mode': 1, filter}
}

function created(gte) {
  return {type: 'range', field: 'createdAt', parameters: {gte}}
}

async function medianMs(ask) {
  const timesMs = []
  for (let time = -WARM_UP; time < TIMES; time++) {
    const begin = performance.now()
    await ask()
    if (time >= 0) timesMs.push(performance.now() - begin)
  }
  return median(timesMs)
}

/** As `customer search --all` asks for them, one page after the other, two at once. */
async function pages({million, seconds, repeats}, {url, headers}) {
  const bodies = Array.from({length: Math.floor(million / PAGE)}, (_, page) =>
    JSON.stringify({
      limit: PAGE,
      sort: [{field: 'autoIncrement', order: 'ASC'}],
      filter: [{type: 'range', field: 'autoIncrement', parameters: {gt: page * PAGE}}],
    }),
  )
  const load = fork(join(import.meta.dirname, '../sides/load.js'))
  try {
    const measured = []
    for (let repeat = 0; repeat < repeats; repeat++) {
      load.send({url, headers, bodies, inFlight: 2, seconds})
      const [answer] = await once(load, 'message')
      if (answer.error) throw new Error(answer.error)
      measured.push(answer)
    }
    const value = median(measured.map(({perSecond}) => perSecond)) * PAGE
    return {name: 'bundled server', value, note: `aim ≥ 60 000${value < 60_000 ? ' ✗' : ''}`}
  } finally {
    load.kill()
  }
}
