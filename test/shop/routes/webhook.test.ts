import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {captureCompleted, EVENT_TYPES, providerEvent} from '../../support/events.js'
import {
  addTransaction,
  runShop,
  stateOf,
  type TestShop,
  type TransactionOptions,
  testShop,
} from '../../support/shop.js'

describe('webhook', () => {
  const PATH = '/api/_action/paypal/webhook/execute'
  const JSON_TYPE = {'content-type': 'application/json'}
  const UNKNOWN_ID = 'ffffffffffffffffffffffffffffffff'

  let shop: TestShop
  beforeAll(async () => {
    shop = await runShop()
  })
  afterAll(() => shop.remove())

  /** protocol.md 4.2: one entry of code "0", escaped as 1.3 says. */
  function envelope(status: number, title: string, detail: string) {
    const escaped = JSON.stringify(detail).slice(1, -1).replaceAll('\\"', '\\u0022').replaceAll('/', '\\/')
    return `{"errors":[{"code":"0","status":"${status}","title":"${title}","detail":"${escaped}"}]}`
  }

  const badRequest = (detail: string) => envelope(400, 'Bad Request', detail)
  const EXECUTION_FAILED = badRequest('An error occurred during execution of webhook')
  const INVALID_TOKEN = badRequest('Shopware token is invalid')
  const NO_DATA = badRequest('No webhook data sent')

  async function answered(answer: Response) {
    return [answer.status, await answer.text()]
  }

  const post = (query: string, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
    shop.post(`${PATH}${query}`, body, headers)
  const withToken = () => `?sw-token=${shop.credentials.webhookToken}`

  describe('an accepted notification', () => {
    test('is answered 200 with nothing in it, as html', async () => {
      const answer = await shop.deliver(providerEvent('CHECKOUT.ORDER.APPROVED'))
      expect([...(await answered(answer)), answer.headers.get('content-type')]).toEqual([
        200,
        '',
        'text/html; charset=UTF-8',
      ])
      expect(answer.headers.get('x-frame-options')).toBe('deny')
    })

    test('needs no bearer, and a wrong one does no harm', async () => {
      const event = providerEvent('CHECKOUT.ORDER.APPROVED')
      expect(
        (await post(withToken(), event.body, {...JSON_TYPE, authorization: 'Bearer nonsense'})).status,
      ).toBe(200)
    })
  })

  describe('the order of checks (4.2)', () => {
    test('1: malformed JSON, before the token', async () => {
      expect(await answered(await post('', '{"a":'))).toEqual([
        400,
        badRequest('The JSON payload is malformed.'),
      ])
    })

    test('2: another method, another provider', async () => {
      const get = await fetch(`${shop.url}${PATH}${withToken()}`)
      expect(await answered(get)).toEqual([
        405,
        envelope(
          405,
          'Method Not Allowed',
          `No route found for "GET ${shop.url}${PATH}": Method Not Allowed (Allow: POST)`,
        ),
      ])
      const other = await shop.post('/api/_action/stripe/webhook/execute', {}, JSON_TYPE)
      expect(other.status).toBe(404)
    })

    test('3: a bad language, before the token', async () => {
      const answer = await post('?sw-token=wrong', {a: 1}, {...JSON_TYPE, 'sw-language-id': 'xyz'})
      expect([answer.status, await answer.text()]).toEqual([
        412,
        expect.stringContaining('FRAMEWORK__LANGUAGE_NOT_FOUND'),
      ])
    })

    test('4: a token that is a list', async () => {
      expect(await answered(await post('?sw-token[]=x', {a: 1}))).toEqual([
        400,
        badRequest('Input value "sw-token" contains a non-scalar value.'),
      ])
    })

    test.each(['', '?sw-token=', '?sw-token=--%20%2B', '?other-token=abc', '?sw-token=unknown'])(
      '5 and 6: token %j',
      async query => {
        expect(await answered(await post(query, {a: 1}))).toEqual([400, INVALID_TOKEN])
      },
    )

    test('the token is taken from the query alone', async () => {
      const body = {...captureCompleted().payload, 'sw-token': shop.credentials.webhookToken}
      expect(await answered(await post('', body))).toEqual([400, INVALID_TOKEN])
      const inHeader = await post('', body, {...JSON_TYPE, 'sw-token': shop.credentials.webhookToken})
      expect(inHeader.status).toBe(400)
    })

    test('the token counts without symbols and without case', async () => {
      const {webhookToken} = shop.credentials
      const spelled = `${webhookToken.slice(0, 4)}-_.${webhookToken.slice(4)}`.toUpperCase()
      expect((await post(`?sw-token=${spelled}%21`, {event_type: 'X'})).status).toBe(200)
    })

    test.each([
      ['an empty body', '', 'application/json'],
      ['{}', '{}', 'application/json'],
      ['[]', '[]', 'application/json'],
      ['null', 'null', 'application/json'],
      ['a text', '"str"', 'application/json'],
      ['a type that is not read', '{"event_type":"X"}', 'text/plain'],
      ['a JSON:API type', '{"event_type":"X"}', 'application/vnd.api+json'],
    ])('7: %s', async (_name, body, type) => {
      expect(await answered(await post(withToken(), body, {'content-type': type}))).toEqual([400, NO_DATA])
    })

    test('a form is read like JSON', async () => {
      const answer = await post(withToken(), 'event_type=X&id=1', {
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect(answer.status).toBe(200)
    })
  })

  describe('payload mapping (4.3)', () => {
    test('8: no event type, with the very text', async () => {
      expect(await answered(await post(withToken(), {id: 'WH-1'}))).toEqual([
        500,
        envelope(
          500,
          'Internal Server Error',
          'Typed property Swag\\PayPal\\RestApi\\V1\\Api\\Webhook::$eventType must not be accessed before initialization',
        ),
      ])
    })

    test.each([
      ['event_type null', {event_type: null, id: 'x'}],
      ['a list', [{event_type: 'X'}]],
      ['id a number', {event_type: 'X', id: 1}],
      ['summary an object', {event_type: 'X', summary: {a: 1}}],
      ['resource a text', {event_type: 'X', resource: 'x'}],
      ['resource a list', {event_type: 'X', resource: [1]}],
      ['amount a text', {event_type: 'X', resource: {amount: '1.00'}}],
      [
        'custom_id a number',
        {event_type: 'X', resource_version: '2.0', resource_type: 'capture', resource: {custom_id: 1}},
      ],
      [
        'invoice_id of 128',
        {
          event_type: 'X',
          resource_version: '2.0',
          resource_type: 'capture',
          resource: {invoice_id: 'x'.repeat(128)},
        },
      ],
    ])('500: %s', async (_name, body) => {
      const [status, text] = await answered(await post(withToken(), body))
      expect([status, text]).toEqual([
        500,
        expect.stringMatching(
          /^\{"errors":\[\{"code":"0","status":"500","title":"Internal Server Error","detail":".+"\}\]\}$/,
        ),
      ])
    })

    test('summary null and links {} are fine', async () => {
      expect((await post(withToken(), {event_type: 'X', summary: null, links: {}})).status).toBe(200)
    })
  })

  describe('9: no handler', () => {
    test.each(EVENT_TYPES.unhandled)('%s is answered 200 and changes nothing', async type => {
      const transactionId = await addTransaction(shop, {state: 'open'})
      expect((await shop.deliver(providerEvent(type, {transactionId}))).status).toBe(200)
      expect(await stateOf(shop, transactionId)).toBe('open')
    })
  })

  describe('10 and 11: what a handler throws is one text', () => {
    const event = (resource: object, rest: object = {}) => ({
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource_version: '2.0',
      resource_type: 'capture',
      resource: {final_capture: true, ...resource},
      ...rest,
    })

    test.each([
      ['an unknown transaction', event({custom_id: UNKNOWN_ID})],
      ['no custom_id', event({})],
      ['custom_id null', event({custom_id: null})],
      ['custom_id without the key', event({custom_id: '{"pluginVersion":"9.6.2"}'})],
      ['custom_id no id', event({custom_id: '10007'})],
      ['no resource', event({}, {resource: undefined})],
      ['no resource_version', event({custom_id: UNKNOWN_ID}, {resource_version: undefined})],
      ['another resource_type', event({custom_id: UNKNOWN_ID}, {resource_type: 'refund'})],
      ['a sale without parent_payment', {event_type: 'PAYMENT.SALE.COMPLETED', resource: {id: 'x'}}],
      [
        'a sale of an unknown payment',
        {event_type: 'PAYMENT.SALE.COMPLETED', resource: {parent_payment: 'PAY-0'}},
      ],
    ])('%s', async (_name, body) => {
      expect(await answered(await post(withToken(), JSON.stringify(body)))).toEqual([400, EXECUTION_FAILED])
    })
  })

  describe('13: what is read without being there', () => {
    test('final_capture', async () => {
      const transactionId = await addTransaction(shop)
      const {payload} = captureCompleted({transactionId})
      const body = JSON.stringify(payload).replace('"final_capture":true,', '')
      const [status, text] = await answered(await shop.deliver(body))
      expect([status, text]).toEqual([
        500,
        expect.stringContaining('$finalCapture must not be accessed before initialization'),
      ])
      expect(await stateOf(shop, transactionId)).toBe('open')
    })

    test('final_capture is not missed when the invoice is paid through the provider', async () => {
      const transactionId = await addTransaction(shop, {payUponInvoice: true})
      const {payload} = captureCompleted({transactionId})
      const body = JSON.stringify(payload).replace('"final_capture":true,', '')
      expect((await shop.deliver(body)).status).toBe(200)
      expect(await stateOf(shop, transactionId)).toBe('open')
    })

    test('total_refunded_amount', async () => {
      const transactionId = await addTransaction(shop, {state: 'paid'})
      const {payload} = providerEvent('PAYMENT.CAPTURE.REFUNDED', {transactionId})
      const body = JSON.stringify(payload).replace('total_refunded_amount', 'other')
      expect((await shop.deliver(body)).status).toBe(500)
    })
  })

  describe('which transaction is meant (4.4)', () => {
    test('custom_id may be JSON', async () => {
      const transactionId = await addTransaction(shop)
      const customId = JSON.stringify({
        orderTransactionId: transactionId,
        pluginVersion: '9.6.2',
        shopwareVersion: '6.6.7.1',
      })
      expect((await shop.deliver(captureCompleted({transactionId, customId}))).status).toBe(200)
      expect(await stateOf(shop, transactionId)).toBe('paid')
    })

    test('v1 names the payment', async () => {
      const transactionId = await addTransaction(shop, {parentPayment: 'PAYID-LOOKUP'})
      const event = providerEvent('PAYMENT.SALE.COMPLETED', {parentPayment: 'PAYID-LOOKUP'})
      expect((await shop.deliver(event)).status).toBe(200)
      expect(await stateOf(shop, transactionId)).toBe('paid')
    })

    test('a voided authorization may name the payment too', async () => {
      const transactionId = await addTransaction(shop, {parentPayment: 'PAYID-VOID', state: 'authorized'})
      const body = {event_type: 'PAYMENT.AUTHORIZATION.VOIDED', resource: {parent_payment: 'PAYID-VOID'}}
      expect((await post(withToken(), body)).status).toBe(200)
      expect(await stateOf(shop, transactionId)).toBe('cancelled')
    })
  })

  /** protocol.md 4.5 "Derived outcomes", one line a row: event, state before, status, state after. */
  const ALL =
    'open in_progress authorized reminded paid_partially paid refunded_partially refunded cancelled failed chargeback unconfirmed'
  const OUTCOMES = [
    ['captured', 'open in_progress authorized failed cancelled unconfirmed chargeback', 200, 'paid'],
    ['captured', 'paid', 200, 'paid'],
    ['captured', 'paid_partially', 200, 'paid'],
    ['captured', 'refunded_partially', 200, 'paid'],
    ['captured', 'refunded', 400, 'refunded'],
    ['captured', 'reminded', 400, 'reminded'],
    ['captured in part', 'open in_progress authorized failed unconfirmed chargeback', 200, 'paid_partially'],
    ['captured in part', 'paid cancelled reminded refunded', 400, 'unchanged'],
    ['captured in part', 'paid_partially', 200, 'unchanged'],
    ['sold', 'open in_progress authorized failed cancelled unconfirmed chargeback paid', 200, 'paid'],
    ['sold', 'paid_partially reminded refunded refunded_partially', 400, 'unchanged'],
    ['denied', ALL, 200, 'cancelled'],
    ['voided', ALL, 200, 'cancelled'],
    ['sale denied', ALL, 200, 'cancelled'],
    ['refunded in full', 'paid paid_partially refunded_partially cancelled', 200, 'refunded'],
    ['refunded in full', 'refunded', 200, 'refunded'],
    ['refunded in part', 'paid paid_partially cancelled', 200, 'refunded_partially'],
    ['refunded in part', 'refunded_partially', 200, 'refunded_partially'],
    [
      'refunded in full',
      'open in_progress authorized reminded failed unconfirmed chargeback',
      400,
      'unchanged',
    ],
    [
      'refunded in part',
      'open in_progress authorized reminded failed unconfirmed chargeback',
      400,
      'unchanged',
    ],
    ['reversed in part', 'paid', 200, 'refunded_partially'],
    ['sale refunded in full', 'paid paid_partially refunded_partially cancelled', 200, 'refunded'],
    ['sale refunded in part', 'paid paid_partially cancelled', 200, 'refunded_partially'],
    ['sale refunded in full', 'open reminded', 400, 'unchanged'],
  ] as const

  let seed = 100
  const EVENTS: Record<
    (typeof OUTCOMES)[number][0],
    (transactionId: string, parentPayment: string) => ReturnType<typeof providerEvent>
  > = {
    captured: transactionId => captureCompleted({seed, transactionId}),
    'captured in part': transactionId =>
      captureCompleted({seed, transactionId, finalCapture: false, amount: '40.00'}),
    sold: (_, parentPayment) => providerEvent('PAYMENT.SALE.COMPLETED', {seed, parentPayment}),
    denied: transactionId => providerEvent('PAYMENT.CAPTURE.DENIED', {seed, transactionId}),
    voided: transactionId => providerEvent('PAYMENT.AUTHORIZATION.VOIDED', {seed, transactionId}),
    'sale denied': (_, parentPayment) => providerEvent('PAYMENT.SALE.DENIED', {seed, parentPayment}),
    'refunded in full': transactionId => providerEvent('PAYMENT.CAPTURE.REFUNDED', {seed, transactionId}),
    'refunded in part': transactionId =>
      providerEvent('PAYMENT.CAPTURE.REFUNDED', {
        seed,
        transactionId,
        amount: '10.00',
        totalRefunded: '10.00',
      }),
    'reversed in part': transactionId =>
      providerEvent('PAYMENT.CAPTURE.REVERSED', {
        seed,
        transactionId,
        amount: '10.00',
        totalRefunded: '10.00',
      }),
    'sale refunded in full': (_, parentPayment) =>
      providerEvent('PAYMENT.SALE.REFUNDED', {seed, parentPayment}),
    'sale refunded in part': (_, parentPayment) =>
      providerEvent('PAYMENT.SALE.REFUNDED', {seed, parentPayment, amount: '10.00'}),
  }

  describe('derived outcomes (4.5)', () => {
    const rows = OUTCOMES.flatMap(([event, states, status, after]) =>
      states
        .split(' ')
        .map(before => ({event, before, status, after: after === 'unchanged' ? before : after})),
    )
    test.each(rows)('$event from $before: $status, $after', async ({event, before, status, after}) => {
      seed++
      const parentPayment = `PAYID-${seed}`
      const transactionId = await addTransaction(shop, {state: before, parentPayment})
      const notification = EVENTS[event](transactionId, parentPayment)
      const answer = await shop.deliver(notification)
      expect(await answered(answer)).toEqual([status, status === 200 ? '' : EXECUTION_FAILED])
      expect(await stateOf(shop, transactionId)).toBe(after)
    })

    test.each(rows.filter(({status}) => status === 200))(
      '$event from $before again: 200, still $after',
      async ({event, before, after}) => {
        seed++
        const parentPayment = `PAYID-${seed}`
        const transactionId = await addTransaction(shop, {state: before, parentPayment})
        const notification = EVENTS[event](transactionId, parentPayment)
        await shop.deliver(notification)
        expect((await shop.deliver(notification)).status).toBe(200)
        expect(await stateOf(shop, transactionId)).toBe(after)
      },
    )
  })

  describe('several notifications of one transaction', () => {
    const inTurn = async (
      options: TransactionOptions,
      ...events: ((transactionId: string) => ReturnType<typeof providerEvent>)[]
    ) => {
      const transactionId = await addTransaction(shop, options)
      const statuses: number[] = []
      for (const event of events) statuses.push((await shop.deliver(event(transactionId))).status)
      return [...statuses, await stateOf(shop, transactionId)]
    }

    test('captured in part, then the rest: paid', async () => {
      const part = (transactionId: string) =>
        captureCompleted({seed: 1, transactionId, amount: '40.00', finalCapture: false})
      const rest = (transactionId: string) => captureCompleted({seed: 2, transactionId, amount: '60.00'})
      expect(await inTurn({}, part, rest)).toEqual([200, 200, 'paid'])
    })

    test('a refund of everything that was captured, less than was ordered, is whole', async () => {
      const part = (transactionId: string) => captureCompleted({seed: 3001, transactionId, amount: '40.10'})
      const back = (transactionId: string) =>
        providerEvent('PAYMENT.CAPTURE.REFUNDED', {
          seed: 3002,
          transactionId,
          amount: '40.10',
          totalRefunded: '40.10',
        })
      expect(await inTurn({}, part, back)).toEqual([200, 200, 'refunded'])
    })

    test('the same while more may be captured is partial', async () => {
      const part = (transactionId: string) =>
        captureCompleted({seed: 3003, transactionId, amount: '40.10', finalCapture: false})
      const back = (transactionId: string) =>
        providerEvent('PAYMENT.CAPTURE.REFUNDED', {
          seed: 3004,
          transactionId,
          amount: '40.10',
          totalRefunded: '40.10',
        })
      expect(await inTurn({}, part, back)).toEqual([200, 200, 'refunded_partially'])
    })

    test('a sale given back bit by bit ends refunded', async () => {
      const parentPayment = 'PAYID-BITS'
      const bit = (part: number) => () =>
        providerEvent('PAYMENT.SALE.REFUNDED', {
          seed: 4000 + part,
          parentPayment,
          saleId: 'SALEBITS',
          amount: '50.00',
        })
      expect(await inTurn({state: 'paid', parentPayment}, bit(1), bit(2))).toEqual([200, 200, 'refunded'])
    })

    test('a late capture undoes the state of a partial refund, and not of a whole one', async () => {
      const captured = (transactionId: string) => captureCompleted({seed: 5, transactionId})
      const back = (total: string) => (transactionId: string) =>
        providerEvent('PAYMENT.CAPTURE.REFUNDED', {
          seed: 6,
          transactionId,
          amount: total,
          totalRefunded: total,
        })
      expect(await inTurn({}, captured, back('10.00'), captured)).toEqual([200, 200, 200, 'paid'])
      expect(await inTurn({}, captured, back('100.00'), captured)).toEqual([200, 200, 400, 'refunded'])
    })
  })

  describe('a refund asks the provider', () => {
    const refund = (transactionId: string) => providerEvent('PAYMENT.CAPTURE.REFUNDED', {transactionId})

    test('and fails when the transaction has no order there', async () => {
      const transactionId = await addTransaction(shop, {state: 'paid', providerOrderId: null})
      expect((await shop.deliver(refund(transactionId))).status).toBe(400)
    })

    test('even when all is refunded already', async () => {
      const down = await testShop({faults: ['provider=down']})
      const transactionId = await addTransaction(down, {state: 'refunded'})
      expect(await answered(await down.deliver(refund(transactionId)))).toEqual([400, EXECUTION_FAILED])
    })

    test('12: whose RESOURCE_NOT_FOUND counts as a success', async () => {
      const without = await testShop({faults: ['provider=not-found']})
      const transactionId = await addTransaction(without, {state: 'paid'})
      expect((await without.deliver(refund(transactionId))).status).toBe(200)
      expect(await stateOf(without, transactionId)).toBe('paid')
    })
  })

  describe('stored ways to pay', () => {
    const event = (type: 'CREATED' | 'DELETED', seed: number, providerOrderId: string) =>
      providerEvent(`VAULT.PAYMENT-TOKEN.${type}`, {seed, providerOrderId})

    test('are never saved, as a new one is looked up by the wrong id, and deleting one is fine', async () => {
      await addTransaction(shop, {providerOrderId: 'VAULTORDER'})
      for (const type of ['CREATED', 'DELETED'] as const)
        expect((await shop.deliver(event(type, 1, 'VAULTORDER'))).status).toBe(200)
    })

    test('are deleted by an id alone', async () => {
      const {payload} = event('DELETED', 2, 'x')
      expect((await shop.deliver(JSON.stringify({...payload, resource: {status: 'x'}}))).status).toBe(500)
    })

    test('in an older version are refused', async () => {
      const body = JSON.stringify(event('CREATED', 3, 'x').payload).replace('"3.0"', '"2.0"')
      expect((await shop.deliver(body)).status).toBe(400)
    })
  })

  describe('names given at the start', () => {
    test('of the provider and of the token', async () => {
      const other = await testShop({provider: 'acme', tokenPrefix: 'x'})
      expect((await other.deliver(providerEvent('CHECKOUT.ORDER.APPROVED'))).status).toBe(200)
      const path = '/api/_action/acme/webhook/execute'
      const {webhookToken} = other.credentials
      expect(
        (await other.post(`${path}?sw-token=${webhookToken}`, {event_type: 'X'}, JSON_TYPE)).status,
      ).toBe(400)
      expect((await other.post(`${PATH}?x-token=${webhookToken}`, {event_type: 'X'}, JSON_TYPE)).status).toBe(
        404,
      )
    })
  })
})
