import {expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import type {Call} from '../../src/http/http.js'
import {listPayments} from '../../src/payment/view/list-payments.js'
import {fetchHistory} from '../../src/payment/view/payment-history.js'
import {showPayment} from '../../src/payment/view/show-payment.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'
import {createSearchedShop, createTransactionRow, type Search} from './searched-shop.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const AT = '2026-11-10T00:00:00.000Z'
const BEFORE = '2026-11-09T00:00:00.000Z'
const [LIVE, EARLIER] = ['b'.repeat(32), 'a'.repeat(32)]
const never = new AbortController().signal

const earlier = createTransactionRow(EARLIER, BEFORE, {
  ...{stateMachineState: {technicalName: 'failed'}, customFields: null, order: {transactions: null}},
})
const live = createTransactionRow(LIVE, AT, {customFields: {swag_paypal_order_id: 'P'}})
const ROW = {...live, order: {...live.order, id: 'o', transactions: [earlier, live]}}

const MOVES = [
  {
    ...{createdAt: AT, referencedId: LIVE, transitionActionName: 'cancel'},
    ...{fromStateMachineState: {technicalName: 'open'}, toStateMachineState: {technicalName: 'cancelled'}},
  },
  {createdAt: BEFORE},
]

/** The payment that a word names, with what was asked for it. */
async function show(word: string, given: {rows?: object[]; provider?: StorectlError} = {}) {
  const {rows = [ROW]} = given
  const {asked, shop} = createSearchedShop(({entity, criteria}: Search) => {
    if (entity === 'state-machine-history') return MOVES
    const [where] = criteria.filter as [{field: string; value: string | string[]}]
    const isMeant = where.field === 'id' ? where.value.includes(LIVE) : true
    return isMeant ? rows : []
  })
  const calls: string[] = []
  const order = {
    ...{id: 'P', status: 'COMPLETED'},
    purchase_units: [
      {
        custom_id: LIVE,
        payments: {
          captures: [
            {id: 'C1', status: 'COMPLETED', amount: {currency_code: 'EUR', value: '10.00'}, create_time: AT},
            {id: 'C2', status: 'DECLINED', amount: {currency_code: 'EUR', value: '1.00'}, create_time: AT},
          ],
        },
      },
    ],
  }
  const call = async ({path}: Call) => {
    calls.push(path)
    const isOrder = path.includes('/orders/')
    return {status: isOrder ? 200 : 404, headers: {}, body: Buffer.from(JSON.stringify(isOrder ? order : {}))}
  }
  const api = {
    url: new URL('http://p'),
    patient: {baseUrl: new URL('http://p'), call},
    refusal: () => new Error(),
  }
  const events = [
    {id: 'WH-2', type: 'LATER', status: 'failed', createdAt: new Date(AT)},
    {id: 'WH-1', type: 'SOONER', status: 'delivered', createdAt: new Date(BEFORE)},
  ] as InboxEvent[]
  const names: unknown[] = []
  const row = await showPayment(word, {
    ...{shop, target: 'shop', now: NOW, pendingAfterMs: 0, signal: never},
    openProvider: async () => {
      if (given.provider) throw given.provider
      return api as never
    },
    inbox: {
      findPaymentEvents: async (_: string, some: readonly string[]) => {
        names.push(some)
        return new Map([[`id:${LIVE}`, events]])
      },
      find: async () => new Map(events.map(each => [each.id, each])),
    } as never,
  })
  return {row, asked, calls, names}
}

test('a payment is shown with what the shop, the provider, the inbox and the history have of all its attempts', async () => {
  const {row, asked, names} = await show(LIVE.toUpperCase())
  expect(row).toMatchObject({
    ...{difference: 'capture-missed', expected: 'paid', note: null},
    detail: 'provider: 10.00 EUR captured; shop: open, 10.00 EUR',
    ...{transaction: LIVE, orderNumber: `no${LIVE}`, order: 'o', state: 'open', orderState: 'completed'},
    ...{amount: {value: '10.00', currency: 'EUR'}, salesChannel: 'channel', providerOrder: 'P', attempts: 2},
    earlier: [{id: EARLIER, state: 'failed', providerOrderId: null}],
    attemptLines: {[EARLIER]: 'failed'},
    movements: [{id: 'C1'}, {id: 'C2'}],
    movementLines: {C1: `capture 10.00 EUR, ${AT}`, C2: `capture declined 1.00 EUR, ${AT}`},
    events: [
      {id: 'WH-1', type: 'SOONER', status: 'delivered', createdAt: BEFORE},
      {id: 'WH-2', type: 'LATER', status: 'failed', createdAt: AT},
    ],
    eventLines: {'WH-1': `SOONER delivered, ${BEFORE}`, 'WH-2': `LATER failed, ${AT}`},
    history: [
      {at: AT, transaction: LIVE, from: 'open', to: 'cancelled', action: 'cancel'},
      {at: BEFORE, transaction: '', from: '', to: '', action: null},
    ],
    historyLines: {[AT]: 'open → cancelled (cancel)', [BEFORE]: ' → '},
  })
  expect(names).toEqual([[`id:${LIVE}`, `id:${EARLIER}`]])
  expect(asked.map(({entity, criteria}) => [entity, criteria.filter])).toEqual([
    ['order-transaction', [{type: 'equalsAny', field: 'id', value: [LIVE]}]],
    ['state-machine-history', [{type: 'equalsAny', field: 'referencedId', value: [LIVE, EARLIER]}]],
  ])
})

test('a word is an id of a transaction, else an order number, else an order of the provider', async () => {
  const fields = async (word: string, rows?: object[]) => {
    const {asked} = await show(word, rows && {rows})
    return asked.flatMap(({criteria}) => (criteria.filter ?? []).map(({field, value}) => [field, value]))
  }
  const history = ['referencedId', [LIVE, EARLIER]]
  expect(await fields('10001')).toEqual([['order.orderNumber', '10001'], ['id', [LIVE]], history])
  const other = 'c'.repeat(32)
  expect((await fields(other))[1]).toEqual(['order.orderNumber', other])
  await expect(show('P', {rows: []})).rejects.toMatchObject({
    ...{code: 'empty.no_payment', message: 'The shop has no payment P.'},
  })
})

test('a provider that cannot be asked is noted, and what is known without it is shown', async () => {
  const provider = new StorectlError('auth.no_provider_credentials', 'No credentials.')
  expect((await show(LIVE, {provider})).row).toMatchObject({
    ...{difference: null, detail: null, expected: null, movements: [], movementLines: {}, transaction: LIVE},
    note: 'The provider was not asked: No credentials.',
  })
})

test('a history is asked for the oldest first, with the names of its states', async () => {
  const {asked, shop} = createSearchedShop(() => [])
  expect(await fetchHistory(['a'], shop, never)).toEqual([])
  expect(asked).toEqual([
    {
      entity: 'state-machine-history',
      criteria: {
        filter: [{type: 'equalsAny', field: 'referencedId', value: ['a']}],
        sort: [{field: 'createdAt', order: 'ASC'}],
        associations: {fromStateMachineState: {}, toStateMachineState: {}},
        limit: 250,
      },
    },
  ])
})

test('a list of payments is the newest first, of these states and conditions, and no longer than asked for', async () => {
  const rows = ['open', 'paid', 'open', 'failed', 'open'].map((technicalName, at) =>
    createTransactionRow(`t${at}`, AT, {stateMachineState: {technicalName}}),
  )
  const list = async (query: object) => {
    const {asked, shop} = createSearchedShop(() => rows)
    const span = {since: new Date(BEFORE), until: NOW, limit: undefined, ...query}
    const found: unknown[] = []
    for await (const {transaction} of listPayments(span, shop, never)) found.push(transaction)
    return {found, asked}
  }
  expect((await list({})).found).toEqual(['t0', 't1', 't2', 't3', 't4'])
  const {found, asked} = await list({states: ['open', 'failed'], limit: 3})
  expect(found).toEqual(['t0', 't2', 't3'])
  expect(asked[0]?.criteria).toMatchObject({sort: [{field: 'createdAt', order: 'DESC'}, {order: 'DESC'}]})
  expect((await list({matches: ({live: {id}}: {live: {id: string}}) => id > 't2'})).found).toEqual([
    't3',
    't4',
  ])
  expect((await list({states: ['chargeback']})).found).toEqual([])
})
