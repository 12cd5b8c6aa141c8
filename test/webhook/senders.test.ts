import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {recordsSchema} from '../../src/records/schema/initial-schema.js'
import {openDatabase} from '../../src/storage/index.js'
import type {WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {runCapture} from '../gateway/support.js'
import {openMarking} from '../runs/support.js'
import {currentTime, StoppedClock, timeAgo} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {endpoint} from '../support/endpoint.js'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {
  addTransaction,
  addTransactions,
  testShop as bundledShop,
  operatorOf,
  stateOf,
} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {bareNdjson, event, eventId, file, ndjson, replay, TOKEN, testShop, transactionId} from './support.js'

const WEBHOOK = '/api/_action/paypal/webhook/execute'
const WRONG = 'Cd34'.repeat(8)
const FORGED = JSON.stringify(event(1))

/** A call that the shop refused, as each kind of file has it. */
function filesOf(token: string): readonly (readonly [name: string, content: string])[] {
  const address = `${WEBHOOK}?sw-token=${token}`
  const escaped = FORGED.replace(/"/g, '\\x22')
  const entry = {
    startedDateTime: timeAgo(60_000),
    request: {method: 'POST', url: `https://shop.example${address}`, headers: [], postData: {text: FORGED}},
    response: {status: 400, content: {text: ''}},
  }
  return [
    [
      'nginx',
      `1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "POST ${address} HTTP/1.1" 400 100 "-" "PayPal" "${escaped}"\n`,
    ],
    [
      'nginx JSON',
      `${JSON.stringify({request: `POST ${address} HTTP/1.1`, status: '400', request_body: FORGED})}\n`,
    ],
    ['HAR', JSON.stringify({log: {entries: [entry]}})],
    [
      'curl',
      `curl -X POST 'https://shop.example${address}' -H 'Content-Type: application/json' -d '${FORGED}'\n`,
    ],
    [
      'HTTP',
      `POST ${address} HTTP/1.1\r\nHost: shop.example\r\nReferer: https://shop.example/?sw-token=${TOKEN}\r\nX-Original-URL: /x?sw-token=${TOKEN}\r\nContent-Length: ${FORGED.length}\r\n\r\n${FORGED}`,
    ],
    ['own', `${JSON.stringify({url: address, headers: {Referer: `/x?sw-token=${TOKEN}`}, body: FORGED})}\n`],
  ]
}

const planOf = async (
  shop: Awaited<ReturnType<typeof testShop>>,
  words: readonly string[],
  home?: string,
) => {
  const {rows} = await replay(
    shop,
    [...words, '--dry-run', '--max-age', 'none'],
    home === undefined ? {} : {home},
  )
  return rows.map(({id, sender, action, reason}) => [id, sender, action, reason])
}

describe.each(filesOf(WRONG).map(([name], at) => [name, at] as const))('a call in %s', (_, at) => {
  test('is held with another token, sent with that of the shop, and unverified with a masked one', async () => {
    const shop = await testShop({[transactionId(1)]: 'open'})
    const read = async (token: string) => planOf(shop, [file(filesOf(token)[at]?.[1] as string, 'calls.txt')])
    expect(await read(WRONG)).toEqual([[eventId(1), 'wrong-token', 'hold', 'wrong-token']])
    expect(await read(TOKEN)).toEqual([[eventId(1), 'token', 'send', null]])
    expect(await read('xxxxxxxxxxxx')).toEqual([[eventId(1), 'unverified', 'hold', 'unverified']])
  })
})

test('a check says what only a person can decide, where there is no signature', async () => {
  const home = temporaryFolder()
  const given = {home, env: {STORECTL_URL: 'https://shop.example'}}
  const [, nginx = ''] = filesOf(WRONG)[0] ?? []
  await storectl(['webhook', 'import', file(nginx)], given)
  const check = (terminal: boolean) => storectl(['webhook', 'verify', '--offline'], {...given, terminal})
  const {exit, stderr} = await check(true)
  expect(exit).toBe(3)
  expect(stderr).toContain(
    'wrong-token, no-signature: no check can decide. Resolve these events, or replay them with --include-wrong-token\n',
  )
  expect((await check(false)).stderr).toBe('')
})

test('each flag releases its own kind, and --yes none of them', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const words = [file(bareNdjson([event(1)])), file(ndjson([event(2)], WRONG))]
  const results = async (...flags: string[]) =>
    (await replay(shop, [...words, ...flags, '--dry-run'])).rows.map(({action}) => action)
  expect(await results()).toEqual(['hold', 'hold'])
  expect(await results('--include-unverified')).toEqual(['send', 'hold'])
  expect(await results('--include-wrong-token')).toEqual(['hold', 'send'])
  const {exit} = await replay(shop, words)
  expect([exit, shop.received]).toEqual([7, []])
})

test('on a terminal, the question of a replay of named events says how many are unverified, and releases them', async () => {
  const shop = await testShop({
    [transactionId(1)]: 'open',
    [transactionId(2)]: 'open',
    [transactionId(3)]: 'open',
  })
  const home = temporaryFolder()
  const env = shop.env
  await storectl(['webhook', 'import', file(bareNdjson([event(1), event(2)]))], {home, env})
  await storectl(['webhook', 'import', file(ndjson([event(3)], WRONG))], {home, env})
  const ask = (words: string[], answers: unknown[]) =>
    storectl(['webhook', 'replay', ...words, '--rate', '0'], {home, env, terminal: true, answers})
  // By a filter nothing is named: all are held, and nobody is asked.
  expect((await ask(['--type', 'PAYMENT.CAPTURE.*'], [])).exit).toBe(7)
  expect(shop.received).toEqual([])
  await ask([eventId(1), eventId(2), eventId(3)], [true])
  expect(shop.arrived().sort()).toEqual([eventId(1), eventId(2)])
  const shown = JSON.parse((await storectl(['run', 'show', 'last', '-o', 'json'], {home, env})).stdout)
  expect(shown).toMatchObject({releasedHolds: 'unverified'})
})

test('a dry run as JSON ends with counts and amounts by sender, action and reason', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const words = [file(ndjson([event(1)])), file(bareNdjson([event(2), event(3)])), '--dry-run', '-o', 'json']
  const {stdout} = await storectl(['webhook', 'replay', ...words], {env: shop.env})
  expect(JSON.parse(stdout).at(-1)).toEqual({
    summary: [
      {
        sender: 'unverified',
        action: 'hold',
        reason: 'unverified',
        count: 2,
        amounts: [{value: '20.00', currency: 'EUR'}],
      },
      {sender: 'token', action: 'send', reason: null, count: 1, amounts: [{value: '10.00', currency: 'EUR'}]},
    ],
  })
})

