import {type StorectlError, usageError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {untilEnded} from '../../runs/bulk-run.js'
import {type Execution, execute} from '../../runs/execute.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {type OpenRun, type OpenRunDeps, openRun, otherShop} from '../../runs/open-run.js'
import type {StopLimits} from '../../runs/pool/circuit-breaker.js'
import {nameOf, type OrderSource} from '../draft/read-options.js'
import type {OrderShop} from '../order-client.js'
import {type Checked, check, formatFaultLine} from '../validate/check-orders.js'
import type {Scratch} from '../validate/references.js'
import {itemsOf} from './known-orders.js'
import {InOrder} from './reorder-buffer.js'
import {type EndedOrder, type OrderFiles, recorded, type Turn} from './result-files.js'
import {type OrderRow, orderRow} from './result-row.js'
import {type Given, givenTo, hashed, requireSame} from './submit-input.js'
import {deedsOf, type Submission} from './submit-operation.js'
import {Summary} from './submit-summary.js'

export interface SubmitOptions extends StopLimits {
  /** Sends a second; 0 for no limit. */
  readonly ratePerSecond: number
  /** Orders at once. */
  readonly concurrency: number
  /** Attempts after the first. */
  readonly retries: number
  /** The shop honours the key, so that what cannot be looked up is sent again. */
  readonly trustsKey: boolean
  /** Results come as orders end, not in the order of the input. */
  readonly isUnordered: boolean
  readonly reason: string | null
}

export interface SubmitDeps {
  readonly source: OrderSource
  /** What is kept of the command line, to carry on with. */
  readonly given: Given
  /** The run to carry on with: inputs and shop have to be its own. */
  readonly continues?: RunRow | undefined
  /** Opens the files that are written beside the result; called once the inputs have been found good. */
  readonly openFiles: () => Promise<OrderFiles>
  readonly openScratch: () => Promise<Scratch>
  /** Called once the input has been found good. */
  readonly connect: () => Promise<SubmitTarget>
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  readonly stopping: AbortSignal
}

/** Where orders go, and where that is written down. */
export interface SubmitTarget extends Pick<OpenRunDeps, 'store' | 'machine'> {
  readonly shop: OrderShop
  /** Name of the shop in ledger and lease. */
  readonly target: string
}

/** Orders on their way. */
export interface Submitting {
  /** `null` when there was nothing to send. */
  readonly run: string | null
  /** Orders of the input. */
  readonly total: number
  /** One for each order that was brought to its end, in the order of the input. */
  readonly rows: AsyncIterable<readonly OrderRow[]>
  /** References of orders that are sent or about to be, and have no answer that is clear. */
  readonly inFlight: ReadonlySet<string>
  /** Whether `run resume` can carry on with it. */
  readonly canResume: boolean
  /** Complete once the rows have ended. */
  readonly summary: Summary
  /** What stopped it before its end, once the rows have ended. */
  readonly halt: () => StorectlError | undefined
}

/** Faults that are described; all are counted. */
export const MOST_FAULTS = 100

/** Results that may wait for an earlier one; their memory is some MiB. */
const MOST_LATE = 10_000

/**
 * Checks the whole input, asks, and submits its orders. Nothing is sent when one of them is wrong, or nobody agrees.
 *
 * @throws StorectlError `usage.invalid_orders` with the faults, `conflict.lease_held`, and as `check`, `confirmWrite` and
 * `openRun` do
 */
export async function submit(options: SubmitOptions, givenDeps: SubmitDeps): Promise<Submitting> {
  const {given, continues} = givenDeps
  const inputs = givenDeps.source.inputs.map(hashed)
  const deps = {...givenDeps, source: {...givenDeps.source, inputs}}
  const {orders: total} = await soundInput(deps, async () => {
    if (continues) await requireSame(inputs, givenTo(continues).hashes ?? [])
  })
  const files = await deps.openFiles()
  if (total === 0) return nothing(deps.source, files)
  const to = await deps.connect()
  if (continues && continues.target !== to.target) throw otherShop(continues)
  const {name, url} = to.shop.profile
  const what = `submit ${total} ${total === 1 ? 'order' : 'orders'}`
  await to.shop.confirmWrite(`${what} to ${url.href.replace(/\/$/, '')} (${name})`)
  const {reason, ...asked} = options
  const intent = {kind: 'submit', target: to.target, profile: name, reason, total} as const
  const hashes = given.files && (await Promise.all(inputs.map(input => input.sha256())))
  const kept = {...asked, input: nameOf(deps.source), given: {...given, hashes}}
  const run = await openRun({...intent, options: kept, continues: continues?.id ?? null}, {...deps, ...to})
  return sending(run, total, options, {...deps, ...to, files})
}

/** What submitting would do: every order is looked for, and nothing is sent. */
export async function dryRun(deps: SubmitDeps): Promise<Submitting> {
  const {orders: total} = await soundInput(deps)
  const files = await deps.openFiles()
  if (total === 0) return nothing(deps.source, files)
  const summary = new Summary()
  const {source} = deps
  const ended = forecasts({...deps, ...(await deps.connect())}, summary)
  const rows = recorded(ended, files, inTurnAlone(), {source, total, run: null})
  return {...UNSENT, total, rows, summary}
}

/** What there is to say of a run that was not needed. */
const UNSENT = {run: null, inFlight: new Set<string>(), canResume: false, halt: () => undefined} as const

/** @param read called once all of it has been read, and before anything is said of it */
async function soundInput(
  {source, clock, openScratch, stopping}: SubmitDeps,
  read = async () => {},
): Promise<Checked> {
  const deps = {now: clock.now(), openScratch, mostFaults: MOST_FAULTS, signal: stopping}
  const checked = await check(source, deps)
  await read()
  if (checked.faultCount > 0) throw invalid(nameOf(source), checked)
  return checked
}

function invalid(name: string, {orders, faults, faultCount}: Checked): StorectlError {
  const hidden = faultCount - faults.length
  const lines = faults.map(formatFaultLine)
  if (hidden > 0) lines.push(`and ${hidden} more`)
  const count = `${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}`
  const among = `${orders} ${orders === 1 ? 'order' : 'orders'}`
  return usageError(
    'invalid_orders',
    `${name}: ${count} in ${among}; nothing was sent.\n${lines.join('\n')}`,
    ['storectl order template csv   (every column, with an example)'],
  )
}

function nothing(source: OrderSource, files: OrderFiles): Submitting {
  const rows = recorded(none(), files, inTurnAlone(), {source, total: 0, run: null})
  return {...UNSENT, total: 0, rows, summary: new Summary()}
}

/** Where nothing is sent, nothing has to be kept from being started. */
function inTurnAlone(): Turn {
  return {order: new InOrder<EndedOrder>(MOST_LATE), isUnordered: false, leave: () => {}}
}

async function* none(): AsyncGenerator<readonly EndedOrder[]> {}

async function* forecasts(
  deps: SubmitDeps & SubmitTarget,
  summary: Summary,
): AsyncGenerator<readonly EndedOrder[]> {
  for await (const items of itemsOf(deps.source, {...deps, looksForAll: true})) {
    yield items.map(({key, value}) => {
      const conclusion = value.known ?? ({resultClass: 'done', outcome: 'new'} as const)
      summary.add(key, conclusion)
      return endedOrder(value, conclusion, orderRow(key, conclusion, 0, null))
    })
  }
}

function sending(
  run: OpenRun,
  total: number,
  options: SubmitOptions,
  deps: SubmitDeps & SubmitTarget & {readonly files: OrderFiles},
): Submitting {
  const {shop, target, clock, random, source, files} = deps
  const {trustsKey, concurrency, ratePerSecond, retries, isUnordered} = options
  const order = new InOrder<EndedOrder>(MOST_LATE)
  const items = inTurn(itemsOf(source, {...deps, looksForAll: false}), order)
  const left = new AbortController()
  const stopping = AbortSignal.any([deps.stopping, left.signal])
  const execution = execute(items, {
    ...deedsOf({shop, target, trustsKey, rules: source.reading.rules}),
    journal: run.journal,
    ...{clock, random, stopping, limits: options, blocksLane: false},
    ...{concurrency, ratePerSecond, retries},
  })
  execution.closing.addEventListener('abort', () => order.release(), {once: true})
  const summary = new Summary()
  const ended = untilEnded(run, execution, endedOrders(run, execution, summary))
  const turn = {order, isUnordered, leave: () => left.abort()}
  return {
    run: run.id,
    total,
    rows: recorded(ended, files, turn, {source, total, run: run.id}),
    summary,
    inFlight: run.inFlight,
    canResume: deps.given.files !== undefined,
    halt: () => execution.halt,
  }
}

async function* inTurn<V>(
  items: AsyncGenerator<readonly Item<Submission>[]>,
  order: InOrder<V>,
): AsyncGenerator<readonly Item<Submission>[]> {
  for await (const some of items) {
    await order.room(some[0]?.value.index ?? 0)
    yield some
  }
}

async function* endedOrders(
  run: OpenRun,
  execution: Execution<Submission>,
  summary: Summary,
): AsyncGenerator<readonly EndedOrder[]> {
  for await (const results of execution.results) {
    yield results.map(result => {
      const {key, value} = result.item
      summary.add(key, result)
      return endedOrder(value, result, orderRow(key, result, result.attempts, run.id))
    })
  }
}

function endedOrder(
  {index, place}: Submission,
  {resultClass}: Pick<Result, 'resultClass'>,
  row: OrderRow,
): EndedOrder {
  if (resultClass === 'done') return {index, row, rejected: undefined}
  const {status, detail} = row
  return {
    index,
    row,
    rejected: {input: place.input, stretches: place.stretches(), status, detail: detail ?? ''},
  }
}
