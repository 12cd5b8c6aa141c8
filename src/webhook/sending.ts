import {StorectlError} from '../errors.js'
import {batches} from '../run/batches.js'
import {type Execution, execute} from '../run/execute.js'
import type {Item} from '../run/item.js'
import type {OpenRun} from '../run/open-run.js'
import {untilEnded} from '../run/until-ended.js'
import {isBusy} from './busy.js'
import {deedsOf, outcomeOf, type Sending} from './deeds.js'
import type {EventContent} from './event.js'
import type {Inbox} from './inbox.js'
import {newestDelivery} from './newest-delivery.js'
import type {Outlet} from './outlet.js'
import type {Plan, Planned} from './plan.js'
import type {Replay, ReplayDeps, ReplayInput} from './replay.js'
import {outcomeRow, type ReplayRow} from './replay-row.js'
import {countsSince} from './verdict.js'

/** Sends what a plan says, under a run that holds the lease; the run is ended when the rows are. */
export function sending(
  made: Plan,
  run: OpenRun,
  outlet: Outlet,
  {options}: ReplayInput,
  deps: ReplayDeps,
): Replay {
  const {clock, random, stopping, transactions, inbox, target} = deps
  const execution = execute(items(made, inbox, target), {
    ...deedsOf({
      ...{outlet, transactions},
      rules: options,
      newestDelivery: newestDelivery(inbox, target, countsSince(options)),
      isBusy: isBusy(inbox, target, () => clock.now()),
      now: () => clock.now(),
    }),
    journal: run.journal,
    ...{clock, random, stopping, limits: options, blocksLane: true},
    ...{concurrency: options.concurrency, ratePerSecond: options.ratePerSecond, retries: options.retries},
  })
  return {
    run: run.id,
    rows: untilEnded(run, execution, rows(made, run, execution)),
    total: made.total,
    inFlight: run.inFlight,
    halt: () => execution.halt,
    left: () => made.total - Object.values(run.counts).reduce((sum, count) => sum + count, 0),
  }
}

async function* rows(
  made: Plan,
  run: OpenRun,
  execution: Execution<Sending>,
): AsyncGenerator<ReplayRow, void, void> {
  yield* recordUnsent(made, run)
  for await (const result of execution.results) {
    yield outcomeRow(result.item.value, result, run.id)
  }
}

/** What is not sent goes into the record too, with the reason. */
async function* recordUnsent(made: Plan, run: OpenRun): AsyncGenerator<ReplayRow, void, void> {
  for await (const unsent of batches(unsentOf(made), BODIES_AT_ONCE)) {
    await Promise.all(unsent.map(entry => run.journal.write({...heldAs(entry), kind: 'result', attempt: 0})))
    for (const entry of unsent) {
      yield outcomeRow(entry, {...heldAs(entry), attempts: 0}, run.id)
    }
  }
}

/** The rows of a plan that sends nothing. */
export async function* unsentRows(made: Plan): AsyncGenerator<ReplayRow, void, void> {
  for await (const entry of unsentOf(made)) yield outcomeRow(entry, {...heldAs(entry), attempts: 0}, null)
}

async function* unsentOf({entries, total, sends}: Plan): AsyncGenerator<Planned, void, void> {
  if (sends === total) return
  for await (const entry of entries()) if (entry.verdict !== 'send') yield entry
}

function heldAs({event, lane, verdict, why}: Planned) {
  const detail = why === null ? verdict : `${verdict}: ${why}`
  const {id, sha256} = event
  return {item: id, lane, contentHash: sha256, grade: 'held', outcome: outcomeOf(verdict), detail} as const
}

/** Bodies that are read at a time. */
const BODIES_AT_ONCE = 100

async function* items(
  {entries}: Plan,
  inbox: Inbox,
  target: string,
): AsyncGenerator<Item<Sending>, void, void> {
  for await (const some of batches(entries(), BODIES_AT_ONCE)) {
    const sends = some.filter(({verdict}) => verdict === 'send')
    const ids = sends.map(({event}) => event.id)
    const contents = ids.length > 0 ? await inbox.contents(target, ids) : undefined
    for (const entry of sends) yield itemOf(entry, contents?.get(entry.event.id))
  }
}

function itemOf(entry: Planned, content: EventContent | undefined): Item<Sending> {
  const {event, lane, isUnsure} = entry
  if (content) {
    return {key: event.id, lane, contentHash: event.sha256, unsure: isUnsure, value: {...entry, content}}
  }
  throw new StorectlError('internal.body_gone', `The body of ${event.id} is no longer in the inbox.`)
}
