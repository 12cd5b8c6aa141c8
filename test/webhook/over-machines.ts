import type {ChildProcess} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {Agent, request as httpRequest} from 'node:http'
import {join} from 'node:path'
import {expect, onTestFinished} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords, type Records} from '../../src/records/index.js'
import {verifyChain} from '../../src/runs/journal/hash-chain.js'
import {currentTime} from '../support/clock.js'
import {freePort} from '../support/free-port.js'
import {presumeLostAtOnce, temporaryFolder} from '../support/home.js'
import {startCluster} from '../support/postgres/cluster.js'
import {placeAt} from '../support/postgres/database.js'
import {ended, startProcess} from '../support/process.js'
import {mixed, seeded} from './killed.js'
import {apply, ndjson, type TestShop, testShop} from './support.js'

const HOOK = join(import.meta.dirname, '../support/another-machine.cjs')
const MACHINES = 4
const LANES = 4

/** How far the clocks of two neighbours are apart: those of the first and the last by twenty minutes. */
const APART_MS = 400_000

const UNSTOPPED = ['--max', 'none', '--canary', '0', '--breaker-failures', 'none', '--breaker-rate', 'none']
const REPLAY = [...UNSTOPPED, '--rate', '0', '--concurrency', String(LANES), '--yes', '-o', 'ndjson']
const JOIN = ['run', 'resume', 'last', '--join', '--yes', '-o', 'ndjson']

export interface OverMachines {
  /** Half of them come to the gateways, half are replayed. */
  readonly events: number
  /** How many processes are killed; another one takes the place of each. */
  readonly kills: number
  /** How often the database is restarted. */
  readonly restarts: number
  readonly seed: number
}

type Sent = ReturnType<typeof mixed>['events'][number]

/** What the shop sees. */
interface Story {
  /** Transactions of which two events came at once. */
  readonly overlaps: string[]
  /** Events that came before one that was made earlier. */
  readonly tooEarly: string[]
  /** Events of a transaction that were sent twice with no look in between. */
  readonly unlooked: string[]
  readonly arrivals: Map<string, number>
  onArrival: (count: number) => Promise<void> | void
}

/**
 * Has four gateways and four replayers, each on a machine of its own with a clock of its own, work on one PostgreSQL,
 * kills processes and restarts the database at moments that the seed chooses, and holds shop and records against what
 * captures and replays promise.
 */
export async function overMachines(asked: OverMachines): Promise<void> {
  const {events: count, seed} = asked
  const random = seeded(seed)
  const {states, events} = mixed(count, random)
  const isReplayed = ({resource}: Sent) => Number.parseInt(resource.custom_id.slice(-6), 16) % 2 === 0
  const replayed = events.filter(isReplayed)
  const captured = events.filter(event => !isReplayed(event))
  const cluster = await startCluster({isDurable: true})
  onTestFinished(() => cluster.stop())
  await cluster.createDatabase('machines')
  const database = cluster.url('machines')
  const records = await openRecords(placeAt(database), currentTime)
  onTestFinished(() => records.close())
  const shop = await testShop(states)
  const story = watched(shop, events, new Set(replayed.map(({id}) => id)), random)
  const world = {
    shop,
    database,
    records,
    random,
    ports: await Promise.all(Array.from({length: MACHINES}, freePort)),
  }
  const gateways = await Promise.all(world.ports.map((_, at) => gateway(at, world)))
  const replays = team(world, replayed)
  story.onArrival = atMoments(asked, {
    random,
    kill: () => (random() < 0.5 ? gatewayDies(gateways, world) : replays.oneDies()),
    restart: () => cluster.restart(),
  })
  await Promise.all([deliverAll(captured, world, story), replays.done()])
  for (const one of gateways) one.kill('SIGTERM')
  await expectKept({shop, states, events, replayed, captured, records, story}, asked)
}

/** What all processes have in common. */
interface World {
  readonly shop: TestShop
  readonly database: string
  readonly records: Records
  readonly random: () => number
  readonly ports: readonly number[]
}

