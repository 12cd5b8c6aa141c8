import type {Alert} from '../../src/contract/status-rows.js'
import {buildWebhookPath} from '../../src/webhook/delivery/delivery.js'
import {AWAY_AFTER_MS, type Capture, openCapture, runReplay, runWatch} from './actors.js'
import type {CallFault, Route} from './faults.js'
import {Broken} from './invariants.js'
import {SimulatedMachine} from './machine.js'
import type {Sent} from './network.js'
import {Random} from './random.js'
import {type Command, createScenario, type Scenario, type SentEvent} from './scenario.js'
import type {SimulatedProcess} from './scheduler.js'
import {isProbe, readBody, TOKEN} from './shop-model.js'
import {SimulatedDisk} from './storage.js'
import {installVirtualGlobals} from './virtual-globals.js'

/** How a shop is away: what the webhook route does, and what the routes of states do. */
const KINDS: Readonly<Record<string, Readonly<Partial<Record<Route, CallFault>>>>> = {
  'fast 503': {webhook: 'down-before', transactions: 'down-before'},
  'slow 503': {webhook: 'slow-down', transactions: 'slow-down'},
  '504 that works on': {webhook: 'given-up'},
  'a changed token': {webhook: 'wrong-token'},
  'no answer': {webhook: 'lost-before', transactions: 'lost-before'},
  'no connection': {webhook: 'not-connected', transactions: 'not-connected'},
  'the webhook route alone': {webhook: 'bad-gateway'},
  'the routes of states alone': {transactions: 'down-before'},
  'a restored backup': {webhook: 'down-before', transactions: 'down-before'},
}

/** A shop that is restored comes back as it was so long before its outage, milliseconds. */
const BACKUP_MS = 20_000

export interface Outage {
  readonly kind: string
  readonly fromMs: number
  readonly toMs: number
}

/** What a seed of outages decides beforehand. */
export interface OutageScenario extends Scenario {
  readonly outages: readonly Outage[]
  readonly watchers: number
  /** When a process is killed: `watch` or `capture`; it is begun again after some seconds. */
  readonly kills: readonly {readonly what: 'watch' | 'capture' | 'power'; readonly atMs: number}[]
  /** When a person replays. */
  readonly replaysMs: readonly number[]
}

/** Outages begin so long after one another at least, milliseconds. */
const BETWEEN_MS = 120_000

const FIRST_MS = 30_000

/** The first send after an outage comes within this time, milliseconds. */
const FIRST_SEND_MS = 60_000

/** After the last outage: what is in doubt counts as lost by then, and what was refused came again. */
const CALM_MS = 2_700_000

/** @param longestMs of an outage */
export function createOutages(seed: number, longestMs: number): OutageScenario {
  const base = createScenario(seed)
  const random = new Random(seed + 32_452_843)
  const outages: Outage[] = []
  const count = 1 + random.below(3)
  for (let fromMs = FIRST_MS; outages.length < count; ) {
    const lengthMs = 1000 * Math.exp(random.next() * Math.log(longestMs / 1000))
    outages.push({kind: random.pick(Object.keys(KINDS)), fromMs, toMs: fromMs + lengthMs})
    fromMs += lengthMs + BETWEEN_MS + random.between(0, 60_000)
  }
  const endMs = outages.at(-1)?.toMs ?? 0
  const events = base.events.map(sent => {
    const {fromMs, toMs} = random.pick(outages)
    return {
      ...sent,
      atMs: random.chance(0.2) ? random.between(0, endMs) : random.between(fromMs - 2000, toMs),
    }
  })
  const someMs = (most: number) =>
    Array.from({length: random.below(most + 1)}, () => random.between(0, endMs))
  return {
    ...base,
    ...{events, outages, orders: [], commands: [], crash: undefined, endsLate: false},
    faults: outages
      .filter(({kind}) => kind === 'a restored backup')
      .map(({fromMs, toMs}) => ({kind: 'restore', backupMs: fromMs - BACKUP_MS, atMs: toMs}) as const),
    outage: {fromMs: 0, toMs: 0},
    watchers: random.chance(0.3) ? 2 : 1,
    kills: someMs(3).map(atMs => ({
      what: random.pick(['watch', 'watch', 'capture', 'power'] as const),
      atMs,
    })),
    replaysMs: someMs(2),
  }
}

