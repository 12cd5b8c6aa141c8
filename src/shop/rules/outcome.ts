import {envelope} from '../http/replies.js'
import type {Answer} from '../http/route.js'
import {httpError, type ShopError} from '../runtime/shop-error.js'
import type {Ending} from './delivery-record.js'

/** Nothing in it, and of this type. @see protocol.md §4.2 */
const ACCEPTED: Answer = {status: 200, contentType: 'text/html; charset=UTF-8'}

/** Handled, ignored, or already so. @param reason for operators */
export function accepted(reason: string, transactionId?: string): Ending {
  return {answer: ACCEPTED, reason, transactionId}
}

/** The one text for everything that goes wrong in a handler. @see protocol.md §4.2 rows 10 and 11 */
export function failed(reason: string, transactionId?: string): Ending {
  return refusedBy(httpError(400, 'An error occurred during execution of webhook'), reason, transactionId)
}

/** A refusal with a text of its own; it is its own reason unless there is a better one. */
export function refusedBy(error: ShopError, reason = error.message, transactionId?: string): Ending {
  return {answer: envelope(error), reason, transactionId}
}