test('the sender is a field of conditions, groups and rows, and unverified is none any more', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_WEBHOOK_TOKEN: TOKEN}
  const run = (...words: string[]) => storectl(['webhook', ...words], {home, env})
  await run('import', file(ndjson([event(1)])), file(bareNdjson([event(2)])))
  expect((await run('list', '--where', 'sender = "token"', '-o', 'id')).stdout).toBe(`${eventId(1)}\n`)
  const groups = JSON.parse((await run('list', '--group-by', 'sender', '-o', 'json')).stdout)
  expect(groups.map(({key, count}: Record<string, unknown>) => [key, count]).sort()).toEqual([
    ['token', 1],
    ['unverified', 1],
  ])
  const refused = await run('list', '--where', 'unverified = true')
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining('sender in ("wrong-token", "unverified")'),
  ])
})

test("a file's own members say nothing of the sender", async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const more = {sender: 'verified', verification: 'verified', arrivedWith: 'token', isListed: true}
  const lines = `${JSON.stringify({...event(1), ...more})}\n`
  expect(await planOf(shop, [file(lines)])).toEqual([[eventId(1), 'unverified', 'hold', 'unverified']])
})

test('a body of a weaker sender changes nothing of a stronger one', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = temporaryFolder()
  const run = (...words: string[]) => storectl(['webhook', ...words], {home, env: shop.env})
  const sent = event(1)
  await run('import', file(ndjson([sent])))
  const other = {...sent, summary: 'other'}
  const access = `1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "POST ${WEBHOOK}?sw-token=${WRONG} HTTP/1.1" 200 1 "-" "-" "${JSON.stringify(other).replace(/"/g, '\\x22')}"\n`
  const same = access.replace(/\{.*\}/, JSON.stringify(sent).replace(/"/g, '\\x22'))
  expect((await run('import', file(access), file(same))).exit).toBe(0)
  const rows = JSON.parse((await run('list', '-o', 'json')).stdout)
  expect(rows.find(({id}: {id: string}) => id === eventId(1))).toMatchObject({
    conflict: false,
    sender: 'token',
    status: 'pending',
  })
  expect(rows.find(({id}: {id: string}) => id !== eventId(1))).toMatchObject({
    conflict: true,
    sender: 'wrong-token',
  })
  // What it came to is seen beside the event, once for each call.
  await run('import', file(same))
  const attempts = await run('show', eventId(1), '--attempts', '-o', 'json')
  expect(JSON.parse(attempts.stdout)).toMatchObject([
    {by: 'delivery', result: 'delivered', status: 200, sender: 'wrong-token'},
  ])
  expect(await planOf(shop, [], home)).toEqual([
    [eventId(1), 'token', 'send', null],
    [expect.stringContaining('~'), 'wrong-token', 'invalid', null],
  ])
})

test('what a stranger sends a capture is seen beside the event, and changes nothing of it', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const capture = await runCapture(shop.url, [], {env: shop.env})
  const sent = event(1)
  await capture.send(sent)
  await capture.send(sent, {token: WRONG})
  const {stdout} = await capture.run('webhook', 'show', eventId(1), '--attempts', '-o', 'json')
  expect(JSON.parse(stdout)).toMatchObject([
    {by: 'delivery', status: 200, sender: null},
    {by: 'delivery', status: 400, sender: 'wrong-token'},
  ])
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({
    ...{status: 'delivered', sender: 'token', attempts: 1},
  })
})

