import {StorectlError} from '../errors.js'
import type {TransactionKey} from '../providers/traits.js'
import type {Transaction, Transactions} from './transactions.js'

/** The present state of the transaction that an event names, or why it is unknown. */
export type Present =
  | {readonly kind: 'found'; readonly transaction: Transaction}
  | {readonly kind: 'absent'}
  /** The event names none. */
  | {readonly kind: 'unnamed'}
  /** `next` is a command that would help, if one is known. */
  | {readonly kind: 'not-known'; readonly why: string; readonly next?: string | undefined}

/** Opens the shop's transactions at the first look-up. */
export type OpenTransactions = () => Promise<Transactions>

/**
 * Looks up the transactions of some events; simultaneous look-ups share a call. A shop that cannot be asked is not an
 * error: the answer says why, and it is not asked again.
 *
 * @param open `undefined` if nothing is to be looked up
 */
export function presentStates(open: OpenTransactions | undefined): (key: TransactionKey) => Promise<Present> {
  let opened: Promise<Transactions> | undefined
  let next: string | undefined
  let failed: string | undefined = open ? undefined : 'state check is off (--no-check-state)'
  return async key => {
    if (key.by === 'nothing' || key.by === 'fault') return {kind: 'unnamed'}
    if (failed !== undefined || !open) return {kind: 'not-known', why: failed ?? '', next}
    try {
      opened ??= open()
      const transaction = await (await opened).find(key)
      return transaction ? {kind: 'found', transaction} : {kind: 'absent'}
    } catch (error) {
      if (!(error instanceof StorectlError)) throw error
      failed = error.message
      next = error.nextSteps[0]
      return {kind: 'not-known', why: failed, next}
    }
  }
}
