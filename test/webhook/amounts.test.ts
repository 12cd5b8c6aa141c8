import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {timeAgo} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {endpoint} from '../support/endpoint.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {addTransaction, testShop as bundledShop, stateOf} from '../support/shop.js'
import {sized} from '../support/sized.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, FAST, file, ndjson, replay, testShop, transactionId} from './support.js'

const minutesAgo = (minutes: number) => timeAgo(minutes * 60_000)

const DIFFERS = '1.00 EUR captured; the payment is over 10.00 EUR'
const small = event(1, {amount: '1.00'})

async function openPayment() {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = temporaryFolder()
  const run = (...words: string[]) => storectl(words, {home, env: shop.env})
  const rows = async (...words: string[]) => readJsonLines((await run(...words, '-o', 'ndjson')).stdout)
  return {shop, home, run, rows}
}

test('a genuine event over another amount is held, and both amounts are shown', async () => {
  const {shop, home, run} = await openPayment()
  const path = file(ndjson([small]))
  const plan = await run('webhook', 'replay', path, '--dry-run', '-o', 'json')
  const [row, {summary}] = JSON.parse(plan.stdout)
  expect(row).toMatchObject({action: 'hold', reason: 'amount-differs', detail: DIFFERS})
  expect(summary).toEqual([
    {
      ...{sender: 'token', action: 'hold', reason: 'amount-differs', count: 1},
      amounts: [{value: '1.00', currency: 'EUR'}],
    },
  ])
  expect(plan.stderr).toContain('Held (amount-differs): release with --include-amount-differs')
  const {exit, rows} = await replay(shop, [path], {home})
  expect([exit, rows[0].result, rows[0].detail]).toEqual([7, 'held', `amount-differs: ${DIFFERS}`])
  expect(shop.received).toEqual([])
})

test('a flag releases it, and the run and its detail say so', async () => {
  const {shop, home, run} = await openPayment()
  const words = ['webhook', 'replay', file(ndjson([small])), '--include-amount-differs']
  const [planned] = JSON.parse((await run(...words, '--dry-run', '-o', 'json')).stdout)
  expect(planned).toMatchObject({action: 'send', detail: `open → paid; ${DIFFERS}`})
  const {outcomes} = await replay(shop, words.slice(2), {home})
  expect(outcomes).toEqual([[eventId(1), 'applied']])
  const shown = JSON.parse((await run('run', 'show', 'last', '-o', 'json')).stdout)
  expect([shown].flat()[0]).toMatchObject({releasedHolds: 'amount-differs'})
})

test('without a look at the shop nothing is compared', async () => {
  const {shop, home} = await openPayment()
  const {outcomes} = await replay(shop, [file(ndjson([small])), '--no-check-state'], {home})
  expect(outcomes).toEqual([[eventId(1), 'accepted']])
})

test('naming an event releases nothing', async () => {
  const {shop, home, run} = await openPayment()
  await run('webhook', 'import', file(ndjson([small])))
  const {outcomes} = await replay(shop, [eventId(1)], {home})
  expect(outcomes).toEqual([[eventId(1), 'held']])
})

test('a diagnosis names it, with both amounts', async () => {
  const {run, rows} = await openPayment()
  await run('webhook', 'import', file(ndjson([small, event(2, {transaction: 1})])))
  expect(await rows('webhook', 'diagnose', eventId(1))).toMatchObject([
    {
      cause: 'amount-differs',
      evidence: expect.arrayContaining([expect.stringContaining(DIFFERS)]),
      next: `storectl payment show ${transactionId(1)}`,
    },
  ])
  expect(await rows('webhook', 'diagnose', eventId(2))).toMatchObject([{cause: 'not-sent'}])
})

