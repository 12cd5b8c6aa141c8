import type {ReportItem} from '../../contract/run-rows.js'
import type {ResultClass} from '../journal/item.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunRow, RunStore} from '../journal/run-store.js'
import {readMoney} from '../ledger/result-totals.js'
import {splitBatches} from '../pool/batches.js'
import {groupResult, type ResultGroup} from './result-groups.js'
import {isUnderWay} from './verdict.js'

/** What is known about an item besides its result. */
export type ItemDetails = Pick<ReportItem, 'type' | 'amount' | 'transaction' | 'order'>

/** The details of items by key; unknown items are left out. */
export type FindItemDetails = (
  run: RunRow,
  items: readonly string[],
) => Promise<ReadonlyMap<string, ItemDetails>>

/** The source of a run's items. */
export interface ReportItemDeps {
  readonly runs: Pick<RunStore, 'listResults' | 'listUnsent'>
  readonly findDetails: FindItemDetails
}

/** Items whose details are looked up together. */
const BATCH = 500

/**
 * The items of a run, failures first, then what has no result, what was held, what was sent and what was skipped.
 * Memory does not grow with their number.
 *
 * @param state as it is printed
 * @param open items that were begun and have no result
 */
export async function* listReportItems(
  run: RunRow,
  state: string,
  {runs, findDetails}: ReportItemDeps,
  open: ReadonlySet<string>,
): AsyncGenerator<ReportItem, void, void> {
  const read = (classes: readonly ResultClass[]) => readResults(runs.listResults(run.id, undefined, classes))
  const isSkipped = ({group}: ReportItem) => group === 'skipped'
  const readAll = async function* () {
    yield* read(['failed', 'later', 'unknown'])
    for await (const item of runs.listUnsent(run.id)) yield toUnsentItem(item, state, open)
    yield* keep(read(['held']), item => !isSkipped(item))
    yield* read(['done'])
    yield* keep(read(['held']), isSkipped)
  }
  for await (const some of splitBatches(readAll(), BATCH)) {
    const found = await findDetails(
      run,
      some.map(({item}) => item),
    )
    for (const row of some) yield addDetails(row, found.get(row.item))
  }
}

/** The journal's data about a payment takes precedence over the inbox's, which may be pruned or changed. */
function addDetails(row: ReportItem, details: ItemDetails | undefined): ReportItem {
  const {order, amount} = row
  return {
    ...row,
    ...details,
    order: order ?? details?.order ?? null,
    amount: amount ?? details?.amount ?? null,
  }
}

async function* readResults(records: AsyncIterable<JournalEntry>): AsyncGenerator<ReportItem, void, void> {
  for await (const record of records) yield toReportItem(record)
}

async function* keep(items: AsyncIterable<ReportItem>, isKept: (item: ReportItem) => boolean) {
  for await (const item of items) if (isKept(item)) yield item
}

const UNDESCRIBED: ItemDetails = {type: null, amount: null, transaction: null, order: null}

function toReportItem(entry: JournalEntry): ReportItem {
  const {item, at, resultClass, status, detail, attempt, contentHash, facts} = entry
  const result = entry.result ?? resultClass ?? 'unknown'
  const group = groupResult(result, resultClass)
  return {
    ...{at: at.toISOString(), group, result, reason: readReason(group, detail), item, ...UNDESCRIBED},
    ...{order: typeof facts?.order === 'string' ? facts.order : null, amount: readMoney(entry) ?? null},
    ...{status: status ?? null, attempts: attempt, detail: detail ?? null},
    ...{before: toText(facts?.before), after: toText(facts?.after), id: toText(facts?.id), contentHash},
  }
}

/** The reason with which the detail of a held or skipped item begins. */
function readReason(group: ResultGroup, detail: string | undefined): string | null {
  if (group !== 'held' && group !== 'skipped') return null
  return /^([a-z]+(?:-[a-z]+)*)(?::|$)/.exec(detail ?? '')?.[1] ?? null
}

function toText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toUnsentItem(item: string, state: string, open: ReadonlySet<string>): ReportItem {
  const isOpen = open.has(item)
  const group = isOpen ? 'unknown' : 'not-sent'
  const isInFlight = isOpen && isUnderWay({state})
  const detail = isOpen && !isInFlight ? 'no result: the run ended during the request' : null
  const result = isInFlight ? 'in-flight' : group
  return {
    ...{at: null, group, result, reason: null, item, ...UNDESCRIBED},
    ...{status: null, attempts: isOpen ? 1 : 0, detail},
    ...{before: null, after: null, id: null, contentHash: null},
  }
}
