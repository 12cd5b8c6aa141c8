import type {ReplayRow} from '../../contract/replay-rows.js'
import type {BulkPlan} from '../../runs/bulk-run.js'
import type {Unsent} from '../../runs/execution.js'
import type {PlannedItem} from '../../runs/journal/claim.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import type {ScratchFile} from '../../runs/pool/spool.js'
import type {ReplaySource} from '../choose/selection.js'
import type {Inbox} from '../inbox/inbox.js'
import {requireNotApplied, requireSamePlan} from '../plan/approved-plan.js'
import {describeAction} from '../plan/judged.js'
import {makePlan, type PlanDeps} from '../plan/plan.js'
import type {Planned, ReplayPlan} from '../plan/planned.js'
import {findResendWindow, type ReplayInput} from '../plan/replay-input.js'
import {type CheckSendersDeps, checkSenders} from './check-senders.js'
import {classifyAction} from './replay-operation.js'
import {toReplayRow} from './replay-row.js'

/** Dependencies of planning a replay. */
export interface PreparationDeps
  extends Omit<CheckSendersDeps, 'inbox' | 'source'>,
    Pick<PlanDeps, 'transactions' | 'findOrdered'> {
  readonly inbox: Inbox
  readonly store: RunStore
  /** Where a long plan is stored. */
  readonly openScratch: () => Promise<ScratchFile>
  /** The records were restored from a backup and not checked yet. */
  readonly isRestored: boolean
}

/** A plan of a replay, with the events to send and the others. */
export interface PreparedReplay
  extends Pick<BulkPlan<never, ReplayRow>, 'total' | 'sends' | 'storeInput' | 'listUnsent'> {
  readonly plan: ReplayPlan
  /** SHA-256 of the plan file, if there is one. */
  readonly hash: string | undefined
  /** Whether its files contained unusable entries. */
  readonly hasInvalid: boolean
  /** Whether an event is held that no earlier run held for the same reason. */
  hasNewHolds(): Promise<boolean>
  /** The events to send, in order. */
  listPlanned(): AsyncIterable<PlannedItem>
}

/** The first part of a replay: what it would do. */
export interface Preparation {
  /** Adds the time window from the records, and whether they were restored. */
  complete(given: ReplayInput): Promise<ReplayInput>
  /**
   * Makes the plan, and saves it if a file was requested.
   *
   * @param input as `complete` returns it
   * @param source the chosen events; read once everything that may add to them has been recovered
   * @throws StorectlError `stopped.plan_outdated`, `usage.plan_applied`, and as `Transactions.find` does
   */
  makePlan(input: ReplayInput, source: ReplaySource): Promise<PreparedReplay>
}

export function createPreparation(deps: PreparationDeps): Preparation {
  return {
    complete: given => resolveResendWindow(noteRestored(given, deps), deps),
    makePlan: async (input, source) => {
      const plan = await makeRequiredPlan(input, source, deps)
      const hash = await savePlanIfRequested(plan, input, source)
      const {total, sends} = plan
      return {
        ...{plan, hash, total, sends, hasInvalid: source.hasInvalid},
        storeInput: () => source.keep(),
        listUnsent: run => listUnsent(plan, run, deps),
        hasNewHolds: () => hasNewHolds(plan, deps),
        listPlanned: () => listPlanned(plan),
      }
    },
  }
}

/** What counts is the present state of the records, not a plan or an earlier run. The run stores it for its workers. */
function noteRestored(input: ReplayInput, {isRestored}: Pick<PreparationDeps, 'isRestored'>): ReplayInput {
  const options = {...input.options, isRestored: isRestored || undefined}
  return {...input, options, asked: {...input.asked, options}}
}

/** A repeated resend starts at the first run's time window, which the run stores for the next one. */
async function resolveResendWindow(
  input: ReplayInput,
  {store, target, clock}: Pick<PreparationDeps, 'store' | 'target' | 'clock'>,
): Promise<ReplayInput> {
  const {purpose} = input
  if (!purpose) return input
  const {sinceMs, runs} = await findResendWindow(purpose, target, store, clock.now())
  const options = {...input.options, countsSinceMs: sinceMs, countsRuns: runs}
  return {...input, options, asked: {...input.asked, options, purpose: {of: purpose.of, sinceMs}}}
}

/**
 * Makes the plan of a replay; an approved one must come out unchanged. Ages count up to the time of the approved plan,
 * or no plan would stay the same.
 */
async function makeRequiredPlan(
  {options, isNamed, approved}: ReplayInput,
  source: ReplaySource,
  deps: PreparationDeps,
): Promise<ReplayPlan> {
  const {target, inbox, store, transactions, clock, stopping, openScratch} = deps
  const findOrdered = options.offline === true ? undefined : deps.findOrdered
  if (approved) await requireNotApplied(approved, target, store)
  const now = approved ? new Date(approved.head.madeAt) : clock.now()
  const make = () =>
    makePlan(
      {target, events: source.listEvents(), rules: options, isNamed},
      {inbox, runs: store, transactions, findOrdered, openScratch, now, signal: stopping},
    )
  const plan = await make()
  if (!approved) return (await checkSenders(plan, options, {...deps, source})) ? make() : plan
  await requireSamePlan(plan, approved)
  return plan
}

/** The events of a plan file go into the inbox. @returns the plan's hash, if it has a file */
async function savePlanIfRequested(
  plan: ReplayPlan,
  {savePlan, approved, options}: ReplayInput,
  source: ReplaySource,
): Promise<string | undefined> {
  if (!savePlan) return approved?.hash
  await source.keep()
  return savePlan(plan, options)
}

async function* listPlanned(plan: ReplayPlan): AsyncGenerator<PlannedItem, void, void> {
  for await (const {event, action, orderingKey, isUnsure, state} of plan.listEntries())
    if (action === 'send') yield {item: event.id, orderingKey, isUnsure, metadata: state}
}

/** Fewest entries of one commit. */
const RECORDED_AT_ONCE = 100

async function* listUnsent(
  plan: ReplayPlan,
  run: string | null,
  {store, target}: Pick<PreparationDeps, 'store' | 'target'>,
): AsyncGenerator<readonly Unsent<ReplayRow>[], void, void> {
  for await (const entries of splitBatches(readUnsent(plan), RECORDED_AT_ONCE)) {
    const ids = entries.filter(({action}) => action !== 'skip').map(({event}) => event.id)
    const held = await store.findHeldDetails({kind: 'replay', target, run}, ids)
    yield entries.map(entry => toUnsent(entry, run, held.get(entry.event.id)))
  }
}

async function hasNewHolds(
  plan: ReplayPlan,
  deps: Pick<PreparationDeps, 'store' | 'target'>,
): Promise<boolean> {
  const isNew = ({result}: Unsent<ReplayRow>) => result.result !== 'skipped' && !result.isKnownHold
  for await (const some of listUnsent(plan, null, deps)) if (some.some(isNew)) return true
  return false
}

async function* readUnsent({listEntries, total, sends}: ReplayPlan): AsyncGenerator<Planned, void, void> {
  if (sends === total) return
  for await (const entry of listEntries()) if (entry.action !== 'send') yield entry
}

/** @param heldBefore why an earlier run held it; the same reason again is not new */
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

/** The reason at the start of a detail; the text after it may vary. */
function readReason(detail: string): string {
  return detail.split(':', 1)[0] as string
}
