import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Call, HttpResponse} from '../../../src/http/http.js'
import {type ReconcileOptions, Reconciliation} from '../../../src/payment/reconcile/reconcile.js'
import {openMovementStore} from '../../../src/records/movements/movement-store.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')

/** A payment as both sides have it; tests change it while it is compared. */
interface Payment {
  readonly id: string
  readonly createdAt: string
  state: string
  captured: boolean
}

function createPayments(count: number, state = 'paid'): Payment[] {
  return Array.from({length: count}, (_, index) => ({
    id: String(index).padStart(32, '0'),
    createdAt: new Date(NOW - 2 * DAY_MS + index).toISOString(),
    ...{state, captured: true},
  }))
}

const reply = (value: object, status = 200): HttpResponse => ({
  ...{status, headers: {}},
  body: Buffer.from(JSON.stringify(value)),
})

const amount = {currency_code: 'EUR', value: '10.00'}
const refusal = () => new StorectlError('rejected.by_shop', 'refused')

/** Shop and provider of some payments, and what they were asked. @param onOrder is called when an order is looked up */
function createSides(payments: readonly Payment[], onOrder: (payment: Payment) => void = () => {}) {
  const asked = {searches: 0, orders: [] as string[]}
  const toRow = ({id, state, createdAt}: Payment) => {
    const own = {id, createdAt, stateMachineState: {technicalName: state}, amount: {totalPrice: 10}}
    const transaction = {...own, customFields: {swag_paypal_order_id: `O${id}`}}
    const order = {id: `order${id}`, orderNumber: id, currency: {isoCode: 'EUR'}, transactions: [transaction]}
    return {...transaction, order}
  }
  const search = async ({body}: Call) => {
    asked.searches++
    const {filter, page = 1, limit} = JSON.parse(String(body))
    const {gte, lte} = filter[0].parameters ?? {}
    const ids = filter[0].queries?.flatMap((query: {value: string[]}) => query.value)
    const found = payments.filter(
      ({id, createdAt}) => ids?.includes(id) ?? (createdAt >= gte && createdAt <= lte),
    )
    return reply({data: found.slice((page - 1) * limit, page * limit).map(toRow)})
  }
  const ask = async ({path}: Call) => {
    const [, id = ''] = /orders\/O(\w+)$/.exec(path) ?? []
    const payment = payments.find(each => each.id === id)
    if (payment) {
      asked.orders.push(id)
      onOrder(payment)
      const captures = [
        {id: `C${id}`, status: 'COMPLETED', amount, final_capture: true, create_time: payment.createdAt},
      ]
      return reply({
        status: 'COMPLETED',
        purchase_units: [{custom_id: id, payments: payment.captured ? {captures} : {}}],
      })
    }
    const rows = payments
      .filter(({captured}) => captured)
      .map(each => ({
        transaction_info: {
          ...{transaction_id: `C${each.id}`, transaction_event_code: 'T0006', transaction_status: 'S'},
          ...{transaction_amount: amount, transaction_initiation_date: each.createdAt, custom_field: each.id},
        },
      }))
    return reply({transaction_details: rows, total_pages: 1})
  }
  const baseUrl = new URL('http://side')
  return {
    asked,
    shop: {patient: {baseUrl, call: search}, refusal},
    provider: {url: baseUrl, patient: {baseUrl, call: ask}, refusal},
  }
}

async function reconcile(sides: ReturnType<typeof createSides>, more: Partial<ReconcileOptions> = {}) {
  const clock = new StoppedClock(new Date(NOW).toISOString())
  const store = await openMovementStore(temporaryFolder(), clock)
  const span = {since: new Date(NOW - 7 * DAY_MS), until: new Date(NOW)}
  const options = {...span, pendingAfterMs: DAY_MS, minAgeMs: DAY_MS / 4, ...more}
  const run = new Reconciliation(options, {...sides, store, clock, signal: new AbortController().signal})
  const kinds: string[] = []
  for await (const found of run.run()) kinds.push(...found.map(({drift}) => drift.kind))
  await store.close()
  return {kinds, progress: run.progress}
}

test('the shop is asked once for 250 payments, and the provider for none that agrees', async () => {
  const sides = createSides(createPayments(600))
  expect(await reconcile(sides)).toMatchObject({
    kinds: [],
    progress: {payments: 600, movements: 600, asked: 0},
  })
  expect(sides.asked.searches).toBeLessThanOrEqual(3 + 1)
})

test('payments of the very same moment are compared once each', async () => {
  const createdAt = new Date(NOW - 2 * DAY_MS).toISOString()
  const payments = createPayments(600).map(payment => ({...payment, createdAt}))
  expect((await reconcile(createSides(payments))).progress.payments).toBe(600)
})

test('what differs is looked up once, and what heals meanwhile is no drift', async () => {
  const payments = createPayments(10, 'open')
  const sides = createSides(payments, payment => {
    if (payment.id.endsWith('3')) payment.state = 'paid'
  })
  const {kinds, progress} = await reconcile(sides)
  expect(kinds).toEqual(Array.from({length: 9}, () => 'capture-missed'))
  expect([progress.asked, new Set(sides.asked.orders).size]).toEqual([10, 10])
})

test('a capture that the report does not have yet is found where the shop waits for it', async () => {
  const payments = createPayments(3, 'open').map(payment => ({...payment, captured: false}))
  const sides = createSides(payments, payment => {
    payment.captured = payment.id.endsWith('1')
  })
  expect((await reconcile(sides)).kinds).toEqual(['capture-missed'])
})

test('a young payment is looked up in any state, an older one only where it matters', async () => {
  const payments = createPayments(2, 'cancelled').map(payment => ({...payment, captured: false}))
  const old = createSides(payments)
  expect((await reconcile(old)).progress.asked).toBe(0)
  const young = createSides(
    payments.map(each => ({...each, createdAt: new Date(NOW - 60_000).toISOString()})),
  )
  expect((await reconcile(young)).progress.asked).toBe(2)
  expect((await reconcile(young, {minAgeMs: 0})).progress.asked).toBe(0)
})