export interface OutageReport {
  readonly seed: number
  readonly broken: readonly string[]
  readonly outages: number
  /** Alerts that came in, those that came twice too. */
  readonly alerts: number
  readonly sends: number
  readonly trace: readonly string[]
}

let disk: Promise<SimulatedDisk> | undefined

/** Runs a seed of outages to its end. */
export async function runOutages(seed: number, longestMs: number): Promise<OutageReport> {
  disk ??= SimulatedDisk.create()
  const scenario = createOutages(seed, longestMs)
  const machine = new SimulatedMachine(scenario, await disk)
  machine.scheduler.limits = {steps: 100_000_000, ms: 1_000 * 24 * 3_600_000}
  const restore = installVirtualGlobals(machine.scheduler, new Random(seed + 15_485_863))
  const {broken} = machine.invariants
  const simulation = new OutageSimulation(machine, scenario)
  try {
    await simulation.run()
  } catch (error) {
    broken.push(new Broken('it ends', String((error as Error).stack)))
  } finally {
    restore()
    ;(await disk).end()
  }
  for (const bug of machine.scheduler.bugs) broken.push(new Broken('no program has a bug', String(bug.stack)))
  const messages = broken.map(({message}) => message)
  return {
    ...{seed, broken: messages, outages: scenario.outages.length, alerts: simulation.alerts.length},
    ...{sends: machine.network.calls, trace: machine.scheduler.trace.lines},
  }
}

const WEBHOOK_PATH = buildWebhookPath({profile: {provider: 'paypal'}})

/** Service managers begin what was killed again, each service once. */
const RESTART_MS = 5_000

const LAST = {
  ...{operator: 'ada', kind: 'replay', atMs: 0, ratePerSecond: 0, concurrency: 2, canary: 0, retries: 2},
  checkState: true,
} as const satisfies Command

class OutageSimulation {
  #capture: {take: Capture; process: SimulatedProcess} | undefined
  readonly #watches: SimulatedProcess[] = []
  /** Processes of watches that may send nothing until a probe is good. */
  readonly #closed = new Set<SimulatedProcess>()
  /** When a watch or a person sent an event, or a watch made a plan. */
  readonly #sentMs: number[] = []
  /** When any watch was begun or a person replayed: the first send may come later then. */
  readonly #disturbedMs: number[] = []
  #isCalm = false
  readonly alerts: Alert[] = []

  constructor(
    private readonly machine: SimulatedMachine,
    private readonly scenario: OutageScenario,
  ) {}

