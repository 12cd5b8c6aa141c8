import {AlertLoop} from '../../src/alerts/alert-loop.js'
import {PRESUME_LOST_MS} from '../../src/auth/profile/profile.js'
import type {Alert} from '../../src/contract/status-rows.js'
import {DiskQuota, ROW_BYTES} from '../../src/gateway/disk-quota.js'
import {LIMITS} from '../../src/gateway/held-bytes.js'
import {InboxWriter} from '../../src/gateway/inbox-writer.js'
import {KeyedLock} from '../../src/gateway/keyed-lock.js'
import {type Incoming, type ReceptionDeps, receive} from '../../src/gateway/receive.js'
import {WebhookTokens} from '../../src/gateway/webhook-tokens.js'
import {createSubmit} from '../../src/order/submit/submit.js'
import {resolveReadOptions} from '../../src/order/validate/submit-read-options.js'
import {findProvider} from '../../src/providers/providers.js'
import {findTokenLocation} from '../../src/providers/route.js'
import {prepareRun} from '../../src/runs/bulk-run.js'
import {createRunId} from '../../src/runs/journal/run-id.js'
import type {Run} from '../../src/runs/run.js'
import {createReplaySource} from '../../src/webhook/choose/event-source.js'
import {createStateLookups} from '../../src/webhook/delivery/state-check.js'
import type {ReplayOptions} from '../../src/webhook/plan/replay-input.js'
import {askRoute, judgeRoute} from '../../src/webhook/registration/ask-route.js'
import {joinReplay} from '../../src/webhook/replay/join-replay.js'
import {createReplay} from '../../src/webhook/replay/replay.js'
import {createReplayParts, type ReplayDeps} from '../../src/webhook/replay/replay-parts.js'
import {type WatchDeps, watchInbox} from '../../src/webhook/watch/watch.js'
import {orderOf} from '../support/order-shop.js'
import {type SimulatedMachine, TARGET} from './machine.js'
import type {Command} from './scenario.js'
import type {SimulatedProcess} from './scheduler.js'
import {TOKEN} from './shop-model.js'

const SOURCE = 'capture'
const TIMEOUT_MS = 30_000

/** A capture that runs: takes a call inside its process. */
export type Capture = (incoming: Incoming) => Promise<{status: number}>

/** Begins a capture as `runCapture` does, without its listeners. */
export async function openCapture(machine: SimulatedMachine, process: SimulatedProcess): Promise<Capture> {
  const {captures} = await machine.openRecords(process)
  const now = () => machine.scheduler.clock.now()
  const note = () => {}
  const {unsigned: shop, profile} = machine.connect(process)
  const provider = findProvider(profile.provider)
  const countBytes = () => captures.countBytes(TARGET, SOURCE, ROW_BYTES)
  const inboxWriter = new InboxWriter({captures, target: TARGET, now, note})
  setInterval(() => void inboxWriter.renewLeases(), LIMITS.renewLeasesMs)
  const deps: ReceptionDeps = {
    ...{
      shop,
      now,
      inboxWriter,
      timeoutMs: TIMEOUT_MS,
      self: 'storectl-sim',
      answers: provider.answers,
    },
    ...{acceptsWhenDown: machine.scenario.acceptsWhenDown, skipsDelivered: false},
    onAcceptedToken: async () => {},
    tokens: new WebhookTokens(TOKEN, findTokenLocation(provider, 'sw')),
    signatures: {add: note},
    eventLocks: new KeyedLock(),
    findReplay: (...which) => captures.findReplay(TARGET, ...which).catch(() => 'not known'),
    disk: await DiskQuota.open(undefined, undefined, {countBytes, now, note}),
    ...{onForwarded: note, onEvent: note, onResult: note},
  }
  return incoming => receive(incoming, deps)
}

