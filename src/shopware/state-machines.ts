/**
 * A state machine of a shop: the target of each action, and the states that allow it.
 *
 * An action has the same target from any state, so targets are listed once, and states list action names.
 */
export interface StateMachine {
  /** The shop's name for it: `order_transaction.state`. */
  readonly name: string
  readonly initial: string
  readonly targets: Readonly<Record<string, string>>
  readonly allowed: Readonly<Record<string, readonly string[]>>
  /** Whether an action is possible only where it is listed: then `cancel` is not allowed from every state. */
  readonly onlyListed?: true
}

export type MachineName = 'order_transaction' | 'order_delivery' | 'order'

/** The effect of an action on a state. `unchanged` is a success that leaves it as it is. */
export type Transition =
  | {readonly kind: 'moved'; readonly to: string}
  | {readonly kind: 'unchanged'; readonly to: string}
  | {readonly kind: 'illegal'; readonly possible: readonly string[]}

/** Before 6.7 a shop cancels from every state, listed or not. */
const ALWAYS_ALLOWED = 'cancel'

/** @see protocol.md §4.5 */
const ORDER_TRANSACTION: StateMachine = {
  name: 'order_transaction.state',
  initial: 'open',
  targets: {
    authorize: 'authorized',
    cancel: 'cancelled',
    chargeback: 'chargeback',
    do_pay: 'in_progress',
    fail: 'failed',
    paid: 'paid',
    paid_partially: 'paid_partially',
    pay: 'paid',
    pay_partially: 'paid_partially',
    process_unconfirmed: 'unconfirmed',
    refund: 'refunded',
    refund_partially: 'refunded_partially',
    remind: 'reminded',
    reopen: 'open',
  },
  allowed: {
    open: [
      'pay',
      'paid',
      'pay_partially',
      'paid_partially',
      'cancel',
      'remind',
      'do_pay',
      'fail',
      'authorize',
      'process_unconfirmed',
    ],
    in_progress: ['paid', 'paid_partially', 'pay_partially', 'reopen', 'fail', 'cancel', 'authorize'],
    authorized: ['paid', 'paid_partially', 'fail', 'cancel'],
    reminded: ['pay', 'pay_partially', 'cancel', 'reopen', 'do_pay', 'authorize', 'process_unconfirmed'],
    paid_partially: [
      'pay',
      'remind',
      'refund',
      'refund_partially',
      'cancel',
      'reopen',
      'do_pay',
      'chargeback',
      'process_unconfirmed',
    ],
    paid: ['refund', 'refund_partially', 'cancel', 'reopen', 'chargeback'],
    refunded_partially: ['refund', 'cancel', 'reopen'],
    refunded: [],
    cancelled: ['reopen', 'refund', 'refund_partially', 'paid', 'process_unconfirmed'],
    failed: [
      'reopen',
      'do_pay',
      'pay',
      'fail',
      'paid',
      'paid_partially',
      'pay_partially',
      'process_unconfirmed',
    ],
    chargeback: ['paid', 'paid_partially', 'cancel'],
    unconfirmed: ['paid', 'paid_partially', 'fail', 'cancel', 'authorize', 'reopen'],
  },
}

/** @see protocol.md §5.3 */
const ORDER_DELIVERY: StateMachine = {
  name: 'order_delivery.state',
  initial: 'open',
  targets: {
    cancel: 'cancelled',
    reopen: 'open',
    retour: 'returned',
    retour_partially: 'returned_partially',
    ship: 'shipped',
    ship_partially: 'shipped_partially',
  },
  allowed: {
    open: ['ship', 'ship_partially', 'cancel'],
    shipped_partially: ['ship', 'retour', 'retour_partially', 'cancel', 'reopen'],
    shipped: ['retour', 'retour_partially', 'cancel', 'reopen'],
    returned_partially: ['retour', 'reopen'],
    returned: ['reopen'],
    cancelled: ['reopen'],
  },
}

/** @see protocol.md §5.3 */
const ORDER: StateMachine = {
  name: 'order.state',
  initial: 'open',
  targets: {cancel: 'cancelled', complete: 'completed', process: 'in_progress', reopen: 'open'},
  allowed: {
    open: ['process', 'cancel'],
    in_progress: ['complete', 'cancel'],
    completed: ['reopen'],
    cancelled: ['reopen'],
  },
}

