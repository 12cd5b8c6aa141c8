import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Call, HttpResponse} from '../../../src/http/http.js'
import {findDrift} from '../../../src/payment/drift/find-drift.js'
import type {ProviderMovement, ShopPayment} from '../../../src/payment/drift/payment-facts.js'
import {lookUpProvider, type ProviderLookup} from '../../../src/payment/reconcile/look-up-provider.js'
import {listOrderCaptures} from '../../../src/payment/reconcile/provider-order.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const AT = '2026-11-18T12:00:00Z'
const LIVE = 'b'.repeat(32)
const OTHER = 'a'.repeat(32)

const payment: ShopPayment = {
  ...{orderId: 'c'.repeat(32), orderNumber: '10001', orderState: 'open', salesChannelId: null},
  ...{units: 11_900, currency: 'EUR', earlier: []},
  live: {id: LIVE, state: 'open', createdAt: new Date(AT), providerOrderId: 'ORDER'},
}

const withState = (state: string, providerOrderId: string | null = 'ORDER'): ShopPayment => ({
  ...payment,
  live: {...payment.live, state, providerOrderId},
})

const EUR = {currency_code: 'EUR', value: '119.00'}
const capture = (more: object = {}) => ({
  ...{id: 'CAPTURE', status: 'COMPLETED', amount: EUR, custom_id: `{"orderTransactionId":"${LIVE}"}`},
  ...{create_time: AT, final_capture: true, ...more},
})
const refund = (more: object = {}) => ({
  ...{id: 'REFUND', status: 'COMPLETED', amount: EUR, create_time: AT},
  ...{links: [{rel: 'up', href: 'https://api/v2/payments/captures/CAPTURE'}], ...more},
})

/** An order as the provider answers it. @param changes of its members */
function buildOrder(payments: object, unit: object = {}, changes: object = {}) {
  const units = [{amount: EUR, custom_id: `{"orderTransactionId":"${LIVE}"}`, payments, ...unit}]
  return {id: 'ORDER', status: 'COMPLETED', purchase_units: units, ...changes}
}

/** A provider that answers some paths; 404 elsewhere. */
function createProvider(answers: Readonly<Record<string, object | number>>) {
  const asked: string[] = []
  const call = async ({path}: Call): Promise<HttpResponse> => {
    asked.push(path)
    const answer = answers[path] ?? 404
    const [status, value] = typeof answer === 'number' ? [answer, {}] : [200, answer]
    return {status, headers: {}, body: Buffer.from(JSON.stringify(value))}
  }
  const baseUrl = new URL('http://provider')
  const refusal = () => new StorectlError('rejected.by_provider', 'refused')
  return {asked, api: {url: baseUrl, patient: {baseUrl, call}, refusal}}
}

const ORDER_PATH = '/v2/checkout/orders/ORDER'

/** How the payment differs by what the provider answers. */
async function judge(
  answers: Readonly<Record<string, object | number>>,
  lookup: Partial<ProviderLookup> = {},
) {
  const {api, asked} = createProvider(answers)
  const whole = {payment, ...lookup}
  const {there, isKnown} = await lookUpProvider(whole, api)
  const drift = findDrift({shop: whole.payment, provider: there}, {now: NOW, pendingAfterMs: 86_400_000})
  return {drift, asked, isKnown}
}

const judgeOrder = async (order: object, lookup: Partial<ProviderLookup> = {}) =>
  (await judge({[ORDER_PATH]: order}, lookup)).drift

test('what the order that was asked for says of this transaction is believed', async () => {
  expect(await judgeOrder(buildOrder({captures: [capture()]}))).toMatchObject({
    ...{kind: 'capture-missed', expected: 'paid'},
  })
})

