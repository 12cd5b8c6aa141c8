import {describe, expect} from 'vitest'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {
  deliver,
  during,
  expectAccepted,
  expectException,
  expectFailed,
  notification,
  type Payment,
  payment,
  stateOf,
  webhookPath,
} from '../payments.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'

const row = conformance({faults: createFaultList()}).needs('webhook token')

const UNKNOWN_ID = 'f'.repeat(32)

/** The members of a notification's resource that a row changes; `undefined` takes one away. */
function withResource(body: Record<string, unknown>, members: object): object {
  return {...body, resource: {...(body.resource as object), ...members}}
}

/** Asks the payment provider in vain while a notification is delivered. */
const askedInVain = (shop: Target, answer: 'down' | 'not-found', body: unknown) =>
  during(shop, `route=${webhookPath(shop)},provider=${answer}`, () => deliver(shop, body))

const V2_TYPES = ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.DENIED', 'PAYMENT.AUTHORIZATION.VOIDED']
const V1_TYPES = ['PAYMENT.SALE.COMPLETED', 'PAYMENT.SALE.DENIED']

describe('§4.4 transaction lookup, v2', () => {
  const spellings: [title: string, (id: string) => string][] = [
    ['the bare id', id => id],
    ['JSON', id => JSON.stringify({orderTransactionId: id})],
    [
      'JSON with versions',
      id => JSON.stringify({orderTransactionId: id, pluginVersion: '9.6.2', shopwareVersion: '6.6.7.1'}),
    ],
    ['JSON with the id last', id => `{ "pluginVersion": "9.6.2",\n "orderTransactionId": "${id}" }`],
  ]
  row.each(
    V2_TYPES.flatMap(type => spellings.map(([title, spell]) => [`${type}: ${title}`, type, spell] as const)),
    async (shop, type, spell) => {
      const one = await payment(shop, {state: 'authorized'})
      expectAccepted(await deliver(shop, notification(type, one, {customId: spell(one.id)})))
      expect(await stateOf(shop, one.id)).toBe(type === 'PAYMENT.CAPTURE.COMPLETED' ? 'paid' : 'cancelled')
    },
  )

  const foreign: [title: string, customId: unknown][] = [
    ['no 32-hex', '10007'],
    ['an id with dashes', '0192b7a1-c2d3-7e4f-8a9b-0c1d2e3f4a5c'],
    ['31 digits', 'a'.repeat(31)],
    ['32 letters that are no digits', 'g'.repeat(32)],
    ['no 32-hex in JSON', '{"orderTransactionId":"10007"}'],
  ]
  const customIds: [title: string, customId: unknown][] = [
    ['custom_id missing', undefined],
    ['custom_id null', null],
    ['a JSON object without the key', '{"pluginVersion":"9.6.2"}'],
    ['an empty JSON object', '{}'],
    ...byVersion(foreign, {'6.7': []}),
    ['an unknown id', UNKNOWN_ID],
    ['an unknown id in JSON', `{"orderTransactionId":"${UNKNOWN_ID}"}`],
  ]
  row.each(
    V2_TYPES.flatMap(type =>
      customIds.map(([title, value]) => [`${type}: ${title}: 400`, type, value] as const),
    ),
    async (shop, type, custom_id) => {
      const nobody = {id: UNKNOWN_ID, seed: 1, parentPayment: 'PAY-0', providerOrderId: 'ORDER0'}
      expectFailed(await deliver(shop, withResource(notification(type, nobody), {custom_id})))
    },
  )
  // What another system of the same account at the provider sent.
  row.on('6.7').each(
    V2_TYPES.flatMap(type =>
      foreign.map(([title, value]) => [`${type}: ${title}: 200`, type, value] as const),
    ),
    async (shop, type, custom_id) => {
      const nobody = {id: UNKNOWN_ID, seed: 1, parentPayment: 'PAY-0', providerOrderId: 'ORDER0'}
      expectAccepted(await deliver(shop, withResource(notification(type, nobody), {custom_id})))
    },
  )
})

