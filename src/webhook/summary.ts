import {type ErrorCode, type ExitName, StorectlError, strongestExit} from '../errors.js'
import {EXIT_OF, type ReplayRow} from './replay-row.js'

/** Outcomes in the order they are told. */
const WORDS = ['applied', 'noop', 'accepted', 'rejected', 'failed', 'unknown', 'held', 'invalid', 'skipped']
const DONE = new Set(['applied', 'noop', 'accepted'])
const LEFT_UNDONE = new Set(['held', 'invalid'])

/** Counts what became of a replay's events while they go by. */
export class Summary {
  readonly counts = new Map<string, number>()
  readonly #exits = new Set<ExitName>()
  /** Ids of events that may have been applied, the first few. */
  readonly unknown: string[] = []

  /** Hands the rows on and counts them. */
  async *counted(rows: AsyncIterable<ReplayRow>): AsyncGenerator<ReplayRow, void, void> {
    for await (const row of rows) {
      this.counts.set(row.outcome, (this.counts.get(row.outcome) ?? 0) + 1)
      this.#exits.add(row[EXIT_OF])
      if (row.outcome === 'unknown' && this.unknown.length < 10) this.unknown.push(row.id)
      yield row
    }
  }

  /**
   * How the replay ends: `partial` when some of it stands and some does not, `guard` when all was held back,
   * `rejected` when the shop refused all.
   */
  exit(halt: StorectlError | undefined): ExitName {
    const of = (words: Iterable<string>) =>
      [...words].reduce((sum, word) => sum + (this.counts.get(word) ?? 0), 0)
    const done = of(DONE)
    const held = of(LEFT_UNDONE)
    const failed = of(['rejected', 'failed', 'unknown'])
    const exits = new Set<ExitName>(
      [...this.#exits].filter(name => name === 'unavailable' || name === 'auth'),
    )
    if (failed > 0) exits.add(done > 0 ? 'partial' : 'rejected')
    if (held > 0) exits.add(done > 0 || failed > 0 ? 'partial' : 'guard')
    if (halt?.exitName === 'usage') return done > 0 ? 'partial' : 'usage'
    if (halt) exits.add(halt.exitName)
    return strongestExit(exits)
  }

  /** `12 applied, 3 noop, 1 held`, or `nothing to do`. */
  get text(): string {
    const said = WORDS.filter(word => this.counts.has(word)).map(word => `${this.counts.get(word)} ${word}`)
    return said.length > 0 ? said.join(', ') : 'nothing to do'
  }

  /** The last lines of a replay, for people. */
  closing(run: string | null, wasInterrupted: boolean): string {
    const lines = [run === null ? `${this.text}; nothing was sent` : `${this.text} (run ${run})`]
    if (this.unknown.length > 0) lines.push(`may have been applied: ${this.unknown.join(', ')}`)
    if (wasInterrupted) lines.push('interrupted; the same command carries on with the rest')
    return lines.join('\n')
  }

  /** What stopped the replay, with the exit that all of it together asks for. */
  failure(halt: StorectlError | undefined): StorectlError | undefined {
    if (!halt) return undefined
    const code = `${this.exit(halt)}${halt.code.slice(halt.code.indexOf('.'))}` as ErrorCode
    return new StorectlError(code, halt.message, {nextSteps: halt.nextSteps, cause: halt.cause})
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }
}