test('a plan has the rule: it is applied with it, and refused once the amounts differ', async () => {
  const {shop, home, run} = await openPayment()
  await run('webhook', 'import', file(ndjson([small])))
  const plan = join(home, 'a.plan')
  await run('webhook', 'replay', '--plan', plan)
  expect(JSON.parse(readFileSync(plan, 'utf8').split('\n')[0] as string).rules.includeAmountDiffers).toBe(
    false,
  )
  const released = join(home, 'b.plan')
  await run('webhook', 'replay', '--include-amount-differs', '--plan', released)
  const apply = (path: string, ...words: string[]) => replay(shop, ['--apply', path, ...words], {home})
  expect((await apply(plan, '--include-amount-differs')).exit).toBe(2)
  expect((await apply(plan)).outcomes).toEqual([[eventId(1), 'held']])
  expect((await apply(released)).outcomes).toEqual([[eventId(1), 'applied']])

  const other = await openPayment()
  await other.run('webhook', 'import', file(ndjson([event(1)])))
  await other.run('webhook', 'replay', '--plan', join(other.home, 'c.plan'))
  other.shop.amounts.set(transactionId(1), {total: 10, currency: 'USD'})
  const outdated = await replay(other.shop, ['--apply', join(other.home, 'c.plan')], {home: other.home})
  expect([outdated.exit, other.shop.received]).toEqual([7, []])
  expect(outdated.stderr).toContain(
    'it is hold (amount-differs): 10.00 EUR captured; the payment is over 10.00 USD',
  )
})

describe('captures before the last one', () => {
  const part = event(2, {transaction: 1, final: false, amount: '4.00', createdAt: minutesAgo(9)})
  const last = (amount: string) => event(3, {transaction: 1, amount, createdAt: minutesAgo(5)})

  test('count where the same plan sends them before', async () => {
    const {shop, home} = await openPayment()
    const {outcomes} = await replay(shop, [file(ndjson([part, last('6.00')]))], {home})
    expect(outcomes).toEqual([
      [eventId(2), 'applied'],
      [eventId(3), 'applied'],
    ])
    expect(shop.states.get(transactionId(1))).toBe('paid')
  })

  test('count where an earlier run sent them', async () => {
    const {shop, home} = await openPayment()
    await replay(shop, [file(ndjson([part]))], {home})
    const fits = await replay(shop, [file(ndjson([last('5.99')]))], {home})
    expect(fits.rows).toMatchObject([
      {
        ...{id: eventId(3), result: 'held'},
        detail: 'amount-differs: 5.99 EUR captured, and 4.00 EUR before; the payment is over 10.00 EUR',
      },
    ])
    const again = [part, event(4, {transaction: 1, amount: '6.00', createdAt: minutesAgo(4)})]
    const {outcomes} = await replay(shop, [file(ndjson(again)), '--include-delivered'], {home})
    expect(outcomes.at(-1)).toEqual([eventId(4), 'applied'])
  })

  test('count in a diagnosis', async () => {
    const {shop, home, run, rows} = await openPayment()
    await replay(shop, [file(ndjson([part]))], {home})
    await run('webhook', 'import', file(ndjson([last('5.99')])))
    expect(await rows('webhook', 'diagnose', eventId(3))).toMatchObject([{cause: 'amount-differs'}])
  })

  test('do not count where they are not sent', async () => {
    const {shop, home} = await openPayment()
    const old = {...part, create_time: minutesAgo(60 * 24 * 5)}
    const {outcomes} = await replay(shop, [file(ndjson([old, last('6.00')]))], {home})
    expect(outcomes).toEqual([
      [eventId(2), 'held'],
      [eventId(3), 'held'],
    ])
    expect(shop.received).toEqual([])
  })

  test('a refund is none, and is compared with nothing', async () => {
    const {shop, home} = await openPayment()
    shop.states.set(transactionId(1), 'paid')
    const refund = event(2, {
      transaction: 1,
      type: 'PAYMENT.CAPTURE.REFUNDED',
      amount: '4.00',
      refunded: '4.00',
    })
    expect((await replay(shop, [file(ndjson([refund]))], {home})).outcomes).toEqual([[eventId(2), 'applied']])
    shop.states.set(transactionId(1), 'open')
    const {outcomes} = await replay(shop, [file(ndjson([last('10.00')])), '--include-out-of-order'], {home})
    expect(outcomes).toEqual([[eventId(3), 'applied']])
  })
})

