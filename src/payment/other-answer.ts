import {StorectlError} from '../errors.js'

/**
 * The error for an answer about something other than was requested, from the shop or from a proxy or cache in front of
 * it: such an answer proves nothing.
 *
 * @param what it returns: `transactions that were not asked for`
 */
export function createOtherAnswerError(what: string): StorectlError {
  return new StorectlError('unavailable.other_answer', `The shop answers with ${what}.`, {
    nextSteps: ['check proxies and caches between here and the shop'],
  })
}
