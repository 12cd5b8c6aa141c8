import {describe, expect} from 'vitest'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {type EventOptions, PAYMENT_STATES} from '../../support/events.js'
import {
  deliver,
  during,
  expectAccepted,
  expectFailed,
  expectRefused,
  notification,
  type Payment,
  payment,
  stateOf,
  steps,
  webhookPath,
} from '../payments.js'
import {conformance} from '../rows.js'
import {byVersion} from '../versions.js'

const row = conformance({faults: createFaultList()}).needs('webhook token')

type Notify = (one: Payment) => Record<string, unknown>
const about =
  (type: string, options: EventOptions = {}): Notify =>
  one =>
    notification(type, one, {saleId: `SALE${one.parentPayment}`, ...options})

const FINAL = about('PAYMENT.CAPTURE.COMPLETED')
const NOT_FINAL = about('PAYMENT.CAPTURE.COMPLETED', {amount: '40.00', finalCapture: false})
const SALE = about('PAYMENT.SALE.COMPLETED')
/** What a capture makes paid. */
const PAYABLE = [
  ...['open', 'in_progress', 'authorized', 'failed', 'cancelled', 'unconfirmed', 'chargeback'],
  ...byVersion([], {'6.7': ['reminded']}),
]
/** What nothing cancels any more. */
const FINISHED = byVersion([], {'6.7': ['refunded', 'failed']})
/** The step towards a payment. */
const PROCESS = byVersion('do_pay', {'6.7': 'process'})
const UNREFUNDABLE = ['open', 'in_progress', 'authorized', 'reminded', 'failed', 'chargeback', 'unconfirmed']

interface Outcome {
  event: string
  notify: Notify
  before: string[]
  /** The state after a 200; a 400 leaves everything as it is. */
  after: string | 400
  /** Actions on the way, when they are not the one that leads there at once. */
  through?: string[]
  /** Whether the payment provider is asked. */
  asks?: boolean
}

const refunds = (event: string, type: string): Outcome[] => {
  const full = {event: `${event}, full`, notify: about(type), asks: true}
  const partial = {event: `${event}, partial`, notify: about(type, {amount: '40.00'}), asks: true}
  return [
    {...full, before: ['paid', 'paid_partially', 'refunded_partially', 'cancelled'], after: 'refunded'},
    {...partial, before: ['paid', 'paid_partially', 'cancelled'], after: 'refunded_partially'},
    {...full, before: UNREFUNDABLE, after: 400},
    {...partial, before: UNREFUNDABLE, after: 400},
    {...full, before: ['refunded'], after: 'refunded', through: []},
    {...partial, before: ['refunded_partially'], after: 'refunded_partially', through: []},
  ]
}

