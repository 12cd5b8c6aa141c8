import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {describeMachine} from '../../src/platform/processes.js'
import {findProvider} from '../../src/providers/providers.js'
import {createRecords} from '../../src/records/records.js'
import type {InboxEvent} from '../../src/webhook/event/event.js'
import {runCapture} from '../gateway/support.js'
import {tablesAt} from '../records/support.js'
import {begun} from '../runs/support.js'
import {currentTime, StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {Screen} from '../support/screen.js'
import {secureServer} from '../support/secure-server.js'
import {operatorOf, testShop} from '../support/shop.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, ndjson, TOKEN} from '../webhook/support.js'

interface Shown {
  readonly profile: string
  readonly state: string
  readonly problems: string[]
  readonly fix: string[]
  readonly [key: string]: unknown
}

/** A shop of this machine that answers for as many profiles as there are paths, and notes what each is asked. */
async function startShops(answer: (shop: string) => Promise<number | undefined> | undefined) {
  const asked = new Map<string, string[]>()
  const signIns: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const [, shop = '', path = ''] = /^\/(\w+)(\/api\/[^?]*)/.exec(request.url ?? '') ?? []
    const reply = (status: number, value: object) =>
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value))
    if (path.endsWith('/oauth/token')) {
      signIns.push(`${shop} ${Buffer.concat(parts)} ${request.headers.authorization ?? ''}`)
      return reply(200, {token_type: 'Bearer', expires_in: 600, access_token: `token-${shop}`})
    }
    asked.set(shop, [...(asked.get(shop) ?? []), `${path} ${request.headers.authorization ?? ''}`])
    const status = await answer(shop)
    if (status !== undefined) return reply(status, {})
    if (path.includes('/webhook/execute'))
      return reply(400, {errors: [{status: '400', detail: findProvider().answers.emptyBody}]})
    if (path.includes('/system-config')) {
      const {settings, tokenKey} = findProvider().registration ?? {}
      return reply(200, {[`${settings}.${tokenKey}`]: TOKEN})
    }
    return reply(200, {result: 'valid'})
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url, asked, signIns}
}

/** Profiles that are signed in, each with the token of its webhook, which the shop's settings have. */
async function addProfiles(url: string, names: readonly string[]) {
  const home = temporaryFolder()
  for (const name of names) {
    const words = ['--profile', name, '--url', `${url}/${name}`, '--client-id', `SWIA${name.toUpperCase()}`]
    const secrets = ['--client-secret-stdin', '--webhook-token-file', file(TOKEN, 'token')]
    await storectl(['login', ...words, ...secrets], {home, stdin: `secret-of-${name}`})
  }
  return home
}

async function show(words: readonly string[], given: Parameters<typeof storectl>[1]) {
  const {stdout, exit} = await storectl(['status', ...words, '-o', 'json'], given)
  return {exit, rows: [JSON.parse(stdout)].flat() as Shown[]}
}

test('twelve shops are asked side by side, each with three questions, and those that do not answer are rows', async () => {
  const names = Array.from({length: 12}, (_, at) => `shop${at}`)
  const waiting: (() => void)[] = []
  const isFirst = new Set<string>()
  let isReady = false
  const {url, asked, signIns} = await startShops(shop => {
    if (!isReady) return undefined
    if (shop === 'shop3') return Promise.resolve(503)
    if (isFirst.has(shop)) return undefined
    isFirst.add(shop)
    // No shop is answered before all have been asked.
    return new Promise(resolve => {
      waiting.push(() => resolve(undefined))
      if (waiting.length === names.length - 1) for (const end of waiting) end()
    })
  })
  const home = await addProfiles(url, names)
  asked.clear()
  signIns.length = 0
  isReady = true
  const {exit, rows} = await show(['--all-profiles'], {home})
  expect(exit).toBe(3)
  expect(rows.map(({profile, state}) => `${profile} ${state}`).sort()).toEqual(
    names.map(name => `${name} ${name === 'shop3' ? 'no-answer' : 'ok'}`).sort(),
  )
  expect(waiting.length).toBe(11)
  for (const name of names) expect(asked.get(name)?.length, name).toBe(name === 'shop3' ? 2 : 3)
  expect(rows.find(({profile}) => profile === 'shop3')?.problems).toEqual([expect.stringContaining('503')])
})

