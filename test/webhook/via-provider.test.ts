import {describe, expect, test} from 'vitest'
import {type Clock, machineClock} from '../../src/platform/clock.js'
import {streamDeliveries} from '../../src/shop/store/deliveries.js'
import {writeConfig} from '../../src/shop/store/schema/system-config.js'
import {runCapture} from '../gateway/support.js'
import {SkippingClock} from '../support/clock.js'
import {endpoint, type Received, type Reply} from '../support/endpoint.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {addTransaction, operatorOf, stateOf, type TestShop, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {ndjson} from './support.js'

/** Commands against a shop, and the provider that it plays or another one. */
function operator(shop: TestShop, provider?: string, clock: Clock = machineClock) {
  const {webhookToken} = shop.credentials
  const home = temporaryFolder()
  const env = operatorOf(shop, provider)
  const run = (words: string[], stdin = '') => storectl(words, {home, env, stdin, clock})
  const replay = async (...words: string[]) => {
    const argv = [
      'webhook',
      'replay',
      '--via',
      'provider',
      '--yes',
      '--rate',
      '0',
      '--max-age',
      'none',
      '--canary',
      'none',
      ...words,
    ]
    const {exit, stdout, stderr} = await run([...argv, '-o', 'ndjson'])
    return {exit, stderr, rows: readJsonLines(stdout)}
  }
  return {
    ...{run, replay, env, home},
    /** Imports a call of the provider. */
    take: (body: string) => run(['webhook', 'import', '-'], ndjson([{body}], webhookToken)),
    have: () =>
      run([
        'webhook',
        'import',
        '--from-provider',
        '--since',
        '2026-11-01T00:00:00Z',
        '--until',
        '2026-12-01T00:00:00Z',
      ]),
    outcomes: async (...words: string[]) => {
      const {rows} = await replay(...words)
      return rows.map(({result, detail}: {result: string; detail: string}) => [result, detail])
    },
  }
}

/** A provider that answers resends as it is told. */
async function stubborn(answer: (request: Received, count: number) => Reply) {
  let count = 0
  return endpoint(request =>
    request.url === '/v1/oauth2/token'
      ? {body: {access_token: 'token', expires_in: 32_400}}
      : answer(request, ++count),
  )
}

const QUICK = ['--provider-wait', '1s']

