import {describe, expect, test} from 'vitest'
import type {ShopRequest} from '../../../src/shop/http/route.js'
import {deriveEventId, findTransactionOfEvent} from '../../../src/shop/provider/payment-events.js'
import {ProviderTokens} from '../../../src/shop/provider/sign-in.js'
import {streamDeliveries} from '../../../src/shop/store/deliveries.js'
import {readConfig, writeConfig} from '../../../src/shop/store/schema/system-config.js'
import {DEFAULT_EDITION} from '../../../src/shopware/editions.js'
import {endpoint} from '../../support/endpoint.js'
import {captureCompleted, providerEvent} from '../../support/events.js'
import {addTransaction, addTransactions, stateOf, type TestShop, testShop} from '../../support/shop.js'
import {until} from '../../support/until.js'

const EVENTS = '/v1/notifications/webhooks-events'

interface Listing {
  events: {id: string; event_type: string; create_time: string; resource: {custom_id: string}}[]
  count: number
  links: {rel: string; href: string}[]
}

/** The provider that a shop plays. */
function providerOf(shop: TestShop, credentials = shop.credentials) {
  const base = `${shop.url}/provider/paypal`
  const {providerClientId: id, providerClientSecret: secret} = credentials
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const token = async (authorization = basic, body = 'grant_type=client_credentials') =>
    fetch(`${base}/v1/oauth2/token`, {
      method: 'POST',
      headers: {authorization, 'content-type': 'application/x-www-form-urlencoded'},
      body,
    })
  let bearer: string | undefined
  const call = async (url: string, init: RequestInit = {}) => {
    bearer ??= ((await (await token()).json()) as {access_token: string}).access_token
    const headers = {authorization: `Bearer ${bearer}`, 'content-type': 'application/json'}
    return fetch(url.startsWith('http') ? url : `${base}${url}`, {...init, headers})
  }
  return {
    token,
    call,
    list: async (query = '') => (await (await call(`${EVENTS}${query}`)).json()) as Listing,
    resend: (id: string, body: object = {}) =>
      call(`${EVENTS}/${id}/resend`, {method: 'POST', body: JSON.stringify(body)}),
  }
}

async function countDeliveries({db}: TestShop): Promise<number> {
  let count = 0
  for await (const _ of streamDeliveries(db.reads)) count++
  return count
}

const nextOf = ({links}: Listing) => links.find(({rel}) => rel === 'next')?.href

test('its own pair signs in by Basic, and nothing else does', async () => {
  const shop = await testShop()
  const {token} = providerOf(shop)
  expect(await (await token()).json()).toMatchObject({
    access_token: expect.stringMatching(/^A21AA/),
    token_type: 'Bearer',
    expires_in: 32_400,
  })
  const {clientId, clientSecret} = shop.credentials
  const shopsOwn = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  for (const authorization of [shopsOwn, 'Basic eA==', 'Bearer x', '']) {
    const refused = await token(authorization)
    expect([refused.status, await refused.json()]).toMatchObject([401, {error: 'invalid_client'}])
  }
  expect((await token(undefined, 'grant_type=password')).status).toBe(400)
})

test('a token is refused once it has ended, and by another layout than the shop’s', async () => {
  const shop = await testShop()
  const {call, list} = providerOf(shop)
  expect(await list()).toEqual({events: [], count: 0, links: [expect.objectContaining({rel: 'self'})]})
  shop.clock.advance(32_400_000)
  const refused = await call(EVENTS)
  expect([refused.status, await refused.json()]).toMatchObject([401, {error: 'invalid_token'}])
  expect((await fetch(`${shop.url}/provider/paypal${EVENTS}`)).status).toBe(401)
})

test('no more than a thousand tokens are good at a time, the newest', async () => {
  const {db, clock, credentials} = await testShop()
  const {providerClientId: id, providerClientSecret: secret} = credentials
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const tokens = new ProviderTokens({db, now: () => clock.now(), edition: DEFAULT_EDITION})
  const parameters = {grant_type: 'client_credentials'}
  const bearers: string[] = []
  const grant = async () => {
    const {body} = await tokens.grant({headers: {authorization}, parameters} as unknown as ShopRequest)
    bearers.push(`Bearer ${JSON.parse(String(body)).access_token}`)
  }
  const refused = () =>
    bearers.filter(bearer => tokens.checkToken({headers: {authorization: bearer}} as ShopRequest))
  await grant()
  await Promise.all(Array.from({length: 999}, grant))
  expect(refused()).toEqual([])
  await grant()
  expect(refused()).toEqual([bearers[0]])
})