function machine(at: number, {shop, database}: World): Record<string, string> {
  return {
    ...shop.env,
    ...{
      STORECTL_HOME: presumeLostAtOnce(temporaryFolder(), shop.url),
      STORECTL_DATABASE_URL: database,
      NODE_OPTIONS: `--require=${JSON.stringify(HOOK)}`,
    },
    MACHINE_NAME: `machine-${at}`,
    MACHINE_CLOCK_MS: String(Math.round((at - (MACHINES - 1) / 2) * APART_MS)),
  }
}

function watched(
  shop: TestShop,
  events: readonly Sent[],
  replayed: ReadonlySet<string>,
  random: () => number,
): Story {
  const places = new Map(events.map(({id}, at) => [id, at]))
  const inFlight = new Set<string>()
  const lastPlace = new Map<string, number>()
  const lookedAt = new Set<string>()
  const story: Story = {overlaps: [], tooEarly: [], unlooked: [], arrivals: new Map(), onArrival: () => {}}
  shop.searched = ids => {
    for (const id of ids) lookedAt.add(id)
  }
  shop.intercept = async (request, count) => {
    const {id, resource} = JSON.parse(request.body)
    const transaction: string = resource.custom_id
    if (inFlight.has(transaction)) story.overlaps.push(transaction)
    inFlight.add(transaction)
    const place = places.get(id) as number
    const times = story.arrivals.get(id) ?? 0
    if (times === 0 && place < (lastPlace.get(transaction) ?? -1)) story.tooEarly.push(id)
    if (replayed.has(id) && !lookedAt.delete(transaction)) story.unlooked.push(id)
    if (times === 0) lastPlace.set(transaction, place)
    story.arrivals.set(id, times + 1)
    void story.onArrival(count)
    await machineClock.sleep(Math.floor(random() * 4))
    const reply = apply(request, shop.states)
    inFlight.delete(transaction)
    return reply
  }
  return story
}

/** Kills and restarts, each at an arrival of its own. */
function atMoments(
  {events, kills, restarts}: OverMachines,
  does: {readonly random: () => number; kill(): Promise<void> | void; restart(): Promise<void>},
): (count: number) => Promise<void> | void {
  const some = (many: number) =>
    new Set(Array.from({length: many}, () => Math.floor((0.05 + does.random() * 0.85) * events)))
  const [killed, restarted] = [some(kills), some(restarts)]
  return count => {
    if (killed.delete(count)) return does.kill()
    if (restarted.delete(count)) return does.restart()
  }
}

async function gateway(at: number, world: World): Promise<ChildProcess> {
  const child = startProcess(['webhook', 'capture', '--listen', String(world.ports[at]), '-o', 'id'], {
    env: machine(at, world),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout?.resume()
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      said += chunk
      if (said.includes('Captures')) resolve()
    })
    child.once('close', code => (code === null ? resolve() : reject(new Error(`a gateway ended: ${said}`))))
  })
  return child
}

async function gatewayDies(gateways: ChildProcess[], world: World): Promise<void> {
  const at = Math.floor(world.random() * gateways.length)
  const dying = gateways[at] as ChildProcess
  if (dying.killed) return
  const gone = new Promise(resolve => dying.once('close', resolve))
  dying.kill('SIGKILL')
  await gone
  gateways[at] = await gateway(at, world)
}

