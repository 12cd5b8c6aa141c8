import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {idOf, notification} from '../payloads.js'
import {run} from '../programs.js'
import {plainShop, signIn, storectlIn} from '../shops.js'
import {writeEvents} from './inbox.js'

export const about =
  'what ten times as many events, payments and customers take, time and memory, from start to exit'

const SMALLEST = 10_000

/** One payment with its order for so many events; those of a comparison are seeded, which takes longer than comparing. */
const EVENTS_PER_PAYMENT = 10

const QUICK = ['--rate', 'none', '--concurrency', '50', '--max', 'none', '--max-age', 'none', '-o', 'id']

/** What grows, in the order in which each stands on those before it. */
const WORK = [
  {name: 'webhook import', words: ({events}) => ['webhook', 'import', events]},
  {name: 'webhook list --all -o id', words: () => ['webhook', 'list', '--all', '-o', 'id']},
  {
    name: 'webhook replay, to an empty endpoint',
    words: () => ['webhook', 'replay', '--yes', '--include-unverified', '--offline', ...QUICK],
  },
  {name: 'run export --format csv', words: () => ['run', 'export', 'last', '--format', 'csv']},
  {
    name: `payment reconcile, a payment for ${EVENTS_PER_PAYMENT} events`,
    words: () => ['payment', 'reconcile', '--profile', 'local', '--since', '3650d', '-o', 'id'],
    exit: 3,
  },
  {
    name: 'customer search --all -o ndjson',
    words: () => ['customer', 'search', '--all', '--profile', 'local', '-o', 'ndjson'],
  },
]

export async function* bench(options) {
  const sizes = []
  for (let size = SMALLEST; size <= options.growth; size *= 10) sizes.push(size)
  const measured = new Map(WORK.map(({name}) => [name, []]))
  const shop = await plainShop()
  try {
    for (const size of sizes) {
      for (const {name, ...row} of await measure(options, shop, size)) measured.get(name).push(row)
    }
  } finally {
    await shop.stop()
  }
  for (const [title, rows] of measured) yield {title, unit: 's', rows: rows.map(limit)}
}

/** No more than n log n of the smallest, and a tenth for the machine. */
function limit(row, at, [{size: least}]) {
  const growth = row.size / least
  const atMost = at === 0 ? undefined : 1.1 * growth * (Math.log(row.size) / Math.log(least))
  return {...row, name: row.size.toLocaleString('en-US'), atMost: atMost && Number(atMost.toFixed(1))}
}

async function measure(options, shop, size) {
  await (await fetch(`${shop.url}/reset`, {method: 'POST'})).text()
  const home = join(options.home, `of ${size}`)
  await mkdir(home)
  const own = storectlIn(options, home)
  await signIn(options, home, shop)
  const counts = {customers: size, orders: 0, payments: size / EVENTS_PER_PAYMENT}
  const seed = Object.entries(counts).flatMap(([name, count]) => [`--${name}`, String(count)])
  await run(own('server', 'seed', ...seed, '--drift', '1%'))
  const events = await writeEvents(size, home, (at, createTime) =>
    notification(String(at).padStart(12, '0'), idOf(`transaction ${at}`), {createTime}),
  )
  const rows = []
  for (const {name, words, exit} of WORK) {
    const {ms, memoryMiB} = await run({...own(...words({events})), exit})
    rows.push({name, size, value: ms / 1000, memoryMiB})
  }
  return rows
}
