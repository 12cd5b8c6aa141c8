import {describe, expect, test} from 'vitest'
import type {Notification} from '../../src/wire/schemas/webhook.js'
import {StoppedClock} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {endpoint, type Received, type Reply} from '../support/endpoint.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransaction, addTransactions, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'

const SECRET = 'provider-secret-of-a-test'
const SPAN = ['--since', '2026-11-20T00:00:00Z', '--until', '2026-11-22T00:00:00Z']

const at = (minute: number) =>
  new Date(Date.parse('2026-11-20T12:00:00.000Z') + minute * 60_000).toISOString()
const eventAt = (minute: number, type = 'PAYMENT.CAPTURE.COMPLETED') =>
  providerEvent(type, {seed: minute, createTime: at(minute)}).payload as Notification & {create_time: string}

const listing = ({url}: Received) => url.startsWith('/v1/notifications')

/** A provider that has these events, with pages of ten, and listings of `most`. */
async function provider(
  events: readonly ReturnType<typeof eventAt>[],
  {most = 1000, instead = (_: Received, __: number): Reply | undefined => undefined} = {},
) {
  const sorted = [...events].sort((one, other) => (one.create_time < other.create_time ? 1 : -1))
  const asked: Received[] = []
  let tokens = 0
  const {url} = await endpoint(request => {
    asked.push(request)
    const other = instead(request, asked.length)
    if (other) return other
    if (request.url === '/v1/oauth2/token')
      return {body: {access_token: `token-${++tokens}`, expires_in: 32_400}}
    const query = new URL(request.url, 'http://x').searchParams
    const size = Math.min(10, Number(query.get('page_size')))
    if (Number(query.get('page_size')) > 10)
      return {status: 400, body: {name: 'VALIDATION_ERROR', message: 'page_size'}}
    const from = Number(query.get('offset') ?? 0)
    const meant = sorted.filter(
      ({create_time}) =>
        create_time >= (query.get('start_time') as string) &&
        create_time <= (query.get('end_time') as string),
    )
    const page = meant.slice(from, Math.min(from + size, most))
    const next = new URLSearchParams({...Object.fromEntries(query), offset: String(from + size)})
    const hasMore = from + size < Math.min(meant.length, most)
    // A link of another host, as the provider gives it: nothing may be sent there.
    const links = hasMore
      ? [{rel: 'next', href: `https://other.invalid/v1/notifications/webhooks-events/?${next}`}]
      : []
    return {body: {links, count: page.length, events: page}}
  })
  // The provider's list reaches back 30 days.
  const clock = new StoppedClock('2026-11-23T00:00:00.000Z')
  const home = temporaryFolder()
  const env = {
    STORECTL_URL: 'https://shop.example',
    STORECTL_PROVIDER_URL: url,
    STORECTL_PROVIDER_CLIENT_ID: 'AX',
    STORECTL_PROVIDER_CLIENT_SECRET: SECRET,
  }
  const run = async (words: string[] = SPAN) => {
    const ended = await storectl(
      ['webhook', 'import', '--from-provider', ...words, '--debug', '-o', 'json'],
      {home, env, clock},
    )
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(SECRET)
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(Buffer.from(`AX:${SECRET}`).toString('base64'))
    return {...ended, result: ended.stdout === '' ? undefined : JSON.parse(ended.stdout)}
  }
  const inbox = async () =>
    (await storectl(['webhook', 'list', '-o', 'id', '--limit', '1000'], {home, env})).stdout
      .trim()
      .split('\n')
      .filter(id => id !== '')
  const interrupted = () => testContext({home, env, clock})
  return {url, asked, run, inbox, interrupted, home, env}
}

const many = (count: number) => Array.from({length: count}, (_, minute) => eventAt(minute))

