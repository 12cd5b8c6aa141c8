import {JsonRows} from '../../output/json/json-rows.js'
import type {Batch} from '../../output/print.js'
import type {Row} from '../../output/view.js'
import type {Clock} from '../../platform/clock.js'
import type {Page} from './response-pages.js'

/**
 * Yields the rows of pages in batches; the page after is fetched while one is printed.
 *
 * The very first row goes out before a second page is asked for. A reader that has gone is noticed then, so that
 * `… | head -1` costs two requests at most. Later ones that leave cost the page that is on its way.
 *
 * @param first the request for the first page, `undefined` when there is none
 * @param following the request for the page after, `undefined` when there is none
 */
export async function* streamBatches(
  first: Promise<Page> | undefined,
  following: (page: Page) => Promise<Page> | undefined,
): AsyncGenerator<Batch, void, undefined> {
  let next: Promise<Page> | undefined = first
  let isBegun = false
  while (next) {
    const page: Page = await next
    let rows: Batch | undefined = page.count > 0 ? page.rows : undefined
    if (rows && !isBegun) {
      const [head, rest]: ReturnType<typeof split> = split(rows)
      yield head
      rows = rest
      isBegun = true
    }
    next = following(page)
    next?.catch(() => undefined)
    if (next && rows) await waitForRequestStart()
    if (rows) yield rows
  }
}

/** A request is on its way after a turn of the event loop; printing a page, which takes long, would hold it up. */
function waitForRequestStart(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/**
 * How long a reader has to leave after the first row: far longer than `head -1` needs to end. Only a write shows that a
 * reader has left.
 */
const LEAVING_MS = 150

/**
 * Yields the rows of one page, the first long before the others, so that a reader who wanted no more has gone when those
 * are written, and is noticed before anything is asked for after them.
 */
export async function* yieldFirstRowEarly(
  asked: Promise<Page> | undefined,
  {clock, signal}: {clock: Pick<Clock, 'sleep'>; signal: AbortSignal},
): AsyncGenerator<Batch, void, undefined> {
  const page = await asked
  if (!page || page.count === 0) return
  const [head, rest] = split(page.rows)
  yield head
  if (!rest) return
  await clock.sleep(LEAVING_MS, signal)
  yield rest
}

function split(rows: Batch): [Batch, Batch | undefined] {
  if (rows instanceof JsonRows) return rows.split(1)
  return rows.length > 1 ? [rows.slice(0, 1), rows.slice(1)] : [rows, undefined]
}

/** The last row of a page that has one. */
export function getLastRow({rows}: Page): Row {
  return rows instanceof JsonRows ? rows.last() : (rows.at(-1) as Row)
}

/** The rows of a page, parsed. */
export function parseRows({rows}: Page): readonly Row[] {
  return rows instanceof JsonRows ? rows.parseRows() : rows
}

/** Batches on their way, and how many customers those that were dealt with held. */
export class CountedBatches implements AsyncIterable<Batch> {
  #count = 0

  constructor(private readonly batches: AsyncIterable<Batch>) {}

  get count(): number {
    return this.#count
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Batch> {
    for await (const batch of this.batches) {
      const size = 'count' in batch ? batch.count : batch.length
      yield batch
      this.#count += size
    }
  }
}

/** The message when a signal ends a search. @param out the file of `--out` */
export function describeStop(count: number, out: string | undefined): string {
  if (out !== undefined) return `Stopped; ${out} was not written.`
  return `Stopped; ${count} ${count === 1 ? 'customer was' : 'customers were'} printed before that.`
}