/** What follows from the handlers and the state machine, line by line, and the lines that the table leaves to 4.4. */
const OUTCOMES: Outcome[] = [
  {
    event: 'capture completed, final',
    notify: FINAL,
    before: PAYABLE,
    after: 'paid',
  },
  {event: 'capture completed, final', notify: FINAL, before: ['paid'], after: 'paid', through: []},
  {
    event: 'capture completed, final',
    notify: FINAL,
    before: ['paid_partially'],
    after: 'paid',
    through: [`paid_partially ${PROCESS} in_progress`, 'in_progress paid paid'],
  },
  {
    event: 'capture completed, final',
    notify: FINAL,
    before: ['refunded_partially'],
    after: 'paid',
    through: ['refunded_partially reopen open', 'open paid paid'],
  },
  {
    event: 'capture completed, final',
    notify: FINAL,
    before: byVersion(['refunded', 'reminded'], {'6.7': ['refunded']}),
    after: 400,
  },
  {
    event: 'capture completed, not final',
    notify: NOT_FINAL,
    before: PAYABLE.filter(state => state !== 'cancelled'),
    after: 'paid_partially',
  },
  {
    event: 'capture completed, not final',
    notify: NOT_FINAL,
    before: ['paid', 'cancelled', 'refunded', ...byVersion(['reminded'], {'6.7': []})],
    after: 400,
  },
  {
    event: 'capture completed, not final',
    notify: NOT_FINAL,
    before: ['paid_partially'],
    after: 'paid_partially',
    through: [],
  },
  {
    event: 'capture completed, not final',
    notify: NOT_FINAL,
    before: ['refunded_partially'],
    after: 'paid_partially',
    through: ['refunded_partially reopen open', 'open paid_partially paid_partially'],
  },
  {
    event: 'sale completed',
    notify: SALE,
    before: byVersion(PAYABLE, {'6.7': [...PAYABLE, 'paid_partially']}),
    after: 'paid',
  },
  {event: 'sale completed', notify: SALE, before: ['paid'], after: 'paid', through: []},
  {
    event: 'sale completed',
    notify: SALE,
    before: ['refunded', 'refunded_partially', ...byVersion(['paid_partially', 'reminded'], {'6.7': []})],
    after: 400,
  },
  ...[
    ['capture denied', 'PAYMENT.CAPTURE.DENIED'],
    ['authorization voided', 'PAYMENT.AUTHORIZATION.VOIDED'],
    ['sale denied', 'PAYMENT.SALE.DENIED'],
  ].flatMap(([event, type]): Outcome[] => {
    const line = {event: event as string, notify: about(type as string)}
    const before = PAYMENT_STATES.filter(
      state => !FINISHED.includes(state) && (event !== 'sale denied' || state !== 'cancelled'),
    )
    return [
      {...line, before, after: 'cancelled'},
      {...line, before: FINISHED, after: 400},
    ]
  }),
  // The first version's handler does not look at the state: on 6.6 a cancelled payment gets one more line of history.
  {
    event: 'sale denied',
    notify: about('PAYMENT.SALE.DENIED'),
    before: ['cancelled'],
    after: 'cancelled',
    through: byVersion([], {'6.6': ['cancelled cancel cancelled']}),
  },
  ...refunds('refund', 'PAYMENT.CAPTURE.REFUNDED'),
  ...refunds('reversal', 'PAYMENT.CAPTURE.REVERSED'),
  ...refunds('sale refund', 'PAYMENT.SALE.REFUNDED'),
]

/** The action that leads into a state at once, as the handlers name it. */
const ACTIONS: Record<string, string> = {
  paid: 'paid',
  paid_partially: 'paid_partially',
  cancelled: 'cancel',
  refunded: 'refund',
  refunded_partially: 'refund_partially',
}

describe('§4.5 derived outcomes', () => {
  for (const {event, notify, before, after, through, asks} of OUTCOMES) {
    const rows = asks ? row.bundledOnly : row
    rows.each(
      before.map(state => [`${event}: ${state} → ${after}`, state] as const),
      async (shop, state) => {
        const one = await payment(shop, {state})
        const reply = await deliver(shop, notify(one))
        if (after === 400) expectFailed(reply)
        else expectAccepted(reply)
        expect(await stateOf(shop, one.id)).toBe(after === 400 ? state : after)
        const single = after === 400 || after === state ? [] : [`${state} ${ACTIONS[after]} ${after}`]
        expect(await steps(shop, one.id)).toEqual((through ?? single).toSorted())
      },
    )
  }
})