describe('the provider’s list', () => {
  test('is paged into the inbox, signed in to by Basic, and had once', async () => {
    const {run, inbox, asked} = await provider(many(25))
    expect((await run()).result).toEqual({
      ...{added: 25, known: 0, conflicting: 0, unusable: 0, passedOver: 0},
      ...{gaps: [], carriedOn: false},
    })
    expect(await inbox()).toHaveLength(25)
    const [token, first] = asked
    expect(token?.headers.authorization).toBe(`Basic ${Buffer.from(`AX:${SECRET}`).toString('base64')}`)
    expect(token?.body).toBe('grant_type=client_credentials')
    expect(first?.headers.authorization).toBe('Bearer token-1')
    expect((await run()).result).toMatchObject({added: 0, known: 25})
  })

  test('that ends early is asked for again, for the time before it', async () => {
    const {run, inbox} = await provider(many(95), {most: 30})
    expect((await run()).result).toMatchObject({added: 95, known: 0, gaps: []})
    expect(await inbox()).toHaveLength(95)
  })

  test('that is too short for one moment is said to lack the rest', async () => {
    const crowd = Array.from({length: 40}, (_, seed) => ({
      ...eventAt(5, 'PAYMENT.CAPTURE.DENIED'),
      id: `WH-${seed}`,
    }))
    const {run, inbox} = await provider([...crowd, ...many(3)], {most: 20})
    const {exit, result, stderr} = await run()
    expect(exit).toBe(3)
    expect(result.gaps).toEqual([
      {since: at(5), until: at(5), why: 'more events at one time than the provider lists'},
    ])
    expect(stderr).toContain(`missing: ${at(5)}`)
    expect(await inbox()).toHaveLength(23)
  })

  test('is narrowed by type, at the provider where it can be', async () => {
    const some = [eventAt(1), eventAt(2, 'PAYMENT.CAPTURE.DENIED'), eventAt(3, 'CHECKOUT.ORDER.APPROVED')]
    const {run, inbox, asked} = await provider(some)
    await run([...SPAN, '--type', 'PAYMENT.CAPTURE.*'])
    expect(await inbox()).toEqual([some[1]?.id, some[0]?.id])
    expect(asked.at(-1)?.url).not.toContain('event_type')
    await run([...SPAN, '--type', 'CHECKOUT.ORDER.APPROVED'])
    expect(asked.at(-1)?.url).toContain('event_type=CHECKOUT.ORDER.APPROVED')
  })

  test('of long ago may lack what the provider no longer has', async () => {
    const {run} = await provider(many(1))
    const {exit, stderr} = await run(['--since', '90d', '--until', '2026-11-22T00:00:00Z'])
    expect([exit, stderr]).toEqual([0, expect.stringContaining('may be missing: ')])
  })

  test('with something in it that is no event is had but for that', async () => {
    const odd = {...eventAt(1), event_type: undefined} as never
    const {run} = await provider([eventAt(2), odd])
    expect(await run()).toMatchObject({exit: 3, result: {added: 1, unusable: 1}})
  })
})

