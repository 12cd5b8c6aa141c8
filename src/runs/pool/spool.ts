import {splitLines} from '../../language/lines/split-lines.js'

/** A file for values that do not fit in memory. */
export interface ScratchFile {
  append(bytes: Uint8Array): Promise<void>
  /** All of it, from the beginning. */
  read(): AsyncIterable<Uint8Array>
}

export interface SpoolOptions<V, Plain> {
  /** Called at most once, and only if there are many. */
  readonly openScratch: () => Promise<ScratchFile>
  /** A value as JSON can hold it. */
  readonly plain: (value: V) => Plain
  readonly revive: (plain: Plain) => V
  /** Values that are held in memory before a file is opened. */
  readonly mostHeld?: number
}

const MOST_HELD = 2000

/** Values of one line of the file, which is parsed at once. */
const IN_A_LINE = 250

/** Values in the order in which they came, readable any number of times. Memory does not grow with their number. */
export class Spool<V, Plain> {
  readonly #held: V[] = []
  readonly #mostHeld: number
  #scratch: ScratchFile | undefined

  constructor(private readonly options: SpoolOptions<V, Plain>) {
    this.#mostHeld = options.mostHeld ?? MOST_HELD
  }

  async add(values: readonly V[]): Promise<void> {
    if (!this.#scratch && this.#held.length + values.length <= this.#mostHeld) {
      this.#held.push(...values)
      return
    }
    this.#scratch ??= await this.options.openScratch()
    const all = [...this.#held.splice(0), ...values]
    for (let from = 0; from < all.length; from += IN_A_LINE) {
      const line = JSON.stringify(all.slice(from, from + IN_A_LINE).map(this.options.plain))
      await this.#scratch.append(Buffer.from(`${line}\n`))
    }
  }

  async *read(): AsyncGenerator<V, void, void> {
    if (!this.#scratch) {
      yield* this.#held
      return
    }
    for await (const {bytes} of splitLines(this.#scratch.read())) {
      const values = JSON.parse(Buffer.from(bytes).toString('utf8')) as Plain[]
      for (const value of values) yield this.options.revive(value)
    }
  }
}