test('a token of a second sales channel that the shop takes is one of the shop, in captures and in files', async () => {
  const home = temporaryFolder()
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const second = 'Gh78'.repeat(8)
  shop.tokens.add(second)
  const capture = await runCapture(shop.url, [], {home, env: shop.env})
  await capture.send(event(1), {token: second})
  await capture.send(event(2), {token: WRONG})
  await capture.run('webhook', 'import', file(ndjson([event(3)], second)))
  const senders = [...(await capture.inbox()).values()].map(({id, sender}) => [id, sender]).sort()
  expect(senders).toEqual([
    [eventId(1), 'token'],
    [eventId(2), 'wrong-token'],
    [eventId(3), 'token'],
  ])
})

test('two unsigned bodies under one id are a conflict, which the signature of one ends', async () => {
  const home = temporaryFolder()
  const place = join(home, 'records.db')
  const records = await openRecords(place, currentTime)
  const bodies = ['one', 'other'].map(summary => Buffer.from(JSON.stringify({...event(1), summary})))
  const read = (body: Buffer) =>
    readEvent(body, 'file', currentTime(), [['Paypal-Transmission-Id', 'T']]) as WebhookEvent
  const [one, other] = bodies.map(read) as [WebhookEvent, WebhookEvent]
  await records.inbox.add('shop', [one])
  expect(await records.inbox.add('shop', [other])).toMatchObject({conflicts: [eventId(1)]})
  const marking = await openMarking(records.runs, 'shop', {reason: 'the first'})
  await records.inbox.resolve('shop', [eventId(1)], marking)
  const check = {...other, transmissionId: 'T', result: 'verified', reason: null} as const
  await records.signatures.store('shop', [check])
  const found = await records.inbox.find('shop', [eventId(1), `${eventId(1)}~${one.sha256.slice(0, 12)}`])
  // What a person said of a body goes with it.
  const beside = `${eventId(1)}~${one.sha256.slice(0, 12)}`
  expect(await records.inbox.listResolutions('shop', beside)).toMatchObject([{reason: 'the first'}])
  expect(await records.inbox.listResolutions('shop', eventId(1))).toEqual([])
  await records.close()
  expect([...found.values()].map(({sha256, hasConflict, sender}) => [sha256, hasConflict, sender])).toEqual(
    expect.arrayContaining([
      [other.sha256, false, 'verified'],
      [one.sha256, true, 'unverified'],
    ]),
  )
})

