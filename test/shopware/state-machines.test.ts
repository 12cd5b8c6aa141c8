import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  applyActions,
  listActions,
  listStates,
  type MachineName,
  STATE_MACHINES,
  transition,
} from '../../src/shopware/state-machines.js'
import {sized} from '../support/sized.js'

const {order_transaction: payment, order_delivery: delivery, order} = STATE_MACHINES

/** protocol.md 4.5 and 5.3, retyped row by row as `from: action > target`. */
const ALLOWED: Record<MachineName, Record<string, string>> = {
  order_transaction: {
    open: 'pay>paid paid>paid pay_partially>paid_partially paid_partially>paid_partially cancel>cancelled remind>reminded do_pay>in_progress fail>failed authorize>authorized process_unconfirmed>unconfirmed',
    in_progress:
      'paid>paid paid_partially>paid_partially pay_partially>paid_partially reopen>open fail>failed cancel>cancelled authorize>authorized',
    authorized: 'paid>paid paid_partially>paid_partially fail>failed cancel>cancelled',
    reminded:
      'pay>paid pay_partially>paid_partially cancel>cancelled reopen>open do_pay>in_progress authorize>authorized process_unconfirmed>unconfirmed',
    paid_partially:
      'pay>paid remind>reminded refund>refunded refund_partially>refunded_partially cancel>cancelled reopen>open do_pay>in_progress chargeback>chargeback process_unconfirmed>unconfirmed',
    paid: 'refund>refunded refund_partially>refunded_partially cancel>cancelled reopen>open chargeback>chargeback',
    refunded_partially: 'refund>refunded cancel>cancelled reopen>open',
    refunded: 'cancel>cancelled',
    cancelled:
      'reopen>open refund>refunded refund_partially>refunded_partially paid>paid process_unconfirmed>unconfirmed',
    failed:
      'reopen>open do_pay>in_progress pay>paid paid>paid paid_partially>paid_partially pay_partially>paid_partially process_unconfirmed>unconfirmed cancel>cancelled',
    chargeback: 'paid>paid paid_partially>paid_partially cancel>cancelled',
    unconfirmed:
      'paid>paid paid_partially>paid_partially fail>failed cancel>cancelled authorize>authorized reopen>open',
  },
  order_delivery: {
    open: 'ship>shipped ship_partially>shipped_partially cancel>cancelled',
    shipped_partially:
      'ship>shipped retour>returned retour_partially>returned_partially cancel>cancelled reopen>open',
    shipped: 'retour>returned retour_partially>returned_partially cancel>cancelled reopen>open',
    returned_partially: 'retour>returned reopen>open cancel>cancelled',
    returned: 'reopen>open cancel>cancelled',
    cancelled: 'reopen>open',
  },
  order: {
    open: 'process>in_progress cancel>cancelled',
    in_progress: 'complete>completed cancel>cancelled',
    completed: 'reopen>open cancel>cancelled',
    cancelled: 'reopen>open',
  },
}

const cells = Object.entries(STATE_MACHINES).flatMap(([name, machine]) =>
  listStates(machine).flatMap(from =>
    Object.keys(machine.targets).map(action => ({machine: name as MachineName, from, action})),
  ),
)

test.each(cells)('$machine: $action from $from', ({machine: name, from, action}) => {
  const machine = STATE_MACHINES[name]
  const moves = Object.fromEntries((ALLOWED[name][from] ?? '').split(' ').map(pair => pair.split('>')))
  const step = transition(machine, from, action)
  if (moves[action]) expect(step).toEqual({kind: 'moved', to: moves[action]})
  else if (machine.targets[action] === from) expect(step).toEqual({kind: 'unchanged', to: from})
  else expect(step.kind).toBe('illegal')
})

describe('transition', () => {
  test('leads from the initial state of each machine', () => {
    expect([payment, delivery, order].map(machine => machine.initial)).toEqual(['open', 'open', 'open'])
  })

  test('names the possible actions by name when one is illegal', () => {
    expect(transition(payment, 'paid', 'remind')).toEqual({
      kind: 'illegal',
      possible: ['cancel', 'chargeback', 'refund', 'refund_partially', 'reopen'],
    })
    expect(listActions(payment, 'refunded')).toEqual([])
  })

  test('knows no action or state that only looks like one', () => {
    expect(transition(payment, 'open', 'constructor').kind).toBe('illegal')
    expect(transition(payment, 'toString', 'cancel').kind).toBe('illegal')
  })

  test('stops a sequence at the first refused action', () => {
    expect(applyActions(payment, 'refunded_partially', ['reopen', 'paid', 'paid'])).toEqual({
      kind: 'reached',
      state: 'paid',
      steps: [
        {action: 'reopen', from: 'refunded_partially', to: 'open'},
        {action: 'paid', from: 'open', to: 'paid'},
      ],
    })
    expect(applyActions(payment, 'authorized', ['fail', 'remind'])).toEqual({
      kind: 'refused',
      state: 'failed',
      action: 'remind',
    })
  })

  test('never leaves the machine, whatever walk is taken', () => {
    const walk = fc.array(fc.constantFrom(...Object.keys(payment.targets)), {maxLength: 40})
    fc.assert(
      fc.property(walk, actions => {
        let state = payment.initial
        for (const action of actions) {
          const step = transition(payment, state, action)
          if (step.kind === 'illegal') expect(step.possible).not.toContain(action)
          else expect(step.to).toBe(payment.targets[action])
          if (step.kind === 'unchanged') expect(step.to).toBe(state)
          if (step.kind !== 'illegal') state = step.to
          expect(listStates(payment)).toContain(state)
        }
      }),
      {seed: 2, numRuns: sized(50, 300)},
    )
  })
})