describe('a provider that fails', () => {
  test('for a moment is asked again', async () => {
    let failures = 0
    const {run} = await provider(many(15), {
      instead: request =>
        listing(request) && ++failures <= 3 && failures !== 1
          ? {status: failures === 2 ? 503 : 429, headers: {'retry-after': '0'}}
          : undefined,
    })
    expect((await run()).result).toMatchObject({added: 15, gaps: []})
  })

  test('whose token ends midway is signed in to again', async () => {
    const {run, asked} = await provider(many(15), {
      instead: request =>
        request.headers.authorization === 'Bearer token-1' && request.url.includes('offset')
          ? {status: 401, body: {error: 'invalid_token', error_description: 'x'}}
          : undefined,
    })
    expect((await run()).result).toMatchObject({added: 15, gaps: []})
    expect(asked.filter(({url}) => url === '/v1/oauth2/token')).toHaveLength(2)
  })

  test('for good midway leaves a gap that is named, and the next import carries on there', async () => {
    let isDown = true
    const {run, inbox, asked} = await provider(many(40), {
      instead: request =>
        isDown && request.url.includes('offset=20')
          ? {status: 403, body: {name: 'NOT_AUTHORIZED'}}
          : undefined,
    })
    const first = await run()
    expect(first.exit).toBe(4)
    expect(first.result).toMatchObject({
      added: 20,
      gaps: [{since: '2026-11-20T00:00:00.000Z', until: '2026-11-20T12:20:59.999Z'}],
    })
    expect(first.stderr).toContain('NOT_AUTHORIZED')
    isDown = false
    const before = asked.length
    const second = await run()
    expect(second.result).toMatchObject({added: 20, gaps: [], carriedOn: true})
    expect(second.stderr).toContain('resumed where an earlier import ended')
    const ends = asked
      .slice(before)
      .flatMap(({url}) => new URL(url, 'http://x').searchParams.get('end_time') ?? [])
    expect((ends[0] as string) < at(22)).toBe(true)
    expect(await inbox()).toHaveLength(40)
    expect((await run()).result).toMatchObject({known: 40, carriedOn: false})
  })

  test.each([
    ['no text', 7, 'names an invalid next page: 7'],
    ['no query', 'https://api.example/next', 'names an invalid next page: "https://api.example/next"'],
    ['the same page again', '?page_size=10&start_time=x&offset=7', 'never ends'],
  ])('whose link to the next page is %s leaves a gap, exit 6', async (_, href, words) => {
    const page = {links: [{rel: 'next', href}], events: [eventAt(1)]}
    const {run} = await provider([], {
      instead: request =>
        listing(request) && request.url.includes('page_size=10&') ? {body: page} : undefined,
    })
    const {exit, stderr, result} = await run()
    expect([exit, result.added, result.gaps.length]).toEqual([6, 1, 1])
    expect(stderr).toContain(words)
  })

  test('while the import is being stopped leaves no gap: what is missing is had the next time', async () => {
    let stop: (() => void) | undefined
    const {run, inbox, interrupted} = await provider(many(40), {
      instead: request => {
        if (!stop || !request.url.includes('offset=20')) return undefined
        stop()
        return {status: 403, body: {name: 'NOT_AUTHORIZED'}}
      },
    })
    const stopped = interrupted()
    stop = () => stopped.interruption.stop('SIGINT')
    const words = ['webhook', 'import', '--from-provider', ...SPAN, '-o', 'json']
    const {exit, stdout, stderr} = await storectl(words, stopped)
    expect([exit, JSON.parse(stdout)]).toMatchObject([130, {added: 20, gaps: []}])
    expect(stderr).not.toContain('NOT_AUTHORIZED')
    stop = undefined
    expect((await run()).result).toMatchObject({added: 20, gaps: [], carriedOn: true})
    expect(await inbox()).toHaveLength(40)
  })

  test.each([
    [
      401,
      {error: 'invalid_client', error_description: 'Client Authentication failed'},
      4,
      'refused the sign-in (401): invalid_client: Client',
    ],
    [500, {}, 6, 'failed (500) at the sign-in'],
    [404, '<html>', 2, "is not the provider's API (404)"],
    [200, {access_token: 'a\r\nb: c', expires_in: 1}, 2, "is not the provider's API (200)"],
  ])('at the sign-in with %d ends it at once', async (status, body, code, said) => {
    const {run} = await provider([], {
      instead: ({url}) =>
        url.includes('oauth2') ? {status, body: typeof body === 'string' ? body : body} : undefined,
    })
    expect(await run()).toMatchObject({exit: code, stdout: '', stderr: expect.stringContaining(said)})
  })

  test('without a list of events is none', async () => {
    const {run} = await provider([], {
      instead: request => (listing(request) ? {body: {links: [], count: 0}} : undefined),
    })
    expect(await run()).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("is not the provider's API (200)"),
    })
  })

  test('at the first page ends it at once', async () => {
    const {run} = await provider([], {
      instead: request =>
        listing(request) ? {status: 403, body: {name: 'NOT_AUTHORIZED', message: 'No'}} : undefined,
    })
    expect(await run()).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('does not allow the list of events (403): NOT_AUTHORIZED: No'),
    })
  })
})

