import {formatCounted} from '../../output/cell.js'
import type {Clock} from '../../platform/clock.js'
import type {BulkPlan, BulkTask, ConfirmedPlan} from '../../runs/bulk-run.js'
import type {BulkWork} from '../../runs/execution.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {createOtherShopError, type OpenRun, type OpenRunDeps, openRun} from '../../runs/open-run.js'
import {createIdleRun, type Run} from '../../runs/run.js'
import {RunSummary} from '../../runs/run-summary.js'
import {nameOf, type OrderSource} from '../draft/read-options.js'
import type {OrderShop} from '../order-client.js'
import {check} from '../validate/check-orders.js'
import type {ReferenceScratch} from '../validate/references.js'
import {readOrderItems} from './known-orders.js'
import {ReorderBuffer} from './reorder-buffer.js'
import type {EndedOrder, OrderFiles} from './result-files.js'
import {
  type Given,
  type HashedInput,
  hashWhileReading,
  requireNoFaults,
  requireUnchangedInputs,
  restoreRunInput,
  type SubmitOptions,
} from './submit-input.js'
import {createSubmitOperation, type Submission, toEndedOrder} from './submit-operation.js'
import {
  createSubmitPresentation,
  type ResultFileNames,
  SUBMIT_RESULTS,
  type SubmitDisplay,
} from './submit-presentation.js'