  async run(): Promise<void> {
    const {machine, scenario} = this
    const {scheduler, network, shop} = machine
    network.findOutage = route => {
      const now = scenario.outages.find(
        ({fromMs, toMs}) => scheduler.nowMs >= fromMs && scheduler.nowMs < toMs,
      )
      return now && KINDS[now.kind]?.[route]
    }
    network.onCall = sent => this.#followCall(sent)
    machine.onPowerCut = () => this.#beginAll(RESTART_MS)
    this.#beginAll(0)
    for (const sent of scenario.events) scheduler.schedule(sent.atMs, () => this.#send(sent, 1))
    for (const kill of scenario.kills) scheduler.schedule(kill.atMs, () => this.#kill(kill.what))
    for (const fault of scenario.faults)
      if (fault.kind === 'restore')
        scheduler.schedule(fault.backupMs, () =>
          scheduler.schedule(fault.atMs - fault.backupMs, shop.backUp()),
        )
    for (const atMs of scenario.replaysMs) scheduler.schedule(atMs, () => this.#replay())
    for (const {toMs} of scenario.outages) scheduler.schedule(toMs, () => this.#checkFirstSend(toMs))
    let isOver = false
    scheduler.schedule((scenario.outages.at(-1)?.toMs ?? 0) + CALM_MS, () => {
      this.#end(() => {
        isOver = true
      })
    })
    await scheduler.runUntil(() => isOver)
  }

  #beginAll(afterMs: number): void {
    this.#beginCapture(afterMs)
    for (let count = 0; count < this.scenario.watchers; count++) this.#beginWatch(afterMs)
  }

  #beginCapture(afterMs: number): void {
    const {machine} = this
    machine.scheduler.schedule(
      afterMs,
      () => {
        if (this.#capture?.process.isAlive) return
        machine.spawn('capture', async process => {
          this.#capture = {take: await openCapture(machine, process), process}
          await new Promise(() => {})
        })
      },
      undefined,
    )
  }

  #beginWatch(afterMs: number): void {
    const {machine} = this
    const {scheduler} = machine
    scheduler.schedule(
      afterMs,
      () => {
        const alive = this.#watches.filter(({isAlive}) => isAlive)
        if (this.#isCalm || alive.length >= this.scenario.watchers) return
        this.#disturbedMs.push(scheduler.nowMs)
        this.#watches.push(
          machine.spawn('watch-0', process => runWatch(machine, process, alert => this.alerts.push(alert))),
        )
      },
      undefined,
    )
  }

