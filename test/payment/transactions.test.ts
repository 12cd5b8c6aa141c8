import {expect, onTestFinished, test, vi} from 'vitest'
import {presentStates} from '../../src/payment/present-states.js'
import {createTransactions} from '../../src/payment/transactions.js'
import {until} from '../support/until.js'
import {createSearchedShop, createTransactionRow, type Search} from './searched-shop.js'

const AT = '2026-11-10T00:00:00.000Z'

/** A shop with these transactions, which finds them by id or by any custom field. */
function open(
  rows: readonly ReturnType<typeof createTransactionRow>[],
  answer?: (search: Search) => unknown,
) {
  const {asked, shop} = createSearchedShop(search => {
    const said = answer?.(search)
    if (said !== undefined) return said as object
    const {ids, filter} = search.criteria
    const [where] = filter ?? []
    const field = String(where?.field).replace('customFields.', '')
    const value = where?.value as readonly string[]
    return rows.filter(({id, customFields}) =>
      ids ? ids.includes(id) : value.includes((customFields as Record<string, string>)[field] ?? ''),
    )
  })
  return {asked, transactions: createTransactions(shop)}
}

const byId = (id: string) => ({by: 'id', id}) as const

test('a transaction is found by its id, with all that is read of it', async () => {
  const row = createTransactionRow('a', AT, {
    amount: {totalPrice: 12.5},
    paymentMethod: {technicalName: 'swag_paypal_pui'},
    customFields: {
      ...{swag_paypal_order_id: 'P', swag_paypal_resource_id: 'C'},
      swag_paypal_pui_payment_instruction: {reference: 'x'},
    },
  })
  const {asked, transactions} = open([row])
  expect(await transactions.find(byId('a'))).toEqual({
    ...{id: 'a', state: 'open', amountTotal: 12.5, currency: 'EUR', payUponInvoice: true, orderNumber: 'noa'},
    ...{orderId: 'P', resourceId: 'C', hasInstructions: true},
  })
  expect(asked).toEqual([
    {
      entity: 'order-transaction',
      criteria: {
        ids: ['a'],
        associations: {stateMachineState: {}, paymentMethod: {}, order: {associations: {currency: {}}}},
        includes: {order: ['currency', 'orderNumber'], currency: ['isoCode']},
      },
    },
  ])
  expect(await transactions.find(byId('b'))).toBeUndefined()
})

test('what the shop does not say of a transaction is absent', async () => {
  const bare = {
    amount: null,
    order: {currency: null, orderNumber: null},
    customFields: {swag_paypal_order_id: '', swag_paypal_resource_id: 7},
  }
  const {transactions} = open([createTransactionRow('a', AT, bare)])
  expect(await transactions.find(byId('a'))).toEqual({
    ...{id: 'a', state: 'open', amountTotal: Number.NaN, payUponInvoice: false},
  })
  const handled = {paymentMethod: {handlerIdentifier: 'Swag\\PayPal\\PUIHandler'}, customFields: null}
  expect(await open([createTransactionRow('a', AT, handled)]).transactions.find(byId('a'))).toMatchObject({
    ...{payUponInvoice: true, currency: 'EUR'},
  })
})

test.each([
  [{by: 'parent-payment', payment: 'PAY-1'}, 'swag_paypal_transaction_id', 'PAY-1'],
  [{by: 'provider-order', order: 'P-1'}, 'swag_paypal_order_id', 'P-1'],
] as const)(
  'by %j the shop is asked for the custom field %s, 500 rows at most',
  async (key, field, value) => {
    const rows = ['a', 'b', 'c'].map(id => createTransactionRow(id, AT, {customFields: {[field]: value}}))
    const {asked, transactions} = open(rows.slice(0, 1))
    expect(await transactions.find(key)).not.toHaveProperty('alike')
    expect(asked[0]?.criteria).toMatchObject({
      ...{filter: [{type: 'equalsAny', field: `customFields.${field}`, value: [value]}], limit: 500},
    })
    expect(await open(rows).transactions.find(key)).toMatchObject({id: 'c', alike: 3})
  },
)

test('an event that names no transaction asks nobody', async () => {
  const {asked, transactions} = open([])
  expect(await transactions.find({by: 'nothing'})).toBeUndefined()
  expect(await transactions.findSoon({by: 'fault', fault: 'no-custom-id'})).toBeUndefined()
  expect(asked).toEqual([])
})