describe('§4.4 transaction lookup, v1', () => {
  const types = [...V1_TYPES, 'PAYMENT.AUTHORIZATION.VOIDED']
  const v1 = (type: string, one: Payment) => {
    const body = notification('PAYMENT.SALE.COMPLETED', one)
    return {...body, event_type: type}
  }
  row.each(
    types.map(type => [`${type}: parent_payment is the custom field`, type] as const),
    async (shop, type) => {
      const one = await payment(shop)
      expectAccepted(await deliver(shop, v1(type, one)))
      expect(await stateOf(shop, one.id)).toBe(type === 'PAYMENT.SALE.COMPLETED' ? 'paid' : 'cancelled')
    },
  )
  const parents: [title: string, parent: unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['unknown', 'PAY-UNKNOWN'],
  ]
  row.each(
    types.flatMap(type =>
      parents.map(([title, parent]) => [`${type}: parent_payment ${title}: 400`, type, parent] as const),
    ),
    async (shop, type, parent_payment) => {
      const one = await payment(shop)
      expectFailed(await deliver(shop, withResource(v1(type, one), {parent_payment})))
      expect(await stateOf(shop, one.id)).toBe('open')
    },
  )
  row('a transaction without the custom field: 400', async shop => {
    const one = await payment(shop, {customFields: null})
    expectFailed(await deliver(shop, notification('PAYMENT.SALE.COMPLETED', one)))
  })
  row('the id of the transaction does not do', async shop => {
    const one = await payment(shop)
    const body = notification('PAYMENT.SALE.COMPLETED', one, {parentPayment: one.id})
    expectFailed(await deliver(shop, withResource(body, {custom_id: one.id})))
  })
})

describe('§4.4 PAYMENT.CAPTURE.COMPLETED', () => {
  const withoutFinality = (one: Payment) =>
    withResource(notification('PAYMENT.CAPTURE.COMPLETED', one), {final_capture: undefined})

  row('final_capture absent: 500 and nothing done', async shop => {
    const one = await payment(shop)
    expectException(await deliver(shop, withoutFinality(one)))
    expect(await stateOf(shop, one.id)).toBe('open')
  })
  row('final_capture null: 500', async shop => {
    const body = notification('PAYMENT.CAPTURE.COMPLETED', await payment(shop))
    expectException(await deliver(shop, withResource(body, {final_capture: null})))
  })
  row('final_capture absent of an unknown transaction: 400', async shop =>
    expectFailed(await deliver(shop, withoutFinality({...(await payment(shop)), id: UNKNOWN_ID}))),
  )
  // On 6.5 the method has no name to be found by.
  row
    .on('6.6', '6.7')
    .bundledOnly('final_capture absent, Pay Upon Invoice: 200 and nothing done', async shop => {
      const one = await payment(shop, {method: 'pay upon invoice'})
      expectAccepted(await deliver(shop, withoutFinality(one)))
      expect(await stateOf(shop, one.id)).toBe('open')
    })
  row('the amount decides nothing', async shop => {
    const one = await payment(shop)
    expectAccepted(await deliver(shop, notification('PAYMENT.CAPTURE.COMPLETED', one, {amount: '0.01'})))
    expect(await stateOf(shop, one.id)).toBe('paid')
  })
})

