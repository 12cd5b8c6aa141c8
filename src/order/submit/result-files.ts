import type {OrderRow} from '../../contract/order-rows.js'
import type {OrderSource} from '../draft/read-options.js'
import {readDrafts} from '../read/read.js'
import type {Rejected, Rejects} from './rejects-file.js'
import type {ReorderBuffer} from './reorder-buffer.js'
import type {Report} from './report-file.js'
import {toUnsentRow} from './result-row.js'

/** The result of an order, for the files. */
export interface EndedOrder {
  /** Of the order in the inputs, from 0. */
  readonly index: number
  readonly row: OrderRow
  /** `undefined` for an order that the shop has. */
  readonly rejected: Rejected | undefined
}

/** Files that a submit writes besides its output; each is written whole once the run has ended, or not at all. */
export interface OrderFiles {
  readonly rejects?: {readonly content: Rejects; keep(): Promise<void>} | undefined
  readonly report?: {readonly content: Report; keep(): Promise<void>} | undefined
}

/** The run of the orders. */
interface Whole {
  readonly source: OrderSource
  /** Orders of the inputs. */
  readonly total: number
  readonly run: string | null
}

/** How rows are passed on. */
export interface Turn {
  readonly order: ReorderBuffer<EndedOrder>
  /** Rows come as orders end, and not in the order of the inputs. */
  readonly isUnordered: boolean
  /** The reader has left: nothing new is to be started. */
  readonly leave: () => void
}

/**
 * Writes each order as it ends, in the order of the inputs, and passes on its row: in the same order, or at once. Orders
 * that the run did not reach are read from the inputs again, so that each has a row.
 *
 * If a reader leaves, requests in flight are still recorded, and the files are finished.
 */
export async function* recordOrders(
  ended: AsyncIterable<readonly EndedOrder[]>,
  files: OrderFiles,
  turn: Turn,
  whole: Whole,
): AsyncGenerator<readonly OrderRow[]> {
  const reader = {isThere: true}
  const rows = streamRows(ended, files, turn, {...whole, reader})
  let isOver = false
  const readNext = async () => {
    try {
      const step = await rows.next()
      isOver = step.done === true
      return step
    } catch (error) {
      isOver = true
      throw error
    }
  }
  try {
    for (let step = await readNext(); !step.done; step = await readNext()) yield step.value
  } finally {
    if (!isOver) turn.leave()
    reader.isThere = false
    while (!isOver) await readNext()
  }
}

async function* streamRows(
  ended: AsyncIterable<readonly EndedOrder[]>,
  files: OrderFiles,
  {order, isUnordered}: Turn,
  whole: Whole & {readonly reader: {readonly isThere: boolean}},
): AsyncGenerator<readonly OrderRow[]> {
  const reported = new IndexSet()
  for await (const group of ended) {
    if (isUnordered) yield group.map(({row}) => row)
    const next = group.flatMap(each => order.take(each.index, each))
    for (const each of next) {
      reported.add(each.index)
      await writeDown(each, files)
    }
    if (!isUnordered && next.length > 0) yield next.map(({row}) => row)
  }
  const late = new Map([...order.drain()].map(each => [each.index, each]))
  const {total, reader} = whole
  if (reported.size < total && (reader.isThere || files.report)) {
    yield* streamRemainingRows(reported, late, files, {...whole, isUnordered})
  } else for (const each of late.values()) await writeDown(each, files)
  await files.rejects?.content.finish()
  await files.rejects?.keep()
  await files.report?.content.finish()
  await files.report?.keep()
}

/** Orders that ended after one that never did, and those that were never begun, in the order of the inputs. */
async function* streamRemainingRows(
  reported: IndexSet,
  late: ReadonlyMap<number, EndedOrder>,
  files: OrderFiles,
  {source, run, isUnordered}: Whole & Pick<Turn, 'isUnordered'>,
): AsyncGenerator<readonly OrderRow[]> {
  let index = -1
  for await (const drafts of readAllDrafts(source)) {
    const rows: OrderRow[] = []
    for (const {order} of drafts) {
      if (reported.has(++index)) continue
      const each = late.get(index)
      const row = each?.row ?? toUnsentRow((order as OrderRow).reference, run)
      await writeDown(each ?? {row, rejected: undefined}, files)
      if (!each || !isUnordered) rows.push(row)
    }
    yield rows
  }
}

async function* readAllDrafts({inputs, reading}: Whole['source']) {
  for (const input of inputs) yield* readDrafts(input, reading)
}

async function writeDown(
  {row, rejected}: Pick<EndedOrder, 'row' | 'rejected'>,
  {rejects, report}: OrderFiles,
): Promise<void> {
  await report?.content.add(row)
  if (rejected) await rejects?.content.add(rejected)
}

/** A set of small whole numbers: a million take 128 KiB. */
class IndexSet {
  size = 0
  #words = new Uint32Array(1024)

  add(at: number): void {
    const word = at >>> 5
    if (word >= this.#words.length) {
      const more = new Uint32Array(Math.max(word + 1, this.#words.length * 2))
      more.set(this.#words)
      this.#words = more
    }
    if (!this.has(at)) this.size++
    this.#words[word] = (this.#words[word] as number) | (1 << (at & 31))
  }

  has(at: number): boolean {
    return (((this.#words[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1
  }
}