describe('§4.5 replay', () => {
  row('no event-id store: the same event acts again when the state allows it', async shop => {
    const one = await payment(shop)
    const body = FINAL(one)
    expectAccepted(await deliver(shop, body))
    await shop.post(`/api/_action/order_transaction/${one.id}/state/reopen`, {sendMail: false})
    expect(await stateOf(shop, one.id)).toBe('open')
    expectAccepted(await deliver(shop, body))
    expect(await stateOf(shop, one.id)).toBe('paid')
  })
  row('no event-id store: another payment may come with an id that was there', async shop => {
    const [first, second] = [await payment(shop), await payment(shop)]
    expectAccepted(await deliver(shop, FINAL(first)))
    expectAccepted(await deliver(shop, {...FINAL(second), id: FINAL(first).id}))
    expect(await stateOf(shop, second.id)).toBe('paid')
  })
  row.each(
    [
      ['the same event again, target reached: 200, nothing changes, v2', FINAL],
      ['the same event again, target reached: 200, nothing changes, v1', SALE],
    ] as const,
    async (shop, notify) => {
      const one = await payment(shop)
      for (let time = 0; time < 3; time++) expectAccepted(await deliver(shop, notify(one)))
      expect(await stateOf(shop, one.id)).toBe('paid')
      expect(await steps(shop, one.id)).toEqual(['open paid paid'])
    },
  )
  row.each<[action: string, after: string | 400]>(
    [
      ['a capture after a refund of all of it: 400 (trap 38)', 'refund', 400],
      ['a capture after a refund in part: paid again (trap 38)', 'refund_partially', 'paid'],
    ],
    async (shop, action, after) => {
      const one = await payment(shop)
      expectAccepted(await deliver(shop, FINAL(one)))
      await shop.post(`/api/_action/order_transaction/${one.id}/state/${action}`, {sendMail: false})
      const reply = await deliver(shop, FINAL(one))
      if (after === 400) expectFailed(reply)
      else expectAccepted(reply)
      expect(await stateOf(shop, one.id)).toBe(after === 400 ? 'refunded' : after)
    },
  )
  row.bundledOnly('a refund replayed asks the provider before it notices', async shop => {
    const one = await payment(shop, {state: 'paid'})
    const body = about('PAYMENT.CAPTURE.REFUNDED')(one)
    expectAccepted(await deliver(shop, body))
    const fault = `route=${webhookPath(shop)},provider=down`
    expectFailed(await during(shop, fault, () => deliver(shop, body)))
    expectAccepted(await deliver(shop, body))
    expect(await steps(shop, one.id)).toEqual(['paid refund refunded'])
  })
  row.bundledOnly('illegal from the current state: refund while open: 400', async shop => {
    const one = await payment(shop)
    expectFailed(await deliver(shop, about('PAYMENT.CAPTURE.REFUNDED')(one)))
  })
  row('illegal from the current state: paid from refunded by a sale: 400', async shop => {
    const one = await payment(shop, {state: 'refunded'})
    expectFailed(await deliver(shop, SALE(one)))
  })
  row(`two captures, partial then final: pay partially, then ${PROCESS} and paid`, async shop => {
    const one = await payment(shop)
    expectAccepted(await deliver(shop, NOT_FINAL(one)))
    expect(await stateOf(shop, one.id)).toBe('paid_partially')
    expectAccepted(await deliver(shop, about('PAYMENT.CAPTURE.COMPLETED', {captureId: 'SECOND'})(one)))
    expect(await stateOf(shop, one.id)).toBe('paid')
    expect(await steps(shop, one.id)).toEqual([
      'in_progress paid paid',
      'open paid_partially paid_partially',
      `paid_partially ${PROCESS} in_progress`,
    ])
  })
})

describe('§4.6 why 400 mostly, 200 sometimes', () => {
  row('another shop’s transaction: 400', async shop =>
    expectFailed(await deliver(shop, FINAL({...(await payment(shop)), id: 'e'.repeat(32)}))),
  )
  row('a stale webhook with an old token: 400', async shop => {
    const query = `?${shop.tokenPrefix}-token=${'Old0'.repeat(8)}`
    const reply = await deliver(shop, FINAL(await payment(shop)), {query})
    expectRefused(reply, 'Shopware token is invalid')
  })
  row('an order placed outside the shop, without custom_id: 400', async shop => {
    const body = FINAL(await payment(shop))
    expectFailed(await deliver(shop, {...body, resource: {...(body.resource as object), custom_id: null}}))
  })
  row('a type that nobody handles: 200', async shop =>
    expectAccepted(await deliver(shop, about('PAYMENT.CAPTURE.PENDING')(await payment(shop)))),
  )
})
