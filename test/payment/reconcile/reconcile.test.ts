import {join} from 'node:path'
import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {Call, HttpResponse} from '../../../src/http/http.js'
import type {FoundDrift} from '../../../src/payment/reconcile/drift-row.js'
import {type ReconcileOptions, Reconciliation} from '../../../src/payment/reconcile/reconcile.js'
import {openComparisonStore} from '../../../src/records/comparisons/comparison-store.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {sized} from '../../support/sized.js'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')

/** A payment as both sides have it; tests change it while it is compared. */
interface Payment {
  readonly id: string
  readonly createdAt: string
  /** When the provider says that it was captured; as it began by default. */
  readonly movedAt?: string
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
  const asked = {searches: 0, rows: 0, reports: 0, orders: [] as string[]}
  const byId = new Map(payments.map(payment => [payment.id, payment]))
  const toRow = ({id, state, createdAt}: Payment) => {
    const own = {id, createdAt, stateMachineState: {technicalName: state}, amount: {totalPrice: 10}}
    const transaction = {...own, customFields: {swag_paypal_order_id: `O${id}`}}
    const order = {id: `order${id}`, orderNumber: id, currency: {isoCode: 'EUR'}, transactions: [transaction]}
    return {...transaction, order}
  }
  const search = async ({body}: Call) => {
    asked.searches++
    const {filter, page = 1, limit} = JSON.parse(String(body))
    const [{field, parameters, value}] = filter
    const wanted = new Set(value)
    asked.rows = Math.max(asked.rows, limit)
    const isMeant = ({id, createdAt}: Payment) =>
      field === 'createdAt'
        ? createdAt >= parameters.gte && createdAt <= parameters.lte
        : wanted.has(field === 'id' ? id : `O${id}`)
    const found = payments.filter(isMeant)
    return reply({data: found.slice((page - 1) * limit, page * limit).map(toRow)})
  }
  const ask = async ({path}: Call) => {
    const [, id = ''] = /orders\/O(\w+)$/.exec(path) ?? []
    const payment = byId.get(id)
    if (payment) {
      asked.orders.push(id)
      onOrder(payment)
      const captures = [
        {
          id: `C${id}`,
          status: 'COMPLETED',
          amount,
          final_capture: true,
          create_time: payment.movedAt ?? payment.createdAt,
        },
      ]
      return reply({
        id: `O${id}`,
        status: 'COMPLETED',
        purchase_units: [{custom_id: id, payments: payment.captured ? {captures} : {}}],
      })
    }
    asked.reports++
    if (asked.reports > 1000) throw new Error('the report is asked for again and again')
    const rows = payments
      .filter(({captured}) => captured)
      .map(each => ({
        transaction_info: {
          ...{transaction_id: `C${each.id}`, transaction_event_code: 'T0006', transaction_status: 'S'},
          ...{
            transaction_amount: amount,
            transaction_initiation_date: each.movedAt ?? each.createdAt,
            custom_field: each.id,
          },
        },
      }))
    const query = new URL(path, 'http://side').searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('page_size'))]
    const total_pages = Math.ceil(rows.length / size)
    return reply({transaction_details: rows.slice((page - 1) * size, page * size), total_pages})
  }
  const baseUrl = new URL('http://side')
  return {
    asked,
    shop: {patient: {baseUrl, call: search}, refusal},
    provider: {url: baseUrl, patient: {baseUrl, call: ask}, refusal},
  }
}

type Sides = ReturnType<typeof createSides>

interface Ways {
  readonly options?: Partial<ReconcileOptions>
  /** The database of a comparison that resumes. */
  readonly file?: string
  readonly signal?: AbortSignal
}

async function reconcile(sides: Sides, ways: Ways = {}) {
  const {file = join(temporaryFolder(), 'comparison.db'), signal = new AbortController().signal} = ways
  const clock = new StoppedClock(new Date(NOW).toISOString())
  const store = await openComparisonStore(file, () => clock.now())
  const span = {since: new Date(NOW - 7 * DAY_MS), until: new Date(NOW), startedAt: new Date(NOW)}
  const options = {...span, pendingAfterMs: DAY_MS, minAgeMs: DAY_MS / 4, ...ways.options}
  const run = new Reconciliation(options, {...sides, store, clock, signal})
  const found: FoundDrift[] = []
  for await (const some of run.run()) found.push(...some)
  await store.close()
  const kinds = found.map(({drift}) => drift.kind)
  return {kinds, found, progress: run.progress, isComplete: run.isComplete}
}

