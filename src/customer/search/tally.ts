import type {Batch} from '../../output/print.js'

/** Batches on their way, and how many customers those that were dealt with held. */
export class Tally implements AsyncIterable<Batch> {
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

/** What is said when a signal ends a search. @param out the file of `--out` */
export function stoppedText(count: number, out: string | undefined): string {
  if (out !== undefined && out !== '-') return `Stopped; ${out} was not written.`
  return `Stopped; ${count} ${count === 1 ? 'customer was' : 'customers were'} printed before that.`
}
