import {expect, test} from 'vitest'
import {
  countShopPayments,
  findPaymentsById,
  findPaymentsByProviderOrder,
  listShopPayments,
  type PagePosition,
  type PaymentQuery,
} from '../../../src/payment/reconcile/shop-payments.js'
import {createSearchedShop, createTransactionRow, type Search} from '../searched-shop.js'

const [SINCE, UNTIL] = ['2026-11-01T00:00:00.000Z', '2026-11-20T00:00:00.000Z']
const AT = '2026-11-10T00:00:00.000Z'
const span = {since: new Date(SINCE), until: new Date(UNTIL)}
const never = new AbortController().signal

async function list(
  rows: readonly object[] | ((search: Search) => readonly object[]),
  query: Partial<PaymentQuery> = {},
  start?: PagePosition,
) {
  const {asked, shop} = createSearchedShop(search => (typeof rows === 'function' ? rows(search) : rows))
  const payments = []
  for await (const page of listShopPayments({...span, ...query}, shop, never, start))
    payments.push(...page.payments)
  return {payments, asked}
}

const one = async (more: Parameters<typeof createTransactionRow>[2]) =>
  (await list([createTransactionRow('a', AT, more)])).payments[0]

test('a list asks for the payments of a span, the oldest first, with all that is read of them', async () => {
  const {asked, payments} = await list([createTransactionRow('a', AT)])
  const state = {stateMachineState: {}}
  expect(asked).toEqual([
    {
      entity: 'order-transaction',
      criteria: {
        filter: [{type: 'range', field: 'createdAt', parameters: {gte: SINCE, lte: UNTIL}}],
        sort: [
          {field: 'createdAt', order: 'ASC'},
          {field: 'id', order: 'ASC'},
        ],
        ...{page: 1, limit: 500},
        associations: {
          ...state,
          order: {associations: {...state, currency: {}, transactions: {associations: state}}},
        },
      },
    },
  ])
  const live = {id: 'a', state: 'open', createdAt: new Date(AT), providerOrderId: 'Pa'}
  expect(payments).toEqual([
    {
      ...{orderId: 'ordera', orderNumber: 'noa', orderState: 'completed', salesChannelId: 'channel'},
      ...{units: 1000, currency: 'EUR', live, earlier: []},
    },
  ])
})

test('a list may be of one sales channel, and the newest first', async () => {
  const {asked} = await list([], {salesChannel: 'channel', newestFirst: true})
  expect(asked).toMatchObject([
    {
      criteria: {
        filter: [
          {type: 'range', field: 'createdAt', parameters: {gte: SINCE, lte: UNTIL}},
          {type: 'equals', field: 'order.salesChannelId', value: 'channel'},
        ],
        sort: [
          {field: 'createdAt', order: 'DESC'},
          {field: 'id', order: 'DESC'},
        ],
      },
    },
  ])
})

test('of older payments those are asked for that wait for a capture, or that have money of an order that ended', async () => {
  const older = {
    since: new Date('2026-09-01T00:00:00.000Z'),
    authorizedUntil: new Date('2026-10-20T00:00:00Z'),
  }
  const {asked, shop} = createSearchedShop(() => [])
  for await (const _ of listShopPayments(
    {...span, older, salesChannel: 'channel'},
    {...shop, lacking: new Set()},
    never,
  ));
  const state = 'stateMachineState.technicalName'
  const matchAny = (field: string, ...value: string[]) => ({type: 'equalsAny', field, value})
  const matchBegun = (parameters: object) => ({type: 'range', field: 'createdAt', parameters})
  const join = (operator: string, ...queries: object[]) => ({type: 'multi', operator, queries})
  const ended = [matchAny(`order.${state}`, 'cancelled'), matchAny(`order.deliveries.${state}`, 'returned')]
  expect(asked[0]?.criteria.filter).toEqual([
    matchBegun({gte: older.since.toISOString(), lte: UNTIL}),
    {type: 'equals', field: 'order.salesChannelId', value: 'channel'},
    join(
      'or',
      matchBegun({gte: SINCE}),
      join(
        'and',
        matchAny(state, 'authorized', 'paid_partially'),
        matchBegun({lte: older.authorizedUntil.toISOString()}),
      ),
      join('and', matchAny(state, 'paid', 'paid_partially', 'refunded_partially'), join('or', ...ended)),
    ),
  ])
})