test.each([
  [
    'a record of another channel',
    (text: string) => `[2026-11-20T10:00:00+00:00] app.ERROR: comment {"webhook":${text}} []`,
  ],
  [
    'a record inside a message',
    (text: string) =>
      `[2026-11-20T10:00:00+00:00] app.ERROR: [2026-11-20T10:00:00+00:00] paypal.ERROR: [PayPal Webhook] gone {"webhook":${text}} []`,
  ],
  [
    'a member further in',
    (text: string) =>
      `[2026-11-20T10:00:00+00:00] paypal.ERROR: [PayPal Webhook] gone {"form":{"webhook":${text}}} []`,
  ],
  [
    'another message of the channel',
    (text: string) => `[2026-11-20T10:00:00+00:00] paypal.ERROR: gone {"webhook":${text}} []`,
  ],
  [
    'JSON of another channel',
    (text: string) =>
      `{"channel":"app","level_name":"ERROR","message":"[PayPal Webhook] gone","datetime":"2026-11-20T10:00:00+00:00","context":{"webhook":${text}}}`,
  ],
  [
    'a record as text in another',
    (text: string) =>
      JSON.stringify({
        comment: `{"channel":"paypal","level_name":"ERROR","message":"[PayPal Webhook] gone","context":{"webhook":${text}}}`,
      }),
  ],
])("%s is no event of the shop's own log", async (_, line) => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_WEBHOOK_TOKEN: TOKEN}
  await storectl(['webhook', 'import', file(`${line(JSON.stringify(FORGED))}\n`, 'shop.log')], {home, env})
  const {stdout} = await storectl(['webhook', 'list', '-o', 'json'], {home, env})
  for (const row of JSON.parse(stdout || '[]'))
    expect(row).toMatchObject({sender: 'unverified', status: 'pending', answer: null})
})