describe('the events', () => {
  test('are what reached the shop, once each, and the payments of which nothing did', async () => {
    const shop = await testShop()
    const {list, call} = providerOf(shop)
    const told = await addTransaction(shop)
    const untold = await addTransaction(shop, {amount: 12.5, orderNumber: '10007'})
    const event = captureCompleted({transactionId: told, createTime: '2026-11-20T08:00:00.000Z'})
    await shop.deliver(event)
    await shop.deliver(event)
    await shop.deliver('{"id":"WH-X"}')
    const {events, count} = await list()
    expect(count).toBe(2)
    expect(events[1]).toMatchObject({...event.payload, status: 'SUCCESS'})
    const [elsewhere, here] = (events[1] as unknown as {transmissions: Record<string, unknown>[]})
      .transmissions
    expect(elsewhere?.webhook_url).not.toContain(shop.url)
    expect(here).toMatchObject({
      webhook_url: expect.stringContaining(`sw-token=${shop.credentials.webhookToken}`),
      http_status: 200,
      response_headers: {Date: shop.clock.now().toUTCString(), 'Set-Cookie': expect.any(String)},
    })
    expect(events[0]).toMatchObject({
      id: expect.stringMatching(/^WH-[0-9A-Z]{17}-[0-9A-Z]{17}$/),
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      create_time: '2026-11-21T12:00:00.000Z',
      resource: {custom_id: untold, amount: {value: '12.50', currency_code: 'EUR'}, invoice_id: '10007'},
    })
    expect(await (await call(`${EVENTS}/${events[0]?.id}`)).json()).toEqual(events[0])
    expect((await call(`${EVENTS}/WH-${'A'.repeat(17)}-${'0'.repeat(17)}`)).status).toBe(404)
  })

  test('have an answer of a later time than their first transmission, in the list as alone', async () => {
    const shop = await testShop()
    const {list, call} = providerOf(shop)
    const event = captureCompleted({transactionId: await addTransaction(shop)})
    const first = shop.clock.now().toISOString()
    await shop.deliver(event)
    shop.clock.advance(60_000)
    await shop.deliver(event)
    const [listed] = (await list()).events
    expect(listed).toMatchObject({
      transmissions: [{}, {timestamp: first, response_headers: {Date: shop.clock.now().toUTCString()}}],
    })
    expect(await (await call(`${EVENTS}/${listed?.id}`)).json()).toEqual(listed)
  })

  test('come without what only the list has, or with a newer resource, as faults say', async () => {
    const shop = await testShop({
      faults: [
        'events=no-status,count=2',
        'events=no-transmissions,after=1,count=2',
        'events=newer,after=3,count=1',
      ],
    })
    const {list} = providerOf(shop)
    await addTransaction(shop)
    const seen: unknown[] = []
    for (let at = 0; at < 4; at++) {
      const [event] = (await list()).events as unknown as Record<string, unknown>[]
      seen.push(['status', 'transmissions'].map(name => name in (event ?? {})))
      const {update_time, create_time} = (event as {resource: Record<string, string>}).resource
      seen.push(update_time === create_time)
      expect(JSON.stringify(event?.links)).toContain('"encType":"application/json"')
    }
    expect(seen).toEqual([
      ...[[false, true], true, [false, false], true],
      ...[[true, false], true, [true, true], false],
    ])
  })

  test('say of a payment what its state says became of it', async () => {
    const shop = await testShop()
    const states = ['open', 'paid', 'cancelled', 'refunded', 'refunded_partially', 'authorized']
    const ids = new Map<string, string>()
    for (const state of states) ids.set(await addTransaction(shop, {state}), state)
    const {events} = await providerOf(shop).list()
    const types = Object.fromEntries(events.map(each => [ids.get(each.resource.custom_id), each.event_type]))
    expect(types).toEqual({
      open: 'PAYMENT.CAPTURE.COMPLETED',
      paid: 'PAYMENT.CAPTURE.COMPLETED',
      cancelled: 'PAYMENT.CAPTURE.DENIED',
      refunded: 'PAYMENT.CAPTURE.REFUNDED',
      refunded_partially: 'PAYMENT.CAPTURE.REFUNDED',
      authorized: 'PAYMENT.AUTHORIZATION.CREATED',
    })
  })

  test('come in pages, the newest first, each once, by time and type', async () => {
    const shop = await testShop()
    const {list} = providerOf(shop)
    for (let at = 0; at < 12; at++) {
      if (at % 4 === 0) shop.clock.advance(60_000)
      const id = await addTransaction(shop)
      if (at % 3 === 0) await shop.deliver(captureCompleted({transactionId: id, seed: at}))
      if (at === 5) await shop.deliver(providerEvent('CHECKOUT.ORDER.APPROVED', {seed: at}))
    }
    const whole = await list('?page_size=100')
    expect(whole.count).toBe(13)
    const times = whole.events.map(({create_time}) => create_time)
    expect(times).toEqual([...times].sort().reverse())
    const paged: string[] = []
    for (let page = await list('?page_size=3'); ; ) {
      paged.push(...page.events.map(({id}) => id))
      const next = nextOf(page)
      if (!next) break
      page = (await (await providerOf(shop).call(next)).json()) as Listing
    }
    expect(paged).toEqual(whole.events.map(({id}) => id))
    const approved = await list('?event_type=CHECKOUT.ORDER.APPROVED&page_size=2')
    expect(approved.events.map(({event_type}) => event_type)).toEqual(['CHECKOUT.ORDER.APPROVED'])
    const some = await list('?page_size=100&start_time=2026-11-21T12:02:00Z&end_time=2026-11-21T12:02:59Z')
    expect(new Set(some.events.map(each => each.create_time))).toEqual(new Set(['2026-11-21T12:02:00.000Z']))
  })

  test('of one listing are a thousand at most', async () => {
    const shop = await testShop()
    await addTransactions(shop, Array(1003).fill({}))
    const {call} = providerOf(shop)
    let count = 0
    let url: string | undefined = `${EVENTS}?page_size=100`
    while (url) {
      const page = (await (await call(url)).json()) as Listing
      count += page.count
      url = nextOf(page)
    }
    expect(count).toBe(1000)
  })

  test.each(['?start_time=yesterday', '?end_time=2026-13-45T00:00:00Z', '?page_size=0', '?page_size=101'])(
    '%s is refused in the provider’s layout',
    async query => {
      const refused = await providerOf(await testShop()).call(`${EVENTS}${query}`)
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        {name: 'VALIDATION_ERROR', debug_id: expect.any(String), details: [{issue: expect.any(String)}]},
      ])
    },
  )
})