  #kill(what: 'watch' | 'capture' | 'power'): void {
    const {machine} = this
    if (what === 'power') {
      machine.cutPower()
      return
    }
    const process = what === 'capture' ? this.#capture?.process : this.#watches.find(({isAlive}) => isAlive)
    if (!process?.isAlive) return
    machine.kill(process)
    if (what === 'capture') this.#beginCapture(RESTART_MS)
    else this.#beginWatch(RESTART_MS)
  }

  #replay(): void {
    const {machine} = this
    this.#disturbedMs.push(machine.scheduler.nowMs)
    machine.spawn('ada-replay', async process => void (await runReplay(machine, process, LAST)))
  }

  /** The provider sends an event, and again while it is not taken. */
  #send(sent: SentEvent, attempt: number): void {
    const {scheduler, invariants} = this.machine
    const again = () => {
      if (attempt < 4) scheduler.schedule(60_000 * attempt, () => this.#send(sent, attempt + 1), undefined)
    }
    const capture = this.#capture
    if (!capture?.process.isAlive) {
      again()
      return
    }
    const {event} = sent
    const headers = Object.entries(event.headers)
    const incoming = {path: WEBHOOK_PATH, headers, query: `sw-token=${TOKEN}`, body: Buffer.from(event.body)}
    scheduler.schedule(
      0,
      () => {
        void capture.take(incoming).then(({status}) => {
          if (!capture.process.isAlive) return
          if (status < 300) invariants.noteAcknowledged(event.id)
          else again()
        })
      },
      capture.process,
    )
  }

  /** After a failed probe or a refused event a watch sends none until a probe is good; what is in flight is excepted. */
  #followCall({process, call, route}: Sent): (answer: {status: number; body: Buffer} | undefined) => void {
    const {scheduler, invariants} = this.machine
    const isOfWatch = this.#watches.includes(process)
    if (route !== 'webhook')
      return answer => {
        if (isOfWatch && answer?.status === 200) this.#sentMs.push(scheduler.nowMs)
      }
    if (call.headers?.['X-Replay-Run'] !== undefined) {
      this.#sentMs.push(scheduler.nowMs)
      if (process.name === 'check')
        invariants.broken.push(new Broken('a watch leaves nothing to send', readBody(call).id))
    }
    if (isOfWatch && !isProbe(call) && this.#closed.has(process))
      invariants.broken.push(
        new Broken('a watch sends nothing after a refusal until a probe is good', readBody(call).id),
      )
    return answer => {
      const text = answer?.body.toString('utf8') ?? ''
      const isGood = isProbe(call) ? text.includes('No webhook data sent') : !isAway(answer?.status, text)
      if (!isGood) this.#closed.add(process)
      else if (isProbe(call)) this.#closed.delete(process)
    }
  }

  /** What waits at the end of an outage is not left for longer than a minute. */
  #checkFirstSend(toMs: number): void {
    const {disk, scheduler, invariants} = this.machine
    const failed = disk.read<{id: string}>(
      `select id from webhook_event where status = 'failed'
        and (answer is null or answer <> 400 or message like '%token is invalid')`,
    )
    const isDisturbed = () =>
      this.#disturbedMs.some(ms => ms > toMs - FIRST_SEND_MS && ms < toMs + FIRST_SEND_MS)
    if (failed.length === 0) return
    scheduler.schedule(
      FIRST_SEND_MS,
      () => {
        if (isDisturbed() || this.#sentMs.some(ms => ms >= toMs && ms <= toMs + FIRST_SEND_MS)) return
        const late = failed.map(({id}) => id).filter(id => !this.#isApplied(id))
        scheduler.schedule(
          CALM_MS / 2,
          () => {
            const sent = late.find(id => this.#isApplied(id))
            if (sent === undefined) return
            const detail = `${sent} after ${toMs}`
            invariants.broken.push(new Broken('the first send comes within a minute of the end', detail))
          },
          undefined,
        )
      },
      undefined,
    )
  }

  /** Whether a run sent it and it came to something. */
  #isApplied(id: string): boolean {
    const sql = `select 1 from ledger where kind = 'replay' and key = ? and result_class = 'done'`
    return this.machine.disk.read(sql, id).length > 0
  }

  /** One alert and one all-clear, whose ids tell the same from another, for what needs a person, and none for others. */
  #checkAlerts(): void {
    const {invariants} = this.machine
    const {outages} = this.scenario
    const list = (kind: Alert['kind'], state: Alert['state']) =>
      new Set(this.alerts.filter(each => each.kind === kind && each.state === state).map(({id}) => id))
    // Events that others deliver meanwhile end such an incident, and later ones begin another.
    const isPartly = outages.some(({kind}) => kind === 'the routes of states alone')
    const most = {
      'shop-away': isPartly
        ? Number.POSITIVE_INFINITY
        : outages.filter(({fromMs, toMs}) => toMs - fromMs >= AWAY_AFTER_MS).length,
      'token-refused': outages.filter(({kind}) => kind === 'a changed token').length,
    }
    for (const kind of ['shop-away', 'token-refused'] as const) {
      const [open, over] = [list(kind, 'open'), list(kind, 'over')]
      if (open.size > most[kind])
        invariants.broken.push(
          new Broken('one alert for an incident', `${open.size} ${kind} of ${most[kind]}`),
        )
      if ([...open].some(id => !over.has(id)) || [...over].some(id => !open.has(id)))
        invariants.broken.push(new Broken('one all-clear for an alert', kind))
    }
  }

  /** The watches end as a service manager ends them; then there is nothing left to send. */
  #end(end: () => void): void {
    const {machine} = this
    this.#isCalm = true
    machine.spawn('check', async process => {
      for (const watch of this.#watches) watch.stopping.abort()
      while (this.#watches.some(({isAlive}) => isAlive)) await machine.scheduler.sleep(500)
      this.#checkAlerts()
      await runReplay(machine, process, LAST)
      await machine.invariants.checkEnd(await machine.openRecords(process))
      end()
    })
  }
}

function isAway(status: number | undefined, text: string): boolean {
  return status === undefined || status >= 502 || status === 429 || text.includes('token is invalid')
}