/** The machines, by the entity whose `stateId` they control. */
export const STATE_MACHINES: Readonly<Record<MachineName, StateMachine>> = {
  order_transaction: ORDER_TRANSACTION,
  order_delivery: ORDER_DELIVERY,
  order: ORDER,
}

/** Names in 6.7 of the actions that it has renamed. @see shop-6.7.md 3, actions */
const RENAMED_ACTIONS: Readonly<Record<string, string>> = {
  do_pay: 'process',
  pay: 'paid',
  pay_partially: 'paid_partially',
}

/** A machine of a shop that was installed as 6.7: actions that are not listed are not possible. */
function renewMachine(machine: StateMachine): StateMachine {
  const rename = (action: string) => RENAMED_ACTIONS[action] ?? action
  const {targets, allowed} = machine
  return {
    ...machine,
    onlyListed: true,
    targets: Object.fromEntries(Object.entries(targets).map(([action, to]) => [rename(action), to])),
    allowed: Object.fromEntries(
      Object.entries(allowed).map(([state, actions]) => [state, [...new Set(actions.map(rename))]]),
    ),
  }
}

/** The machines of a shop that was installed as 6.7, by the same names. */
export const NEWER_STATE_MACHINES: Readonly<Record<MachineName, StateMachine>> = {
  order_transaction: renewMachine(ORDER_TRANSACTION),
  order_delivery: renewMachine(ORDER_DELIVERY),
  order: renewMachine(ORDER),
}

/** All states of a machine by technical name, the initial one first. */
export function listStates(machine: StateMachine): readonly string[] {
  return Object.keys(machine.allowed)
}

/** The actions listed for a state, by name in ascending order, as the shop lists them in its errors. */
export function listActions(machine: StateMachine, from: string): readonly string[] {
  return [...listNamedActions(machine, from)].sort()
}

/**
 * Applies `action` to the state `from`.
 *
 * An action whose target is the present state is `unchanged`, even where it is not listed; `cancel` is allowed from
 * every state. An unknown action or state is `illegal`.
 *
 * @see protocol.md §4.5, §5.3
 */
export function transition(machine: StateMachine, from: string, action: string): Transition {
  const to = Object.hasOwn(machine.targets, action) ? machine.targets[action] : undefined
  if (to === undefined || !Object.hasOwn(machine.allowed, from)) return createIllegalTransition(machine, from)
  if (to === from) return {kind: 'unchanged', to}
  const isListed = listNamedActions(machine, from).includes(action)
  const isAllowed = isListed || (action === ALWAYS_ALLOWED && !machine.onlyListed)
  return isAllowed ? {kind: 'moved', to} : createIllegalTransition(machine, from)
}

function listNamedActions(machine: StateMachine, from: string): readonly string[] {
  return (Object.hasOwn(machine.allowed, from) && machine.allowed[from]) || []
}

function createIllegalTransition(machine: StateMachine, from: string): Transition {
  return {kind: 'illegal', possible: listActions(machine, from)}
}

/** One change of a state, with the name of its action. */
export interface StateStep {
  readonly action: string
  readonly from: string
  readonly to: string
}

/** The result of several actions: the changes without `unchanged` ones, or the action that was refused. */
export type Transitions =
  | {readonly kind: 'reached'; readonly state: string; readonly steps: readonly StateStep[]}
  | {readonly kind: 'refused'; readonly state: string; readonly action: string}

/**
 * Applies all of `actions` in order. No action at all is a success.
 *
 * @returns `refused` with the state in which the action was refused
 * @see protocol.md §4.5 "Derived outcomes"
 */
export function applyActions(machine: StateMachine, from: string, actions: readonly string[]): Transitions {
  const steps: StateStep[] = []
  let state = from
  for (const action of actions) {
    const step = transition(machine, state, action)
    if (step.kind === 'illegal') return {kind: 'refused', state, action}
    if (step.kind === 'moved') steps.push({action, from: state, to: step.to})
    state = step.to
  }
  return {kind: 'reached', state, steps}
}