const REFUND_TYPES = ['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED']
for (const type of REFUND_TYPES) {
  describe(`§4.4 ${type}`, () => {
    const refund = (one: Payment, totalRefunded = '119.00') => notification(type, one, {totalRefunded})
    const breakdowns: [title: string, breakdown: unknown][] = [
      ['seller_payable_breakdown', undefined],
      ['total_refunded_amount', {gross_amount: {value: '119.00', currency_code: 'EUR'}}],
      ['value', {total_refunded_amount: {currency_code: 'EUR'}}],
    ]
    row.bundledOnly.each(
      breakdowns.map(([title, breakdown]) => [`${title} absent: 500 and nothing done`, breakdown] as const),
      async (shop, seller_payable_breakdown) => {
        const one = await payment(shop, {state: 'paid'})
        expectException(await deliver(shop, withResource(refund(one), {seller_payable_breakdown})))
        expect(await stateOf(shop, one.id)).toBe('paid')
      },
    )
    row.bundledOnly('a transaction without the order at the provider: 400', async shop => {
      const one = await payment(shop, {state: 'paid', customFields: null})
      expectFailed(await deliver(shop, refund(one)))
      expect(await stateOf(shop, one.id)).toBe('paid')
    })
    row.bundledOnly('an unknown transaction: 400', async shop =>
      expectFailed(await deliver(shop, refund({...(await payment(shop)), id: UNKNOWN_ID}))),
    )

    const totals: [title: string, total: string, state: string][] = [
      ['the transaction total', '119.00', 'refunded'],
      ['the transaction total, formatted otherwise', '119', 'refunded'],
      ['less than the total', '118.99', 'refunded_partially'],
      ['more than the total', '119.01', 'refunded_partially'],
    ]
    row.bundledOnly.each(
      totals.map(([title, ...cells]) => [`${title} is refunded: ${cells[1]}`, ...cells] as const),
      async (shop, total, state) => {
        const one = await payment(shop, {state: 'paid'})
        expectAccepted(await deliver(shop, refund(one, total)))
        expect(await stateOf(shop, one.id)).toBe(state)
      },
    )

    const captures: [title: string, finals: readonly boolean[], total: string, state: string][] = [
      ['one final', [false, true], '80.00', 'refunded'],
      ['none final', [false, false], '80.00', 'refunded_partially'],
      ['one final, less refunded', [false, true], '40.00', 'refunded_partially'],
    ]
    row.bundledOnly.each(
      captures.map(
        ([title, ...cells]) => [`the sum of captures of 40.00, ${title}: ${cells[2]}`, ...cells] as const,
      ),
      async (shop, finals, total, state) => {
        const one = await payment(shop)
        for (const [index, finalCapture] of finals.entries()) {
          const options = {amount: '40.00', finalCapture, captureId: `${shop.run}${one.seed}${index}`}
          expectAccepted(await deliver(shop, notification('PAYMENT.CAPTURE.COMPLETED', one, options)))
        }
        expectAccepted(await deliver(shop, refund(one, total)))
        expect(await stateOf(shop, one.id)).toBe(state)
      },
    )

    row.bundledOnly('the provider is asked before the state is looked at', async shop => {
      const one = await payment(shop, {state: 'refunded'})
      expectFailed(await askedInVain(shop, 'down', refund(one)))
      expectAccepted(await deliver(shop, refund(one)))
    })
    row.bundledOnly('§4.2 row 11: the provider answers with an error: 400', async shop => {
      const one = await payment(shop, {state: 'paid'})
      expectFailed(await askedInVain(shop, 'down', refund(one)))
      expect(await stateOf(shop, one.id)).toBe('paid')
    })
    row.bundledOnly('§4.2 row 12: the provider answers RESOURCE_NOT_FOUND: 200', async shop => {
      const one = await payment(shop, {state: 'paid'})
      expectAccepted(await askedInVain(shop, 'not-found', refund(one)))
      expect(await stateOf(shop, one.id)).toBe('paid')
    })
  })
}

