import {fork, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import process from 'node:process'
import {notification} from '../payloads.js'
import {median, plainEnvironment} from '../processes.js'
import {side, start} from '../programs.js'
import {plainShop} from '../shops.js'

export const about =
  'webhook capture in front of a plain node:http shop, against a bare Fastify proxy that keeps nothing'

const TOKEN = 'Ab12'.repeat(8)
const PATH = `/api/_action/paypal/webhook/execute?sw-token=${TOKEN}`
/** Payments that the events are about; those of one go one at a time. */
const PAYMENTS = 5000

export async function* bench(options) {
  const home = join(options.home, 'capture')
  await mkdir(home)
  const shop = await plainShop()
  const proxy = await start(side('bare-proxy', shop.url))
  const capture = await captureOf(options, home, shop.url)
  const load = fork(join(import.meta.dirname, '../sides/load.js'))
  const sides = [
    {name: 'bare Fastify proxy', url: proxy.url, measured: []},
    {name: 'webhook capture, each event and each result durable', url: capture.url, measured: []},
  ]
  try {
    for (let repeat = 0; repeat < options.repeats; repeat++) {
      for (const {url, measured} of sides) measured.push(await flood(load, url, options))
    }
    const memory = await proxy.stop()
    const rows = sides.map(({name, measured}, at) => ({
      name,
      value: median(measured.map(({perSecond}) => perSecond)),
      p99Ms: median(measured.map(({p99Ms}) => p99Ms)),
      note: noteOf(measured),
      ...(at === 0 ? memory : {}),
    }))
    yield {title: '2 KB events, each of a payment of its own', unit: 'requests/s', rows}
  } finally {
    load.kill()
    await Promise.all([capture.stop(), shop.stop(), proxy.stop()])
  }
}

async function flood(load, url, {load: inFlight, seconds}) {
  const bodies = Array.from({length: PAYMENTS}, (_, at) =>
    notification('@@@@@@@@@@@@', at.toString(16).padStart(32, '0')),
  )
  const headers = {'content-type': 'application/json'}
  load.send({url: url + PATH, headers, bodies, inFlight, seconds})
  const [measured] = await once(load, 'message')
  if (measured.error) throw new Error(measured.error)
  return measured
}

function noteOf(measured) {
  const refused = measured.reduce((sum, one) => sum + one.refused, 0)
  return refused > 0 ? `${refused} refused` : undefined
}

/** Resolves once its files are its own no more. */
async function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'close')
}

/** It says where it listens on stderr, in words. */
async function captureOf({storectl}, home, shop) {
  const env = plainEnvironment({
    STORECTL_HOME: home,
    STORECTL_URL: shop,
    STORECTL_WEBHOOK_TOKEN: TOKEN,
  })
  const argv = [storectl, 'webhook', 'capture', '--listen', '0', '-o', 'id']
  const child = spawn(process.execPath, argv, {env, stdio: ['ignore', 'ignore', 'pipe']})
  process.once('exit', () => child.kill())
  let said = ''
  for await (const chunk of child.stderr) {
    said += chunk
    const [, url] = /(http:\/\/\S+)\/api/.exec(said) ?? []
    if (url) {
      child.stderr.resume()
      return {url, stop: () => stopped(child)}
    }
  }
  throw new Error(`the capture ended: ${said}`)
}