describe('sending again', () => {
  test('delivers the event to the shop, as the provider does', async () => {
    const shop = await testShop()
    const {list, resend} = providerOf(shop)
    const id = await addTransaction(shop)
    const [event] = (await list()).events
    const answer = await resend(event?.id as string)
    expect([answer.status, await answer.json()]).toEqual([202, event])
    await until('the payment is paid', async () => (await stateOf(shop, id)) === 'paid')
    expect((await list()).events).toMatchObject([{id: event?.id, status: 'SUCCESS'}])
    for await (const {headers} of streamDeliveries(shop.db.reads)) {
      expect(Object.fromEntries(headers)).toMatchObject({'paypal-transmission-id': expect.any(String)})
    }
  })

  test('goes to the webhooks that are registered, by their ids', async () => {
    const shop = await testShop()
    const {list, resend} = providerOf(shop)
    const id = await addTransaction(shop)
    const [event] = (await list()).events
    await shop.call('/api/_action/paypal/webhook/register/null')
    const webhook = await readConfig(shop.db.reads, 'SwagPayPal.settings.webhookId')
    expect((await resend(event?.id as string, {webhook_ids: ['0AB']})).status).toBe(404)
    expect((await resend(event?.id as string, {webhook_ids: [webhook]})).status).toBe(202)
    await until('the payment is paid', async () => (await stateOf(shop, id)) === 'paid')
  })

  test('goes to the webhook that is named alone, and to at most 500', async () => {
    const shop = await testShop()
    const {list, resend} = providerOf(shop)
    const id = await addTransaction(shop)
    const [event] = (await list()).events
    const other = await endpoint(() => ({body: {}}))
    await shop.call('/api/_action/paypal/webhook/register/null')
    await shop.db.writes.run(db =>
      writeConfig(db, 'storectl.providerWebhook.OTHER', `${other.url}/hook?sw-token=x`),
    )
    const listed = (await list()).events[0] as unknown as {transmissions: {webhook_url: string}[]}
    expect(listed.transmissions.map(({webhook_url}) => webhook_url)).toContain(`${other.url}/hook?sw-token=x`)
    expect((await resend(event?.id as string, {webhook_ids: ['OTHER']})).status).toBe(202)
    await until('the other webhook has it', () => other.received.length === 1)
    expect(await stateOf(shop, id)).toBe('open')
    const many = await resend(event?.id as string, {webhook_ids: Array.from({length: 501}, () => 'OTHER')})
    expect([many.status, await many.json()]).toMatchObject([400, {name: 'VALIDATION_ERROR'}])
  })

  test('sends nothing while the provider still tries by itself', async () => {
    const shop = await testShop({faults: ['route=provider,events=pending,count=2']})
    const {list, resend} = providerOf(shop)
    const id = await addTransaction(shop)
    const [event] = (await list()).events
    const transmissions = [{status: 'SUCCESS'}, {status: 'PENDING'}]
    expect(event).toMatchObject({status: 'PENDING', transmissions})
    const answer = await resend(event?.id as string)
    expect([answer.status, await answer.json()]).toMatchObject([202, {status: 'PENDING'}])
    expect(await stateOf(shop, id)).toBe('open')
    await resend(event?.id as string)
    await until('its delivery is recorded', async () => (await countDeliveries(shop)) > 0)
    expect([await countDeliveries(shop), await stateOf(shop, id)]).toEqual([1, 'paid'])
  })

  test('has a new transmission id, or that of the first with its time, and may come late', async () => {
    const shop = await testShop({
      faults: ['events=same-transmission,after=2', 'events=late,work-after=50ms,after=2'],
    })
    const {list, resend} = providerOf(shop)
    await addTransaction(shop)
    const [event] = (await list()).events as unknown as {
      id: string
      transmissions: {transmission_id: string; timestamp: string}[]
    }[]
    const {transmission_id, timestamp} = event?.transmissions[1] ?? {}
    for (const count of [1, 2]) {
      await resend(event?.id as string)
      await until('it came', async () => (await countDeliveries(shop)) === count)
    }
    const sent: (string | undefined)[][] = []
    for await (const {headers} of streamDeliveries(shop.db.reads)) {
      const of = Object.fromEntries(headers)
      sent.push([of['paypal-transmission-id'], of['paypal-transmission-time']])
    }
    expect(sent).toContainEqual([transmission_id, `${timestamp?.slice(0, 19)}Z`])
    expect(new Set(sent.map(([id]) => id)).size).toBe(2)
  })

  test('of what it does not know is refused', async () => {
    const refused = await providerOf(await testShop()).resend('WH-1')
    expect([refused.status, await refused.json()]).toMatchObject([404, {name: 'RESOURCE_NOT_FOUND'}])
  })
})

test('faults strike it, by its name and as the provider that is down', async () => {
  const shop = await testShop({
    faults: ['route=provider,status=429,retry-after=7,after=1,count=1', 'provider=down,after=1'],
  })
  const {call} = providerOf(shop)
  const limited = await call(EVENTS)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  const down = await call(EVENTS)
  expect([down.status, await down.json()]).toMatchObject([500, {name: 'INTERNAL_SERVER_ERROR'}])
})

test('it is not part of the shop’s API', async () => {
  const shop = await testShop()
  for (const path of ['/api/_info/openapi3.json', '/api/_info/routes']) {
    expect(await (await shop.get(path)).text()).not.toContain('/provider/')
  }
})

test('the id of an event leads back to the transaction', () => {
  for (const id of ['0'.repeat(32), 'f'.repeat(32), '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b']) {
    for (const state of ['open', 'refunded', 'failed'])
      expect(findTransactionOfEvent(deriveEventId({id, state}))).toBe(id)
  }
  expect(findTransactionOfEvent(`WH-${'Z'.repeat(17)}-${'Z'.repeat(16)}C`)).toBeUndefined()
  expect(findTransactionOfEvent('WH-1')).toBeUndefined()
})