describe('§4.4 PAYMENT.SALE.REFUNDED', () => {
  const refund = (one: Payment, amount: string) =>
    notification('PAYMENT.SALE.REFUNDED', one, {amount, saleId: `SALE${one.parentPayment}`})
  row.bundledOnly('partially_refunded at the provider: refund partially', async shop => {
    const one = await payment(shop, {state: 'paid'})
    expectAccepted(await deliver(shop, refund(one, '19.00')))
    expect(await stateOf(shop, one.id)).toBe('refunded_partially')
  })
  row.bundledOnly('else refund', async shop => {
    const one = await payment(shop, {state: 'paid'})
    expectAccepted(await deliver(shop, refund(one, '19.00')))
    expectAccepted(await deliver(shop, refund(one, '100.00')))
    expect(await stateOf(shop, one.id)).toBe('refunded')
  })
  row.bundledOnly('without parent_payment: 400', async shop => {
    const body = refund(await payment(shop, {state: 'paid'}), '119.00')
    expectFailed(await deliver(shop, withResource(body, {parent_payment: undefined})))
  })
  row.bundledOnly('§4.2 rows 11 and 12: the provider fails, or does not know the sale', async shop => {
    const one = await payment(shop, {state: 'paid'})
    expectFailed(await askedInVain(shop, 'down', refund(one, '119.00')))
    expectAccepted(await askedInVain(shop, 'not-found', refund(one, '119.00')))
    expect(await stateOf(shop, one.id)).toBe('paid')
  })
})

describe('§4.4 VAULT.PAYMENT-TOKEN', () => {
  const created = (one: Payment) => notification('VAULT.PAYMENT-TOKEN.CREATED', one)
  row('CREATED with an order, and DELETED: 200', async shop => {
    const body = created(await payment(shop))
    expectAccepted(await deliver(shop, body))
    expectAccepted(await deliver(shop, {...body, event_type: 'VAULT.PAYMENT-TOKEN.DELETED'}))
  })
  row('DELETED with an id that nobody has: 200', async shop => {
    const body = notification('VAULT.PAYMENT-TOKEN.DELETED', await payment(shop))
    expectAccepted(await deliver(shop, withResource(body, {id: `none-${shop.run}`})))
  })
  row('DELETED without an id: 500', async shop => {
    const body = notification('VAULT.PAYMENT-TOKEN.DELETED', await payment(shop))
    expectException(await deliver(shop, withResource(body, {id: undefined})))
  })
  row.bundledOnly('CREATED without metadata.order_id: 200 and nothing saved', async shop => {
    for (const metadata of [undefined, null, {}, {order_id: null}]) {
      const body = created(await payment(shop))
      expectAccepted(await deliver(shop, withResource(body, {metadata})))
    }
  })
  const misfits: [title: string, members: object][] = [
    ['without resource_version', {resource_version: undefined}],
    ['of resource_version "2.0"', {resource_version: '2.0'}],
    ['of another resource_type', {resource_type: 'payment-token'}],
    ['without a resource', {resource: undefined}],
  ]
  row.each(
    ['CREATED', 'DELETED'].flatMap(name =>
      misfits.map(([title, members]) => [`${name} ${title}: 400`, name, members] as const),
    ),
    async (shop, name, members) => {
      const body = notification(`VAULT.PAYMENT-TOKEN.${name}`, await payment(shop))
      expectFailed(await deliver(shop, {...body, ...members}))
    },
  )
})

describe('§4.4 event types that are known and not handled: 200', () => {
  const types = [
    'CHECKOUT.ORDER.APPROVED',
    'CHECKOUT.ORDER.COMPLETED',
    'PAYMENT.CAPTURE.PENDING',
    'PAYMENT.CAPTURE.DECLINED',
    'PAYMENT.AUTHORIZATION.CREATED',
    'CUSTOMER.DISPUTE.CREATED',
    'BILLING.SUBSCRIPTION.CREATED',
    'INVOICING.INVOICE.PAID',
    'PAYMENT.SALE.PENDING',
    'PAYMENT.SALE.REVERSED',
  ]
  row.each(
    [...types, 'SOMETHING.NEW'].map(type => [type, type] as const),
    async (shop, event_type) => {
      const one = await payment(shop)
      for (const like of ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.SALE.COMPLETED'])
        expectAccepted(await deliver(shop, {...notification(like, one), event_type}))
      expect(await stateOf(shop, one.id)).toBe('open')
    },
  )
})
