import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {HttpResponse} from '../../../src/http/http.js'
import {fetchReport} from '../../../src/payment/reconcile/provider-report.js'

const DAY_MS = 86_400_000
const SINCE = new Date('2026-01-01T00:00:00Z')

interface Request {
  readonly from: number
  readonly to: number
  readonly page: number
}

/** A provider that is not asked without end. */
function bound<Asked>(call: (asked: Asked) => Promise<HttpResponse>) {
  let calls = 0
  return async (asked: Asked) => {
    if (++calls > 1000) throw new Error('the report is asked for again and again')
    return call(asked)
  }
}

/** A provider with a movement a day, that lists so many of them at most. */
function createProvider(most: number) {
  const requests: Request[] = []
  const call = async ({path}: {path: string}): Promise<HttpResponse> => {
    const query = new URL(path, 'http://provider').searchParams
    const [from, to] = ['start_date', 'end_date'].map(name => Date.parse(query.get(name) ?? '')) as [
      number,
      number,
    ]
    const [size, page] = [Number(query.get('page_size')), Number(query.get('page'))]
    requests.push({from, to, page})
    const days = Array.from({length: 100}, (_, day) => day).filter(day => {
      const at = SINCE.getTime() + day * DAY_MS
      return at >= from && at <= to
    })
    const reply = (status: number, value: object) => ({
      status,
      headers: {},
      body: Buffer.from(JSON.stringify(value)),
    })
    if (days.length > most) return reply(400, {name: 'RESULTSET_TOO_LARGE'})
    const rows = days.slice((page - 1) * size, page * size).map(day => ({transaction_info: describe(day)}))
    return reply(200, {transaction_details: rows, total_pages: Math.ceil(days.length / size)})
  }
  const patient = {baseUrl: new URL('http://provider'), call: bound(call)}
  const refusal = () => new StorectlError('rejected.by_provider', 'refused')
  return {requests, api: {url: patient.baseUrl, patient, refusal} as never}
}

const describe = (day: number) => ({
  ...{transaction_id: `T${day}`, transaction_event_code: 'T0006', transaction_status: 'S'},
  ...{paypal_reference_id: `O${day}`, paypal_reference_id_type: 'ODR', custom_field: 'a'.repeat(32)},
  transaction_initiation_date: `${new Date(SINCE.getTime() + day * DAY_MS).toISOString().slice(0, 19)}+0000`,
  transaction_amount: {currency_code: 'JPY', value: '1200'},
})

async function readAll(most: number, days: number) {
  const {api, requests} = createProvider(most)
  const until = new Date(SINCE.getTime() + days * DAY_MS)
  const ids: string[] = []
  for await (const {movements: page} of fetchReport(SINCE, until, api, new AbortController().signal)) {
    ids.push(...page.map(({id}) => id))
  }
  return {ids, requests}
}

const expected = Array.from({length: 91}, (_, day) => `T${day}`)

test('a report is asked for in spans of 31 days, each movement once', async () => {
  const {ids, requests} = await readAll(1000, 90)
  expect(ids).toEqual(expected)
  expect(requests.length).toBe(3)
  expect(Math.max(...requests.map(({from, to}) => to - from))).toBeLessThanOrEqual(31 * DAY_MS)
})

test('a span with too many movements is cut in half until the provider lists it', async () => {
  const {ids, requests} = await readAll(4, 90)
  expect(ids).toEqual(expected)
  expect(new Set(requests.map(({from, to}) => `${from} ${to}`)).size).toBe(requests.length)
})

test('what moves no payment is left out, and what cannot be read is left to a look-up of the order', async () => {
  const {api} = createProvider(1000)
  const rows = [
    {...describe(0), transaction_event_code: 'T0400'},
    {...describe(1), transaction_amount: {currency_code: 'EUR', value: '-5.00'}},
    {...describe(2), transaction_amount: {currency_code: 'EUR', value: 'a lot'}},
    {...describe(3), transaction_initiation_date: 'yesterday'},
    {
      ...describe(4),
      transaction_event_code: 'T1107',
      transaction_amount: {currency_code: 'KWD', value: '-0.5'},
    },
  ].map(row => ({transaction_info: row}))
  const body = Buffer.from(JSON.stringify({transaction_details: [...rows, null, {}], total_pages: 1}))
  const patient = {
    baseUrl: new URL('http://provider'),
    call: bound(async () => ({status: 200, headers: {}, body})),
  }
  const provider = {...(api as object), patient} as never
  const pages = []
  for await (const page of fetchReport(SINCE, SINCE, provider, new AbortController().signal))
    pages.push(...page.movements)
  expect(pages).toMatchObject([
    {id: 'T2', kind: 'other'},
    {id: 'T3', kind: 'other'},
    {id: 'T4', kind: 'refund', units: 500, currency: 'KWD', transactionId: 'a'.repeat(32)},
  ])
})