test.each([
  ['another order', buildOrder({captures: [capture()]}, {}, {id: 'ANOTHER'}), 'order "ANOTHER"'],
  ['no order', {status: 'COMPLETED', purchase_units: []}, 'without a name'],
  [
    'another transaction',
    buildOrder({captures: [capture({custom_id: undefined})]}, {custom_id: OTHER}),
    `it names transaction ${OTHER}`,
  ],
  ['a capture of another transaction', buildOrder({captures: [capture({custom_id: OTHER})]}), OTHER],
  [
    'money for nobody',
    buildOrder({captures: [capture({custom_id: undefined})]}, {custom_id: undefined}),
    'it names no transaction',
  ],
  ['a void for nobody', buildOrder({}, {custom_id: null}, {status: 'VOIDED'}), 'it names no transaction'],
  [
    'a capture in another currency than its order',
    buildOrder({captures: [capture({amount: {currency_code: 'USD', value: '119.00'}})]}),
    'is in USD',
  ],
  [
    'a capture of another order',
    buildOrder({captures: [capture({links: [{rel: 'up', href: 'https://api/v2/checkout/orders/ANOTHER'}]})]}),
    'is of order ANOTHER',
  ],
  [
    'a refund of another capture',
    buildOrder({
      captures: [capture()],
      refunds: [refund({links: [{rel: 'up', href: '/v2/payments/captures/ANOTHER'}]})],
    }),
    'is of capture ANOTHER',
  ],
  [
    'an amount that is none',
    buildOrder({captures: [capture({amount: {currency_code: 'EUR', value: '0x10'}})]}),
    'amount of capture CAPTURE cannot be read',
  ],
  [
    'an amount beyond what a number holds',
    buildOrder({captures: [capture({amount: {currency_code: 'EUR', value: '90071992547409.93'}})]}),
    'amount of capture CAPTURE cannot be read',
  ],
  [
    'an amount below nothing',
    buildOrder({captures: [capture({amount: {currency_code: 'EUR', value: '-0.01'}})]}),
    'amount of capture CAPTURE cannot be read',
  ],
  [
    'a refund below nothing',
    buildOrder({
      captures: [capture()],
      refunds: [refund({amount: {currency_code: 'EUR', value: '-119.00'}})],
    }),
    'amount of refund REFUND cannot be read',
  ],
  [
    'a currency that is none',
    buildOrder({captures: [capture({amount: {currency_code: 'constructor', value: '1'}})]}),
    'amount of capture CAPTURE cannot be read',
  ],
  ['a status that is none', buildOrder({captures: [capture({status: 'constructor'})]}), 'is not known'],
  ['a time that is none', buildOrder({captures: [capture({create_time: 'soon'})]}), 'cannot be read'],
  ['no list of captures', buildOrder({captures: 'many'}), 'captures cannot be read'],
  [
    'a part of a refund that is not listed',
    buildOrder({captures: [capture({status: 'PARTIALLY_REFUNDED'})]}),
    'no refund is listed',
  ],
])('an answer with %s is for a person', async (_, order, detail) => {
  for (const shop of [payment, withState('paid')]) {
    const drift = await judgeOrder(order, {payment: shop})
    expect(drift).toMatchObject({
      kind: 'unclear',
      expected: undefined,
      detail: expect.stringContaining(detail),
    })
    expect(drift?.detail).toContain('asked for order ORDER')
  }
})

test('an order that was begun and left need not name a transaction', async () => {
  const left = buildOrder({}, {custom_id: undefined, payments: undefined}, {status: 'APPROVED'})
  expect(await judgeOrder(left)).toBeUndefined()
})

test('an authorization of nothing can be read', async () => {
  const nothing = {id: 'A', status: 'CREATED', amount: {currency_code: 'EUR', value: '0.00'}, create_time: AT}
  expect(await judgeOrder(buildOrder({authorizations: [nothing]}))).toBeUndefined()
})

test.each(['PENDING', 'FAILED', 'CANCELLED'])('a refund that is %s is no money back', async status => {
  const order = buildOrder({captures: [capture()], refunds: [refund({status})]})
  expect(await judgeOrder(order, {payment: withState('paid')})).toBeUndefined()
})

test('a capture that was refunded is, whether the refund is listed or not', async () => {
  for (const refunds of [[], [refund()]]) {
    const order = buildOrder({captures: [capture({status: 'REFUNDED'})], refunds})
    expect(await judgeOrder(order, {payment: withState('paid')})).toMatchObject({kind: 'refund-missed'})
    expect(await judgeOrder(order, {payment: withState('refunded')})).toBeUndefined()
  }
})

