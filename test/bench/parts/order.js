import {once} from 'node:events'
import {createWriteStream} from 'node:fs'
import {mkdir, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {bodyLoops} from '../loops.js'
import {order, orderTable} from '../payloads.js'
import {run, side} from '../programs.js'
import {compared, inTurn} from '../rounds.js'
import {bundledShop, copyOf, plainShop, signIn, storectlIn} from '../shops.js'

export const about =
  'submitting orders, from start to exit, against loops that send the same bodies; and checking alone'

export async function* bench(options) {
  const files = await orderFiles(options.home, 'orders', options.orders)
  yield {title: 'submit to bare node:http', unit: 'orders/s', rows: await toPlainShop(options, files)}
  yield {title: 'submit to the bundled server', unit: 'orders/s', rows: await toBundledShop(options, files)}
  yield {title: 'check a CSV file', unit: 'rows/s', rows: await checking(options)}
  yield {title: `memory, CSV of ${options.large} MB`, unit: 'MiB', rows: await memory(options)}
}

const ALLOWED_MIB = 150
/** Orders are sent for so long, which shows as much as all of them would. */
const SENDING_SECONDS = 15

/** The peak of a check, and of a submit that is interrupted while it sends. */
async function memory(options) {
  const {home, large} = options
  const file = join(home, 'large.csv')
  const orders = await largeFile(file, large * 1e6)
  const shop = await plainShop()
  try {
    const own = storectlIn(options, join(home, 'large'))
    await mkdir(join(home, 'large'))
    await signIn(options, join(home, 'large'), shop)
    const checked = await run(own('order', 'validate', file))
    const seconds = Math.ceil(checked.ms / 800) + SENDING_SECONDS
    const submit = own('order', 'submit', file, '--yes', '-o', 'ndjson', '--concurrency', '10')
    const until = ['timeout', '--preserve-status', '--signal=INT', String(seconds)]
    const sent = await run({...submit, argv: [...until, ...submit.argv], exit: 130})
    return [
      {name: 'allowed', value: ALLOWED_MIB},
      {
        name: 'order validate',
        value: checked.memoryMiB,
        atMost: 1,
        note: `${orders} orders in ${(checked.ms / 1000).toFixed(0)} s`,
      },
      {
        name: 'order submit',
        value: sent.memoryMiB,
        atMost: 1,
        note: `sending for ${SENDING_SECONDS} s or more`,
      },
    ]
  } finally {
    await shop.stop()
    await rm(file, {force: true})
  }
}

const ROWS_AT_ONCE = 5000

/** Rows as short as they are likely to be, so that there are many. @returns how many orders it holds */
async function largeFile(file, sizeBytes) {
  const out = createWriteStream(file)
  out.write(`${SHORT_COLUMNS}\n`)
  let count = 0
  for (let written = 0; written < sizeBytes; ) {
    const rows = Array.from({length: ROWS_AT_ONCE}, () => shortRow(count++)).join('')
    written += rows.length
    if (!out.write(rows)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return count
}

const SHORT_COLUMNS =
  'reference,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity'

function shortRow(at) {
  return `R-${String(at).padStart(9, '0')},Ada Lovelace,Prager Strasse ${at % 900},01069,Dresden,DE,SW-${at % 5000},2\n`
}

async function toPlainShop(options, files) {
  const shop = await plainShop()
  try {
    const home = join(options.home, 'plain')
    await mkdir(home)
    await signIn(options, home, shop)
    const fresh = () => copyOf(home, join(options.home, 'run'))
    const loops = bodyLoops(options, files.ndjson, `${shop.url}/api/fulfillment/order`)
    const rows = await inTurn([...loops, ...ours(options, files, {fresh}, 0.7)], options.repeats)
    return compared(rows, 'order submit, CSV', 'shell loop over curl')
  } finally {
    await shop.stop()
  }
}

async function toBundledShop(options, files) {
  const home = join(options.home, 'bundled')
  await mkdir(home)
  const first = await bundledShop(options, home)
  const port = new URL(first.url).port
  await signIn(options, home, first)
  const token = (await run({...storectlIn(options, home)('auth', 'token'), wantsOutput: true})).stdout.trim()
  await first.stop()
  const started = {}
  const begin = async () => {
    const place = await copyOf(home, join(options.home, 'run'))
    started.shop = await bundledShop(options, place, port)
    return place
  }
  const after = () => started.shop.stop()
  const headers = {'content-type': 'application/json', authorization: `Bearer ${token}`}
  const [pool] = bodyLoops(options, files.ndjson, `${first.url}/api/fulfillment/order`, headers)
  const loop = {
    ...pool,
    prepare: async () => {
      await begin()
      return {...(await pool.prepare()), after}
    },
  }
  return inTurn([loop, ...ours(options, files, {fresh: begin, after}, 0.85)], options.repeats)
}

function ours(options, files, {fresh, after}, atLeast) {
  return Object.entries(files).map(([form, file]) => ({
    name: `order submit, ${form === 'csv' ? 'CSV' : 'NDJSON'}`,
    count: options.orders,
    atLeast,
    prepare: async () => {
      const own = storectlIn(options, await fresh())
      const words = ['--yes', '-o', 'ndjson', '--concurrency', String(options.connections)]
      return {command: own('order', 'submit', file, ...words), after}
    },
  }))
}

async function checking(options) {
  const {csv} = await orderFiles(options.home, 'rows', options.rows)
  const own = storectlIn(options, options.home)
  const sides = [
    {name: 'csv-parse alone', command: side('csv-loop', csv)},
    {name: 'order validate, CSV', command: own('order', 'validate', csv), atLeast: 0.9},
  ]
  return inTurn(
    sides.map(({command, ...rest}) => ({...rest, count: options.rows, prepare: async () => ({command})})),
    options.repeats,
  )
}

async function orderFiles(home, name, count) {
  const references = Array.from({length: count}, (_, at) => `R-${String(at).padStart(8, '0')}`)
  const files = {csv: join(home, `${name}.csv`), ndjson: join(home, `${name}.ndjson`)}
  await writeFile(files.csv, orderTable(references))
  await writeFile(files.ndjson, `${references.map(order).join('\n')}\n`)
  return files
}