/** Always four that work on one replay, until it is over. */
function team(world: World, events: readonly Sent[]) {
  const file = join(temporaryFolder(), 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const working = new Map<number, ChildProcess>()
  const said: string[] = []
  const begin = async (at: number, words: readonly string[]) => {
    const child = startProcess(words, {env: machine(at, world)})
    working.set(at, child)
    const {exit, stderr} = await ended(child)
    said.push(`${words.slice(0, 2).join(' ')} on machine ${at}: exit ${exit} ${stderr.slice(-300)}`)
    working.delete(at)
  }
  const lastRun = async () => (await all(world.records.runs.list({limit: 1})))[0]
  const isOver = async () => {
    const last = await lastRun()
    return last !== undefined && last.state !== 'running'
  }
  return {
    oneDies: () => {
      const all = [...working.values()].filter(child => !child.killed)
      if (all.length > 1) all[Math.floor(world.random() * all.length)]?.kill('SIGKILL')
    },
    done: async () => {
      void begin(0, ['webhook', 'replay', file, ...REPLAY])
      while ((await lastRun())?.total == null) {
        await machineClock.sleep(200)
        if (!working.has(0)) throw new Error(`the replay did not begin: ${said.join('\n')}`)
      }
      while (!(await isOver())) {
        for (let at = 0; at < MACHINES; at++) if (!working.has(at)) void begin(at, JOIN)
        await machineClock.sleep(500)
      }
      while (working.size > 0) await machineClock.sleep(100)
      const last = await lastRun()
      expect(last?.state, said.join('\n')).toBe('completed')
    },
  }
}

async function all<V>(values: AsyncIterable<V>): Promise<V[]> {
  const found: V[] = []
  for await (const value of values) found.push(value)
  return found
}

/** The provider tells each gateway whatever comes, in the order of each payment, until it is taken. */
async function deliverAll(
  events: readonly Sent[],
  {shop, ports, random}: World,
  story: Story,
): Promise<void> {
  const byPayment = new Map<string, Sent[]>()
  for (const event of events) {
    const key = event.resource.custom_id
    byPayment.set(key, [...(byPayment.get(key) ?? []), event])
  }
  const payments = [...byPayment.values()]
  const agent = new Agent({keepAlive: true, maxSockets: 8})
  const caller = async () => {
    for (let payment = payments.shift(); payment; payment = payments.shift()) {
      for (const event of payment) {
        const body = JSON.stringify(event)
        for (let status = 0; status !== 200; ) {
          status = await post(body, ports[Math.floor(random() * ports.length)] as number, shop, agent)
          // What came through before its gateway died is no news to the shop.
          if (status === 400 && (story.arrivals.get(event.id) ?? 0) > 1) break
          if (status !== 200) await machineClock.sleep(20)
        }
      }
    }
  }
  await Promise.all(Array.from({length: 16}, caller))
  agent.destroy()
}

function post(body: string, port: number, shop: TestShop, agent: Agent): Promise<number> {
  const path = `/api/_action/paypal/webhook/execute?sw-token=${shop.env.STORECTL_WEBHOOK_TOKEN}`
  const headers = {'content-type': 'application/json'}
  return new Promise(resolve => {
    const sent = httpRequest({host: '127.0.0.1', port, path, method: 'POST', headers, agent}, answer => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', () => resolve(0))
    })
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}

interface Outcome {
  readonly shop: TestShop
  readonly states: Record<string, string>
  readonly events: readonly Sent[]
  readonly replayed: readonly Sent[]
  readonly captured: readonly Sent[]
  readonly records: Records
  readonly story: Story
}

async function expectKept(outcome: Outcome, {kills, restarts}: OverMachines): Promise<void> {
  const {shop, states, events, replayed, captured, records, story} = outcome
  expect(story.overlaps, 'two events of one transaction at once').toEqual([])
  expect(story.tooEarly, 'an event came after a later one').toEqual([])
  expect(story.unlooked, 'sent with no look at the state before').toEqual([])
  expect(events.filter(({id}) => !story.arrivals.has(id))).toEqual([])
  const again = [...story.arrivals.values()].filter(times => times > 1).length
  expect(again, 'sent twice').toBeLessThanOrEqual((kills + restarts) * MACHINES * LANES)
  const inOrder = new Map(Object.entries(states))
  for (const event of events) apply({body: JSON.stringify(event)}, inOrder)
  expect([...shop.states]).toEqual([...inOrder])
  const {inbox, runs} = records
  const kept = await inbox.find(
    shop.url,
    events.map(({id}) => id),
  )
  expect(kept.size).toBe(events.length)
  expect(captured.filter(({id}) => (kept.get(id)?.attempts ?? 0) === 0)).toEqual([])
  const ids = replayed.map(({id}) => id)
  const ledger = await runs.findLedgerEntries('replay', shop.url, ids)
  expect([...ledger.values()].filter(({resultClass}) => resultClass === 'done')).toHaveLength(ids.length)
  for (const run of await all(runs.list({}))) {
    expect((await verifyChain(runs.listRecords(run.id), run)).damage).toEqual([])
  }
}