/** Runs a replay of the inbox to its end. */
export async function runReplay(machine: SimulatedMachine, process: SimulatedProcess, command: Command) {
  const deps = await openDelivery(machine, process, command.checkState)
  const {inbox} = deps
  const source = await createReplaySource({kind: 'inbox'}, {}, createSourceDeps(machine, process, inbox))
  const options = {...buildReplayOptions(command), presumeLostAfterMs: choosePresumption(machine)}
  const input = {
    options,
    isNamed: false,
    reason: null,
    asked: {words: [], isNamed: false, selection: {}, options},
  }
  const task = await createReplay(input, source, createReplayParts(deps))
  const run = await prepareRun(task)
  await readAll(run, machine, process)
  return run
}

/** Replays the inbox whenever the shop takes events, for as long as the process lives. */
export async function runWatch(
  machine: SimulatedMachine,
  process: SimulatedProcess,
  onAlert: (alert: Alert) => void,
) {
  const {clock} = machine.scheduler
  const {watches, incidents} = await machine.openRecords(process)
  const problems = new AlertLoop({
    ...{store: incidents, target: TARGET, profile: 'shop', awayAfterMs: AWAY_AFTER_MS, clock},
    countEvents: async () => ({counts: {}, amounts: []}),
    examine: async () => {},
    note: async () => {},
    receivers: [
      async alert => {
        await clock.sleep(200)
        if (Math.random() < 0.3) throw new Error('the receiver is away')
        onAlert(alert)
      },
    ],
  })
  problems.start()
  const deps = await openDelivery(machine, process, true)
  const {inbox, store, shop} = deps
  const {who, host, pid, processStart} = machine.describe(process)
  const presumeLostAfterMs = choosePresumption(machine)
  const openRound: WatchDeps['openRound'] = async ({id, guard, narrow}) => {
    const source = await createReplaySource(
      {kind: 'inbox'},
      {},
      {...createSourceDeps(machine, process, inbox), narrow},
    )
    const options = {...buildReplayOptions(WATCHED), maxAgeMs: 604_800_000, presumeLostAfterMs}
    const asked = {words: [], isNamed: false, selection: {}, options}
    const input = {options, isNamed: false, reason: null, asked, watch: {id, guard: guard.guard.bind(guard)}}
    return {task: await createReplay(input, source, createReplayParts(deps)), close: async () => {}}
  }
  const rows = watchInbox({
    watch: {
      ...{
        id: createRunId(clock.now(), Math.random),
        target: TARGET,
        profile: 'shop',
        who,
        host,
        pid,
        processStart,
      },
      ...{reason: null, options: {}, startedAt: clock.now()},
    },
    ...{watches, store, inbox, target: TARGET, provider: 'paypal', presumeLostAfterMs, openRound, clock},
    refresh: async () => {},
    problems,
    ask: () => askInTime(shop, clock),
    stopping: process.stopping.signal,
    note: async text => machine.scheduler.trace.add(machine.scheduler.nowMs, `${process.name}: ${text}`),
  })
  for await (const _ of rows);
  await problems.close()
}

/** A shop that is away for longer is an incident, milliseconds. */
export const AWAY_AFTER_MS = 120_000

/** The defaults of `webhook replay`. */
const WATCHED = {
  ...{ratePerSecond: 0, concurrency: 4, canary: 5, retries: 3, checkState: true},
} as Command

const PROBE_MS = 10_000

async function askInTime(shop: ReplayDeps['shop'], clock: ReplayDeps['clock']) {
  const asked = askRoute(TOKEN, shop).then(
    answer => judgeRoute(answer, shop.profile),
    (error: Error) => ({isGood: false, answer: error.message}),
  )
  const late = clock.sleep(PROBE_MS).then(() => ({isGood: false, answer: 'no answer in time'}))
  return Promise.race([asked, late])
}

/** Takes part in a replay that is under way, where there is one. */
export async function joinRunning(machine: SimulatedMachine, process: SimulatedProcess, command: Command) {
  const deps = await openDelivery(machine, process, true)
  for await (const run of deps.store.list({kind: 'replay', target: TARGET, state: 'running', limit: 1}))
    await readAll(await joinReplay(run, command.concurrency, createReplayParts(deps)), machine, process)
}

