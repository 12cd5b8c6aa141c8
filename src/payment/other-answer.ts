import {StorectlError} from '../errors.js'

/**
 * The error for a shop that answers something else than was asked for, itself or by a proxy or cache before it: nothing
 * follows from such an answer.
 *
 * @param what it answers with: `transactions that were not asked for`
 */
export function createOtherAnswerError(what: string): StorectlError {
  return new StorectlError('unavailable.other_answer', `The shop answers with ${what}.`, {
    nextSteps: ['check proxies and caches between here and the shop'],
  })
}
