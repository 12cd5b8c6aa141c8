import {StorectlError} from '../../errors.js'
import type {NewEntry} from './journal-entry.js'

/**
 * The error of records that cannot be so: somebody edited them, or storectl has a bug. Whoever meets it sends nothing more.
 *
 * @param what a clause without a full stop: `run 01… has a result of a without an intent`
 */
export function createContradictionError(what: string): StorectlError {
  return new StorectlError(
    'internal.records_contradict',
    `The records contradict themselves: ${what}. Nothing more is sent.`,
    {nextSteps: ['storectl run verify', 'storectl doctor']},
  )
}

/**
 * A word of the records, which is one of those that there are.
 *
 * @param of what has it: `the status of event WH-1`
 * @throws StorectlError `internal.records_contradict`
 */
export function assertOneOf<T extends string>(value: string, known: readonly T[], of: string): T {
  if (known.includes(value as T)) return value as T
  throw createContradictionError(`${of} is "${value}"`)
}

/**
 * The attempts that were begun and have no result. Each answer and result of an attempt comes after its intent; a result
 * of attempt 0 has none, as nothing was sent. Memory grows with what is in flight, not with the entries.
 */
export class OpenAttempts {
  readonly #attempts = new Map<string, number>()

  /** Whether an entry may follow those before it; it is noted where it may. */
  takes({kind, item, attempt}: NewEntry): boolean {
    if (kind !== 'intent') {
      if (attempt > 0 && this.#attempts.get(item) !== attempt) return false
      if (kind === 'result') this.#attempts.delete(item)
      return true
    }
    this.#attempts.set(item, attempt)
    return true
  }
}