describe('with a provider to ask', () => {
  const setting = async () => {
    const shop = await bundledShop()
    const env = operatorOf(shop)
    const home = temporaryFolder()
    const run = async (...words: string[]) => {
      const ended = await storectl(['webhook', ...words, '-o', 'ndjson'], {home, env, clock: shop.clock})
      const rows = ended.stdout.split('\n').filter(Boolean)
      return {...ended, rows: rows.map(row => JSON.parse(row))}
    }
    const [transaction, open] = [await addTransaction(shop), await addTransaction(shop)]
    const createTime = new Date(shop.clock.now().getTime() - 60_000).toISOString()
    const genuine = captureCompleted({seed: 1, transactionId: transaction, createTime})
    const forged = captureCompleted({seed: 2, transactionId: open, createTime})
    await shop.deliver(genuine, await shop.earlierToken())
    return {shop, env, home, run, genuine, forged, open, transaction}
  }

  test('before a plan the provider is asked: what it lists is verified and sent, the rest is held', async () => {
    const {shop, run, genuine, forged, open, transaction} = await setting()
    await run('import', file(`${genuine.body}\n${forged.body}\n`))
    const offline = await run('replay', '--dry-run', '--offline')
    expect(offline.rows.map(({sender}) => sender)).toEqual(['unverified', 'unverified'])
    expect(offline.stderr).toContain('2 senders not checked: --offline')
    const {rows} = await run('replay', '--yes', '--rate', '0')
    expect(rows.map(({id, sender, result}) => [id, sender, result]).sort()).toEqual(
      [
        [genuine.id, 'verified', 'applied'],
        [forged.id, 'unverified', 'held'],
      ].sort(),
    )
    expect([await stateOf(shop, transaction), await stateOf(shop, open)]).toEqual(['paid', 'open'])
  })

  test('of many events 200 are asked for, and the rest is counted', async () => {
    const {shop, run} = await setting()
    const createTime = new Date(shop.clock.now().getTime() - 60_000).toISOString()
    const transactions = await addTransactions(
      shop,
      Array.from({length: 203}, () => ({})),
    )
    const bodies = transactions.map(
      (transactionId, at) => captureCompleted({seed: 100 + at, transactionId, createTime}).body,
    )
    await run('import', file(bodies.join('\n')))
    const {stderr} = await run('replay', '--dry-run', '--max', 'none')
    expect(stderr).toContain('3 senders not asked: storectl webhook verify')
  })

  test("files that are replayed at once are asked for too, and the provider's content takes the place of another", async () => {
    const {run, genuine} = await setting()
    const other = file(genuine.body.replace('100.00', '1.00'))
    const {rows} = await run('replay', other, '--yes', '--rate', '0')
    expect(rows.map(({id, sender, result}) => [id, sender, result])).toEqual([
      [genuine.id, 'verified', 'applied'],
    ])
  })

  test('the list turns no known event into a conflict, tells how its delivery went, and stores no token', async () => {
    const {shop, home, env, run, genuine} = await setting()
    await run('import', file(ndjson([{body: genuine.body}], shop.credentials.webhookToken)))
    const {exit} = await run('import', '--from-provider', '--since', '2026-01-01T00:00:00Z')
    expect(exit).toBe(0)
    const {rows} = await run('list', '--where', `id = "${genuine.id}"`)
    expect(rows).toMatchObject([
      {sender: 'verified', verificationReason: 'listed', conflict: false, status: 'failed', answer: 400},
    ])
    const {stdout} = await storectl(['webhook', 'list', '--all', '-o', 'json'], {home, env})
    for (const {id} of JSON.parse(stdout)) {
      const raw = await storectl(['webhook', 'show', id, '--raw'], {home, env})
      expect(raw.stdout).not.toMatch(/transmissions|sw-token|webhook_url/)
    }
  })

  test('webhook verify asks for all of them, and says who sent each', async () => {
    const {run, genuine, forged} = await setting()
    await run('import', file(`${genuine.body}\n${forged.body}\n`))
    const {exit, rows} = await run('verify', '--no-summary')
    expect([exit, rows.map(({id, sender, reason}) => [id, sender, reason]).sort()]).toEqual([
      3,
      [
        [genuine.id, 'verified', 'listed'],
        [forged.id, 'unverified', 'no-signature'],
      ].sort(),
    ])
  })
})

test.each([['--leaked'], ['--leaked-since', '2020-01-01']])(
  'an earlier token of the profile counts, until it is said to have leaked: %s',
  async (...leaked) => {
    const home = temporaryFolder()
    const shop = await bundledShop()
    const run = (words: string[], stdin = '') => storectl(words, {home, stdin})
    const {clientId, clientSecret, webhookToken} = shop.credentials
    await run(
      ['login', '--profile', 'till', '--url', shop.url, '--client-id', clientId, '--client-secret-stdin'],
      clientSecret,
    )
    await run(['profile', 'set', 'till', '--webhook-token-stdin'], 'Old9'.repeat(8))
    await run(['profile', 'set', 'till', '--webhook-token-stdin'], webhookToken)
    const calls =
      ndjson([event(1)], 'Old9'.repeat(8)) + ndjson([event(2)], WRONG) + ndjson([event(3)], webhookToken)
    await run(['webhook', 'import', file(calls), '--profile', 'till'])
    const senders = async () =>
      JSON.parse(
        (await run(['webhook', 'list', '--profile', 'till', '--sort', 'id', '-o', 'json'])).stdout,
      ).map(({sender}: {sender: string}) => sender)
    expect(await senders()).toEqual(['token', 'wrong-token', 'token'])
    const {stderr} = await run(['webhook', 'register', '--profile', 'till', '--yes', ...leaked])
    expect(stderr).toContain('Earlier tokens no longer count; 1 event is now wrong-token')
    expect(await senders()).toEqual(['wrong-token', 'wrong-token', 'token'])
  },
)