/** The calls that are allowed: one of the shop for 250 payments, and one of the provider for each payment beside its lists. */
function expectFewCalls({asked: {searches, rows, orders}}: Sides, payments: number): void {
  expect(searches).toBeLessThanOrEqual(Math.ceil(payments / 250))
  expect(rows).toBeLessThanOrEqual(500)
  expect(new Set(orders).size).toBe(orders.length)
  expect(orders.length).toBeLessThanOrEqual(payments)
}

test('the shop is asked once for 250 payments at most, and the provider for none that agrees', async () => {
  const sides = createSides(createPayments(1000))
  const {kinds, progress} = await reconcile(sides)
  expect([kinds, progress]).toEqual([[], {payments: 1000, movements: 1000, asked: 0, found: 0}])
  expectFewCalls(sides, 1000)
})

test.each([1, 2, 100])(
  'also where one of %i differs or is doubtful, and is looked up again, both sides are asked no more often than that',
  async share => {
    const payments = createPayments(1450)
    for (const [index, payment] of payments.entries()) {
      if (index % share === 0) payment.state = 'open'
      if (index % (2 * share) === 0) payment.captured = false
    }
    const sides = createSides(payments)
    const {progress} = await reconcile(sides)
    expect(progress).toMatchObject({payments: 1450, asked: Math.ceil(1450 / share)})
    expectFewCalls(sides, 1450)
  },
)

test('payments that began before the span, and were captured in it, cost no more calls', async () => {
  const movedAt = new Date(NOW - DAY_MS).toISOString()
  const payments = createPayments(1350).map((payment, index) => ({
    ...payment,
    ...{movedAt, state: index % 2 === 0 ? 'open' : 'paid'},
  }))
  const sides = createSides(payments)
  const {kinds, progress} = await reconcile(sides, {options: {since: new Date(NOW - 1.5 * DAY_MS)}})
  expect([kinds.length, progress.payments, progress.asked]).toEqual([675, 1350, 675])
  expectFewCalls(sides, 1350)
})

const HOUR_MS = DAY_MS / 24

test.each([
  {shop: 0, provider: 0},
  {shop: 3, provider: -3},
  {shop: -3, provider: 3},
  {shop: 20, provider: 0},
  {shop: -20, provider: 0},
  {shop: 0, provider: 20},
  {shop: 0, provider: -20},
])(
  'clocks that are apart, $shop h of the shop and $provider h of the provider, make no drift and hide none',
  async apart => {
    // One an hour, from a day before the span to its end.
    const payments = Array.from({length: 8 * 24}, (_, index): Payment => {
      const atMs = NOW - index * HOUR_MS
      const [createdAt, movedAt] = [apart.shop, apart.provider].map(hours =>
        new Date(atMs + hours * HOUR_MS).toISOString(),
      ) as [string, string]
      const id = String(index).padStart(32, '0')
      return {id, createdAt, movedAt, state: index % 3 === 0 ? 'open' : 'paid', captured: true}
    })
    const isMeant = ({createdAt}: Payment) =>
      Date.parse(createdAt) >= NOW - 7 * DAY_MS && Date.parse(createdAt) <= NOW
    const differ = payments.filter(({state}) => state === 'open')
    const {found} = await reconcile(createSides(payments))
    const ids = found.map(({drift}) => drift.transaction?.id ?? 'unknown')
    expect(new Set(ids).size).toBe(ids.length)
    expect(differ.map(({id}) => id)).toEqual(expect.arrayContaining(ids))
    expect(ids).toEqual(expect.arrayContaining(differ.filter(isMeant).map(({id}) => id)))
  },
)