test('without credentials, or without a time, nothing is asked', async () => {
  const {run, home, env, asked} = await provider([])
  expect(await run(['--since', 'x'])).toMatchObject({exit: 2})
  expect(await run([])).toMatchObject({exit: 2, stderr: expect.stringContaining('needs --since')})
  expect(await run(['a.json', ...SPAN])).toMatchObject({exit: 2})
  const {STORECTL_PROVIDER_CLIENT_SECRET: _, ...without} = env
  const ended = await storectl(['webhook', 'import', '--from-provider', ...SPAN], {home, env: without})
  expect([ended.exit, ended.stderr]).toEqual([4, expect.stringContaining('--provider-client-secret-stdin')])
  expect((await storectl(['webhook', 'import'], {home, env})).exit).toBe(2)
  expect(asked).toEqual([])
})

test('what the bundled server knows comes in, delivered or not, and what is there in other words is known', async () => {
  const shop = await testShop()
  const told = await addTransaction(shop)
  await addTransaction(shop)
  const event = captureCompleted({transactionId: told, createTime: '2026-11-21T08:00:00.000Z'})
  await shop.deliver(event)
  const home = temporaryFolder()
  const {providerClientId, providerClientSecret} = shop.credentials
  const run = (words: string[], stdin = '') => storectl(words, {home, stdin})
  const set = ['profile', 'set', 'shop', '--url', shop.url, '--provider-url', `${shop.url}/provider/paypal`]
  await run(
    [...set, '--provider-client-id', providerClientId, '--provider-client-secret-stdin'],
    providerClientSecret,
  )
  await run(['webhook', 'import', '-', '--profile', 'shop'], JSON.stringify(event.payload, null, 1))
  const words = ['webhook', 'import', '--from-provider', ...SPAN, '--profile', 'shop', '-o', 'json']
  const {stdout} = await run(words)
  expect(JSON.parse(stdout)).toMatchObject({added: 1, known: 1, conflicting: 0})
})

test('faults of the bundled server midway change nothing', async () => {
  const shop = await testShop({
    faults: [
      'route=provider,token=expired,after=2,count=1',
      'route=provider,status=429,retry-after=0,after=4,count=1',
      'route=provider,reset=before-commit,after=5,count=1',
      'provider=down,route=provider,after=3,count=1',
    ],
  })
  for (let at = 0; at < 210; at += 10) {
    shop.clock.advance(60_000)
    await addTransactions(shop, Array(10).fill({}))
  }
  const {providerClientId, providerClientSecret} = shop.credentials
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_PROVIDER_URL: `${shop.url}/provider/paypal`,
    STORECTL_PROVIDER_CLIENT_ID: providerClientId,
    STORECTL_PROVIDER_CLIENT_SECRET: providerClientSecret,
  }
  const words = ['webhook', 'import', '--from-provider', ...SPAN, '-o', 'json']
  const clock = new StoppedClock('2026-11-23T00:00:00.000Z')
  const {exit, stdout, stderr} = await storectl(words, {home: temporaryFolder(), env, clock})
  expect([exit, stderr, JSON.parse(stdout)]).toMatchObject([0, '', {added: 210, gaps: []}])
  expect(shop.faults.list().map(({injected: struck}) => struck)).toEqual([1, 1, 1, 1])
})

test('the profile local signs in by itself', async () => {
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(words, {home})
  await run(['server', 'seed', '--customers', '2', '--orders', '3'])
  const words = ['webhook', 'import', '--from-provider', '--since', '2024-01-01T00:00:00Z', '-o', 'json']
  const {stdout, stderr} = await run(words)
  expect(stderr).toContain('may be missing')
  expect(JSON.parse(stdout)).toMatchObject({added: 3})
})
