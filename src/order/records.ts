import type {InOrder} from './in-order.js'
import type {OrderSource} from './read/reading.js'
import type {Rejected, Rejects} from './rejects.js'
import type {Report} from './report.js'
import type {OrderRow} from './result-row.js'

/** The end of an order, for whoever writes it down. */
export interface EndedOrder {
  /** Of the order in the inputs, from 0. */
  readonly index: number
  readonly row: OrderRow
  /** `undefined` for one that the shop has. */
  readonly rejected: Rejected | undefined
}

/** Files that a submit writes beside its result; each is there as a whole once the run has ended, or not at all. */
export interface OrderFiles {
  readonly rejects?: {readonly content: Rejects; keep(): Promise<void>} | undefined
  readonly report?: {readonly content: Report; keep(): Promise<void>} | undefined
}

/**
 * Writes down each order as it ends, in the order of the inputs, and hands on its row: in the same order, or at once.
 *
 * A reader that leaves early leaves no files behind, as they could not say what became of what was in flight.
 */
export async function* recorded(
  ended: AsyncIterable<EndedOrder>,
  files: OrderFiles,
  turn: {readonly order: InOrder<EndedOrder>; readonly isUnordered: boolean},
  whole: {readonly source: OrderSource; readonly total: number; readonly run: string | null},
): AsyncGenerator<OrderRow> {
  const {order, isUnordered} = turn
  for await (const each of ended) {
    if (isUnordered) yield each.row
    for (const next of order.take(each.index, each)) {
      await writeDown(next, files)
      if (!isUnordered) yield next.row
    }
  }
  for (const next of order.rest()) {
    await writeDown(next, files)
    if (!isUnordered) yield next.row
  }
  await files.rejects?.content.finish()
  await files.rejects?.keep()
  await files.report?.content.finish(whole.source, whole.total, whole.run)
  await files.report?.keep()
}

async function writeDown({index, row, rejected}: EndedOrder, {rejects, report}: OrderFiles): Promise<void> {
  await report?.content.add(index, row)
  if (rejected) await rejects?.content.add(rejected)
}
