import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import pg from 'pg'
import {startCluster} from '../../support/postgres/cluster.js'
import {idOf, notification} from '../payloads.js'
import {median} from '../processes.js'
import {run, side, start} from '../programs.js'
import {copyOf, plainShop, signIn, storectlIn} from '../shops.js'

export const about =
  'one replay by 1, 2, 4 and 8 workers, all safety checks on, on PostgreSQL and on SQLite, from start to exit of the last of them'

const WORKERS = [1, 2, 4, 8]

/** Transactions of one worker at once. */
const CONCURRENCY = 16

/** What shops take over a webhook and a search: what real ones do, and none at all. */
const ANSWERS_AFTER_MS = [
  [100, 50],
  [0, 0],
]

/** A PostgreSQL elsewhere: so long is a request on its way there, and as long the response back. */
const EACH_WAY_MS = 10

/** What a worker is told; all other flags are as they are. */
const LIMITS = ['--concurrency', String(CONCURRENCY)]

const OF_FILES = ['--include-unverified', '--offline']
const REPLAY = ['webhook', 'replay', '--yes', '-o', 'ndjson', ...OF_FILES, '--rate', 'none', '--max', 'none']

export async function* bench(options) {
  const cluster = await startCluster({isDurable: true})
  try {
    for (const [webhookMs, searchMs] of ANSWERS_AFTER_MS) {
      const shop = await plainShop(webhookMs, searchMs)
      try {
        const times = `a webhook in ${webhookMs} ms, a search in ${searchMs} ms`
        const title = `${options.shared} events, ${times}, --rate none ${LIMITS.join(' ')}`
        const near = await onPostgres(options, cluster, shop, `postgres_${webhookMs}`)
        const engines = [near, await onSqlite(options, shop, `sqlite_${webhookMs}`)]
        yield {title, unit: 'events/s', rows: await curve(options, shop, engines)}
      } finally {
        await shop.stop()
      }
    }
    yield await distant(options, cluster)
  } finally {
    await cluster.stop()
  }
}

/** The first of the shops, with a PostgreSQL that is not on this machine. */
async function distant(options, cluster) {
  const [[webhookMs, searchMs]] = ANSWERS_AFTER_MS
  const shop = await plainShop(webhookMs, searchMs)
  const wire = await start(side('slow-wire', new URL(cluster.url('postgres')).port, EACH_WAY_MS))
  try {
    const far = await onPostgres(options, cluster, shop, 'postgres_far', wire.port)
    const title = `the first of these, PostgreSQL ${2 * EACH_WAY_MS} ms away`
    return {title, unit: 'events/s', rows: await curve(options, shop, [far])}
  } finally {
    await wire.stop()
    await shop.stop()
  }
}

/** Each number of workers on each engine, in turn. */
async function curve(options, shop, engines) {
  const sides = engines.flatMap(engine => WORKERS.map(workers => ({engine, workers, measured: []})))
  for (let repeat = 0; repeat < options.repeats; repeat++) {
    for (const {engine, workers, measured} of sides) {
      // Payments move but once: each run begins with open ones.
      await (await fetch(`${shop.url}/reset`, {method: 'POST'})).text()
      const own = await engine.fresh()
      const begin = performance.now()
      await shared(own, workers)
      measured.push((options.shared * 1000) / (performance.now() - begin))
    }
  }
  return sides.map(({engine, workers, measured}) => ({
    name: `${engine.name}, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    value: median(measured),
  }))
}

/** Founds a run, and has others join it as soon as it has begun to send. */
async function shared(own, workers) {
  const founder = begun(own(...REPLAY, ...LIMITS))
  const [line] = await once(founder.stdout.setEncoding('utf8'), 'data')
  founder.stdout.resume()
  const {run: id} = JSON.parse(line.split('\n')[0])
  const others = Array.from({length: workers - 1}, () =>
    begun(own('run', 'resume', id, '--join', '--yes', ...LIMITS, '-o', 'ndjson')),
  )
  for (const other of others) other.stdout.resume()
  await Promise.all([founder, ...others].map(ended))
}

function begun({argv: [program, ...argv], env}) {
  return spawn(program, argv, {env, stdio: ['ignore', 'pipe', 'pipe']})
}

async function ended(child) {
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')}: exit ${code}: ${said.slice(0, 2000)}`)
}

async function onSqlite(options, shop, name) {
  const home = await homeWithEvents(options, shop, name)
  return {
    name: 'SQLite',
    fresh: async () => storectlIn(options, await copyOf(home, join(options.home, 'run'))),
  }
}

/** Each run gets a copy of the database that was filled once. @param port that leads to it, if not its own */
async function onPostgres(options, cluster, shop, name, port = new URL(cluster.url(name)).port) {
  await cluster.createDatabase(name)
  const home = await homeWithEvents(options, shop, name, {STORECTL_DATABASE_URL: cluster.url(name)})
  let runs = 0
  return {
    name: 'PostgreSQL',
    fresh: async () => {
      const copy = `${name}_${runs++}`
      const client = new pg.Client({connectionString: cluster.url('postgres')})
      await client.connect()
      await client.query(`create database ${copy} template ${name}`)
      await client.end()
      const url = Object.assign(new URL(cluster.url(copy)), {port})
      return storectlIn(options, home, {STORECTL_DATABASE_URL: url.href})
    },
  }
}

async function homeWithEvents(options, shop, name, env) {
  const home = join(options.home, name)
  await mkdir(home)
  await signIn(options, home, shop)
  const file = join(home, 'events.ndjson')
  const begin = Date.now() - 3600_000
  const events = Array.from({length: options.shared}, (_, at) =>
    notification(String(at).padStart(12, '0'), idOf(`transaction ${at}`), {
      createTime: new Date(begin + at).toISOString(),
    }),
  )
  await writeFile(file, `${events.join('\n')}\n`)
  await run(storectlIn(options, home, env)('webhook', 'import', file))
  return home
}
