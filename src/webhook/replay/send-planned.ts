import {StorectlError} from '../../errors.js'
import {untilEnded} from '../../runs/bulk-run.js'
import {type Execution, execute} from '../../runs/execute.js'
import type {Item} from '../../runs/journal/item.js'
import type {Counts} from '../../runs/journal/run-store.js'
import type {OpenRun} from '../../runs/open-run.js'
import {batches} from '../../runs/pool/batches.js'
import type {StopLimits} from '../../runs/pool/circuit-breaker.js'
import type {ClaimedItem} from '../../runs/workers/work-claimer.js'
import type {Participant} from '../../runs/workers/worker-session.js'
import {Share} from '../../runs/workers/worker-share.js'
import type {Outlet} from '../delivery/delivery-transport.js'
import {isBusy} from '../inbox/inbox.js'
import {newestDelivery} from '../inbox/newest-delivery.js'
import {countsSince} from '../plan/action.js'
import type {Plan, Planned} from '../plan/plan.js'
import type {Replay, ReplayDeps, ReplayInput, ReplayOptions} from './replay.js'
import {deedsOf, outcomeOf, type Sending} from './replay-operation.js'
import {outcomeRow, type ReplayRow} from './replay-row.js'

/** A replay's part that is one worker's. */
export interface Part {
  readonly options: ReplayOptions
  readonly isNamed: boolean
  /** Events of the whole run. */
  readonly total: number
  /** Whether this worker began the run. */
  readonly isFounder: boolean
  /** What goes into the record before anything is sent. */
  readonly unsent: () => AsyncIterable<readonly ReplayRow[]>
  readonly note: (text: string) => Promise<void>
}

/** Sends what a plan says, under a run that holds the lease; the run is ended when the rows are. */
export function sending(
  made: Plan,
  run: OpenRun,
  outlet: Outlet,
  {options, isNamed}: ReplayInput,
  deps: ReplayDeps,
): Replay {
  const unsent = () => recordUnsent(made, run)
  const {note} = deps
  return sendingPart(run, {options, isNamed, total: made.total, isFounder: true, unsent, note}, outlet, deps)
}

/** Sends what this worker gets of a run, until nothing is left of it; its part is ended when the rows are. */
export function sendingPart(own: Participant, part: Part, outlet: Outlet, deps: SendingPartDeps): Replay {
  const {clock, random, stopping, transactions, inbox, target, store, machine} = deps
  const {options, total} = part
  const {concurrency, ratePerSecond, canary = 0, retries} = options
  const share = new Share<Sending>(own, {
    ...{store, machine, concurrency, ratePerSecond, canary},
    ...{isFounder: part.isFounder, note: part.note, now: () => clock.now()},
    read: claimed => itemsOf(claimed, part.isNamed, deps),
  })
  const execution = execute(share.items(), {
    ...deedsOf({
      ...{outlet, transactions},
      rules: options,
      newestDelivery: newestDelivery(inbox, target, countsSince(options)),
      isBusy: isBusy(inbox, target),
      now: () => clock.now(),
    }),
    journal: share.run.journal,
    limits: limitsOf(options, share),
    ...{clock, random, stopping, blocksLane: true, concurrency, retries},
    ratePerSecond: () => share.ratePerSecond,
  })
  return {
    run: own.id,
    rows: untilEnded(share.run, execution, rows(share, part, execution)),
    total,
    inFlight: own.inFlight,
    halt: () => execution.halt,
    others: () => (share.ending ? without(share.ending.counts, own.counts) : share.others),
    left: () => total - sumOf(share.ending?.counts ?? {}),
    goesOn: () => share.ending?.isOver === false,
  }
}

/** What a part of a replay needs. */
export type SendingPartDeps = Pick<
  ReplayDeps,
  'clock' | 'random' | 'stopping' | 'transactions' | 'inbox' | 'target' | 'store' | 'machine'
>

/** The canary is that of whoever opens the run, and none once it has come back whole. */
function limitsOf(options: ReplayOptions, share: Share<Sending>): StopLimits {
  return {
    ...options,
    get canary() {
      return share.canary
    },
  }
}

function without(all: Counts, own: Counts): Counts {
  const others = Object.entries(all).map(
    ([outcome, count]) => [outcome, count - (own[outcome] ?? 0)] as const,
  )
  return Object.fromEntries(others.filter(([, count]) => count > 0))
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

async function* rows(
  share: Share<Sending>,
  {unsent}: Part,
  execution: Execution<Sending>,
): AsyncGenerator<readonly ReplayRow[], void, void> {
  yield* unsent()
  share.start(execution)
  for await (const results of execution.results) {
    yield results.map(result => outcomeRow(result.item.value, result, share.run.id))
  }
}

/** What is not sent goes into the record too, with the reason. */
async function* recordUnsent(made: Plan, run: OpenRun): AsyncGenerator<readonly ReplayRow[], void, void> {
  for await (const unsent of batches(unsentOf(made), WRITTEN_AT_ONCE)) {
    await Promise.all(unsent.map(entry => run.journal.write({...heldAs(entry), kind: 'result', attempt: 0})))
    yield unsent.map(entry => outcomeRow(entry, {...heldAs(entry), attempts: 0}, run.id))
  }
}

/** The rows of a plan that sends nothing. */
export async function* unsentRows(made: Plan): AsyncGenerator<readonly ReplayRow[], void, void> {
  for await (const unsent of batches(unsentOf(made), WRITTEN_AT_ONCE)) {
    yield unsent.map(entry => outcomeRow(entry, {...heldAs(entry), attempts: 0}, null))
  }
}

async function* unsentOf({entries, total, sends}: Plan): AsyncGenerator<Planned, void, void> {
  if (sends === total) return
  for await (const entry of entries()) if (entry.verdict !== 'send') yield entry
}

function heldAs({event, orderingKey, verdict, why}: Planned) {
  const detail = why === null ? verdict : `${verdict}: ${why}`
  const {id, sha256} = event
  return {
    item: id,
    orderingKey,
    contentHash: sha256,
    resultClass: 'held',
    outcome: outcomeOf(verdict),
    detail,
  } as const
}

/** Records of one commit at least. */
const WRITTEN_AT_ONCE = 100

async function itemsOf(
  claimed: readonly ClaimedItem[],
  isNamed: boolean,
  {inbox, target}: Pick<SendingPartDeps, 'inbox' | 'target'>,
): Promise<Item<Sending>[]> {
  const ids = claimed.map(({item}) => item)
  const [events, contents] = await Promise.all([inbox.find(target, ids), inbox.contents(target, ids)])
  return claimed.map(({item, orderingKey, isUnsure, metadata, blockedBy}) => {
    const [event, content] = [events.get(item), contents.get(item)]
    if (!event || !content)
      throw new StorectlError('internal.body_gone', `The body of ${item} is no longer in the inbox.`)
    const planned = {
      event,
      orderingKey,
      verdict: 'send',
      why: null,
      state: metadata,
      isUnsure,
      isNamed,
    } as const
    return {
      ...{key: item, orderingKey, contentHash: event.sha256, unsure: isUnsure, blockedBy},
      value: {...planned, content},
    }
  })
}
