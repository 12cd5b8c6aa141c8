import {StorectlError} from '../../errors.js'
import type {NewEntry} from './journal-entry.js'

/**
 * The error for records that contradict themselves: somebody edited them, or storectl has a bug. Sending stops.
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
 * Checks that a stored word is one of the known ones, and returns it.
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
 * of attempt 0 has no intent, as nothing was sent. Memory grows with attempts in flight.
 */
export class OpenAttempts {
  readonly #attempts = new Map<string, number>()

  /** Whether an entry may follow those before it; if so, it is noted. */
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