test('a time of any zone is the moment that it stands for', async () => {
  const zones = ['2026-01-01T05:30:00+0530', '2025-12-31T16:00:00-0800', '2026-01-01T00:00:00Z']
  const rows = zones.map((time, index) => ({
    transaction_info: {...describe(index), transaction_initiation_date: time},
  }))
  const body = Buffer.from(JSON.stringify({transaction_details: rows, total_pages: 1}))
  const patient = {
    baseUrl: new URL('http://provider'),
    call: bound(async () => ({status: 200, headers: {}, body})),
  }
  const provider = {...(createProvider(1).api as object), patient} as never
  const times: Date[] = []
  for await (const {movements} of fetchReport(SINCE, SINCE, provider, new AbortController().signal))
    times.push(...movements.map(({at}) => at))
  expect(times).toEqual([SINCE, SINCE, SINCE])
})

/** A provider that answers each page by its number. */
function answerPages(answer: (page: number) => object) {
  const asked: URLSearchParams[] = []
  const call = async ({path}: {path: string}) => {
    const query = new URL(path, 'http://provider').searchParams
    asked.push(query)
    const body = Buffer.from(JSON.stringify(answer(Number(query.get('page')))))
    return {status: 200, headers: {}, body}
  }
  const api = {
    ...(createProvider(1).api as object),
    patient: {baseUrl: new URL('http://p'), call: bound(call)},
  } as never
  const read = async () => {
    const movements = []
    for await (const page of fetchReport(SINCE, SINCE, api, new AbortController().signal))
      movements.push(...page.movements)
    return movements
  }
  return {api, asked, read}
}

const fullPage = (page: number) =>
  Array.from({length: 500}, (_, row) => ({
    transaction_info: {...describe(0), transaction_id: `T${page}-${row}`},
  }))

test('authorizations and voids are asked for as well', async () => {
  const {asked, read} = answerPages(() => ({transaction_details: [], total_pages: 0}))
  await read()
  expect(asked.map(query => query.get('balance_affecting_records_only'))).toEqual(['N'])
})

test('a report that ends earlier than it was asked to says how far it reaches', async () => {
  for (const [end_date, expected] of [
    ['2025-12-31T06:00:00+0000', Date.parse('2025-12-31T06:00:00Z')],
    ['2026-01-01T00:00:00Z', undefined],
    ['soon', undefined],
  ] as const) {
    const {api} = answerPages(() => ({transaction_details: [], total_pages: 0, end_date}))
    const since = new Date(SINCE.getTime() - DAY_MS)
    for await (const {reachesUntil} of fetchReport(since, SINCE, api, new AbortController().signal))
      expect(reachesUntil).toBe(expected)
  }
})

test('an empty page ends a report that says it has more, and a full one does not end it', async () => {
  const pages = [fullPage(1), fullPage(2), []]
  for (const total_pages of [1, 1e9]) {
    const {asked, read} = answerPages(page => ({transaction_details: pages[page - 1] ?? [], total_pages}))
    expect([(await read()).length, asked.length]).toEqual([1000, 3])
  }
})

test('a report that repeats a page, never ends, or lacks rows that it counts is refused', async () => {
  const same = answerPages(() => ({transaction_details: fullPage(1), total_pages: 1e9}))
  await expect(same.read()).rejects.toThrow('the same page of its report again and again')
  const endless = answerPages(page => ({transaction_details: [describe(page)], total_pages: 1e9}))
  await expect(endless.read()).rejects.toThrow('again and again')
  expect(endless.asked.length).toBeLessThan(200)
  const short = answerPages(() => ({transaction_details: [], total_items: 3, total_pages: 1}))
  await expect(short.read()).rejects.toThrow('0 of the 3 rows')
})

test('an id is found without the JSON around it, and a refund by the id of its capture alone', async () => {
  const id = 'a'.repeat(32)
  const rows = [`orderTransactionId:${id}`, `x${id}`, `${id} ${'b'.repeat(32)}`].map(
    (custom_field, index) => ({
      transaction_info: {...describe(index), custom_field},
    }),
  )
  const refund = {
    ...{transaction_id: 'R', transaction_event_code: 'T1107', transaction_status: 'S'},
    ...{paypal_reference_id: 'T0', transaction_amount: {currency_code: 'EUR', value: '-1.00'}},
    transaction_initiation_date: '2026-01-01T00:00:00Z',
  }
  const {read} = answerPages(() => ({transaction_details: [...rows, {transaction_info: refund}]}))
  expect(await read()).toMatchObject([
    ...[{transactionId: id}, {transactionId: null}, {transactionId: null}],
    {kind: 'refund', captureId: 'T0', units: 100},
  ])
})
