import {StorectlError} from '../../errors.js'
import {formatCounted} from '../../output/cell.js'
import {type BulkPlan, type BulkTask, prepareJoin} from '../../runs/bulk-run.js'
import type {Unsent} from '../../runs/execution.js'
import type {PlannedItem} from '../../runs/journal/claim.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {type OpenRun, openRun} from '../../runs/open-run.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {Run} from '../../runs/run.js'
import {RunSummary} from '../../runs/run-summary.js'
import {describeAction} from '../plan/action.js'
import type {Planned, ReplayPlan} from '../plan/plan.js'
import {findResendWindow, type ReplayInput, type ReplayOptions} from '../plan/replay-input.js'
import {makeRequiredPlan, type ReplayDeps} from './make-replay-plan.js'
import {describeScope, listDryRunNotes} from './plan-notes.js'
import {classifyAction, type PlannedDelivery} from './replay-operation.js'
import {createReplayPresentation, previewPlan, REPLAY_RESULTS} from './replay-presentation.js'
import {type ReplayRow, toReplayRow} from './replay-row.js'
import {createReader, createWork, type DeliveryDeps, describeShop, openTransport} from './replay-work.js'

/**
 * A replay for the engine. Its plan is made under the lease: what a crashed run left open is `unknown` by then.
 *
 * @throws StorectlError when it is carried out: `stopped.too_many`, `stopped.plan_outdated`, `usage.plan_applied`, and as
 *   `openRun`, `confirmWrite`, `webhookToken` and `Transactions.find` do
 */
export async function createReplay(
  given: ReplayInput,
  deps: ReplayDeps,
): Promise<BulkTask<PlannedDelivery, ReplayRow>> {
  const input = await resolveResendWindow(noteRestored(given, deps), deps)
  return {openEarly: () => openReplay(input, deps), plan: () => planReplay(input, deps)}
}

/** Whatever a plan or an earlier run said: it counts how the records are now. The run remembers it for its workers. */
function noteRestored(input: ReplayInput, {isRestored}: ReplayDeps): ReplayInput {
  const options = {...input.options, isRestored: isRestored || undefined}
  return {...input, options, asked: {...input.asked, options}}
}

/** A repeated resend starts at the first run's time window, which the run remembers for the next one. */
async function resolveResendWindow(
  input: ReplayInput,
  {store, target, clock}: ReplayDeps,
): Promise<ReplayInput> {
  const {purpose} = input
  if (!purpose) return input
  const {sinceMs, runs} = await findResendWindow(purpose, target, store, clock.now())
  const options = {...input.options, countsSinceMs: sinceMs, countsRuns: runs}
  return {...input, options, asked: {...input.asked, options, purpose: {of: purpose.of, sinceMs}}}
}

function openReplay({reason, asked, continues}: ReplayInput, deps: ReplayDeps): Promise<OpenRun> {
  const {target, shop} = deps
  const {name: profile} = shop.profile
  return openRun(
    {kind: 'replay', target, profile, reason, options: asked, total: null, continues: continues ?? null},
    deps,
  )
}

async function planReplay(
  input: ReplayInput,
  deps: ReplayDeps,
): Promise<BulkPlan<PlannedDelivery, ReplayRow>> {
  const plan = await makeRequiredPlan(input, deps)
  const hash = await savePlanIfRequested(plan, input, deps)
  const {total, sends} = plan
  const presentation = createReplayPresentation(deps.source.hasInvalid, deps.shopName)
  const summary = new RunSummary(REPLAY_RESULTS)
  return {
    ...{total, sends, presentation, summary, storeInput: () => deps.source.keep()},
    listUnsent: run => listUnsent(plan, run, deps),
    hasNewHolds: () => hasNewHolds(plan, deps),
    preview: async () => {
      const notes = listDryRunNotes(plan, input, deps.shop.profile)
      const {hasTotals = false, options} = input
      return previewPlan(plan, {shopName: deps.shopName, notes, versions: options.versions, hasTotals})
    },
    confirm: async () => {
      requireAtMost(sends, input)
      const transport = await openTransport(input.options, deps)
      await deps.shop.confirmWrite(describeSends(plan, input.options, deps))
      return {
        deps,
        open: () => openReplay(input, deps),
        createWork: async run => {
          await run.storePlan(total, sends, listPlannedItems(plan), hash)
          const unsent = listUnsent(plan, run.id, deps)
          const items = {
            isFounder: true,
            read: createReader({...input.options, isNamed: input.isNamed}, deps),
          }
          return {
            ...createWork(run.id, input.options, transport, deps),
            presentation,
            summary,
            total,
            items,
            unsent,
          }
        },
      }
    },
  }
}

/** A plan file speaks of events that are in the inbox from then on. @returns the plan's hash, where it has a file */
async function savePlanIfRequested(
  plan: ReplayPlan,
  {savePlan, approved, options}: ReplayInput,
  {source}: ReplayDeps,
): Promise<string | undefined> {
  if (!savePlan) return approved?.hash
  await source.keep()
  return savePlan(plan, options)
}

