import {createWriteStream} from 'node:fs'
import {mkdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {idOf, notification} from '../payloads.js'
import {median} from '../processes.js'
import {run} from '../programs.js'
import {plainShop, signIn, storectlIn} from '../shops.js'

export const about =
  'very many events in the inbox: importing them, planning a replay of them, listing the newest'

const LISTINGS = 5
const HOURS = 3_600_000

/** Events of one piece of the file. */
const PIECE = 1000

export async function* bench(options) {
  const home = join(options.home, 'plan')
  await mkdir(home)
  const shop = await plainShop()
  try {
    await signIn(options, home, shop)
    const own = storectlIn(options, home)
    yield {title: 'webhook import', unit: 's', rows: [await importing(options, own)]}
    yield {title: 'webhook replay --dry-run', unit: 's', rows: await planning(options, own)}
    yield {title: 'webhook list --limit 25', unit: 'ms', rows: [await listing(own)]}
  } finally {
    await shop.stop()
  }
}

async function importing({home, plans}, own) {
  const file = join(home, 'many.ndjson')
  await pipeline(Readable.from(pieces(plans)), createWriteStream(file))
  const {ms, memoryMiB} = await run(own('webhook', 'import', file))
  await rm(file)
  return {name: `${plans} events of 2 KB`, value: ms / 1000, memoryMiB}
}

/** All of the last hours, so that none is too old to be sent. */
function* pieces(count) {
  const begin = Date.now() - 20 * HOURS
  for (let from = 0; from < count; from += PIECE) {
    const size = Math.min(PIECE, count - from)
    yield Array.from({length: size}, (_, at) => `${eventOf(from + at, begin, count)}\n`).join('')
  }
}

function eventOf(at, begin, count) {
  const createTime = new Date(begin + (at / count) * 15 * HOURS).toISOString()
  return notification(String(at).padStart(12, '0'), idOf(`transaction ${at}`), {createTime})
}

async function planning({plans}, own) {
  const plan = (...words) =>
    run(
      own(
        'webhook',
        'replay',
        '--dry-run',
        '--max',
        'none',
        '--include-unverified',
        '--offline',
        '-o',
        'id',
        ...words,
      ),
    )
  const note = 'aim < 60 s, < 300 MiB'
  const sides = [
    [`${plans} events, states not looked at`, ['--no-check-state']],
    [`${plans} events`, []],
  ]
  const rows = []
  for (const [name, words] of sides) {
    const {ms, memoryMiB} = await plan(...words)
    rows.push({name, value: ms / 1000, memoryMiB, note})
  }
  return rows
}

async function listing(own) {
  const all = []
  while (all.length < LISTINGS) all.push(await run(own('webhook', 'list', '--limit', '25')))
  const value = median(all.map(({ms}) => ms))
  return {
    name: 'the newest 25',
    value,
    memoryMiB: Math.max(...all.map(one => one.memoryMiB)),
    note: 'aim < 150 ms',
  }
}
