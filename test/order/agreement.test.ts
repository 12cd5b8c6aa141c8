import fc from 'fast-check'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {readDrafts} from '../../src/order/read/read.js'
import {check} from '../../src/order/validate/check-orders.js'
import {PLAIN} from '../support/checked.js'
import {runShop, type TestShop} from '../support/shop.js'
import {sized} from '../support/sized.js'

let shop: TestShop

beforeAll(async () => {
  shop = await runShop()
})

afterAll(() => shop.remove())

const rarely = <T>(usual: fc.Arbitrary<T>, wrong: fc.Arbitrary<unknown>) =>
  fc.oneof({weight: 30, arbitrary: usual as fc.Arbitrary<unknown>}, {weight: 1, arbitrary: wrong})

const text = (max: number) =>
  rarely(
    fc.string({unit: 'grapheme', minLength: 1, maxLength: 20}),
    fc.oneof(fc.constantFrom('', null, 7, true, [], {}, 'x'.repeat(max + 1), 'a\u0000b', '\ud800')),
  )

const line = fc.record(
  {
    sku: text(64),
    quantity: rarely(
      fc.integer({min: 1, max: 1_000_000}),
      fc.constantFrom(0, -1, 1.5, '2', 1_000_001, null, 1e21),
    ),
    reference: rarely(fc.string({minLength: 1, maxLength: 5}), fc.constantFrom('', '1', 5)),
    unitPrice: fc.record(
      {
        amount: rarely(
          fc.constantFrom('0', '12.90', '3.123456'),
          fc.constantFrom('1,5', 12.9, '-1', '.5', '1e3'),
        ),
        currency: rarely(fc.constantFrom('EUR', 'JPY'), fc.constantFrom('eur', 'EURO', 'ABC')),
      },
      {requiredKeys: ['amount', 'currency']},
    ),
  },
  {requiredKeys: ['sku', 'quantity']},
)

const shipTo = fc.record(
  {
    name: text(100),
    company: text(100),
    street: text(100),
    additionalLine: text(100),
    postalCode: fc.oneof(
      {weight: 5, arbitrary: text(16)},
      {weight: 1, arbitrary: fc.nat(99_999).map(String)},
    ),
    city: text(100),
    state: text(100),
    country: rarely(fc.constantFrom('DE', 'IE', 'NO', 'HK'), fc.constantFrom('de', 'XX', 'DEU', ' DE', 1)),
    email: text(254),
    phone: text(40),
  },
  {requiredKeys: ['name', 'street', 'city', 'country', 'postalCode']},
)

let next = 0

const known = fc.record(
  {
    reference: rarely(
      fc.constantFrom('A', 'a:b', 'x.y-z_9'),
      fc.constantFrom('', 'a b', 'ä', 7, 'x'.repeat(65)),
    ).map(reference =>
      typeof reference === 'string' && /^[\w.:-]{1,64}$/.test(reference)
        ? `${reference}${next++}`
        : reference,
    ),
    orderNumber: text(64),
    orderDate: rarely(
      fc.constantFrom('2024-02-29T12:00:00Z', '2024-10-24T21:30:46.5+02:00'),
      fc.constantFrom('2024-10-24', '2024-10-24T10:00:00', '2023-02-29T12:00:00Z', '2999-01-01T00:00:00Z', 0),
    ),
    lines: rarely(fc.array(line, {minLength: 1, maxLength: 3}), fc.constantFrom([], {}, null, [1])),
    shipTo: rarely(shipTo, fc.constantFrom(null, 'x', [])),
    shippingMethod: rarely(fc.constantFrom('standard', 'pickup'), fc.constantFrom('Standard', '', 1)),
    shipNotBefore: rarely(fc.constant('2030-01-31'), fc.constantFrom('2030-02-30', '31.01.2030', '2030-1-1')),
    hold: rarely(fc.boolean(), fc.constantFrom('true', 1)),
    fillPolicy: rarely(fc.constantFrom('all-or-nothing', 'what-is-available'), fc.constant('all')),
    note: rarely(fc.string({maxLength: 30}), fc.constantFrom('x'.repeat(501), null)),
    customFields: rarely(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom([], 'x', {a: 'x'.repeat(17_000)}),
    ),
  },
  {requiredKeys: ['reference', 'lines', 'shipTo']},
)

/** Now and then with a field that there is not. */
const order = fc.tuple(known, fc.nat(20)).map(([sample, which]) => {
  if (which === 0) return {...sample, nonsense: 1}
  return which === 1 ? {...sample, shipTo: {...(sample.shipTo as object), citty: 'x'}} : sample
})

test('an order that is found good here is accepted there, and one refused there is refused here for the same field', async () => {
  const answers = {good: 0, refused: 0}
  await fc.assert(
    fc.asyncProperty(order, async sample => {
      const input = JSON.stringify(sample)
      const here = await faultsHere(input)
      const body = await renderSent(input)
      const answer = await shop.call('/api/fulfillment/order', body, {'content-type': 'application/json'})
      const {errors = []} = (await answer.json()) as {errors?: {code: string; source?: {pointer: string}}[]}
      const agreed = here.filter(({message}) => !STRICTER.test(message)).map(({field}) => field)
      answers[agreed.length === 0 ? 'good' : 'refused']++
      expect(answer.status).toBe(agreed.length === 0 ? 200 : 400)
      expect(errors.map(({source}) => namedLikeHere(source?.pointer ?? '')).sort()).toEqual(agreed.sort())
    }),
    {numRuns: sized(75, 400)},
  )
  expect(Math.min(answers.good, answers.refused)).toBeGreaterThan(15)
})

/** What is refused here alone: a shop cannot know where an order was written. */
const STRICTER = /^has lost leading zeros/

const inputOf = (body: string) => ({
  name: 'o.json',
  async *read() {
    yield Buffer.from(body)
  },
})

async function renderSent(body: string) {
  for await (const [draft] of readDrafts(inputOf(body), PLAIN)) return String(draft?.renderBody())
  return ''
}

async function faultsHere(body: string) {
  const {faults} = await check(
    {inputs: [inputOf(body)], reading: PLAIN},
    {
      now: shop.clock.now(),
      mostFaults: 1000,
      signal: new AbortController().signal,
      openScratch: () => Promise.reject(new Error('nothing is put aside')),
    },
  )
  return faults
}

function namedLikeHere(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)/g, (_, index) => `[${Number(index) + 1}]`)
    .replaceAll('/', '.')
}