async function* listPlannedItems(plan: ReplayPlan): AsyncGenerator<PlannedItem, void, void> {
  for await (const {event, action, orderingKey, isUnsure, state} of plan.listEntries())
    if (action === 'send') yield {item: event.id, orderingKey, isUnsure, metadata: state}
}

/** Entries of one commit at least. */
const RECORDED_AT_ONCE = 100

async function* listUnsent(
  plan: ReplayPlan,
  run: string | null,
  {store, target}: Pick<ReplayDeps, 'store' | 'target'>,
): AsyncGenerator<readonly Unsent<ReplayRow>[], void, void> {
  for await (const entries of splitBatches(readUnsent(plan), RECORDED_AT_ONCE)) {
    const ids = entries.filter(({action}) => action !== 'skip').map(({event}) => event.id)
    const held = await store.findHeldDetails({kind: 'replay', target, run}, ids)
    yield entries.map(entry => toUnsent(entry, run, held.get(entry.event.id)))
  }
}

/** Whether an event is held that no earlier run held for the same reason. */
async function hasNewHolds(plan: ReplayPlan, deps: ReplayDeps): Promise<boolean> {
  const isNew = ({result}: Unsent<ReplayRow>) => result.result !== 'skipped' && !result.isKnownHold
  for await (const some of listUnsent(plan, null, deps)) if (some.some(isNew)) return true
  return false
}

async function* readUnsent({listEntries, total, sends}: ReplayPlan): AsyncGenerator<Planned, void, void> {
  if (sends === total) return
  for await (const entry of listEntries()) if (entry.action !== 'send') yield entry
}

/** @param heldBefore why an earlier run held it; the same reason again is no news */
function toUnsent(planned: Planned, run: string | null, heldBefore: string | undefined): Unsent<ReplayRow> {
  const {event, orderingKey} = planned
  const detail = describeAction(planned)
  const isKnownHold = heldBefore !== undefined && readReason(heldBefore) === readReason(detail)
  const result = {resultClass: 'held', result: classifyAction(planned.action), detail, isKnownHold} as const
  return {
    item: {key: event.id, orderingKey, contentHash: event.sha256, amount: event.traits.amount},
    result,
    row: toReplayRow(planned, {...result, attempts: 0}, run),
  }
}

/** The reason that a detail begins with; what comes after it may be another each time. */
function readReason(detail: string): string {
  return detail.split(':', 1)[0] as string
}

function describeSends(plan: ReplayPlan, options: ReplayOptions, {shop}: ReplayDeps): string {
  const {sends} = plan
  const who = options.via === 'provider' ? 'have the provider send' : 'send'
  const what = `${who} ${formatCounted(sends, ['event', 'events'])} again to ${describeShop(shop)}`
  return `${what} (${describeScope(plan, options)})`
}

function requireAtMost(sends: number, {options: {max}, approved}: ReplayInput): void {
  if (max === undefined || sends <= max) return
  const raise = `add --max ${sends}`
  // What a plan holds cannot be narrowed any more: filters do not go with it.
  throw new StorectlError(
    'stopped.too_many',
    `${sends} events would be sent; --max allows ${max}. Nothing was sent.`,
    {nextSteps: approved ? [raise] : ['narrow it with --type, --since or --until', `or ${raise}`]},
  )
}

/**
 * Prepares a further worker of a replay that is under way, by its rules and limits.
 *
 * @param concurrency transactions at once of this worker; those of the run unless it is given
 * @throws StorectlError `stopped.restored`, and as `prepareJoin`, `confirmWrite` and `webhookToken` do
 */
export async function joinReplay(
  run: RunRow,
  concurrency: number | undefined,
  deps: DeliveryDeps,
): Promise<Run<ReplayRow>> {
  const begun = run.options.options as Partial<ReplayOptions> | undefined
  if (deps.isRestored && begun?.isRestored !== true) throw createRestoredError(run)
  return prepareJoin(run, {
    ...{target: deps.target, deps},
    confirm: async ({id, options: stored, total}) => {
      const begun = stored.options as ReplayOptions
      const options = {...begun, concurrency: concurrency ?? begun.concurrency}
      const transport = await openTransport(options, deps)
      await deps.shop.confirmWrite(`join run ${id}, which sends to ${describeShop(deps.shop)}`)
      return () => ({
        ...createWork(id, options, transport, deps),
        items: {isFounder: false, read: createReader({...options, isNamed: stored.isNamed === true}, deps)},
        presentation: createReplayPresentation(false, deps.shopName),
        summary: new RunSummary(REPLAY_RESULTS),
        total: total ?? 0,
      })
    },
  })
}

/** The run's plan is of before: it does not look up what may have been sent since the backup. */
function createRestoredError({id}: RunRow): StorectlError {
  return new StorectlError(
    'stopped.restored',
    `Run ${id} began before the records were restored from a backup. Nothing was sent.`,
    {nextSteps: [`storectl run resume ${id}   (with a plan of now)`]},
  )
}
