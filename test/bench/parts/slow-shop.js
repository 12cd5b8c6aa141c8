import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {idOf, notification} from '../payloads.js'
import {run} from '../programs.js'
import {copyOf, plainShop, signIn, storectlIn} from '../shops.js'

export const about =
  '4,000 events of 4,000 transactions to a shop that takes its time, all safety checks on, from start to exit'

const EVENTS = 4000

const [WEBHOOK_MS, SEARCH_MS] = [100, 50]

const FIRST = ['webhook', 'replay', '--yes', '-o', 'ndjson', '--include-unverified', '--offline']

export async function* bench(options) {
  const shop = await plainShop(WEBHOOK_MS, SEARCH_MS)
  try {
    const home = join(options.home, 'slow')
    await mkdir(home)
    await signIn(options, home, shop)
    await store(options, home)
    const {connections} = options
    const ceiling = connections / (WEBHOOK_MS / 1000)
    const words = ['--rate', 'none', '--concurrency', String(connections), '--max', 'none']
    const fast = await measure(options, shop, home, words)
    yield {
      title: `a webhook in ${WEBHOOK_MS} ms, a search in ${SEARCH_MS} ms`,
      unit: 'events/s',
      rows: [
        {name: `${connections} at once ÷ ${WEBHOOK_MS} ms`, value: ceiling},
        {...fast, name: `webhook replay ${words.join(' ')}`, value: EVENTS / fast.seconds, atLeast: 0.85},
      ],
    }
    const usual = await measure(options, shop, home, ['--max', String(EVENTS)])
    yield {
      title: 'the same shop, default flags',
      unit: 's',
      rows: [
        {name: '1 minute', value: 60},
        {...usual, name: `webhook replay --max ${EVENTS}`, value: usual.seconds, atMost: 1},
      ],
    }
  } finally {
    await shop.stop()
  }
}

async function measure(options, {url}, home, words) {
  await (await fetch(`${url}/reset`, {method: 'POST'})).text()
  const place = await copyOf(home, join(options.home, 'run'))
  const {ms, memoryMiB} = await run(storectlIn(options, place)(...FIRST, ...words))
  const searches = Number(await (await fetch(`${url}/searches`, {method: 'POST'})).text())
  return {memoryMiB, seconds: ms / 1000, note: `1 search for ${Math.round(EVENTS / searches)} events`}
}

async function store(options, home) {
  const file = join(options.home, 'events.ndjson')
  const begin = Date.now() - 3600_000
  const events = Array.from({length: EVENTS}, (_, at) =>
    notification(String(at).padStart(12, '0'), idOf(`transaction ${at}`), {
      createTime: new Date(begin + at).toISOString(),
    }),
  )
  await writeFile(file, `${events.join('\n')}\n`)
  await run(storectlIn(options, home)('webhook', 'import', file))
}