describe('--via provider', () => {
  test('has the provider deliver what it knows, and says what came of it', async () => {
    const shop = await testShop()
    const ids = [await addTransaction(shop), await addTransaction(shop, {state: 'in_progress'})]
    const cancelled = await addTransaction(shop, {state: 'cancelled'})
    const {have, replay, run} = operator(shop)
    await have()
    const {exit, rows} = await replay()
    expect(exit).toBe(0)
    expect(rows.map(({result, detail}: {result: string; detail: string}) => [result, detail]).sort()).toEqual(
      [
        ['applied', 'in_progress → paid'],
        ['applied', 'open → paid'],
        ['skipped', 'already-applied: its transaction is cancelled already'],
      ],
    )
    for (const id of ids) expect(await stateOf(shop, id)).toBe('paid')
    expect(await stateOf(shop, cancelled)).toBe('cancelled')
    for await (const {headers} of streamDeliveries(shop.db.reads)) {
      expect(headers.map(([name]) => name.toLowerCase())).not.toContain('x-replay-run')
    }
    const again = await replay()
    expect([again.exit, again.rows.map(({result}: {result: string}) => result)]).toEqual([0, ['skipped']])
    const shown = JSON.parse((await run(['run', 'show', 'last', '-o', 'json'])).stdout)
    expect(JSON.stringify(shown)).toContain('"via":"provider"')
  })

  test('events of one transaction wait for each other', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop, {amount: 100})
    const capture = captureCompleted({transactionId, createTime: '2026-11-20T08:00:00.000Z'})
    const refund = providerEvent('PAYMENT.CAPTURE.REFUNDED', {
      transactionId,
      createTime: '2026-11-20T09:00:00.000Z',
    })
    // The provider knows them because they were delivered once, and refused.
    const earlier = await shop.earlierToken()
    for (const event of [capture, refund]) await shop.deliver(event, earlier)
    const {have, outcomes} = operator(shop)
    await have()
    expect(await outcomes('--concurrency', '4')).toEqual([
      ['applied', 'open → paid'],
      ['applied', 'paid → refunded'],
    ])
  })

  test('what the provider takes and does not deliver is unknown, and is not asked for again', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const provider = await stubborn(() => ({status: 202, body: {}}))
    const {run, take, replay} = operator(shop, provider.url)
    const {id, body} = captureCompleted({transactionId})
    await take(body)
    const {exit, rows} = await replay(...QUICK)
    expect([exit, rows]).toMatchObject([
      6,
      [
        {
          id,
          result: 'unknown',
          status: 202,
          detail: expect.stringContaining('after 1 s the transaction was still open'),
        },
      ],
    ])
    expect(provider.received.filter(({url}) => url.endsWith('/resend'))).toHaveLength(1)
    const [listed] = JSON.parse((await run(['webhook', 'list', '-o', 'json'])).stdout)
    expect(listed).toMatchObject({status: 'unknown', attempts: 1})
  })

  test('what arrives late is applied all the same', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const event = captureCompleted({transactionId})
    const provider = await stubborn(() => {
      setTimeout(() => void shop.deliver(event), 400)
      return {status: 202, body: {}}
    })
    const {take, outcomes} = operator(shop, provider.url)
    await take(event.body)
    expect(await outcomes()).toEqual([['applied', 'open → paid']])
  })

  test.each([
    [404, {name: 'RESOURCE_NOT_FOUND', message: 'No'}, 5, 'rejected', 'RESOURCE_NOT_FOUND'],
    [403, {name: 'NOT_AUTHORIZED'}, 4, 'failed', 'does not allow'],
  ])('a refusal by %d is told', async (status, body, code, result, said) => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const provider = await stubborn(() => ({status, body}))
    const {take, replay} = operator(shop, provider.url, new SkippingClock())
    await take(captureCompleted({transactionId}).body)
    const {exit, rows} = await replay('--retries', '1')
    expect([exit, rows]).toMatchObject([code, [{result, detail: expect.stringContaining(said)}]])
    expect(await stateOf(shop, transactionId)).toBe('open')
  })

  test.each([500, 502, 503, 504])(
    'a resend that is answered %d is looked for, and not asked for again',
    async status => {
      const shop = await testShop()
      const transactionId = await addTransaction(shop)
      const provider = await stubborn(() => ({status}))
      const {take, replay} = operator(shop, provider.url, new SkippingClock())
      await take(captureCompleted({transactionId}).body)
      const {exit, rows} = await replay()
      expect([exit, rows]).toMatchObject([6, [{result: 'unknown', status, attempts: 1}]])
      expect(provider.received.filter(({url}) => url.endsWith('/resend'))).toHaveLength(1)
    },
  )

  test.each([
    ['names the webhook of the shop', 'WEBHOOK-1', ['WEBHOOK-1']],
    ['names none where the shop has none', null, undefined],
  ] as const)('a resend %s', async (_, webhookId, named) => {
    const shop = await testShop()
    if (webhookId) await shop.db.writes.run(db => writeConfig(db, 'SwagPayPal.settings.webhookId', webhookId))
    const transactions = [await addTransaction(shop), await addTransaction(shop)]
    const bodies: unknown[] = []
    const provider = await stubborn(({body}) => {
      bodies.push(JSON.parse(body))
      return {status: 422, body: {}}
    })
    const {take, replay} = operator(shop, provider.url)
    for (const [seed, transactionId] of transactions.entries())
      await take(captureCompleted({seed, transactionId}).body)
    await replay('--offline')
    expect(bodies).toEqual([{...(named && {webhook_ids: named})}, {...(named && {webhook_ids: named})}])
  })

  test('what comes in spite of a 503 at the resend is applied', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const event = captureCompleted({transactionId})
    const provider = await stubborn(() => {
      void shop.deliver(event)
      return {status: 503}
    })
    const {take, outcomes} = operator(shop, provider.url)
    await take(event.body)
    expect(await outcomes()).toEqual([['applied', 'open → paid']])
  })

  test('what the provider still tries by itself it does not resend: that is said', async () => {
    const shop = await testShop({faults: ['route=provider,events=pending']})
    await addTransaction(shop)
    const {have, outcomes} = operator(shop)
    await have()
    expect(await outcomes(...QUICK)).toEqual([
      ['unknown', expect.stringContaining('the provider still tries to deliver it by itself')],
    ])
  })

  test('what it asks for passes a capture that stands before the shop', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const {have, replay, env, home, run} = operator(shop)
    const capture = await runCapture(undefined, [], {env, home})
    const address = `${capture.url}?sw-token=${shop.credentials.webhookToken}`
    await shop.db.writes.run(db => writeConfig(db, 'storectl.providerWebhook.W1', address))
    await have()
    const {exit, rows} = await replay()
    expect([exit, rows]).toMatchObject([0, [{result: 'applied', detail: 'open → paid'}]])
    expect(await stateOf(shop, transactionId)).toBe('paid')
    expect(capture.err()).not.toContain('does not respond')
    const [{id}] = rows
    const attempts = await run(['webhook', 'show', id, '--attempts', '-o', 'json'])
    expect(JSON.parse(attempts.stdout)).toMatchObject([{by: 'delivery', status: 200}, {by: 'run'}])
    for await (const {status} of streamDeliveries(shop.db.reads)) expect(status).toBe(200)
  })

  test('what the shop refuses behind a capture is rejected, without waiting for longer', async () => {
    const shop = await testShop({faults: ['route=webhook,status=403']})
    await addTransaction(shop)
    const {have, replay, env, home} = operator(shop)
    const capture = await runCapture(undefined, [], {env, home})
    const address = `${capture.url}?sw-token=${shop.credentials.webhookToken}`
    await shop.db.writes.run(db => writeConfig(db, 'storectl.providerWebhook.W1', address))
    await have()
    const {exit, rows} = await replay('--provider-wait', '1h')
    expect([exit, rows]).toMatchObject([
      5,
      [{result: 'rejected', status: 403, detail: expect.stringContaining("the provider's delivery")}],
    ])
  })

  test('a provider that answers late, or not at once, is asked again', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop)
    const event = captureCompleted({transactionId})
    const provider = await stubborn((_, count) => {
      if (count === 1) return {status: 429, headers: {'retry-after': '0'}}
      void shop.deliver(event)
      return {status: 202, body: {}}
    })
    const {take, outcomes} = operator(shop, provider.url)
    await take(event.body)
    expect(await outcomes()).toEqual([['applied', 'open → paid']])
  })

  test('what would be held is held, and nothing is asked', async () => {
    const shop = await testShop()
    const transactionId = await addTransaction(shop, {state: 'refunded_partially'})
    const provider = await stubborn(() => ({status: 202, body: {}}))
    const {take, outcomes} = operator(shop, provider.url)
    await take(captureCompleted({transactionId}).body)
    expect(await outcomes()).toEqual([['held', expect.stringContaining('out-of-order')]])
    expect(provider.received).toEqual([])
  })

  test('without a look at the states, or without credentials, nothing is asked', async () => {
    const shop = await testShop()
    const {take, replay} = operator(shop)
    await take(captureCompleted({transactionId: await addTransaction(shop)}).body)
    expect(await replay('--no-check-state')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--no-check-state'),
    })
    const without = operator({
      ...shop,
      credentials: {...shop.credentials, providerClientId: '', providerClientSecret: ''},
    })
    await without.take(captureCompleted({transactionId: await addTransaction(shop)}).body)
    expect(await without.replay()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('--provider-client-secret-stdin'),
    })
  })
})

test('the profile local has its own provider deliver', async () => {
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(words, {home})
  await run(['server', 'seed', '--customers', '2', '--orders', '6'])
  await run(['webhook', 'import', '--from-provider', '--since', '2024-01-01T00:00:00Z'])
  const words = [
    '--profile',
    'local',
    '--via',
    'provider',
    '--yes',
    '--max-age',
    'none',
    '--rate',
    '0',
    '-o',
    'ndjson',
  ]
  const {exit, stdout} = await run(['webhook', 'replay', ...words])
  // The seeded shop has payments that went further than their events say: those are held.
  expect(exit).toBe(3)
  expect(stdout).toContain('"applied"')
})