test("an earlier token of the bundled shop counts in files for its profile, for three days, as a profile's do", async () => {
  const home = temporaryFolder()
  const shop = await bundledShop({dataFolder: join(home, 'shop'), clock: new StoppedClock()})
  const earlier = await shop.earlierToken()
  await shop.stop()
  const run = async (...words: string[]) =>
    storectl(['webhook', ...words, '--profile', 'local'], {home, clock: shop.clock})
  await run('import', file(ndjson([event(1)], earlier) + ndjson([event(2)], WRONG)))
  shop.clock.advance(3 * 86_400_000)
  await run('import', file(ndjson([event(3)], earlier) + ndjson([event(4)], shop.credentials.webhookToken)))
  const {stdout} = await run('list', '--sort', 'id', '-o', 'json')
  expect(JSON.parse(stdout).map(({sender}: {sender: string}) => sender)).toEqual([
    ...['token', 'wrong-token', 'wrong-token', 'token'],
  ])
})

test('records of an earlier version keep what was checked, and the first command says once what is unknown', async () => {
  const home = temporaryFolder()
  const place = join(home, 'records.db')
  const old = await openDatabase(place, {migrations: [recordsSchema], now: currentTime})
  const row = (id: string, unverified: number, verification: string | null) => ({
    ...{
      target: 'http://127.0.0.1:9',
      id,
      sha256: id,
      size_bytes: 1,
      type: 'X',
      created_at_ms: 1,
      received_at_ms: 1,
    },
    ...{
      ordering_keys: '[]',
      traits: '{"key":{"by":"nothing"},"keyText":null}',
      source: 'file',
      status: 'pending',
    },
    ...{attempts: 0, changed_at_ms: 1, conflict: 0, unverified, verification},
  })
  const rows = [row('A', 1, null), row('B', 0, null), row('C', 0, 'verified'), row('D', 1, 'forged')]
  await old.writes.run(db =>
    (db as never as {insertInto(t: string): {values(r: unknown): {execute(): Promise<unknown>}}})
      .insertInto('webhook_event')
      .values(rows)
      .execute(),
  )
  await old.close()
  const list = () =>
    storectl(['webhook', 'list', '-o', 'json', '--sort', 'id'], {
      home,
      env: {STORECTL_URL: 'http://127.0.0.1:9'},
    })
  const first = await list()
  expect(JSON.parse(first.stdout).map(({sender}: {sender: string}) => sender)).toEqual([
    ...['wrong-token', 'unverified', 'verified', 'forged'],
  ])
  expect(first.stderr).toContain('1 event was stored by an earlier version, which did not store senders.')
  expect(first.stderr).toContain('storectl webhook verify')
  expect((await list()).stderr).not.toContain('earlier version')
})

test('a check of all events that was interrupted goes on where it ended', async () => {
  const events = Array.from({length: 300}, (_, at) => event(at))
  let lists = 0
  let interrupt = () => {}
  const {url} = await endpoint(({url: path}) => {
    if (path === '/v1/oauth2/token') return {body: {access_token: 'token', expires_in: 32_400}}
    if (!path.startsWith('/v1/notifications/webhooks-events')) return {status: 404, body: {}}
    if (++lists === 2) interrupt()
    return {body: {events, links: []}}
  })
  const env = {
    ...{STORECTL_URL: 'http://127.0.0.1:9', STORECTL_PROVIDER_URL: url},
    ...{STORECTL_PROVIDER_CLIENT_ID: 'id', STORECTL_PROVIDER_CLIENT_SECRET: 'secret-of-the-provider'},
  }
  const home = temporaryFolder()
  await storectl(['webhook', 'import', file(bareNdjson(events))], {home, env})
  const first = testContext({home, env})
  interrupt = () => first.interruption.stop('SIGINT')
  await storectl(['webhook', 'verify'], first)
  const again = await storectl(['webhook', 'verify', '-o', 'json'], {home, env})
  expect([again.exit, again.stderr]).toEqual([
    0,
    expect.stringContaining('resumed where an earlier check ended'),
  ])
  expect(JSON.parse(again.stdout)).toMatchObject([{sender: 'verified', count: 50}])
  expect(lists).toBe(3)
  const whole = await storectl(['webhook', 'verify', '-o', 'json'], {home, env})
  expect(JSON.parse(whole.stdout)).toMatchObject([{sender: 'verified', count: 300}])
})