test('secrets of the environment go to the chosen shop alone', async () => {
  const {url, asked, signIns} = await startShops(() => undefined)
  const home = await addProfiles(url, ['one', 'two'])
  asked.clear()
  signIns.length = 0
  const env = {STORECTL_PROFILE: 'one', STORECTL_TOKEN: 'of-one', STORECTL_WEBHOOK_TOKEN: 'Of1X'.repeat(8)}
  await show(['--all-profiles'], {home, env})
  expect(JSON.stringify(asked.get('one'))).toContain('Bearer of-one')
  expect(JSON.stringify([asked.get('two'), signIns])).not.toMatch(/of-one|Of1X/i)
})

/** A shop with events of an inbox: two failed, one of them held by a replay, one pending, one in doubt. */
async function prepareInbox(reason = 'ticket') {
  const shop = await testShop()
  const home = temporaryFolder()
  const env = operatorOf(shop)
  const run = (...words: string[]) => storectl(words, {home, env})
  await run('webhook', 'register', '--yes', '-o', 'id')
  const at = (index: number, status: number) =>
    JSON.stringify({
      req: {url: `/api/_action/paypal/webhook/execute?sw-token=${shop.credentials.webhookToken}`},
      res: {statusCode: status},
      time: currentTime().toISOString(),
      body: event(index, {createdAt: new Date(currentTime().getTime() - 3_600_000 * index).toISOString()}),
    })
  await run('webhook', 'import', file([at(1, 400), at(2, 400)].join('\n'), 'failed.ndjson'))
  await run('webhook', 'replay', '--yes', '--reason', reason)
  await run('webhook', 'import', file(ndjson([event(3)])))
  return {shop, home, env, run}
}

test('events count by their status as the list counts them, with the oldest and the amount, and need a person', async () => {
  const {home, env, run} = await prepareInbox()
  const {exit, rows} = await show([], {home, env})
  const [row] = rows as [Shown]
  const list = async (status: string) =>
    JSON.parse((await run('webhook', 'list', '--status', status, '-o', 'json')).stdout)
  const failed = await list('failed')
  expect(failed.length).toBe(2)
  const amounts = [{value: '20.00', currency: 'EUR'}]
  expect(row.failed).toEqual({count: 2, oldestAt: failed.at(-1).createdAt, amounts})
  expect(row.held).toMatchObject({count: 2, amounts})
  expect(row.waiting).toMatchObject({count: (await list('pending')).length})
  expect(row.inDoubt).toEqual({count: 0, oldestAt: null, amounts: []})
  expect(exit).toBe(3)
  expect(row.problems.slice(0, 2)).toEqual(['2 events failed, 20.00 EUR', '2 events held, 20.00 EUR'])
  expect(row.fix).toContain(`storectl webhook diagnose --url ${env.STORECTL_URL}`)
})

test('an event that a capture is forwarding is not in doubt, and one without a response is', async () => {
  const home = temporaryFolder()
  const env = {STORECTL_URL: 'http://127.0.0.1:1', STORECTL_TOKEN: 'signed-in'}
  const ids = [1, 2].map(eventId)
  await storectl(['webhook', 'import', file(ndjson([event(1), event(2)]))], {home, env})
  const {inbox, captures} = createRecords(await tablesAt(join(home, 'records.db')))
  const found = await inbox.find('http://127.0.0.1:1', ids)
  for (const [at, busyMs] of [60_000, 0].entries()) {
    const sent = found.get(ids[at] ?? '') as InboxEvent
    const arrival = {event: sent, busyMs, message: null, arrivedWith: 'token', hasRoom: true} as const
    await captures.take('http://127.0.0.1:1', arrival as never)
  }
  const [row] = (await show([], {home, env})).rows as [Shown]
  expect([row.inDoubt, row.waiting]).toMatchObject([{count: 1}, {count: 1}])
  expect(row.state).toBe('no-answer')
})

