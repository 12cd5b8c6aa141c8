import type {PlanRow, ReplayRow} from '../../contract/replay-rows.js'
import {selectStrongestExit} from '../../errors.js'
import type {View, Row as ViewRow} from '../../output/view.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import {splitBatches} from '../../runs/pool/batches.js'
import {createIdleRun, type Presentation, type Run} from '../../runs/run.js'
import {type ResultNames, RunSummary} from '../../runs/run-summary.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import type {Planned, ReplayPlan} from '../plan/planned.js'
import type {ReplayInput} from '../plan/replay-input.js'
import {describePlan, listDryRunNotes} from './plan-notes.js'
import {REPLAY_VIEW} from './replay-row.js'

export const REPLAY_RESULTS: ResultNames = {
  done: ['applied', 'unchanged', 'accepted'],
  failed: ['rejected', 'failed', 'unknown'],
  held: ['held', 'invalid'],
  skipped: ['skipped'],
}

/**
 * How a replay is printed.
 *
 * @param shopName as messages name the shop
 * @param hasInvalid whether its files contained unusable entries
 */
export function createReplayPresentation(hasInvalid: boolean, shopName: string): Presentation<ReplayRow> {
  return {
    view: REPLAY_VIEW,
    isGrouped: true,
    show: rows => rows,
    summarize: run => (run.total === 0 ? describeNoEvents(shopName) : summarize(run)),
    describeUnknown: ({unknown}) => `may have been applied: ${unknown.join(', ')}`,
    resumeCommand: run => `storectl run resume ${run}`,
    chooseExit: exit => (hasInvalid ? selectStrongestExit([exit, 'partial']) : exit),
  }
}

function describeNoEvents(shopName: string): string {
  return `No events to send to ${shopName}`
}

function summarize({summary}: Pick<Run<ReplayRow>, 'summary'>): string {
  return summary.describeResults() || 'nothing to do'
}

const ROWS_AT_ONCE = 250

/** The text of a run that sends nothing. */
const UNSENT = {describeUnknown: () => '', resumeCommand: () => ''}

/** The shop that a replay is for. */
export interface ReplayedShop {
  /** In messages: `prod (https://shop.example)`. */
  readonly name: string
  /** In inbox, ledger and lease. */
  readonly target: string
  readonly profile: {readonly name: string; readonly protected: boolean}
}

/** The preview of a replay, printed in place of a run. */
export function previewPlan(plan: ReplayPlan, input: ReplayInput, shop: ReplayedShop): Run<unknown> {
  const notes = listDryRunNotes(plan, input, shop.profile)
  const {
    hasTotals = false,
    options: {versions},
  } = input
  const presentation: Presentation<ViewRow> = {
    view: PLAN_VIEW,
    isGrouped: true,
    show: rows => rows,
    summarize: () => (plan.total === 0 ? describeNoEvents(shop.name) : describePlan(plan)),
    listNotes: () => notes,
    ...UNSENT,
  }
  const yieldRows = async function* () {
    for await (const entries of splitBatches(plan.listEntries(), ROWS_AT_ONCE))
      yield entries.map(entry => toPlanRow(entry, versions))
    if (hasTotals) yield [{summary: plan.totals.list()}]
  }
  return createIdleRun({
    presentation,
    summary: new RunSummary(REPLAY_RESULTS),
    total: plan.total,
    rows: yieldRows,
  })
}

/** Notes which failures a resumed replay does not send again: it sends only events without a result. */
export function describeLeftOut({
  id,
  kind,
  counts,
}: Pick<RunRow, 'id' | 'kind' | 'counts'>): string | undefined {
  const {failed = 0, rejected = 0} = counts
  const count = failed + rejected
  if (kind !== 'replay' || count === 0) return undefined
  const events = count === 1 ? '1 event failed' : `${count} events failed`
  return `${events} in run ${id} and were not sent again on resume: storectl webhook list --status failed`
}

export const PLAN_VIEW: View = {
  hasAnyField: true,
  noun: ['event', 'events'],
  id: 'id',
  columns: [
    {path: 'action', priority: 1},
    {path: 'id'},
    {path: 'type', priority: 4},
    {path: 'createdAt', header: 'CREATED', ageHeader: 'AGE', kind: 'time', priority: 3},
    {path: 'state', priority: 5},
    {path: 'reason', priority: 2},
    {path: 'detail', priority: 6},
    {path: 'orderNumber', header: 'ORDER', priority: 7},
    {path: 'amount', kind: 'money', priority: 8},
  ],
}

export function toPlanRow(
  {event, action, reason, detail, state, orderingKey}: Planned,
  versions: ShopVersions | undefined,
): PlanRow {
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    transaction: event.traits.keyText,
    action,
    reason,
    detail,
    state,
    orderingKey,
    status: event.status,
    sender: event.sender,
    orderNumber: event.orderNumber,
    amount: event.traits.amount ?? null,
    shopVersion: versions?.shop ?? null,
    pluginVersion: versions?.plugin ?? null,
  }
}
