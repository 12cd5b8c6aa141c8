import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {openShopDeliveries} from '../../src/shop/read-deliveries.js'
import {addDelivery, type DeliveryRecord, streamDeliveries} from '../../src/shop/store/deliveries.js'
import {removeConfig, SHOP_ID} from '../../src/shop/store/schema/system-config.js'
import {generateId} from '../../src/shopware/ids.js'
import {currentTime} from '../support/clock.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {plainDelivery} from '../support/plain-delivery.js'
import {addTransaction, runShop, type TestShop, testShop} from '../support/shop.js'

const PATH = '/api/_action/paypal/webhook/execute'

async function list({db}: TestShop): Promise<DeliveryRecord[]> {
  const found: DeliveryRecord[] = []
  for await (const delivery of streamDeliveries(db.reads)) found.push(delivery)
  return found
}

async function newest(shop: TestShop) {
  const delivery = (await list(shop)).at(-1)
  if (!delivery) throw new Error('nothing was kept')
  return delivery
}

describe('a delivery is kept as it came', () => {
  let one: TestShop
  beforeAll(async () => {
    one = await runShop()
  })
  afterAll(() => one.remove())

  test('bytes, headers in their order and spelling, query without the token, time, answer', async () => {
    const shop = await testShop()
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
      reason: 'unknown order transaction',
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
      'already paid',
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
    const shop = await testShop({faults: ['route=webhook,status=503,count=1']})
    const event = captureCompleted({transactionId: await addTransaction(shop)})
    expect((await shop.deliver(event)).status).toBe(503)
    expect(await newest(shop)).toMatchObject({status: 503, eventId: event.id})
  })

  test('when the answer was lost after the commit, and not when the connection broke before it', async () => {
    const after = await testShop({faults: ['reset=after-commit']})
    await expect(after.deliver(captureCompleted())).rejects.toThrow()
    expect(await list(after)).toHaveLength(1)
    const before = await testShop({faults: ['reset=before-commit']})
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

test('a list of many is read in pages and has each once', async () => {
  const shop = await testShop()
  const deliveries = 1203
  await shop.db.writes.run(async db => {
    for (let number = 0; number < deliveries; number++) {
      const id = generateId(new Date(number % 600))
      await addDelivery(db, ...plainDelivery(id))
    }
  })
  const ids = (await list(shop)).map(({id}) => id)
  expect(new Set(ids).size).toBe(deliveries)
  expect(ids).toHaveLength(deliveries)
})

test('a shop of an earlier version, which did not store its id, has the same one', async () => {
  const shop = await testShop()
  const readId = async () => {
    const opened = await openShopDeliveries(join(shop.dataFolder, 'shop.db'), currentTime)
    await opened?.close()
    return opened?.shopId
  }
  const stored = await readId()
  expect(stored).toMatch(/^[0-9a-f]{16}$/)
  await shop.db.writes.run(db => removeConfig(db, SHOP_ID))
  expect(await readId()).toBe(stored)
})