const reported = (more: Partial<ProviderMovement>): ProviderMovement => ({
  ...{id: 'ROW', kind: 'capture', status: 'done', units: 11_900, currency: 'EUR', at: new Date(AT)},
  ...{orderId: null, transactionId: LIVE, invoiceId: null, captureId: null, ...more},
})

test('what the order says takes the place of the rows of the report', async () => {
  const rows = [reported({id: 'CAPTURE'}), reported({id: 'HOLD', kind: 'refund', captureId: 'CAPTURE'})]
  const order = buildOrder({captures: [capture()]})
  expect(await judgeOrder(order, {payment: withState('paid'), reported: rows})).toBeUndefined()
})

test('money that no order of the payment has is looked up by its capture, else it is for a person', async () => {
  const lookup = {payment: withState('paid'), reported: [reported({id: 'SECOND'})]}
  const order = buildOrder({captures: [capture()]})
  const {drift} = await judge({[ORDER_PATH]: order}, lookup)
  expect(drift).toMatchObject({
    kind: 'unclear',
    detail: expect.stringContaining('capture SECOND of 119.00 EUR'),
  })
  const second = buildOrder({captures: [capture({id: 'SECOND'})]}, {}, {id: 'ORDER2'})
  const answers = {
    [ORDER_PATH]: order,
    '/v2/payments/captures/SECOND': {
      ...{id: 'SECOND', supplementary_data: {related_ids: {order_id: 'ORDER2'}}},
    },
    '/v2/checkout/orders/ORDER2': second,
  }
  expect((await judge(answers, lookup)).drift?.kind).toBe('captured-twice')
})

test('where the shop names no order, that of the report or of a plan is asked for', async () => {
  const unnamed = withState('open', null)
  const answers = {[ORDER_PATH]: buildOrder({captures: [capture()]})}
  for (const lookup of [{reported: [reported({id: 'CAPTURE', orderId: 'ORDER'})]}, {orderIds: ['ORDER']}])
    expect(await judge(answers, {payment: unnamed, ...lookup})).toMatchObject({
      ...{drift: {kind: 'capture-missed'}, isKnown: true},
    })
  expect(await judge(answers, {payment: unnamed})).toMatchObject({drift: undefined, isKnown: false})
})

test('a row that only the order explains is for a person where no order can be asked', async () => {
  const lookup = {
    payment: withState('paid'),
    reported: [reported({id: 'CAPTURE'}), reported({kind: 'other'})],
  }
  expect((await judge({}, lookup)).drift).toMatchObject({kind: 'unclear'})
  expect((await judge({[ORDER_PATH]: buildOrder({captures: [capture()]})}, lookup)).drift).toBeUndefined()
})

const LIST = '/v1/customer/disputes?disputed_transaction_id=CAPTURE&page_size=50'
const dispute = (more: object = {}) => ({
  ...{dispute_id: 'PP-1', status: 'WAITING_FOR_SELLER_RESPONSE', dispute_state: 'REQUIRED_ACTION'},
  ...{seller_response_due_date: '2026-11-30T09:00:00.000Z', ...more},
})
const detail = (about: string) => ({
  ...dispute(),
  disputed_transactions: [{seller_transaction_id: about}],
})

test('a payment in dispute is that alone, with the day by which an answer is due', async () => {
  const order = buildOrder({captures: [capture()]})
  const lookup = {
    payment: withState('paid'),
    reported: [reported({id: 'HOLD', kind: 'dispute', status: 'pending', captureId: 'CAPTURE'})],
  }
  const answers = {[ORDER_PATH]: order, [LIST]: {items: [dispute()]}}
  const own = {...answers, '/v1/customer/disputes/PP-1': detail('CAPTURE')}
  expect((await judge(own, lookup)).drift).toMatchObject({
    ...{kind: 'disputed', expected: undefined},
    detail: 'provider: in dispute PP-1 (REQUIRED_ACTION), an answer is due by 2026-11-30T09:00Z; shop: paid',
  })
  // One about another payment, one that has ended, and one that the shop has as such are none.
  const foreign = {...answers, '/v1/customer/disputes/PP-1': detail('ANOTHER')}
  expect((await judge(foreign, lookup)).drift).toBeUndefined()
  const ended = {...own, [LIST]: {items: [dispute({dispute_state: 'RESOLVED'})]}}
  expect((await judge(ended, lookup)).drift).toBeUndefined()
  expect((await judge(own, {...lookup, payment: withState('chargeback')})).drift).toBeUndefined()
  // Credentials without the right leave the report's rows.
  expect((await judge({...answers, [LIST]: 403}, lookup)).drift).toMatchObject({
    detail: 'provider: in dispute; shop: paid',
  })
  // A repair asks although no report is there.
  const missed = await judge(own, {payment: withState('open'), asksDisputes: true})
  expect(missed.drift).toMatchObject({kind: 'disputed'})
})