test('the name of a state that does not come along is asked for once', async () => {
  const rows = ['a', 'b'].map(id => createTransactionRow(id, AT, {stateMachineState: null, stateId: 's'}))
  const states = [{id: 's', technicalName: 'paid'}]
  const {asked, transactions} = open(rows, ({entity}) =>
    entity === 'state-machine-state' ? states : undefined,
  )
  for (const id of ['a', 'b']) expect(await transactions.find(byId(id))).toMatchObject({state: 'paid'})
  expect(asked.map(({entity, criteria}) => [entity, criteria.ids])).toEqual([
    ['order-transaction', ['a']],
    ['state-machine-state', ['s']],
    ['order-transaction', ['b']],
  ])
  const nameless = open([createTransactionRow('a', AT, {stateMachineState: null})]).transactions
  await expect(nameless.find(byId('a'))).rejects.toMatchObject({code: 'rejected.no_state'})
})

test('those who ask at the same time share a call, of 250 keys at most', async () => {
  const ids = Array.from({length: 251}, (_, at) => `t${at}`)
  const {asked, transactions} = open(ids.map(id => createTransactionRow(id, AT)))
  const found = await Promise.all([...ids, 't0'].map(id => transactions.find(byId(id))))
  expect(found.map(each => each?.id)).toEqual([...ids, 't0'])
  expect(asked.map(({criteria}) => criteria.ids?.length)).toEqual([250, 2])
})

test('who can wait shares the call of the next that cannot, and else asks in a moment', async () => {
  const {asked, transactions} = open(['a', 'b', 'c'].map(id => createTransactionRow(id, AT)))
  const soon = transactions.findSoon(byId('a'))
  await new Promise(resolve => setImmediate(resolve))
  expect(asked).toEqual([])
  await Promise.all([soon, transactions.find(byId('b'))])
  expect(asked.map(({criteria}) => criteria.ids)).toEqual([['b', 'a']])
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']})
  onTestFinished(() => void vi.useRealTimers())
  const later = transactions.findSoon(byId('c'))
  await vi.advanceTimersByTimeAsync(199)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect((await later)?.id).toBe('c')
  vi.useRealTimers()
  const now = transactions.findSoon(byId('a'))
  transactions.askNow()
  await until('it is asked at once', () => asked.length === 3)
  await now
})

test('240 that can wait are asked for at once', async () => {
  const ids = Array.from({length: 240}, (_, at) => `t${at}`)
  const {asked, transactions} = open(ids.map(id => createTransactionRow(id, AT)))
  const found = ids.map(id => transactions.findSoon(byId(id)))
  await Promise.all(found)
  expect(asked.map(({criteria}) => criteria.ids?.length)).toEqual([240])
})

test.each([
  ['another transaction', () => [createTransactionRow('z', AT)], 'transactions that were not asked for'],
  ['no list', () => ({data: 'many'}), 'a search: HTTP 200'],
  ['a refusal', () => 403, 'the search for order-transaction: HTTP 403'],
])('an answer with %s is not believed, and those who ask next ask anew', async (_, answer, message) => {
  let isOdd = true
  const {transactions} = open([createTransactionRow('a', AT)], () => (isOdd ? answer() : undefined))
  await expect(transactions.find(byId('a'))).rejects.toThrow(message)
  isOdd = false
  expect(await transactions.find(byId('a'))).toMatchObject({id: 'a'})
})

test('the states of some events are looked at until the shop fails once', async () => {
  const {transactions} = open([createTransactionRow('a', AT)])
  const present = presentStates(async () => transactions)
  expect(await present(byId('a'))).toMatchObject({kind: 'found', transaction: {id: 'a'}})
  expect(await present(byId('b'))).toEqual({kind: 'absent'})
  expect(await present({by: 'nothing'})).toEqual({kind: 'unnamed'})
  expect(await present({by: 'fault', fault: 'no-custom-id'})).toEqual({kind: 'unnamed'})
  const off = await presentStates(undefined)(byId('a'))
  expect(off).toEqual({kind: 'not-known', why: 'state check is off (--no-check-state)', next: undefined})
  let opened = 0
  const failing = presentStates(async () => {
    opened++
    return open([], () => 403).transactions
  })
  for (let turn = 0; turn < 2; turn++)
    expect(await failing(byId('a'))).toEqual({
      ...{kind: 'not-known', why: 'the search for order-transaction: HTTP 403', next: undefined},
    })
  expect(opened).toBe(1)
})