const PAGE = 500
const msAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

test('a full page is followed by one that begins at its last moment, and has nothing of it twice', async () => {
  const rows = Array.from({length: PAGE + 1}, (_, at) => createTransactionRow(`t${at}`, msAfter(AT, at)))
  for (const newestFirst of [false, true]) {
    const {payments, asked} = await list(
      ({criteria}) => {
        const [{parameters}] = criteria.filter as [{parameters: {gte: string; lte: string}}]
        const {gte, lte} = parameters
        const found = rows.filter(({createdAt}) => createdAt >= gte && createdAt <= lte)
        return (newestFirst ? found.reverse() : found).slice(0, PAGE)
      },
      {newestFirst},
    )
    const ids = rows.map(({id}) => id)
    expect(payments.map(({live}) => live.id)).toEqual(newestFirst ? ids.reverse() : ids)
    const edge = msAfter(AT, newestFirst ? 1 : PAGE - 1)
    expect(asked.map(({criteria}) => [criteria.page, criteria.filter?.[0]?.parameters])).toEqual([
      [1, {gte: SINCE, lte: UNTIL}],
      [1, newestFirst ? {gte: SINCE, lte: edge} : {gte: edge, lte: UNTIL}],
    ])
  }
})

test('a list goes on from where it was cut off', async () => {
  const rows = [createTransactionRow('a', AT), createTransactionRow('b', AT)]
  const {payments, asked} = await list(rows, {}, {edge: AT, page: 2, seen: ['a']})
  expect(payments.map(({live}) => live.id)).toEqual(['b'])
  expect(asked[0]?.criteria).toMatchObject({page: 2, filter: [{parameters: {gte: AT, lte: UNTIL}}]})
})

test('payments at the first and the last moment of the span are of it, and others are not believed', async () => {
  expect(
    (await list([createTransactionRow('a', SINCE), createTransactionRow('b', UNTIL)])).payments,
  ).toHaveLength(2)
  for (const at of [msAfter(SINCE, -1), msAfter(UNTIL, 1), 'soon'])
    await expect(list([createTransactionRow('a', at)])).rejects.toThrow(
      'payments from outside the requested time',
    )
})

test('the attempt that began last is the live one, and of one moment that with the higher id', async () => {
  const attempt = (id: string, at = AT) => createTransactionRow(id, at)
  const rows = [attempt('b'), attempt('d', msAfter(AT, -1)), attempt('a'), attempt('c', msAfter(AT, -2))]
  for (const transactions of [rows, [...rows].reverse()]) {
    const {payments} = await list(rows.map(row => ({...row, order: {id: 'o', transactions}})))
    expect(payments).toHaveLength(1)
    expect(payments[0]).toMatchObject({live: {id: 'b'}, earlier: [{id: 'c'}, {id: 'd'}, {id: 'a'}]})
  }
})

test.each([
  ['that of the attempt', {amount: {totalPrice: 12.5}}, {units: 1250, currency: 'EUR', doubt: undefined}],
  ['that of the order, else', {amount: null}, {units: 9900, currency: 'EUR', doubt: undefined}],
  [
    'in the digits of its currency',
    {amount: {totalPrice: 1200}, order: {currency: {isoCode: 'JPY'}}},
    {units: 1200, currency: 'JPY', doubt: undefined},
  ],
  ['unreadable as a text', {amount: {totalPrice: '10.00'}}, {units: 0, currency: 'EUR'}],
  ['unreadable without a number', {amount: null, order: {amountTotal: null}}, {units: 0, currency: 'EUR'}],
  ['unreadable in no currency', {order: {currency: {isoCode: 'euro'}}}, {units: 0, currency: ''}],
  ['unreadable without a currency', {order: {currency: null}}, {units: 0, currency: ''}],
])('the amount of a payment is %s', async (_, more, found) => {
  const {units, currency, doubt} = (await one(more)) ?? {}
  expect({units, currency, doubt}).toEqual({doubt: 'shop: the amount of order noa cannot be read', ...found})
})

