import {type ErrorCode, type ExitName, StorectlError, selectStrongestExit} from '../errors.js'
import type {Result} from './journal/item.js'
import type {Counts} from './journal/worker.js'

/** The results of an operation by what they mean, in the order in which a summary names them. */
export interface ResultNames {
  readonly done: readonly string[]
  readonly failed: readonly string[]
  readonly held: readonly string[]
  /** Results of items done before, which do not count. */
  readonly skipped: readonly string[]
}

/** Most unknown items named at the end. */
const MOST_NAMED = 10

/** Counts the results of a run, and derives its exit from them. */
export class RunSummary {
  /** Items that were sent. */
  sent = 0
  /** Items that have a result. */
  ended = 0
  /** Attempts beyond the first of each item. */
  retries = 0
  /** Results of the run's other workers. */
  peers = 0
  /** Keys of the first items that may have been applied. */
  readonly unknown: string[] = []
  readonly #counts = new Map<string, number>()
  readonly #exits = new Set<ExitName>()
  readonly #totals = {done: 0, failed: 0, held: 0}

  constructor(private readonly classes: ResultNames) {}

  /** Items that failed, or whose result is unknown. */
  get failed(): number {
    return this.#totals.failed
  }

  /** Held items. */
  get held(): number {
    return this.#totals.held
  }

  /** @param attempts how often it was sent in this run */
  add(key: string, {resultClass, result, exit, isKnownHold}: Result, attempts: number): void {
    this.ended++
    this.#counts.set(result, this.countOf(result) + 1)
    if (exit) this.#exits.add(exit)
    if (attempts > 0) this.sent++
    this.retries += Math.max(0, attempts - 1)
    if (result === 'unknown' && this.unknown.length < MOST_NAMED) this.unknown.push(key)
    if (resultClass === 'done') this.#totals.done++
    else if (resultClass !== 'held') this.#totals.failed++
    else if (!isKnownHold && !this.classes.skipped.includes(result)) this.#totals.held++
  }

  /** Counts results of the run's other workers: the end is the same for all of them. */
  addPeers(counts: Counts): void {
    for (const [result, count] of Object.entries(counts)) {
      this.peers += count
      if (this.classes.done.includes(result)) this.#totals.done += count
      else if (this.classes.held.includes(result)) this.#totals.held += count
      else if (!this.classes.skipped.includes(result)) this.#totals.failed += count
    }
  }

  /** Whether a result is neither done nor skipped. */
  needsAttention(result: string): boolean {
    const {done, skipped} = this.classes
    return !done.includes(result) && !skipped.includes(result)
  }

  countOf(result: string): number {
    return this.#counts.get(result) ?? 0
  }

  /** `23 created, 1 exists, 1 rejected`; empty before the first result. */
  describeResults(): string {
    const {done, failed, held, skipped} = this.classes
    return [...done, ...failed, ...held, ...skipped]
      .filter(result => this.#counts.has(result))
      .map(result => `${this.countOf(result).toLocaleString('en-US')} ${result}`)
      .join(', ')
  }

  /** How the run ends. @param halt what stopped it before its end */
  chooseExit(halt?: StorectlError): ExitName {
    return chooseRunExit({...this.#totals, exits: this.#exits}, halt)
  }
}

/** Counts of the results of a run. */
export interface ClassTotals {
  /** Items that were applied. */
  readonly done: number
  /** Items that failed, or whose result is unknown. */
  readonly failed: number
  /** Held items, which wait for a person. */
  readonly held: number
  /** Exits that single items call for; only `auth` and `unavailable` count by themselves. */
  readonly exits: Iterable<ExitName>
}

/**
 * How a run ends: `partial` if some items were applied and some not, `stopped` if all were held, `rejected` if the
 * other side refused all.
 *
 * @param halt what stopped it; a usage error counts as such only if nothing was changed, not even possibly
 */
export function chooseRunExit(
  {done, failed, held, exits}: ClassTotals,
  halt: StorectlError | undefined,
): ExitName {
  const names = new Set<ExitName>([...exits].filter(name => name === 'unavailable' || name === 'auth'))
  if (halt?.exitName === 'usage' && done === 0 && names.size === 0) return 'usage'
  if (failed > 0) names.add(done > 0 ? 'partial' : 'rejected')
  if (held > 0) names.add(done > 0 || failed > 0 ? 'partial' : 'stopped')
  if (halt) names.add(halt.exitName)
  return selectStrongestExit(names)
}

/** What stopped a run, with the exit that all results together call for. */
export function withExit(halt: StorectlError, exit: ExitName): StorectlError {
  const code = `${exit}${halt.code.slice(halt.code.indexOf('.'))}` as ErrorCode
  return new StorectlError(code, halt.message, {nextSteps: halt.nextSteps, cause: halt.cause})
}