test('a capture runs with its last call, then it has ended', async () => {
  const {url} = await startShops(() => undefined)
  const capture = await runCapture(`${url}/one`)
  const see = async () => (await show([], {home: capture.home, env: capture.env})).rows[0] as Shown
  expect(await see()).toMatchObject({
    services: [{service: 'capture', state: 'running', pid: process.pid, lastCallAt: null}],
  })
  await capture.send(event(1))
  capture.interrupt()
  await capture.ended
  const {services, problems} = await see()
  expect(services).toMatchObject([{state: 'ended', lastCallAt: expect.stringMatching(/Z$/)}])
  expect(problems.join()).not.toContain('capture')
})

test('a capture without an end whose heartbeats have stopped is unresponsive, unless another one runs', async () => {
  const {url} = await startShops(() => undefined)
  const home = temporaryFolder()
  const env = {STORECTL_URL: `${url}/one`, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: TOKEN}
  await storectl(['webhook', 'list'], {home, env})
  const tables = await tablesAt(join(home, 'records.db'))
  const beat = (host: string, agoMs: number) => {
    const at = new Date(currentTime().getTime() - agoMs)
    const {captures} = createRecords(tables, {...describeMachine({}), host})
    return captures.writeHeartbeat(`${url}/one`, {startedAt: at, lastCallAt: at, endedAt: null}, at)
  }
  await beat('elsewhere', 60_000)
  const gone = (await show([], {home, env})).rows[0] as Shown
  expect(gone.services).toMatchObject([{state: 'unresponsive', host: 'elsewhere'}])
  expect(gone.problems).toEqual([
    expect.stringMatching(/^the capture on elsewhere is unresponsive, last heartbeat \d+s ago$/),
  ])
  await beat('here', 10_000)
  const alive = (await show([], {home, env})).rows[0] as Shown
  expect([alive.services, alive.problems]).toMatchObject([[{state: 'running', host: 'here'}], []])
})

test('a watch that waits for its shop has what failed for a day, and an unresponsive one has nothing', async () => {
  const {url} = await startShops(() => undefined)
  const home = temporaryFolder()
  const env = {STORECTL_URL: `${url}/one`, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: TOKEN}
  await storectl(['webhook', 'import', file(ndjson([event(1)]))], {home, env})
  const {watches, captures, inbox} = createRecords(await tablesAt(join(home, 'records.db')))
  const sent = (await inbox.find(`${url}/one`, [eventId(1)])).get(eventId(1)) as InboxEvent
  const arrival = {event: sent, busyMs: 0, message: null, arrivedWith: 'token', hasRoom: true} as const
  await captures.take(`${url}/one`, arrival as never)
  const {who, host, pid, processStart} = describeMachine({})
  const [own, at] = [
    {id: 'w1', target: `${url}/one`, profile: 'url', reason: null, options: {}},
    currentTime(),
  ]
  await watches.begin({...own, who, host, pid, processStart, startedAt: at})
  const probe = {at, isGood: false, answer: 'answered 503'}
  await watches.writeHeartbeat('w1', {probe, awaySince: at, runId: null})
  const see = async () => (await show([], {home, env})).rows[0] as Shown
  const away = await see()
  expect(away).toMatchObject({
    services: [{service: 'watch', state: 'away', lastCallAt: at.toISOString(), awaySince: at.toISOString()}],
    ...{state: 'ok', inDoubt: {count: 1}},
  })
  const tomorrow = new StoppedClock(new Date(at.getTime() + 25 * 3_600_000).toISOString())
  const [late] = (await show([], {home, env, clock: tomorrow})).rows as [Shown]
  expect([late.services, late.problems]).toMatchObject([[{state: 'away'}], ['1 event in doubt, 10.00 EUR']])
  await watches.end('w1', at)
  expect((await see()).problems).toEqual(['1 event in doubt, 10.00 EUR'])
  await watches.begin({...own, id: 'w2', who, host: 'elsewhere', pid, processStart: '0@other', startedAt: at})
  await makeWatchesSilent(join(home, 'records.db'), 60_000)
  expect((await see()).problems).toEqual([
    '1 event in doubt, 10.00 EUR',
    expect.stringMatching(/^the watch on elsewhere is unresponsive, last heartbeat \d+s ago$/),
  ])
})