test('a run that is resumed compares anew', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const first = testContext({env: shop.env})
  shop.intercept = () => {
    first.interruption.stop('SIGINT')
    return undefined
  }
  const path = file(ndjson([event(1), event(2)]))
  await storectl(['webhook', 'replay', path, ...FAST, '--concurrency', '1'], first)
  expect(shop.arrived()).toEqual([eventId(1)])
  shop.intercept = () => undefined
  shop.amounts.set(transactionId(2), {total: 10.01, currency: 'EUR'})
  const words = ['run', 'resume', 'last', '--yes', '-o', 'ndjson']
  const {stdout} = await storectl(words, {home: first.home, env: shop.env})
  expect(stdout).toContain('amount-differs: 10.00 EUR captured; the payment is over 10.01 EUR')
  expect(shop.arrived()).toEqual([eventId(1)])
})

describe('with a provider', () => {
  async function openShop(captures: readonly string[] | undefined) {
    const shop = await bundledShop()
    const transactionId = await addTransaction(shop, {
      state: 'paid_partially',
      amount: 100,
      providerOrderId: 'O1',
    })
    const asked: string[] = []
    const provider = await endpoint(({url}) => {
      if (url === '/v1/oauth2/token') return {body: {access_token: 'token', expires_in: 32_400}}
      asked.push(url)
      if (captures === undefined) return {status: 404, body: {}}
      const made = captures.map((value, at) => ({
        ...{id: `C${at}`, status: 'COMPLETED', custom_id: transactionId},
        ...{amount: {value, currency_code: 'EUR'}, create_time: timeAgo(0)},
      }))
      return {body: {id: 'O1', status: 'COMPLETED', purchase_units: [{payments: {captures: made}}]}}
    })
    const env = {
      ...{STORECTL_URL: shop.url, STORECTL_WEBHOOK_TOKEN: shop.credentials.webhookToken},
      STORECTL_CLIENT_ID: shop.credentials.clientId,
      STORECTL_CLIENT_SECRET: shop.credentials.clientSecret,
      ...{STORECTL_PROVIDER_URL: provider.url, STORECTL_PROVIDER_CLIENT_ID: 'id'},
      STORECTL_PROVIDER_CLIENT_SECRET: 'secret',
    }
    const send = async (amount: string, ...words: string[]) => {
      const {body} = captureCompleted({transactionId, amount})
      const path = file(ndjson([{body}], shop.credentials.webhookToken))
      const argv = ['webhook', 'replay', path, ...FAST, '--max-age', 'none', ...words]
      const {stdout} = await storectl(argv, {home: temporaryFolder(), env})
      const {result, detail} = JSON.parse(stdout)
      return [result, detail, await stateOf(shop, transactionId)]
    }
    return {send, asked}
  }

  const ORDER = '/v2/checkout/orders/O1'

  test('whose order has the captures that are not known here, the last one is sent', async () => {
    const {send, asked} = await openShop(['60.00', '40.00'])
    expect(await send('40.00')).toEqual(['applied', 'paid_partially → paid', 'paid'])
    expect(asked).toEqual([ORDER, ORDER])
  })

  test('whose order does not add up, it is held', async () => {
    const {send, asked} = await openShop(['60.00'])
    const said = "1.00 EUR captured; the payment is over 100.00 EUR; the provider's order has 60.00 EUR"
    expect(await send('1.00')).toEqual(['held', `amount-differs: ${said}`, 'paid_partially'])
    expect(asked).toEqual([ORDER])
  })

  test.each([
    ['that is not to be asked', ['60.00'], ['--offline'], []],
    ['that does not know the order', undefined, [], [ORDER, ORDER]],
  ] as const)('%s, it is sent unless it is larger than the payment', async (_, captures, words, orders) => {
    const {send, asked} = await openShop(captures)
    expect(await send('100.01', ...words)).toMatchObject([
      'held',
      expect.stringContaining('amount-differs'),
      'paid_partially',
    ])
    expect((await send('1.00', ...words))[0]).toBe('applied')
    expect(asked.slice(-2)).toEqual(orders)
  })

  test('that is to deliver, a differing event is held too', async () => {
    const {send} = await openShop(['60.00'])
    expect((await send('100.01', '--via', 'provider'))[0]).toBe('held')
  })
})

