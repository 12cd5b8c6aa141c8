import {expect, test} from 'vitest'
import {findDrift} from '../../../src/payment/drift/find-drift.js'
import type {ProviderMovement, ShopPayment} from '../../../src/payment/drift/payment-facts.js'
import {lookUpProvider} from '../../../src/payment/reconcile/look-up-provider.js'
import {fetchProviderOrder} from '../../../src/payment/reconcile/provider-order.js'
import {findPaymentsById} from '../../../src/payment/reconcile/shop-payments.js'
import {lookUpPayment} from '../../../src/payment/repair/look-up-drift.js'
import {createSearchedShop, createTransactionRow} from '../searched-shop.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

const movement = (kind: ProviderMovement['kind'], days: number, more: Partial<ProviderMovement> = {}) => ({
  ...{id: `${kind}${days}`, kind, status: 'done' as const, units: 1000, currency: 'EUR', at: ago(days)},
  ...{orderId: 'ORDER1', transactionId: 'T1', invoiceId: null, captureId: null},
  ...more,
})

/** The kind and the provider's side of the sentence. */
function find(state: string, movements: readonly ProviderMovement[], more: Partial<ShopPayment> = {}) {
  const shop: ShopPayment = {
    ...{orderId: 'O1', orderNumber: '10001', orderState: 'open', salesChannelId: null},
    ...{units: 1000, currency: 'EUR', earlier: []},
    live: {id: 'T1', state, createdAt: ago(30), providerOrderId: 'ORDER1'},
    ...more,
  }
  const drift = findDrift({shop, provider: {movements, voidedOrderIds: []}}, {now: NOW, pendingAfterMs: 0})
  return drift && `${drift.kind}: ${drift.detail.replace('provider: ', '').replace(/; shop.*/, '')}`
}

const authorized = (days: number, more: Partial<ProviderMovement> = {}) =>
  movement('authorization', days, more)
const ending = (days: number, how: 'cancelled' | 'returned' = 'cancelled') => ({ending: {how, at: ago(days)}})

test('an authorization ends after 29 days, or when the provider says, and a renewed one with the first', () => {
  const ends = 'authorization-expiring: the authorization ends'
  expect(find('authorized', [authorized(25.9)])).toBeUndefined()
  expect(find('authorized', [authorized(26)])).toBe(`${ends} 2026-11-23T12:00Z`)
  expect(find('authorized', [authorized(30)])).toBe(
    'authorization-expiring: the authorization ended 2026-11-19T12:00Z',
  )
  expect(find('authorized', [authorized(4), authorized(27)])).toBe(`${ends} 2026-11-22T12:00Z`)
  expect(find('authorized', [authorized(10, {expiresAt: ago(-1)})])).toBe(`${ends} 2026-11-21T12:00Z`)
  expect(find('authorized', [authorized(27, {expiresAt: ago(-9)})])).toBeUndefined()
})

test('an authorization that nobody waits for, or that is not of the live attempt, ends without a word', () => {
  const voided = {...authorized(27), status: 'declined' as const}
  expect(find('authorized', [authorized(27), voided])).not.toContain('expiring')
  expect(find('cancelled', [authorized(27)])).toBeUndefined()
  expect(find('authorized', [authorized(27)], ending(1))).toBeUndefined()
  const other = {transactionId: 'T0', orderId: 'ORDER0'}
  expect(find('open', [authorized(27, other)])).toBeUndefined()
  expect(find('open', [authorized(27, {...other, transactionId: 'T1'})])).toContain('expiring')
  expect(find('open', [authorized(27, {...other, orderId: 'ORDER1'})])).toContain('expiring')
  const held = movement('capture', 1, {status: 'pending', at: NOW})
  expect(find('authorized', [authorized(27), held])).toBeUndefined()
})

test('what is left of an authorization after a part was captured ends, unless that was the last part', () => {
  const part = (isFinal: boolean) => movement('capture', 20, {units: 400, isFinal})
  expect(find('paid_partially', [authorized(27), part(false)])).toContain('authorization-expiring')
  expect(find('paid_partially', [authorized(27), part(true)])).not.toContain('expiring')
  expect(find('paid', [authorized(27), movement('capture', 20)])).toBeUndefined()
})