/** Has all watches been silent for longer, by a clock that no test can set. */
async function makeWatchesSilent(place: string, ms: number): Promise<void> {
  const {writes} = await tablesAt(place)
  await writes.run(async db => {
    await db
      .updateTable('watch')
      .set(({eb}) => ({heartbeat_at_ms: eb('heartbeat_at_ms', '-', ms)}))
      .execute()
  })
}

test('a run that was interrupted needs a person, and one under way is named with its reason', async () => {
  const {url} = await startShops(() => undefined)
  const home = temporaryFolder()
  const env = {STORECTL_URL: `${url}/one`, STORECTL_TOKEN: 'signed-in', STORECTL_WEBHOOK_TOKEN: TOKEN}
  await storectl(['webhook', 'list'], {home, env})
  const {runs} = createRecords(await tablesAt(join(home, 'records.db')))
  const see = async () => (await show([], {home, env})).rows[0] as Shown
  const machine = {...describeMachine({}), isAlive: () => true}
  const {who} = machine
  const {id} = await begun(runs, machineClock, {machine, target: `${url}/one`, reason: 'ticket 4711'})
  expect(await see()).toMatchObject({state: 'ok', runs: [{id, state: 'running', who, reason: 'ticket 4711'}]})
  await runs.interrupt({id, kind: 'replay', target: `${url}/one`}, () => [], 'ada on desk')
  expect(await see()).toMatchObject({
    problems: [`replay ${id} of ${who} is interrupted`],
    fix: [`storectl run show ${id}`],
  })
})

test('what the last comparison found is shown by kind with its age, and no comparison is a line', async () => {
  const {home, env, clock, reconcile} = await seedPaymentShop(10, 1)
  const given = {home, env, clock}
  const words = async () => (await storectl(['status'], {...given, terminal: true, columns: 200})).stdout
  expect(await words()).toMatch(/^Payments +never compared$/m)
  await storectl(['webhook', 'register', '--yes', '-o', 'id'], given)
  expect((await show([], given)).exit).toBe(0)
  const {rows} = await reconcile()
  clock.advance(2 * 3_600_000)
  const {exit, rows: shown} = await show([], given)
  expect(exit).toBe(3)
  expect(shown[0]?.comparison).toMatchObject({found: rows.length, kinds: {'capture-missed': 1, pending: 1}})
  expect(shown[0]?.problems).toContain(`${rows.length} payments differ, compared 2h ago`)
  expect(await words()).toMatch(/^Payments +1 capture-missed, [\s\S]*, compared 2h ago$/m)
  const other = ['profile', 'set', 'other', '--url', 'http://127.0.0.1:9']
  expect((await storectl(other, {home})).exit).toBe(0)
  const all = (await show(['--all-profiles'], given)).rows
  expect(all.map(({profile, comparison}) => [profile, comparison === null])).toContainEqual(['other', true])
})

test('rows of shops are printed in every format, with fields that are chosen', async () => {
  const {home, env, run} = await prepareInbox()
  const csv = await run('status', '--fields', 'profile,failed.count,failed.amounts', '-o', 'csv')
  expect([csv.exit, csv.stdout.split('\r\n').slice(0, 1)]).toEqual([
    3,
    ['profile,failed.count,failed.amounts'],
  ])
  expect((await run('status', '-o', 'id')).stdout).toBe('url\n')
  const refused = await storectl(['status', '--fields', 'failed,nonsense'], {home, env})
  expect(refused).toMatchObject({exit: 2, stderr: expect.stringContaining('nonsense')})
})

test('a certificate that ends within 14 days needs a person', async () => {
  const folder = join(import.meta.dirname, '../fixtures/tls')
  const read = (name: string) => readFileSync(join(folder, name))
  const url = await secureServer({key: read('key.pem'), cert: read('certificate.pem')})
  const env = {
    STORECTL_URL: url,
    STORECTL_TOKEN: 'signed-in',
    STORECTL_CA_FILE: join(folder, 'certificate.pem'),
  }
  const see = async (now: string) => (await show([], {env, clock: new StoppedClock(now)})).rows[0] as Shown
  expect((await see('2126-10-01T00:00:00Z')).problems.join()).not.toContain('certificate')
  const soon = await see('2126-10-20T00:00:00Z')
  expect(soon.problems).toContain('certificate: valid until 2126-10-28, 8 days from now')
  expect(soon.fix).toContain(`renew the certificate of ${new URL(url).host}`)
})