export interface SubmitDeps {
  readonly source: OrderSource
  /** The command line as stored, to resume with. */
  readonly given: Given
  /** The command line, for the record. */
  readonly command: string
  /** The run to resume: inputs and shop must be its own. */
  readonly continues?: RunRow | undefined
  readonly fileNames: ResultFileNames
  /** Whether an input without orders is an error. */
  readonly failsIfEmpty?: boolean
  /** Opens the files written besides the output; called once the inputs are valid. */
  readonly openFiles: () => Promise<OrderFiles>
  readonly openScratch: () => Promise<ReferenceScratch>
  /** Called once the input is valid. */
  readonly connect: () => Promise<SubmitTarget>
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  readonly stopping: AbortSignal
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** Where orders are sent and recorded. */
export interface SubmitTarget extends Pick<OpenRunDeps, 'store' | 'machine' | 'clock'> {
  readonly shop: OrderShop
  /** Name of the shop in ledger and lease. */
  readonly target: string
  /** A lost call that ended this long ago counts as not applied if the order is missing, ms; `undefined`: never. */
  readonly presumeLostAfterMs: number | undefined
  /** The records were restored from a backup: each order is looked up before it is sent. */
  readonly isRestored: boolean
}

/** Most errors described; all are counted. */
const MOST_FAULTS = 100

/** Results that may wait for an earlier one; their memory is some MiB. */
const MOST_LATE = 10_000

/**
 * A submit for the engine: the whole input is checked, and nothing is sent when one of its orders is wrong. The lease is
 * taken after the confirmation: each order is looked up when its turn comes.
 *
 * @throws StorectlError when it runs: `usage.invalid_orders` with the errors, `conflict.lease_held`, and as `check`,
 *   `confirmWrite` and `openRun` do
 */
export function createSubmit(
  options: SubmitOptions,
  deps: SubmitDeps,
  display: SubmitDisplay,
): BulkTask<Submission, EndedOrder> {
  return {plan: () => planSubmit(options, deps, display)}
}

async function planSubmit(
  options: SubmitOptions,
  given: SubmitDeps,
  display: SubmitDisplay,
): Promise<BulkPlan<Submission, EndedOrder>> {
  const inputs = given.source.inputs.map(hashWhileReading)
  const deps = {...given, source: {...given.source, inputs}}
  const total = await checkInputs(inputs, deps)
  const {source, fileNames} = deps
  const order = new ReorderBuffer<EndedOrder>(MOST_LATE)
  const presentation = createSubmitPresentation({
    ...{source, files: await deps.openFiles(), fileNames, order, display},
    ...{isUnordered: options.isUnordered, canResume: given.given.files !== undefined},
    failsIfEmpty: given.failsIfEmpty === true,
  })
  const parts = {presentation, summary: new RunSummary(SUBMIT_RESULTS), total}
  return {
    ...parts,
    sends: total,
    listUnsent: listNothing,
    storeInput: async () => {},
    preview: () => previewSubmit(parts, options, deps),
    confirm: () => confirmSubmit({...parts, order, options}, inputs, deps),
  }
}

/** @returns how many orders there are */
async function checkInputs(inputs: readonly HashedInput[], deps: SubmitDeps): Promise<number> {
  const {source, clock, openScratch, stopping, continues} = deps
  const limits = {now: clock.now(), openScratch, mostFaults: MOST_FAULTS, signal: stopping}
  const checked = await check(source, limits)
  if (continues) await requireUnchangedInputs(inputs, restoreRunInput(continues).hashes ?? [])
  requireNoFaults(nameOf(source), checked)
  for (const warning of checked.warnings) await deps.note(warning)
  return checked.orders
}

async function* listNothing(): AsyncGenerator<never> {}

type PlanParts = Pick<BulkPlan<Submission, EndedOrder>, 'presentation' | 'summary' | 'total'>

/**
 * What submitting would do: the route and every order are looked up, and nothing is sent.
 *
 * @throws StorectlError when rows are read: `rejected.no_order_route`
 */
async function previewSubmit(
  parts: PlanParts,
  {trustsKey}: SubmitOptions,
  deps: SubmitDeps,
): Promise<Run<EndedOrder>> {
  const {summary, total} = parts
  if (total === 0) return createIdleRun({...parts, rows: listNothing})
  const target = await deps.connect()
  const previewRows = async function* () {
    const reading = {...deps, ...target, trustsKey, looksForAll: true}
    for await (const items of readOrderItems(deps.source, reading)) {
      yield items.map(item => {
        const result = item.value.known ?? ({resultClass: 'done', result: 'new'} as const)
        summary.add(item.key, result, 0)
        return toEndedOrder(item, result, 0, null)
      })
    }
  }
  return createIdleRun({...parts, rows: previewRows})
}

interface ConfirmParts extends PlanParts {
  readonly order: ReorderBuffer<EndedOrder>
  readonly options: SubmitOptions
}

async function confirmSubmit(
  parts: ConfirmParts,
  inputs: readonly HashedInput[],
  given: SubmitDeps,
): Promise<ConfirmedPlan<Submission, EndedOrder>> {
  const {total, options} = parts
  const target = await given.connect()
  const deps = {...given, ...target}
  if (deps.continues && deps.continues.target !== deps.target) throw createOtherShopError(deps.continues)
  const {name, url} = deps.shop.profile
  const what = `submit ${formatCounted(total, ['order', 'orders'])} to ${name === 'url' ? url.host : name}`
  await deps.shop.confirmWrite({what, facts: [`Shop: ${url.href.replace(/\/$/, '')}`], verb: 'sent'})
  return {
    deps,
    open: () => openSubmit(total, options, inputs, deps),
    createWork: async run => createWork(run.id, parts, deps),
  }
}

async function openSubmit(
  total: number,
  {reason, ...asked}: SubmitOptions,
  inputs: readonly HashedInput[],
  deps: SubmitDeps & SubmitTarget,
): Promise<OpenRun> {
  const {given, source, command, continues, target, shop} = deps
  const hashes = given.files && (await Promise.all(inputs.map(input => input.computeSha256())))
  const options = {...asked, command, input: nameOf(source), given: {...given, hashes}}
  const profile = shop.profile.name
  return openRun(
    {kind: 'submit', target, profile, reason, options, total, continues: continues?.id ?? null},
    deps,
  )
}

function createWork(
  run: string,
  {order, options, ...parts}: ConfirmParts,
  deps: SubmitDeps & SubmitTarget,
): BulkWork<Submission, EndedOrder> {
  const {shop, target, source, presumeLostAfterMs, clock} = deps
  const {trustsKey} = options
  return {
    ...parts,
    operation: createSubmitOperation({run, shop, target, trustsKey, clock, rules: source.reading.rules}),
    ...{settings: {...options, presumeLostAfterMs}, blocksKey: false},
    items: order.holdBack(readOrderItems(source, {...deps, trustsKey, looksForAll: false})),
    onClosing: () => order.release(),
  }
}