function createSourceDeps(
  {scheduler}: SimulatedMachine,
  {stopping}: SimulatedProcess,
  inbox: ReplayDeps['inbox'],
) {
  return {
    ...{inbox, target: TARGET, random: Math.random, signal: stopping.signal},
    now: () => scheduler.clock.now(),
    note: async () => {},
  }
}

/** Submits all orders. */
export async function runSubmit(machine: SimulatedMachine, process: SimulatedProcess, command: Command) {
  const {runs: store} = await machine.openRecords(process)
  const lines = machine.scenario.orders.map(reference => JSON.stringify(orderOf(reference)))
  const text = Buffer.from(`[${lines.join(',')}]`)
  const read = async function* () {
    yield text
  }
  const {clock} = machine.scheduler
  const shop = {...machine.connect(process), confirmWrite: async () => {}}
  const reading = await resolveReadOptions({set: [], map: [], schema: undefined, raw: false}, async () => '')
  const {ratePerSecond, concurrency, retries} = command
  const task = createSubmit(
    {ratePerSecond, concurrency, retries, trustsKey: false, isUnordered: true, reason: null},
    {
      source: {inputs: [{name: 'orders.json', read}], reading},
      command: 'storectl order submit',
      given: {
        files: undefined,
        set: [],
        map: [],
        schema: undefined,
        raw: false,
        force: false,
        rejects: undefined,
        report: undefined,
      },
      fileNames: {force: false},
      openFiles: async () => ({}),
      openScratch: refuseScratch,
      connect: async () => ({
        ...{shop, store, machine: machine.describe(process), clock, target: TARGET},
        presumeLostAfterMs: choosePresumption(machine),
        isRestored: false,
      }),
      ...{clock, random: Math.random, stopping: process.stopping.signal, note: async () => {}},
    },
    {isTable: false, stderr: {isTerminal: false, columns: undefined, write: async () => {}}},
  )
  await readAll(await prepareRun(task), machine, process)
}

/** A clock that is set may end the time too soon: it is a convention. */
function choosePresumption({scenario: {faults}}: SimulatedMachine): number | undefined {
  return faults.some(({kind}) => kind === 'clock') ? undefined : PRESUME_LOST_MS
}

async function openDelivery(
  machine: SimulatedMachine,
  process: SimulatedProcess,
  checkState: boolean,
): Promise<ReplayDeps> {
  const {inbox, runs: store} = await machine.openRecords(process)
  const connection = machine.connect(process)
  const {clock} = machine.scheduler
  return {
    ...{
      inbox,
      store,
      target: TARGET,
      shopName: 'shop',
      clock,
      random: Math.random,
      userAgent: 'storectl/sim',
      isRestored: false,
    },
    machine: machine.describe(process),
    shop: {...connection, webhookToken: async () => TOKEN},
    transactions: checkState ? createStateLookups(connection) : undefined,
    retryAfterMs: connection.retryAfterMs,
    findWebhookId: async () => undefined,
    findOrdered: async () => undefined,
    openProvider: async () => {
      throw new Error('no provider')
    },
    openScratch: refuseScratch,
    stopping: process.stopping.signal,
    note: async () => {},
  }
}

function buildReplayOptions({
  ratePerSecond,
  concurrency,
  canary,
  retries,
  checkState,
}: Command): ReplayOptions {
  return {
    ...{ratePerSecond, concurrency, canary, retries, max: undefined, maxAgeMs: 259_200_000},
    ...{checkState, via: 'shop', providerWaitMs: 60_000},
    ...{
      includeDelivered: false,
      includeResolved: false,
      includeUnknown: false,
      includeOutOfOrder: false,
      includeUnverified: false,
    },
  }
}

async function readAll<Row>(run: Run<Row>, {scheduler}: SimulatedMachine, {name}: SimulatedProcess) {
  for await (const _ of run.presentation.show(run.start(), run));
  scheduler.trace.add(
    scheduler.nowMs,
    `${name}: ${run.summary.describeResults()}${run.halt ? ` ${run.halt.code}` : ''}`,
  )
}

async function refuseScratch(): Promise<never> {
  throw new Error('too much for memory')
}
