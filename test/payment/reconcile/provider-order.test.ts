import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Call} from '../../../src/http/http.js'
import {
  fetchProviderOrder,
  joinOrders,
  listAskedOrders,
} from '../../../src/payment/reconcile/provider-order.js'

const AT = '2026-11-18T12:00:00Z'
const ID = 'b'.repeat(32)
const amount = (value: string) => ({currency_code: 'EUR', value})
const capture = (more: object = {}) => ({
  ...{id: 'C1', status: 'COMPLETED', amount: amount('10.00'), create_time: AT, ...more},
})
const refund = (id: string, value: string, of = 'C1') => ({
  ...{id, status: 'COMPLETED', amount: amount(value), create_time: AT},
  links: [null, {rel: 'self', href: '/x'}, {rel: 'up', href: `https://api/v2/payments/captures/${of}`}],
})

/** What is made of an order, as its provider answers it. */
async function read(payments: object, unit: object = {}, answer: {status?: number; order?: object} = {}) {
  const calls: Call[] = []
  const units = [{amount: amount('10.00'), custom_id: ID, invoice_id: '10001', payments, ...unit}]
  const {status = 200, order = {id: 'P/1', status: 'COMPLETED', purchase_units: units}} = answer
  const call = async (sent: Call) => {
    calls.push(sent)
    return {status, headers: {}, body: Buffer.from(JSON.stringify(order))}
  }
  const url = new URL('http://p')
  const refusal = (given: {status: number}, doing: string) =>
    new StorectlError('rejected.by_provider', `${doing}: HTTP ${given.status}`)
  const provider = {url, patient: {baseUrl: url, call}, refusal}
  return {...(await fetchProviderOrder({orderId: 'P/1', transactionIds: [ID]}, provider)), calls}
}

test('the captures, refunds and authorizations of an order are movements of its payment', async () => {
  const found = await read({
    authorizations: [{...capture({id: 'A1', status: 'CAPTURED'})}],
    captures: [
      capture({status: 'PARTIALLY_REFUNDED', final_capture: true}),
      capture({id: 'C2', status: 'PENDING'}),
    ],
    refunds: [refund('R1', '1.00'), refund('R2', '2.00', 'C2')],
  })
  const common = {currency: 'EUR', at: new Date(AT), orderId: 'P/1', transactionId: ID, invoiceId: '10001'}
  const money = {...common, units: 1000, captureId: null}
  expect(found).toMatchObject({isKnown: true, voidedOrderIds: [], doubts: []})
  expect(found.movements).toEqual([
    {id: 'A1', kind: 'authorization', status: 'done', ...money},
    {id: 'C1', kind: 'capture', status: 'done', ...money, isFinal: true, reversed: 'part'},
    {id: 'C2', kind: 'capture', status: 'pending', ...money},
    {id: 'R1', kind: 'refund', status: 'done', ...common, units: 100, captureId: 'C1'},
    {id: 'R2', kind: 'refund', status: 'done', ...common, units: 200, captureId: 'C2'},
  ])
  const [{method, path, headers} = {}] = found.calls
  expect([method, path, headers]).toEqual([
    ...['GET', '/v2/checkout/orders/P%2F1', {accept: 'application/json'}],
  ])
})

test.each([
  ['CREATED', 'done'],
  ['CAPTURED', 'done'],
  ['PARTIALLY_CAPTURED', 'done'],
  ['PENDING', 'pending'],
  ['DENIED', 'declined'],
  ['VOIDED', 'declined'],
  ['EXPIRED', 'declined'],
])('an authorization that is %s is %s', async (status, means) => {
  expect((await read({authorizations: [capture({status})]})).movements).toMatchObject([{status: means}])
})

test.each([
  ['COMPLETED', 'done', undefined],
  ['PARTIALLY_REFUNDED', 'done', 'part'],
  ['REFUNDED', 'done', 'all'],
  ['PENDING', 'pending', undefined],
  ['DECLINED', 'declined', undefined],
  ['FAILED', 'declined', undefined],
])('a capture that is %s is %s, and was given back: %s', async (status, means, reversed) => {
  const [movement] = (await read({captures: [capture({status})], refunds: [refund('R1', '1.00')]})).movements
  expect([movement?.status, movement?.reversed]).toEqual([means, reversed])
})

test.each([
  ['a list with a text in it', {captures: [capture(), 'C2']}, 'captures cannot be read'],
  ['a list with nothing in it', {refunds: [null]}, 'refunds cannot be read'],
  ['a list of lists', {captures: {}}, 'captures cannot be read'],
  ['a capture without an id', {captures: [capture({id: ''})]}, 'a capture has no id'],
  ['a capture with a number as its id', {captures: [capture({id: 7})]}, 'a capture has no id'],
  [
    'a status without a name',
    {captures: [capture({status: 7})]},
    'the status without a name of capture C1 is not known',
  ],
  [
    'a refund that is of no listed capture',
    {captures: [capture()], refunds: [refund('R1', '1.00', 'C9')]},
    'refund R1 is of capture C9, which it does not list',
  ],
  [
    'a time that cannot be read',
    {captures: [capture({create_time: undefined})]},
    'the time of capture C1 cannot be read (10.00 EUR)',
  ],
])('nothing of an order with %s counts', async (_, payments, doubt) => {
  const {movements, doubts, isKnown} = await read(payments)
  expect({movements, doubts, isKnown}).toEqual({
    ...{movements: [], isKnown: true, doubts: [`provider, asked for order P/1: ${doubt}`]},
  })
})

test('an order without payments has nothing, one that was voided says so, and one that is not known is none', async () => {
  expect(await read({}, {payments: null})).toMatchObject({isKnown: true, movements: [], doubts: []})
  const voided = {id: 'P/1', status: 'VOIDED', purchase_units: [{custom_id: ID}]}
  expect(await read({}, {}, {order: voided})).toMatchObject({voidedOrderIds: ['P/1'], doubts: []})
  expect(await read({captures: [capture()]}, {}, {status: 404})).toMatchObject({
    ...{isKnown: false, movements: [], voidedOrderIds: [], doubts: []},
  })
  await expect(read({}, {}, {status: 403})).rejects.toThrow('an order: HTTP 403')
})

test('the orders of all attempts are asked for, each with the transactions that have it', () => {
  const attempt = (id: string, providerOrderId: string | null) => ({
    ...{id, state: 'open', createdAt: new Date(AT), providerOrderId},
  })
  const payment = {
    ...{orderId: 'o', orderNumber: '1', orderState: 'open', salesChannelId: null, units: 1, currency: 'EUR'},
    ...{live: attempt('T3', 'P'), earlier: [attempt('T1', 'Q'), attempt('T2', 'P'), attempt('T0', null)]},
  }
  expect(listAskedOrders(payment)).toEqual([
    {orderId: 'P', transactionIds: ['T3', 'T2']},
    {orderId: 'Q', transactionIds: ['T1']},
  ])
  expect(
    joinOrders([
      {movements: [], voidedOrderIds: ['P'], doubts: ['a']},
      {movements: [], voidedOrderIds: ['Q']},
    ]),
  ).toEqual({movements: [], voidedOrderIds: ['P', 'Q'], doubts: ['a']})
})
