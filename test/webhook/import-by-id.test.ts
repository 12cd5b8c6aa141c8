import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import type {Notification} from '../../src/wire/schemas/webhook.js'
import {StoppedClock} from '../support/clock.js'
import {endpoint, type Received, type Reply} from '../support/endpoint.js'
import {providerEvent} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {addTransactions, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'

const BY_ID = ['webhook', 'import', '--from-provider']
const EVENTS = Array.from(
  {length: 6},
  (_, seed) => providerEvent('PAYMENT.CAPTURE.COMPLETED', {seed: seed + 1}).payload as Notification,
)
const IDS = EVENTS.map(({id}) => String(id))
const [A, B] = IDS as [string, string]
const UNKNOWN = 'WH-58D329510W468432D-8HN650336L201105X'

/** A provider that has these events. */
async function provider(instead: (request: Received) => Reply | undefined = () => undefined) {
  const asked: string[] = []
  const {url} = await endpoint(request => {
    if (request.url === '/v1/oauth2/token') return {body: {access_token: 'token', expires_in: 32_400}}
    asked.push(request.url.replace('/v1/notifications/webhooks-events', ''))
    const event = EVENTS.find(({id}) => request.url.endsWith(`/${id}`))
    return instead(request) ?? (event ? {body: event} : {status: 404, body: {name: 'INVALID_RESOURCE_ID'}})
  })
  const env = {
    STORECTL_URL: 'https://shop.example',
    STORECTL_PROVIDER_URL: url,
    STORECTL_PROVIDER_CLIENT_ID: 'AX',
    STORECTL_PROVIDER_CLIENT_SECRET: 'provider-secret-of-a-test',
  }
  const given = {home: temporaryFolder(), env, clock: new StoppedClock('2026-11-23T00:00:00.000Z')}
  const run = (words: string[], stdin?: string) =>
    storectl(words, {...given, ...(stdin !== undefined && {stdin})})
  const inbox = async () => (await run(['webhook', 'list', '-o', 'ndjson', '--fields', 'id,sender'])).stdout
  return {asked, run, inbox}
}

describe('events by their ids', () => {
  test('are fetched once each, and are the provider’s own', async () => {
    const {run, inbox, asked} = await provider()
    const {exit, stdout, stderr} = await run([...BY_ID, A, B, A, '-o', 'json'])
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([
      0,
      '',
      {
        added: 2,
        known: 0,
        conflicting: 0,
        unusable: 0,
        passedOver: 0,
        gaps: [],
        carriedOn: false,
        missing: [],
      },
    ])
    expect(asked.sort()).toEqual([`/${A}`, `/${B}`].sort())
    const rows = (await inbox())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(rows).toEqual(expect.arrayContaining([A, B].map(id => ({id, sender: 'verified'}))))
    expect(JSON.parse((await run([...BY_ID, A, '-o', 'json'])).stdout)).toMatchObject({added: 0, known: 1})
  })

  test('come from stdin, as a table too', async () => {
    const {run} = await provider()
    const table = `"type","event_id"\r\n${IDS.map(id => `X,"${id}"\r\n`).join('')}`
    expect(JSON.parse((await run([...BY_ID, '-', '-o', 'json'], table)).stdout)).toMatchObject({added: 6})
  })

  test('that the provider does not know are named, exit 3', async () => {
    const {run} = await provider()
    const {exit, stdout, stderr} = await run([...BY_ID, UNKNOWN, A, '-o', 'json'])
    expect([exit, JSON.parse(stdout)]).toMatchObject([3, {added: 1, missing: [UNKNOWN]}])
    expect(stderr).toContain(`not at the provider, which may keep events for 30 days only: ${UNKNOWN}`)
  })

  test('are refused where the answer is another event, or none', async () => {
    const other = await provider(() => ({body: EVENTS[1] as object}))
    const {exit, stdout, stderr} = await other.run([...BY_ID, A, '-o', 'json'])
    expect([exit, JSON.parse(stdout)]).toMatchObject([3, {added: 0, unusable: 1}])
    expect(stderr).toContain('the answer is another event')
    const none = await provider(() => ({body: '{}'}))
    expect((await none.run([...BY_ID, A])).exit).toBe(3)
  })

  test('that came before the provider failed are stored, and that is said', async () => {
    let failing = true
    const {run, inbox} = await provider(({url}) =>
      failing && url.endsWith(`/${IDS[5]}`) ? {status: 401, body: {error: 'invalid_token'}} : undefined,
    )
    const {exit, stderr} = await run([...BY_ID, ...IDS])
    expect(exit).toBe(4)
    expect(stderr).toContain('Stored before that: 4. The same command again is safe.')
    expect((await inbox()).trim().split('\n')).toHaveLength(4)
    failing = false
    expect(JSON.parse((await run([...BY_ID, ...IDS, '-o', 'json'])).stdout)).toMatchObject({
      added: 2,
      known: 4,
    })
  })

  test.each([
    [['events.json'], '"events.json" is not an event id'],
    [[A, '--since', '6h'], 'Use event ids or filters, not both.'],
    [[A, '--type', 'X'], 'Use event ids or filters, not both.'],
    [[], '--from-provider needs --since, or event ids.'],
  ])('are refused with words that are none, and with filters: %j', async (words, problem) => {
    const {run, asked} = await provider()
    const {exit, stderr} = await run([...BY_ID, ...words])
    expect([exit, asked]).toEqual([2, []])
    expect(stderr).toContain(problem)
  })

  test('are had from the bundled server', async () => {
    const shop = await testShop()
    await addTransactions(shop, [{}, {}, {}])
    const {providerClientId, providerClientSecret} = shop.credentials
    const env = {
      STORECTL_URL: shop.url,
      STORECTL_PROVIDER_URL: `${shop.url}/provider/paypal`,
      STORECTL_PROVIDER_CLIENT_ID: providerClientId,
      STORECTL_PROVIDER_CLIENT_SECRET: providerClientSecret,
    }
    const home = temporaryFolder()
    await storectl([...BY_ID, '--since', '2020-01-01T00:00:00Z'], {home, env})
    const {stdout} = await storectl(['webhook', 'list', '-o', 'id'], {home, env})
    const ids = stdout.trim().split('\n')
    expect(ids).toHaveLength(3)
    const ended = await storectl([...BY_ID, ...ids, '-o', 'json'], {home: temporaryFolder(), env})
    expect([ended.exit, JSON.parse(ended.stdout)]).toMatchObject([0, {added: 3, missing: []}])
  })
})

describe('ids in an input without any event', () => {
  const run = (words: string[], stdin = '') =>
    storectl(words, {home: temporaryFolder(), env: {STORECTL_URL: 'https://shop.example'}, stdin})
  const file = (bytes: string | Uint8Array) => {
    const path = join(temporaryFolder(), 'app.log')
    writeFileSync(path, bytes)
    return path
  }
  const log = (ids: readonly string[]) =>
    ids.map(id => `2026-11-20 12:00:00 webhook ${id} failed: 500\n`).join('')

  test.each([
    ['plain', (text: string) => text],
    ['packed', (text: string) => gzipSync(text)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ] as const)('are offered to be fetched: %s', async (_, encode) => {
    for (const words of [
      ['webhook', 'import'],
      ['webhook', 'replay', '--dry-run'],
    ]) {
      const {exit, stderr} = await run([...words, file(encode(log([A, B, A])))])
      expect(exit).toBe(2)
      expect(stderr).toContain('2 ids of events found, no bodies.')
      expect(stderr).toContain(`storectl webhook import --from-provider ${A} ${B}\n`)
    }
  })

  test('are named by the first, and a way for all, where there are many', async () => {
    const {stderr} = await run(['webhook', 'import', '-'], log(IDS))
    expect(stderr).toContain('6 ids of events found, no bodies.')
    expect(stderr).toContain(`--from-provider ${IDS.slice(0, 3).join(' ')}\n`)
    expect(stderr).toContain(
      "grep -oE 'WH-[0-9A-Z]+-[0-9A-Z]+' FILE | storectl webhook import --from-provider -",
    )
  })

  test('are found in any piece of a file, and none where there are none', async () => {
    const long = 'x '.repeat(100_000)
    const {stderr} = await run(['webhook', 'import', file(`${long}${A} ${long}\n${log([B])}`)])
    expect(stderr).toContain('2 ids of events found')
    expect((await run(['webhook', 'import', file('hello\n')])).stderr).not.toContain('found')
  })
})

test('webhook replay - takes ids with a header, quotes, commas, a byte order mark, and as UTF-16', async () => {
  const {run} = await provider()
  await run(['webhook', 'import', '-'], EVENTS.map(event => `${JSON.stringify(event)}\n`).join(''))
  const dryRun = async (stdin: string | Uint8Array) => {
    const words = ['webhook', 'replay', '-', '--dry-run', '--no-check-state', '-o', 'ndjson']
    const {exit, stdout, stderr} = await run(words, stdin as string)
    expect([exit, stderr]).toEqual([0, expect.anything()])
    return stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).id)
      .sort()
  }
  const two = [A, B].sort()
  expect(await dryRun(`${A}\n${B}\n`)).toEqual(two)
  expect(await dryRun(`\ufeffid,type\r\n"${A}","X"\r\n"${B}","X"\r\n`)).toEqual(two)
  expect(await dryRun(`${A}, ${B}`)).toEqual(two)
  expect(await dryRun(`["${A}", "${B}"]`)).toEqual(two)
  expect(await dryRun(Buffer.from(`\ufeffid\r\n${A}\r\n${B}\r\n`, 'utf16le'))).toEqual(two)
})
