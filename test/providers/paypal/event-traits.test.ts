import {expect, test} from 'vitest'
import {listOrderingKeys, readTraits} from '../../../src/providers/paypal/event-traits.js'
import {findHandler} from '../../../src/providers/paypal/notification/handlers.js'
import {readHead} from '../../../src/providers/paypal/notification/notification.js'

const ID = 'a'.repeat(32)

/** What is read of an event. @param resource of version 2 unless `more` says otherwise */
function read(type: string, resource: object | null, more: object = {}) {
  const kind = type.split('.')[1]?.toLowerCase()
  const body = {...{event_type: type, resource_version: '2.0', resource_type: kind}, resource, ...more}
  return readTraits(findHandler(type), body)
}
const V1 = {resource_version: '1.0', resource_type: 'sale'}
const keyed = {key: {by: 'id', id: ID}, keyText: `id:${ID}`}

test('a capture names its transaction, its amount, its invoice, and whether it is the last', () => {
  const resource = {
    ...{id: 'C1', custom_id: ID, final_capture: false, invoice_id: '10001'},
    amount: {currency_code: 'EUR', value: '2.50'},
  }
  expect(read('PAYMENT.CAPTURE.COMPLETED', resource)).toEqual({
    ...{...keyed, finalCapture: false, amount: {value: '2.50', currency: 'EUR'}, invoice: '10001'},
  })
  expect(read('PAYMENT.CAPTURE.COMPLETED', {custom_id: ID})).toEqual(keyed)
})

test('a refund says what was refunded in all, as far as its body does', () => {
  const refund = (breakdown?: object) =>
    read(
      'PAYMENT.CAPTURE.REFUNDED',
      {custom_id: ID, seller_payable_breakdown: breakdown},
      {resource_type: 'refund'},
    )
  const total = (amount: object) => refund({total_refunded_amount: amount, gross_amount: {value: '1'}})
  expect(total({currency_code: 'EUR', value: '9.00'})).toEqual({
    ...{...keyed, refunded: {value: '9.00', currency: 'EUR'}},
  })
  expect(total({value: '9.00'})).toEqual({...keyed, refunded: {value: '9.00'}})
  expect(total({currency_code: 'EUR'})).toEqual({...keyed, refunded: {currency: 'EUR'}})
  expect(refund({gross_amount: {value: '1'}})).toEqual({...keyed, refunded: null})
  expect(refund()).toEqual(keyed)
})

test('an authorization names itself', () => {
  const voided = (resource: object) => read('PAYMENT.AUTHORIZATION.VOIDED', {custom_id: ID, ...resource})
  expect(voided({id: 'A1'})).toEqual({...keyed, resourceId: 'A1'})
  expect(voided({})).toEqual(keyed)
})

test('a resource of version 1 says the same in other words', () => {
  const resource = {
    parent_payment: 'PAY-1',
    invoice_number: '10001',
    amount: {total: '2.50', currency: 'EUR'},
  }
  expect(read('PAYMENT.SALE.COMPLETED', resource, V1)).toEqual({
    ...{key: {by: 'parent-payment', payment: 'PAY-1'}, keyText: 'payment:PAY-1'},
    ...{amount: {value: '2.50', currency: 'EUR'}, invoice: '10001'},
  })
  const both = {
    ...{invoice_id: 'new', invoice_number: 'old'},
    amount: {value: '1', total: '2', currency_code: 'EUR', currency: 'USD'},
  }
  const unhandled = {key: {by: 'nothing'}, keyText: null}
  expect(read('CHECKOUT.ORDER.APPROVED', both)).toEqual({
    ...{...unhandled, amount: {value: '1', currency: 'EUR'}, invoice: 'new'},
  })
  for (const amount of [{value: '1'}, {currency_code: 'EUR'}, [], null])
    expect(read('CHECKOUT.ORDER.APPROVED', {amount, invoice_id: ''})).toEqual(unhandled)
})

test('a body that the receiver cannot lay out names nothing, and has its error', () => {
  expect(read('PAYMENT.CAPTURE.COMPLETED', {custom_id: 7})).toEqual({
    ...{
      key: {by: 'nothing'},
      keyText: null,
      fault: expect.stringContaining('must be of type ?string, int given'),
    },
  })
  expect(read('PAYMENT.CAPTURE.COMPLETED', null)).toEqual({
    ...{key: {by: 'fault', fault: 'wrong-resource'}, keyText: null},
  })
})

test('every id that a resource names ties its event to others', () => {
  const resource = {
    ...{id: 'R', custom_id: 'my own', custom: ID, parent_payment: 'PAY', sale_id: 'S', status: 'x'},
    ...{metadata: {order_id: 'O', other: 'x'}, supplementary_data: {related_ids: {order_id: 'O2', none: 7}}},
    links: [
      {rel: 'up', href: 'https://api/v2/orders/UP/?a=/b'},
      {rel: 'up', href: 'https://api/v2/orders/UP2#/c'},
      {rel: 'self', href: 'https://api/SELF'},
      ...[{rel: 'up'}, null, 'up'],
    ],
    disputed_transactions: [{seller_transaction_id: 'D'}, {}, 7],
  }
  expect(listOrderingKeys({resource})).toEqual([
    ...['custom:my own', `transaction:${ID}`],
    ...['R', 'PAY', 'S', 'O2', 'O', 'UP', 'UP2', 'D'].map(id => `provider:${id}`),
  ])
  expect(listOrderingKeys({resource: {custom_id: ID, custom: ID}})).toEqual([`transaction:${ID}`])
  const many = Array.from({length: 21}, (_, at) => ({seller_transaction_id: `D${at}`}))
  expect(listOrderingKeys({resource: {disputed_transactions: many}})).toHaveLength(20)
})

test('what an operator sorts by is read of any body, and is nothing where it is no text', () => {
  expect(readHead({id: 'WH-1', event_type: 'X', create_time: 'T'})).toEqual({
    id: 'WH-1',
    type: 'X',
    createTime: 'T',
  })
  const nothing = {id: null, type: null, createTime: null}
  const list = Object.assign([], {id: 'WH-1', event_type: 'X'})
  for (const body of [null, undefined, 'x', 7, list, {}, {id: 7, event_type: '', create_time: {}}])
    expect(readHead(body)).toEqual(nothing)
})