test('what the shop does not say of a payment is nothing, and an order that it does not have is none', async () => {
  const bare = {order: {id: undefined, orderNumber: undefined, salesChannelId: null, amountTotal: undefined}}
  expect(
    await one({...bare, amount: null, stateMachineState: null, customFields: {swag_paypal_order_id: ''}}),
  ).toEqual({
    ...{orderId: 'a', orderNumber: '', orderState: 'completed', salesChannelId: null},
    ...{units: 0, currency: 'EUR', doubt: 'shop: the amount of order a cannot be read', earlier: []},
    live: {id: 'a', state: '', createdAt: new Date(AT), providerOrderId: null},
  })
  expect(await one({customFields: {swag_paypal_order_id: 7}})).toMatchObject({live: {providerOrderId: null}})
  expect(await one({customFields: null, order: {stateMachineState: null, transactions: null}})).toMatchObject(
    {
      ...{live: {id: 'a', providerOrderId: null}, orderState: ''},
    },
  )
  expect((await list([{...createTransactionRow('a', AT), order: null}])).payments).toEqual([])
})

test('payments are found by the ids of their transactions, each once, in one search', async () => {
  const rows = ['a', 'b'].map(id => createTransactionRow(id, AT, {order: {id: 'same'}}))
  const {asked, shop} = createSearchedShop(() => rows)
  expect((await findPaymentsById(['A', 'b'], shop)).map(({orderId}) => orderId)).toEqual(['same'])
  expect(asked).toMatchObject([
    {criteria: {filter: [{type: 'equalsAny', field: 'id', value: ['A', 'b']}], limit: 500}},
  ])
  await expect(findPaymentsById(['a'], shop)).rejects.toThrow('transactions that were not asked for')
  expect(await findPaymentsById([], shop)).toEqual([])
  expect(asked).toHaveLength(2)
})

test("payments are found by the provider's orders, page by page", async () => {
  const rows = Array.from({length: PAGE + 1}, (_, at) =>
    createTransactionRow(`t${at}`, AT, {customFields: {swag_paypal_order_id: 'P'}}),
  )
  const {asked, shop} = createSearchedShop(({criteria: {page = 1}}) =>
    rows.slice((page - 1) * PAGE, page * PAGE),
  )
  expect(await findPaymentsByProviderOrder(['p'], shop)).toHaveLength(PAGE + 1)
  const field = 'customFields.swag_paypal_order_id'
  expect(asked).toMatchObject(
    [1, 2].map(page => ({
      criteria: {
        filter: [{type: 'equalsAny', field, value: ['p']}],
        ...{sort: [{field: 'id'}], page, limit: PAGE},
      },
    })),
  )
  await expect(findPaymentsByProviderOrder(['Q'], shop)).rejects.toThrow(
    'transactions that were not asked for',
  )
  const same = createSearchedShop(() => rows.slice(0, PAGE)).shop
  await expect(findPaymentsByProviderOrder(['P'], same)).rejects.toThrow('the same page again and again')
  expect(await findPaymentsByProviderOrder([], shop)).toEqual([])
  expect(asked).toHaveLength(3)
})

test('payments are counted by their orders, in one search', async () => {
  const {asked, shop} = createSearchedShop(() => ({data: [], total: 41}))
  expect(await countShopPayments({since: span.since}, shop, never)).toBe(41)
  expect(await countShopPayments({since: span.since, salesChannel: 'channel'}, shop, never)).toBe(41)
  const begun = {type: 'range', field: 'transactions.createdAt', parameters: {gte: SINCE}}
  const channel = {type: 'equals', field: 'salesChannelId', value: 'channel'}
  const counted = {limit: 2, 'total-count-mode': 1, includes: {order: ['id']}}
  expect(asked).toEqual([
    {entity: 'order', criteria: {filter: [begun], ...counted}},
    {entity: 'order', criteria: {filter: [begun, channel], ...counted}},
  ])
})

test('a search that the shop refuses or answers with no list says what it was for', async () => {
  for (const answer of [500, {data: 'many'}])
    await expect(findPaymentsById(['a'], createSearchedShop(() => answer).shop)).rejects.toThrow(
      'the search for order-transaction',
    )
})