/** Captures of one payment as they come, with cents of the 1,000 that it is over; every second last one has the rest. */
const story = fc
  .array(
    fc.record({
      kind: fc.constantFrom('part', 'part', 'last', 'refund'),
      cents: fc.constantFrom(100, 250, 500, 999, 1000, 1001),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
      isTwice: fc.boolean(),
      isRest: fc.boolean(),
    }),
    {minLength: 1, maxLength: 4},
  )
  .map(captures =>
    captures.map((each, at) => {
      const rest = 1000 - sumCents(captures.slice(0, at).filter(({kind}) => kind === 'part'))
      return each.kind === 'last' && each.isRest && rest > 0 ? {...each, cents: rest} : each
    }),
  )

test('of random captures only those that add up lead to paid', async () => {
  const stories = fc.sample(story, {numRuns: sized(60, 600), seed: 20261127})
  const states = Object.fromEntries(stories.map((_, at) => [transactionId(at), 'open']))
  const shop = await testShop(states)
  const sums = new Map<number, {cents: number; fits: boolean}>()
  const paidBy: (readonly [number, boolean])[] = []
  shop.intercept = ({body}) => {
    const {event_type: type, resource} = JSON.parse(body)
    if (type !== 'PAYMENT.CAPTURE.COMPLETED') return undefined
    const at = Number.parseInt(resource.custom_id, 16)
    const before = sums.get(at) ?? {cents: 0, fits: true}
    const {value, currency_code: currency} = resource.amount
    const cents = before.cents + Number(value.replace('.', ''))
    sums.set(at, {cents, fits: before.fits && currency === 'EUR'})
    if (resource.final_capture) paidBy.push([at, cents === 1000 && before.fits && currency === 'EUR'])
    return undefined
  }
  const events = stories.flatMap((captures, at) =>
    captures.flatMap(({kind, cents, currency, isTwice}, index) => {
      const type = kind === 'refund' ? 'PAYMENT.CAPTURE.REFUNDED' : undefined
      const made = event(at * 10 + index, {
        ...{transaction: at, amount: (cents / 100).toFixed(2), final: kind === 'last'},
        ...{createdAt: minutesAgo(60 - index), ...(type && {type})},
      })
      made.resource.amount.currency_code = currency
      return isTwice ? [made, made] : [made]
    }),
  )
  const words = ['--max', '0', '--canary', '0', '--breaker-failures', '0', '--breaker-rate', 'none']
  const {rows} = await replay(shop, [file(ndjson(events)), ...words])
  const held = rows.filter(({detail}) => String(detail).startsWith('amount-differs'))
  expect(paidBy.filter(([, fits]) => !fits)).toEqual([])
  const fitting = stories.flatMap((captures, at) => {
    const counted = captures.slice(0, captures.findIndex(({kind}) => kind === 'last') + 1)
    const isPlain = counted.every(({kind, currency}) => kind !== 'refund' && currency === 'EUR')
    return isPlain && sumCents(counted) === 1000 ? [at] : []
  })
  expect(paidBy.map(([at]) => at)).toEqual(expect.arrayContaining(fitting))
  expect(Math.min(fitting.length, held.length)).toBeGreaterThan(5)
})

function sumCents(captures: readonly {readonly cents: number}[]): number {
  return captures.reduce((sum, {cents}) => sum + cents, 0)
}