test('money is owed from the later of its capture and the end of the order, and only what is kept', () => {
  const capture = movement('capture', 10)
  expect(find('paid', [capture], ending(3))).toBeUndefined()
  expect(find('paid', [capture], ending(3.01))).toBe('refund-owed: 10.00 EUR kept since 2026-11-17T11:45Z')
  expect(find('paid', [movement('capture', 2)], ending(9, 'returned'))).toBeUndefined()
  expect(find('paid', [movement('capture', 4)], ending(9, 'returned'))).toBe(
    'refund-owed: 10.00 EUR kept since 2026-11-16T12:00Z',
  )
  const refund = (units: number) => movement('refund', 5, {units, captureId: capture.id})
  expect(find('refunded_partially', [capture, refund(400)], ending(9))).toContain('6.00 EUR kept')
  expect(find('refunded', [capture, refund(1000)], ending(9))).toBeUndefined()
  expect(find('chargeback', [capture], ending(9))).toBeUndefined()
  // What was missed comes first: the shop has to know of the money before it gives it back.
  expect(find('open', [capture], ending(9))).toContain('capture-missed')
})

test('a run of repairs has nothing to do with money that is owed: both sides agree', async () => {
  const id = 'a'.repeat(32)
  const at = ago(9).toISOString()
  const order = {stateMachineState: {technicalName: 'cancelled'}, createdAt: at}
  const row = createTransactionRow(id, at, {stateMachineState: {technicalName: 'paid'}, order})
  const {shop} = createSearchedShop(() => [row])
  const amount = {currency_code: 'EUR', value: '10.00'}
  const captures = [{id: 'C', status: 'COMPLETED', amount, create_time: at, final_capture: true}]
  const answer = {id: `P${id}`, status: 'COMPLETED', purchase_units: [{custom_id: id, payments: {captures}}]}
  const provider = createProvider(answer)
  const looked = await lookUpPayment(
    {transaction: id, orderIds: []},
    {shop, provider, now: NOW, pendingAfterMs: 0},
  )
  expect(looked).toMatchObject({found: undefined, isKnown: true})
  const [payment] = await findPaymentsById([id], shop)
  const {there} = await lookUpProvider({payment: payment as ShopPayment}, provider)
  const facts = {shop: payment, provider: there}
  expect(findDrift(facts, {now: NOW, pendingAfterMs: 0})?.kind).toBe('refund-owed')
})

test('an order counts as returned when all of its deliveries came back, from the last of them on', async () => {
  const find = async (...states: string[]) => {
    const deliveries = states.map((technicalName, index) => ({
      ...{createdAt: ago(20).toISOString(), stateMachineState: {technicalName}},
      updatedAt: index === 0 ? ago(5).toISOString() : null,
    }))
    const row = createTransactionRow('a'.repeat(32), ago(30).toISOString(), {order: {deliveries}})
    const {shop} = createSearchedShop(() => [row])
    const [payment] = await findPaymentsById([row.id], {...shop, lacking: new Set()})
    return payment?.ending
  }
  expect(await find('returned', 'returned')).toEqual({how: 'returned', at: ago(5)})
  expect(await find('returned', 'shipped')).toBeUndefined()
  expect(await find()).toBeUndefined()
})

function createProvider(order: object) {
  const url = new URL('http://provider')
  const body = Buffer.from(JSON.stringify(order))
  const call = async ({path}: {path: string}) => ({
    status: path.includes('/orders/') ? 200 : 404,
    headers: {},
    body,
  })
  return {url, patient: {baseUrl: url, call}, refusal: () => new Error('refused') as never}
}

test('the end of an authorization is read of its order, and not of one that cannot be read', async () => {
  const read = async (expiration_time: string | undefined) => {
    const amount = {currency_code: 'EUR', value: '10.00'}
    const authorization = {
      id: 'A',
      status: 'CREATED',
      amount,
      create_time: NOW.toISOString(),
      expiration_time,
    }
    const order = {
      id: 'ORDER1',
      purchase_units: [{custom_id: 'T1', payments: {authorizations: [authorization]}}],
    }
    const provider = createProvider(order)
    const {movements} = await fetchProviderOrder({orderId: 'ORDER1', transactionIds: []}, provider)
    return movements[0]?.expiresAt
  }
  expect(await read('2026-12-01T00:00:00Z')).toEqual(new Date('2026-12-01T00:00:00Z'))
  expect(await read('soon')).toBeUndefined()
  expect(await read(undefined)).toBeUndefined()
})
