import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {generateId} from '../../src/shop/model/ids.js'
import type {DeliveryFilter} from '../../src/shop/store/deliveries.js'
import {addDelivery, countDeliveries, getDelivery, listDeliveries} from '../../src/shop/store/deliveries.js'
import {ENGINES} from '../support/engines.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {addTransaction, runShop, type TestShop, testShop} from '../support/shop.js'

describe.each(ENGINES)('on $name', engine => {
  const PATH = '/api/_action/paypal/webhook/execute'

  async function list({db}: TestShop, filter: DeliveryFilter = {}) {
    const found = []
    for await (const delivery of listDeliveries(db.reads, filter)) found.push(delivery)
    return found
  }

  async function newest(shop: TestShop) {
    const [summary] = await list(shop, {limit: 1})
    const delivery = await getDelivery(shop.db.reads, summary?.id ?? '')
    if (!delivery) throw new Error('nothing was kept')
    return delivery
  }

  describe('a delivery is kept as it came', () => {
    let one: TestShop
    beforeAll(async () => {
      one = await runShop({engine})
    })
    afterAll(() => one.remove())

    test('bytes, headers in their order and spelling, query without the token, time, answer', async () => {
      const shop = await testShop({engine})
      const event = captureCompleted({seed: 9})
      const body = `${event.body.replace('"100.00"', '"1e2"')} \n`
      const query = `a=%41&sw-token=${shop.credentials.webhookToken}&b`
      await fetch(`${shop.url}${PATH}?${query}`, {
        method: 'POST',
        body,
        headers: {...event.headers, Authorization: 'Bearer secret', Cookie: 'c=1', 'X-Odd': 'ä'},
      })
      const kept = await newest(shop)
      expect(kept).toMatchObject({
        receivedAt: new Date('2026-11-21T12:00:00.000Z'),
        status: 400,
        eventId: event.id,
        eventType: 'PAYMENT.CAPTURE.COMPLETED',
        eventCreatedAt: event.payload.create_time,
        reason: 'the order transaction is not known here',
        sizeBytes: Buffer.byteLength(body),
        path: PATH,
        query: 'a=%41&b',
        answer: {
          contentType: 'application/json',
          body: expect.stringContaining('An error occurred during execution'),
        },
      })
      expect(Buffer.from(kept.body).toString()).toBe(body)
      const names = kept.headers.map(([name]) => name)
      expect(names).toEqual(expect.arrayContaining(['paypal-transmission-id', 'X-Odd', 'user-agent']))
      expect(names.map(name => name.toLowerCase())).not.toEqual(expect.arrayContaining(['authorization']))
      expect(names.map(name => name.toLowerCase())).not.toEqual(expect.arrayContaining(['cookie']))
      expect(JSON.stringify(kept)).not.toContain(shop.credentials.webhookToken)
    })

    const ends: [string, (shop: TestShop) => Promise<unknown>, number, string][] = [
      [
        'handled',
        async shop => shop.deliver(captureCompleted({transactionId: await addTransaction(shop)})),
        200,
        'open → paid',
      ],
      [
        'already so',
        async shop =>
          shop.deliver(captureCompleted({transactionId: await addTransaction(shop, {state: 'paid'})})),
        200,
        'is paid already',
      ],
      [
        'without handler',
        shop => shop.deliver(providerEvent('CHECKOUT.ORDER.APPROVED')),
        200,
        'no handler for CHECKOUT.ORDER.APPROVED',
      ],
      [
        'with a wrong token',
        shop => shop.deliver(captureCompleted(), 'wrong'),
        400,
        'Shopware token is invalid',
      ],
      ['malformed', shop => shop.deliver('{"a":'), 400, 'The JSON payload is malformed.'],
      [
        'illegal',
        async shop =>
          shop.deliver(captureCompleted({transactionId: await addTransaction(shop, {state: 'reminded'})})),
        400,
        'paid is not allowed from reminded',
      ],
      [
        'breaking the receiver',
        shop => shop.deliver('{"id":"x"}'),
        500,
        expect.stringContaining('eventType') as never,
      ],
      [
        'of bytes that are no text',
        shop => shop.post(`${PATH}?sw-token=x`, Buffer.from([0xff, 0x00, 0xfe])),
        400,
        'Shopware token is invalid',
      ],
      [
        'with a bad language',
        shop => shop.post(PATH, '{}', {'sw-language-id': 'x'}),
        412,
        expect.stringContaining('language') as never,
      ],
    ]
    test.each(ends)('when it was %s', async (_name, deliver, status, reason) => {
      const before = await list(one)
      await deliver(one)
      expect(await newest(one)).toMatchObject({status, reason})
      expect(await list(one)).toHaveLength(before.length + 1)
      one.clock.advance(1)
    })

    test('when a fault answered instead of the shop', async () => {
      const shop = await testShop({engine, faults: ['route=webhook,status=503,count=1']})
      const event = captureCompleted({transactionId: await addTransaction(shop)})
      expect((await shop.deliver(event)).status).toBe(503)
      expect(await newest(shop)).toMatchObject({status: 503, eventId: event.id})
    })

    test('when the answer was lost after the commit, and not when the connection broke before it', async () => {
      const after = await testShop({engine, faults: ['reset=after-commit']})
      await expect(after.deliver(captureCompleted())).rejects.toThrow()
      expect(await list(after)).toHaveLength(1)
      const before = await testShop({engine, faults: ['reset=before-commit']})
      await expect(before.deliver(captureCompleted())).rejects.toThrow()
      expect(await list(before)).toHaveLength(0)
    })

    test('but not when it was no delivery at all', async () => {
      const before = await list(one)
      await fetch(`${one.url}${PATH}`)
      await one.post('/api/_action/stripe/webhook/execute', '{}')
      expect(await list(one)).toEqual(before)
    })
  })

  describe('the list of deliveries', () => {
    let shop: TestShop
    let transactionId: string
    /** Event ids in the order in which they arrived, a minute apart from 12:00. */
    const arrived: string[] = []

    beforeAll(async () => {
      shop = await runShop({engine})
      transactionId = await addTransaction(shop, {orderNumber: 'AB-10001'})
      const deliver = async (event: ReturnType<typeof providerEvent>, token?: string) => {
        await shop.deliver(event, token)
        arrived.push(event.id)
        shop.clock.advance(60_000)
      }
      await deliver(captureCompleted({seed: 1, transactionId}))
      await deliver(captureCompleted({seed: 2}), 'wrong')
      await deliver(providerEvent('PAYMENT.CAPTURE.REFUNDED', {seed: 3, transactionId}))
      await deliver(providerEvent('CHECKOUT.ORDER.APPROVED', {seed: 4}))
      await deliver(captureCompleted({seed: 5}))
      await deliver(captureCompleted({seed: 6, transactionId}), 'rotated')
    })
    afterAll(() => shop.remove())

    const minute = (minutes: number) => new Date(Date.UTC(2026, 10, 21, 12, minutes))
    const cases: [string, () => DeliveryFilter, number[]][] = [
      ['all, the newest first', () => ({}), [5, 4, 3, 2, 1, 0]],
      ['some', () => ({limit: 2}), [5, 4]],
      ['by status', () => ({status: 400}), [5, 4, 1]],
      ['accepted', () => ({status: 'accepted'}), [3, 2, 0]],
      ['refused', () => ({status: 'refused'}), [5, 4, 1]],
      ['by type', () => ({type: 'CHECKOUT.ORDER.APPROVED'}), [3]],
      ['by a pattern of types', () => ({type: 'PAYMENT.CAPTURE.*'}), [5, 4, 2, 1, 0]],
      ['by a pattern whose signs are letters', () => ({type: 'PAYMENT_CAPTURE%*'}), []],
      ['by event', () => ({eventId: arrived[3] as string}), [3]],
      ['since', () => ({since: minute(3)}), [5, 4, 3]],
      ['until, which is not in it', () => ({until: minute(2)}), [1, 0]],
      ["by the order's number, in any case", () => ({order: 'ab-10001'}), [5, 2, 0]],
      ["by the transaction's id", () => ({order: transactionId}), [5, 2, 0]],
      ['by an order that there is not', () => ({order: '99'}), []],
      ['by several', () => ({status: 'refused', since: minute(2), type: 'PAYMENT.*'}), [5, 4]],
    ]
    test.each(cases)('%s', async (_name, filter, expected) => {
      expect((await list(shop, filter())).map(({eventId}) => eventId)).toEqual(
        expected.map(index => arrived[index]),
      )
      const {limit: _limit, ...rest} = filter()
      if (filter().limit === undefined) {
        expect(await countDeliveries(shop.db.reads, rest)).toBe(expected.length)
      }
    })

    test('goes on behind any of them, whatever came meanwhile', async () => {
      const [first] = await list(shop, {limit: 1})
      const rest = await list(shop, {after: first?.id ?? ''})
      expect(rest.map(({eventId}) => eventId)).toEqual([4, 3, 2, 1, 0].map(index => arrived[index]))
    })

    test('knows no delivery of another id', async () => {
      expect(await getDelivery(shop.db.reads, 'nothing')).toBeUndefined()
    })
  })

  test('a list of many is read in pages and has each once', async () => {
    const shop = await testShop({engine})
    const deliveries = 1203
    const row = {received_at: '2026-11-21T12:00:00.000Z', status: 200, event_id: null, event_type: null}
    const rest = {event_created_at: null, transaction_id: null, reason: '', size_bytes: 0}
    const content = {path: '/', query: '', headers: '[]', body: Buffer.alloc(0)}
    await shop.db.writes.run(async db => {
      for (let number = 0; number < deliveries; number++) {
        const id = generateId(new Date(number % 600))
        await addDelivery(db, {id, ...row, ...rest}, {...content, answer_content_type: null, answer_body: ''})
      }
    })
    const ids = (await list(shop)).map(({id}) => id)
    expect(new Set(ids).size).toBe(deliveries)
    expect(ids).toEqual([...ids].sort().reverse())
    expect((await list(shop, {limit: 700})).map(({id}) => id)).toEqual(ids.slice(0, 700))
    expect(await countDeliveries(shop.db.reads)).toBe(deliveries)
  })
})