test('a listed dispute counts while it is open, and where its own answer names it and the capture', async () => {
  const order = buildOrder({captures: [capture()]})
  const lookup = {payment: withState('paid'), asksDisputes: true}
  const told = async (items: unknown, own: object | number = detail('CAPTURE')) => {
    const answers = {[ORDER_PATH]: order, [LIST]: {items}, '/v1/customer/disputes/PP-1': own}
    return (await judge(answers, lookup)).drift?.detail
  }
  const named = 'provider: in dispute PP-1'
  const due = 'an answer is due by 2026-11-30T09:00Z'
  const whole = `${named} (REQUIRED_ACTION), ${due}; shop: paid`
  // What has no name or has ended is passed over, and what comes after it is not.
  const passed = [null, {}, dispute({dispute_id: 7}), dispute({dispute_id: undefined})]
  const ended = [dispute({status: 'RESOLVED'}), dispute({dispute_state: 'RESOLVED'})]
  for (const each of [...passed, ...ended]) expect([each, await told([each])]).toEqual([each, undefined])
  expect(await told([...passed, ...ended, dispute()])).toBe(whole)
  // The state is named as exactly as the provider does.
  expect(await told([dispute({dispute_state: undefined})])).toBe(
    `${named} (WAITING_FOR_SELLER_RESPONSE), ${due}; shop: paid`,
  )
  expect(await told([{dispute_id: 'PP-1'}])).toBe(`${named} (open); shop: paid`)
  for (const seller_response_due_date of [null, 0, 'soon'])
    expect(await told([dispute({seller_response_due_date})])).toBe(`${named} (REQUIRED_ACTION); shop: paid`)
  // The dispute itself has to be the one that was asked for, and about this capture.
  expect(await told([dispute()], {...detail('CAPTURE'), dispute_id: 'PP-2'})).toBeUndefined()
  expect(await told([dispute()], {...detail('CAPTURE'), disputed_transactions: [null]})).toBeUndefined()
  expect(await told([dispute()], {dispute_id: 'PP-1'})).toBeUndefined()
  expect(await told([dispute()], 404)).toBeUndefined()
})

test('a payment of which there was nothing to pay needs no money at the provider', async () => {
  expect((await judge({}, {payment: {...withState('paid'), units: 0}})).drift).toBeUndefined()
  expect((await judge({}, {payment: withState('paid')})).drift).toMatchObject({kind: 'unknown-at-provider'})
})

test.each(['capture', 'refund'] as const)(
  'a %s of the report that no order has leaves it unclear',
  async kind => {
    const odd = reported({id: 'ODD', kind, units: 100, orderId: null, captureId: null})
    const drift = await judgeOrder(buildOrder({captures: [capture()]}), {reported: [odd]})
    expect(drift).toMatchObject({kind: 'unclear', detail: expect.stringContaining(`${kind} ODD of 1.00 EUR`)})
  },
)

test('of an order, money counts for a transaction that it names', async () => {
  const captures = [capture(), capture({id: 'NOBODY', custom_id: undefined})]
  const {api} = createProvider({[ORDER_PATH]: buildOrder({captures}, {custom_id: undefined})})
  expect(await listOrderCaptures({id: LIVE, orderId: 'ORDER'}, api)).toEqual([
    {value: '119.00', currency: 'EUR'},
  ])
})