test('the note for the next shift has what happened by hour and cause, what was done by whom, and what is open', async () => {
  const {home, env, run} = await prepareInbox('ticket 4711 | "quoted"')
  await run('webhook', 'diagnose', '-o', 'id')
  await run('webhook', 'resolve', eventId(3), '--yes', '--reason', 'another shop')
  const note = async (...more: string[]) =>
    (await storectl(['status', '-o', 'markdown', ...more], {home, env})).stdout
  const text = await note('--since', '8h')
  expect(text).toMatch(
    /^# url \(http:\/\/127\.0\.0\.1:\d+\)\n\n[-\d]+ \d\d:\d\d UTC to [-\d]+ \d\d:\d\d UTC\n\n## What happened\n/,
  )
  expect(text).toMatch(/\| [-\d]+ \d\d:00 UTC \| 1 \| 10\.00 EUR \| failed 1 \|/)
  expect(text).toContain(
    '| Cause | Not delivered | Amount | By status |\n| --- | --- | --- | --- |\n| unknown-transaction | 2 | 20.00 EUR | failed 2 |\n',
  )
  expect(text).toMatch(
    /\n\| [-\d]+ \d\d:\d\d UTC \| resolve \w{16} \| completed \| \S+ \| another shop \| 1 resolved \|/,
  )
  expect(text).toMatch(/\| replay \w{16} \| completed \| \S+ \| ticket 4711 \\\| "quoted" \| 2 held \|/)
  expect(text).toMatch(/## What is open\n\n- 2 events failed, 20\.00 EUR\n- 2 events held/)
  expect(text).toContain(`    storectl webhook diagnose --url ${env.STORECTL_URL}\n`)
  expect(await note()).not.toContain('What happened')
  const hint = async (format: string) =>
    (await storectl(['status', '--since', '8h', '-o', format], {home, env})).stderr
  expect(await hint('table')).toBe('For what happened and was done since then: add -o markdown\n')
  for (const format of ['markdown', 'json', 'yaml']) expect(await hint(format), format).toBe('')
  const clock = new StoppedClock(new Date(currentTime().getTime() + 2 * 3_600_000).toISOString())
  const {stdout} = await storectl(['status', '--since', '1h', '-o', 'markdown'], {home, env, clock})
  expect(stdout).toMatch(/## What happened\n\nNothing\.\n\n## What was done\n\nNothing\.\n/)
})

test.each([
  [80, 24],
  [200, 50],
])('one shop is one screen of %i × %i, with colour and without', async (columns, height) => {
  const {home, env} = await prepareInbox()
  const draw = async (more: Record<string, string>) => {
    const given = {
      home,
      env: {...env, ...more},
      terminal: true,
      columns,
      clock: new StoppedClock(currentTime().toISOString()),
    }
    const {stdout, stderr} = await storectl(['status'], given)
    const screen = new Screen(columns, height)
    screen.write(`${stdout}${stderr}`.replaceAll('\n', '\r\n'))
    return screen
  }
  const plain = await draw({NO_COLOR: '1'})
  expect(plain.lines.length).toBeLessThanOrEqual(height)
  expect(plain.lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^Shop {12}url \(http/),
    'Needs a person  2 events failed, 20.00 EUR',
    '                2 events held, 20.00 EUR',
  ])
  expect(plain.styles.flat().join('')).toBe('')
  const labels = ['Waiting', 'Failed', 'Held', 'In doubt', 'Capture', 'Webhook', 'Sign-in', 'Run', 'Payments']
  for (const label of labels)
    expect(
      plain.lines.some(line => line.startsWith(label)),
      label,
    ).toBe(true)
  const coloured = await draw({TERM: 'xterm'})
  expect(coloured.lines.length).toBe(plain.lines.length)
  expect(coloured.styles.flat().join('')).not.toBe('')
})
