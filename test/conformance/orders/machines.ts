import type {Machine} from '../payments.js'
import {byVersion} from '../versions.js'

/** A state machine as the protocol's table writes it. */
export interface WrittenMachine {
  /** Every action with the state it leads to. */
  targets: Record<string, string>
  /** The actions of each state, with spaces between. */
  actions: Record<string, string>
}

/**
 * The tables of protocol.md §4.5 and §5.3, typed off by hand: what `src` knows of them must not decide what it is
 * measured by.
 */
const OLDER: Record<Machine, WrittenMachine> = {
  order_transaction: {
    targets: {
      pay: 'paid',
      paid: 'paid',
      pay_partially: 'paid_partially',
      paid_partially: 'paid_partially',
      cancel: 'cancelled',
      remind: 'reminded',
      do_pay: 'in_progress',
      fail: 'failed',
      authorize: 'authorized',
      process_unconfirmed: 'unconfirmed',
      reopen: 'open',
      refund: 'refunded',
      refund_partially: 'refunded_partially',
      chargeback: 'chargeback',
    },
    actions: {
      open: 'pay paid pay_partially paid_partially cancel remind do_pay fail authorize process_unconfirmed',
      in_progress: 'paid paid_partially pay_partially reopen fail cancel authorize',
      authorized: 'paid paid_partially fail cancel',
      reminded: 'pay pay_partially cancel reopen do_pay authorize process_unconfirmed',
      paid_partially:
        'pay remind refund refund_partially cancel reopen do_pay chargeback process_unconfirmed',
      paid: 'refund refund_partially cancel reopen chargeback',
      refunded_partially: 'refund cancel reopen',
      refunded: '',
      cancelled: 'reopen refund refund_partially paid process_unconfirmed',
      failed: 'reopen do_pay pay fail paid paid_partially pay_partially process_unconfirmed',
      chargeback: 'paid paid_partially cancel',
      unconfirmed: 'paid paid_partially fail cancel authorize reopen',
    },
  },
  order_delivery: {
    targets: {
      ship: 'shipped',
      ship_partially: 'shipped_partially',
      cancel: 'cancelled',
      retour: 'returned',
      retour_partially: 'returned_partially',
      reopen: 'open',
    },
    actions: {
      open: 'ship ship_partially cancel',
      shipped_partially: 'ship retour retour_partially cancel reopen',
      shipped: 'retour retour_partially cancel reopen',
      returned_partially: 'retour reopen',
      returned: 'reopen',
      cancelled: 'reopen',
    },
  },
  order: {
    targets: {process: 'in_progress', cancel: 'cancelled', complete: 'completed', reopen: 'open'},
    actions: {
      open: 'process cancel',
      in_progress: 'complete cancel',
      completed: 'reopen',
      cancelled: 'reopen',
    },
  },
}

/** The same of a payment on a shop that was installed as 6.7. @see shop-6.7.md 3 */
const NEWER_PAYMENT: WrittenMachine = {
  targets: {
    paid: 'paid',
    paid_partially: 'paid_partially',
    cancel: 'cancelled',
    remind: 'reminded',
    process: 'in_progress',
    fail: 'failed',
    authorize: 'authorized',
    process_unconfirmed: 'unconfirmed',
    reopen: 'open',
    refund: 'refunded',
    refund_partially: 'refunded_partially',
    chargeback: 'chargeback',
  },
  actions: {
    open: 'authorize cancel fail paid paid_partially process process_unconfirmed remind',
    in_progress: 'authorize cancel fail paid paid_partially reopen',
    authorized: 'cancel fail paid paid_partially',
    unconfirmed: 'authorize cancel fail paid paid_partially reopen',
    reminded: 'authorize cancel paid paid_partially process process_unconfirmed reopen',
    paid_partially:
      'cancel chargeback paid process process_unconfirmed refund refund_partially remind reopen',
    paid: 'cancel chargeback refund refund_partially reopen',
    refunded_partially: 'cancel refund reopen',
    refunded: '',
    cancelled: 'paid process_unconfirmed refund refund_partially reopen',
    failed: 'fail paid paid_partially process process_unconfirmed reopen',
    chargeback: 'cancel paid paid_partially',
  },
}

/** The tables of the version that is asked. */
export const MACHINES = byVersion(OLDER, {'6.7': {...OLDER, order_transaction: NEWER_PAYMENT}})

/** The actions that the table lists for a state. */
export function listed({actions}: WrittenMachine, state: string): string[] {
  return (actions[state] as string).split(' ').filter(action => action !== '')
}

/** The state that an action leads to, or nothing where it is illegal. Before 6.7 `cancel` is legal everywhere. */
export function reached(machine: WrittenMachine, state: string, action: string): string | undefined {
  const target = machine.targets[action]
  const isAlwaysLegal = byVersion(action === 'cancel', {'6.7': false})
  const isLegal = target === state || isAlwaysLegal || listed(machine, state).includes(action)
  return isLegal ? target : undefined
}