test('drift that appears behind the comparison is left to the next one, and none is reported twice', async () => {
  const payments = createPayments(600)
  for (const payment of payments.slice(250)) payment.state = 'open'
  const sides = createSides(payments, ({id}) => {
    // What was compared before, and what was looked up before, changes.
    for (const payment of payments) if (payment.id < id) payment.state = 'cancelled'
  })
  const first = await reconcile(sides)
  const ids = first.found.map(({drift}) => drift.transaction?.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(first.found.every(({facts}) => Number(facts.shop?.live.id) >= 250)).toBe(true)
  expect((await reconcile(createSides(payments))).found.length).toBe(600)
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
  expect((await reconcile(young, {options: {minAgeMs: 0}})).progress.asked).toBe(0)
})

/** Sides that fail at one of their calls, as if the process ended there. */
function failAt(sides: Sides, count: number): Sides {
  let calls = 0
  const wrap = (call: (what: Call) => Promise<HttpResponse>) => async (what: Call) => {
    if (++calls === count) throw new Error('cut off')
    return call(what)
  }
  const {shop, provider} = sides
  return {
    ...sides,
    shop: {...shop, patient: {...shop.patient, call: wrap(shop.patient.call)}},
    provider: {...provider, patient: {...provider.patient, call: wrap(provider.patient.call)}},
  }
}

/** Some that differ, some that are looked up and agree, and some that the shop does not know. */
function createMixed(): Payment[] {
  const payments = createPayments(900)
  for (const [index, payment] of payments.entries()) {
    if (index % 3 !== 0) payment.state = 'open'
    if (index % 7 === 0) payment.captured = false
  }
  return payments
}

test('a comparison that is cut off anywhere resumes there, and finds each difference once', async () => {
  const whole = await reconcile(createSides(createMixed()))
  expect(whole.found.length).toBeGreaterThan(250)
  // Within the pages, at the search that ends the first look-up of 500, and at the second one; then more of the same.
  for (const count of [2, 504, 600, 3, 300].slice(0, sized(3, 5))) {
    const file = join(temporaryFolder(), 'comparison.db')
    const sides = createSides(createMixed())
    await expect(reconcile(failAt(sides, count), {file})).rejects.toThrow('cut off')
    const resumed = await reconcile(sides, {file})
    expect(resumed.found, `cut off at call ${count}`).toEqual(whole.found)
    expect(resumed.progress).toMatchObject({payments: 900, found: whole.progress.found})
    // At most one page and the candidates of one search are asked about again.
    expect(sides.asked.orders.length).toBeLessThanOrEqual(whole.progress.asked + 1000)
    const again = await reconcile(sides, {file})
    expect(again.found).toEqual(whole.found)
  }
})

test('a comparison that is complete asks nobody when it is opened again', async () => {
  const file = join(temporaryFolder(), 'comparison.db')
  const first = await reconcile(createSides(createMixed()), {file})
  const sides = createSides([])
  const again = await reconcile(sides, {file})
  expect(again).toEqual(first)
  expect(sides.asked).toEqual({searches: 0, rows: 0, reports: 0, orders: []})
})

test('what a signal cuts off is done when it resumes', async () => {
  const file = join(temporaryFolder(), 'comparison.db')
  const stopping = new AbortController()
  const sides = createSides(createMixed(), () => stopping.abort())
  const cut = await reconcile(sides, {file, signal: stopping.signal})
  expect([cut.isComplete, cut.found]).toEqual([false, []])
  const whole = await reconcile(createSides(createMixed()))
  const resumed = await reconcile(createSides(createMixed()), {file})
  expect(resumed).toMatchObject({isComplete: true, found: whole.found})
})

/** Sides of a shop that answers its searches with something else. */
function answerAs(sides: Sides, change: (rows: Record<string, unknown>[], criteria: Call) => unknown): Sides {
  const {shop} = sides
  const call = async (what: Call) => {
    const {data} = JSON.parse(String((await shop.patient.call(what)).body))
    return reply({data: change(data, what)})
  }
  return {...sides, shop: {...shop, patient: {...shop.patient, call}}}
}

test.each([
  [
    'about other transactions than those that it is asked for',
    (rows: {id?: unknown}[]) => rows.map(row => ({...row, id: 'f'.repeat(32)})),
    'transactions that were not asked for',
  ],
  ['with rows that are none', () => [null], 'rows without an id'],
] as const)('a shop that answers %s is not believed', async (_, change, message) => {
  // The first search lists payments, the second looks those up that differ.
  let searches = 0
  const isSecond = message === 'transactions that were not asked for'
  const sides = answerAs(createSides(createPayments(2, 'open')), rows =>
    ++searches === 1 && isSecond ? rows : change(rows),
  )
  await expect(reconcile(sides)).rejects.toThrow(message)
})

test('a shop that ignores the page, or the time that it is asked for, is not followed for ever', async () => {
  const createdAt = new Date(NOW - 2 * DAY_MS).toISOString()
  const payments = createPayments(600).map(payment => ({...payment, createdAt}))
  const {shop, ...sides} = createSides(payments)
  const ignorePage = async (what: Call) =>
    shop.patient.call({...what, body: JSON.stringify({...JSON.parse(String(what.body)), page: 1})})
  const ignoring = {...sides, shop: {...shop, patient: {...shop.patient, call: ignorePage}}}
  await expect(reconcile(ignoring as Sides)).rejects.toThrow('the same page again and again')
  const late = createPayments(600).map((payment, index) => ({
    ...payment,
    createdAt: new Date(NOW - 5 * DAY_MS + index).toISOString(),
  }))
  const others = answerAs(createSides(late), rows =>
    rows.map(row => ({...row, createdAt: new Date(NOW - 30 * DAY_MS).toISOString()})),
  )
  await expect(reconcile(others)).rejects.toThrow('payments from outside the requested time')
})

test('what is younger than the end of the report is looked up, however long ago that is', async () => {
  const payments = createPayments(2, 'cancelled').map(payment => ({...payment, captured: false}))
  const sides = createSides(payments, payment => {
    payment.captured = true
  })
  const {patient} = sides.provider
  const call = async (what: Call) => {
    if (!what.path.startsWith('/v1/reporting')) return patient.call(what)
    const end_date = new Date(NOW - 3 * DAY_MS).toISOString()
    return reply({transaction_details: [], total_pages: 0, end_date})
  }
  const late = {...sides, provider: {...sides.provider, patient: {...patient, call}}} as Sides
  expect((await reconcile(late)).kinds).toEqual(['cancelled-late', 'cancelled-late'])
})

test('an authorization that is voided without a row of its own is found by its order', async () => {
  const [payment] = createPayments(1, 'authorized') as [Payment]
  const sides = createSides([payment])
  const {patient} = sides.provider
  const call = async (what: Call) => {
    if (what.path.includes('/orders/'))
      return reply({id: `O${payment.id}`, status: 'VOIDED', purchase_units: [{custom_id: payment.id}]})
    const transaction_info = {
      ...{transaction_id: 'A', transaction_event_code: 'T1300', transaction_status: 'S'},
      ...{transaction_amount: amount, custom_field: payment.id},
      transaction_initiation_date: payment.createdAt,
    }
    return reply({transaction_details: [{transaction_info}], total_pages: 1})
  }
  const provider = {...sides.provider, patient: {...patient, call}}
  expect((await reconcile({...sides, provider} as Sides)).kinds).toEqual(['cancelled-at-provider'])
})

test('holds and fees of a dispute are no refunds, and several rows of one movement are one', async () => {
  const [payment, held] = createPayments(2) as [Payment, Payment]
  const sides = createSides([payment, held])
  const {patient} = sides.provider
  const row = (id: string, code: string, value: string, more: object = {}) => ({
    transaction_info: {
      ...{transaction_id: id, transaction_event_code: code, transaction_status: 'S'},
      ...{transaction_amount: {currency_code: 'EUR', value}, transaction_initiation_date: payment.createdAt},
      ...more,
    },
  })
  const call = async (what: Call) => {
    if (!what.path.startsWith('/v1/reporting')) return patient.call(what)
    const capture = {custom_field: payment.id}
    const of = {paypal_reference_id: `C${payment.id}`, paypal_reference_id_type: 'TXN'}
    const transaction_details = [
      row(`C${payment.id}`, 'T0006', '10.00', {...capture, transaction_status: 'P'}),
      row(`C${payment.id}`, 'T0006', '10.00', capture),
      row('HOLD', 'T1110', '-10.00', of),
      row('RELEASE', 'T1111', '10.00', of),
      row('FEE', 'T1108', '0.35', of),
      row(`C${held.id}`, 'T0006', '10.00', {custom_field: held.id}),
      row('HOLD2', 'T1110', '-10.00', {...of, paypal_reference_id: `C${held.id}`}),
    ]
    return reply({transaction_details, total_pages: 1})
  }
  const provider = {...sides.provider, patient: {...patient, call}}
  const {kinds, found, progress} = await reconcile({...sides, provider} as Sides)
  expect([kinds, found[0]?.drift.transaction?.id]).toEqual([['disputed'], held.id])
  expect(progress.asked).toBe(1)
})
