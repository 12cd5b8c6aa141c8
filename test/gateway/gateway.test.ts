import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {expectNowhere, filesBelow} from '../support/canaries.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {until} from '../support/until.js'
import {event, eventId, transactionId} from '../webhook/support.js'
import {
  holdAnswers,
  type RawShop,
  type RunningCapture,
  rawShop,
  refuse,
  runCapture,
  sendTo,
  TOKEN,
  WEBHOOK,
} from './support.js'

test('more headers than Node would keep are forwarded, the last one too', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const many = Array.from({length: 2500}, () => ['A', '']).flat()
  const {status} = await capture.send(event(1), {headers: [...many, 'X-Last', 'kept']})
  expect(status).toBe(200)
  const {rawHeaders = []} = shop.arrived[0] ?? {}
  expect(rawHeaders.filter(name => name.toLowerCase() === 'a')).toHaveLength(2500)
  expect(rawHeaders).toContain('kept')
})

test('an event is kept before the shop gets it, and what the shop said afterwards', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  let before: unknown
  shop.answer = async (_call, response) => {
    before = (await capture.inbox()).get(eventId(1))
    response.writeHead(200, {'Content-Type': 'text/html; charset=UTF-8', 'X-Of-The-Shop': 'yes'}).end()
  }
  const answered = await capture.send(event(1))
  expect(before).toMatchObject({status: 'unknown', attempts: 0})
  expect(answered).toMatchObject({status: 200, body: ''})
  expect(answered.headers).toMatchObject({'content-type': 'text/html; charset=UTF-8', 'x-of-the-shop': 'yes'})
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({
    ...{status: 'delivered', answer: 200, message: null, attempts: 1, source: 'capture'},
  })
  expect(JSON.parse(capture.out())).toMatchObject({
    ...{id: eventId(1), type: 'PAYMENT.CAPTURE.COMPLETED', status: 'delivered', answer: 200, answered: 200},
  })
})

test("a refusal of the shop is the provider's answer, and the event is kept as failed", async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'An error occurred during execution of webhook')
  const capture = await runCapture(shop.url)
  const answered = await capture.send(event(1))
  expect(answered.status).toBe(400)
  expect(JSON.parse(answered.body).errors[0].detail).toBe('An error occurred during execution of webhook')
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({
    ...{status: 'failed', answer: 400, message: 'An error occurred during execution of webhook'},
  })
})

const ODD_BODIES: [string, Buffer, string[]][] = [
  [
    'spaces and a number that JSON would change',
    Buffer.from(' {"id" :"WH-1","event_type":"X","total": 1.10}\n'),
    [],
  ],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), []],
  ['packed by gzip', gzipSync(JSON.stringify(event(1))), ['Content-Encoding', 'gzip']],
  ['nothing', Buffer.alloc(0), []],
  ['no event', Buffer.from('[1,2]'), []],
  ['300 kB', Buffer.from(JSON.stringify({...event(1), summary: 'ä'.repeat(150_000)})), []],
]

test.each(ODD_BODIES)('the shop gets the same bytes: %s', async (_name, body, headers) => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const {status} = await capture.send(body, {headers: ['Content-Type', 'application/json', ...headers]})
  expect(status).toBe(200)
  expect(shop.arrived[0]?.body.equals(body)).toBe(true)
  for (const [index, header] of headers.entries())
    if (index % 2 === 0) expect(shop.arrived[0]?.rawHeaders).toContain(header.toLowerCase())
  // Whatever is answered 2xx is in the inbox, also what nobody can read.
  const [id = ''] = (await capture.inbox()).keys()
  expect((await capture.inbox()).size).toBe(1)
  const records = await openRecords(join(capture.home, 'records.db'), currentTime)
  const content = (await records.inbox.readContents(shop.url, [id])).get(id)
  await records.close()
  expect(Buffer.from(content?.body ?? []).equals(body)).toBe(true)
})

test('what is no event can be shown, and is not sent again', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'No webhook data sent')
  const capture = await runCapture(shop.url)
  await capture.send('not JSON at all')
  const [[id, row]] = [...(await capture.inbox())] as [[string, object]]
  expect(row).toMatchObject({type: 'unreadable', status: 'failed', answer: 400})
  const shown = await capture.run('webhook', 'show', id, '-o', 'json')
  expect(JSON.parse(shown.stdout).body).toBe('not JSON at all')
  const {stdout} = await capture.run('webhook', 'replay', '--dry-run', '-o', 'ndjson')
  expect(JSON.parse(stdout)).toMatchObject({id, action: 'invalid'})
})

test('a body without an id is called by its hash, and counts once however often it comes', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const {id: _, ...nameless} = event(1)
  await capture.send(nameless)
  await capture.send(nameless)
  const all = [...(await capture.inbox()).values()]
  expect(all).toMatchObject([{type: 'PAYMENT.CAPTURE.COMPLETED', status: 'delivered', attempts: 2}])
  expect(all[0]?.id).toMatch(/^body-[0-9a-f]{32}$/)
})

test("the provider's headers go on, those of the connection do not", async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  await capture.send(event(1), {
    headers: [
      ...[
        'Content-Type',
        'application/json',
        'PAYPAL-TRANSMISSION-ID',
        'one',
        'X-Twice',
        'a',
        'X-Twice',
        'b',
      ],
      ...['User-Agent', 'PayPal/AUHD', 'X-Odd', 'caf\xe9', 'Connection', 'close, X-Hop', 'X-Hop', 'gone'],
      ...['Authorization', 'Basic c2VjcmV0', 'Cookie', 'a=b', 'X-Original-URI', `/x?sw-token=${TOKEN}`],
      ...['X-Forwarded-For', '10.1.2.3', 'Accept-Encoding', 'gzip', 'X-Says', `see ${TOKEN}`],
    ],
  })
  const {rawHeaders = []} = shop.arrived[0] ?? {}
  const got = Array.from({length: rawHeaders.length / 2}, (_, at) =>
    rawHeaders.slice(at * 2, at * 2 + 2).join(': '),
  )
  expect(got).toEqual(
    expect.arrayContaining([
      ...['content-type: application/json', 'paypal-transmission-id: one', 'x-twice: a', 'x-twice: b'],
      ...[
        'user-agent: PayPal/AUHD',
        'x-odd: caf\xe9',
        'authorization: Basic c2VjcmV0',
        'x-forwarded-for: 10.1.2.3',
      ],
    ]),
  )
  expect(got.join('\n')).not.toMatch(/x-hop|accept-encoding/i)
  const {stdout} = await capture.run('webhook', 'show', eventId(1), '--headers', '-o', 'json')
  const {headers} = JSON.parse(stdout)
  expect(headers).toMatchObject({'PAYPAL-TRANSMISSION-ID': 'one', 'X-Twice': expect.anything()})
  expect(JSON.stringify(headers)).not.toMatch(
    /Authorization|Cookie|X-Hop|X-Original-URI|X-Says|X-Forwarded|Via/i,
  )
  expect(JSON.stringify(headers)).not.toContain(TOKEN)
})

test("the token in the address is made anew from the profile's, and what else stands there is kept", async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  // The shop deletes what is no letter or digit, and takes any case.
  const spelled = `ab-12${TOKEN.slice(4)}`
  await capture.send(event(1), {target: `${WEBHOOK}?a=1&sw-token=old&b=%20&sw-token=${spelled}`})
  expect(shop.arrived[0]?.url).toBe(`${WEBHOOK}?a=1&b=%20&sw-token=${TOKEN}`)
})

test.each(['wrong', '', '--', `${TOKEN}x`])(
  'a stranger with the token "%s" does not get the true one from us',
  async token => {
    const shop = await rawShop()
    shop.answer = ({url}, response) =>
      url.includes(TOKEN) && !url.includes(`${TOKEN}x`)
        ? void response.end()
        : refuse(response, 400, 'Shopware token is invalid')
    const capture = await runCapture(shop.url)
    const {status} = await capture.send(event(1), {token})
    expect(status).toBe(400)
    expect(shop.arrived[0]?.url).toBe(`${WEBHOOK}?sw-token=${token}`)
    expect((await capture.inbox()).get(eventId(1))).toMatchObject({
      ...{status: 'failed', answer: 400, message: 'Shopware token is invalid', sender: 'wrong-token'},
    })
    const {stdout} = await capture.run('webhook', 'replay', '--dry-run', '--no-check-state', '-o', 'ndjson')
    expect(JSON.parse(stdout)).toMatchObject({id: eventId(1), action: 'hold', reason: 'wrong-token'})
  },
)

test('what shows the token before the last is handed on with the one that took its place', async () => {
  const shop = await rawShop()
  const old = 'Zy98'.repeat(8)
  const file = join(temporaryFolder(), 'old-token')
  writeFileSync(file, `${old}\n`)
  const capture = await runCapture(shop.url, ['--old-token-file', file, '--debug'])
  await capture.send(event(1), {
    token: old,
    headers: ['Content-Type', 'application/json', 'X-From', `/?${old}`],
  })
  expect(shop.arrived[0]?.url).toBe(`${WEBHOOK}?sw-token=${TOKEN}`)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', sender: 'token'})
  for (const secret of [old, TOKEN]) {
    expectNowhere({secret}, {out: capture.out(), err: capture.err(), ...filesBelow(capture.home)})
  }
})

test('a shop that does not know our token any more is said once', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url)
  await capture.send(event(1), {token: 'no'})
  expect(capture.err()).not.toContain('does not know')
  for (const index of [2, 3]) await capture.send(event(index))
  expect(capture.err().match(/no longer accepts the profile's webhook token/g)).toHaveLength(1)
  expect((await capture.inbox()).get(eventId(2))).toMatchObject({status: 'failed', sender: 'token'})
})

test('that the shop does not know our token is said again only once it knew it', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const send = async (index: number, ...[status, detail]: [number, string] | []) => {
    shop.answer = (_call, response) =>
      status === undefined ? void response.end() : refuse(response, status, detail as string)
    await capture.send(event(index))
    return capture.err().match(/no longer accepts the profile's webhook token/g)?.length
  }
  expect(await send(1, 400, 'Shopware token is invalid')).toBe(1)
  expect(await send(2, 503, 'maintenance')).toBe(1)
  expect(await send(3, 400, 'Shopware token is invalid')).toBe(1)
  expect(await send(4)).toBe(1)
  expect(await send(5, 400, 'Shopware token is invalid')).toBe(2)
})

test('a list in place of a token is none', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  await capture.send(event(1), {target: `${WEBHOOK}?sw-token=${TOKEN}&sw-token[]=${TOKEN}`})
  expect(shop.arrived[0]?.url).toBe(`${WEBHOOK}?sw-token=${TOKEN}&sw-token[]=${TOKEN}`)
})

test('a token that the shop has taken is as good as ours from then on', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  await capture.send(event(1), {token: 'OfAnotherSalesChannel'})
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', sender: 'token'})
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  await capture.send(event(2), {token: 'OfAnotherSalesChannel'})
  await capture.send(event(3), {token: 'OfNobody'})
  expect((await capture.inbox()).get(eventId(2))).toMatchObject({status: 'failed', sender: 'token'})
  expect((await capture.inbox()).get(eventId(3))).toMatchObject({status: 'failed', sender: 'wrong-token'})
  capture.interrupt()
  await capture.ended
  const next = await runCapture(shop.url, [], {home: capture.home})
  await next.send(event(4), {token: 'OfAnotherSalesChannel'})
  expect((await next.inbox()).get(eventId(4))).toMatchObject({status: 'failed', sender: 'token'})
})

test('every call is stored, of strangers too, as long as there is room', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url)
  const one = event(1)
  for (const body of ['junk', one, one, event(2)]) {
    expect((await capture.send(body, {token: 'no'})).status).toBe(400)
  }
  const ids = [...(await capture.inbox()).keys()].sort()
  expect(ids).toEqual([eventId(1), eventId(2), expect.stringMatching(/^body-/)])
  const {body} = await sendTo(capture.url, '', {method: 'GET', target: '/healthz'})
  expect(JSON.parse(body)).toEqual({status: 'ok'})
})

test('strangers fill three quarters of --max-disk; beyond it they are handed on and counted, aloud', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url, ['--max-disk', '8KiB'])
  const page = (target: string) => sendTo(capture.url, '', {method: 'GET', target})
  for (const index of Array(12).keys()) await capture.send(event(index), {token: 'no'})
  expect(shop.arrived).toHaveLength(12)
  const stored = (await capture.inbox()).size
  expect(stored).toBeGreaterThan(1)
  expect(stored).toBeLessThan(6)
  const notStored = 12 - stored
  expect(capture.err().match(/are forwarded, but no longer stored/g)).toHaveLength(1)
  const {status, body} = await page('/healthz')
  expect([status, JSON.parse(body)]).toMatchObject([200, {status: 'degraded', notStored}])
  expect((await page('/metrics')).body).toContain(`storectl_capture_not_stored_calls ${notStored}`)

  const again = event(100)
  const shown = await capture.send(again)
  expect(shown.status).toBe(400)
  expect((await capture.inbox()).has(eventId(100))).toBe(true)
  for (const index of Array(10).keys()) await capture.send(event(101 + index))
  const refused = await capture.send(event(200))
  expect(refused).toMatchObject({status: 503, headers: {'retry-after': '60'}})
  const arrived = shop.arrived.length
  expect((await capture.send(again)).status).toBe(400)
  expect(shop.arrived).toHaveLength(arrived + 1)
  expect((await page('/healthz')).status).toBe(503)

  capture.interrupt()
  await capture.ended
  const said = `${notStored} calls without a known token could not be stored by webhook capture`
  expect((await capture.run('webhook', 'list')).stderr).toContain(said)
  const {stdout} = await capture.run('doctor', '-o', 'ndjson')
  expect(stdout).toContain(said)
})

test('a call that shows no known token changes nothing of an event that is there', async () => {
  const shop = await rawShop()
  shop.answer = ({url}, response) =>
    url.includes(TOKEN) ? refuse(response, 500, 'broken') : refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url)
  const one = event(1)
  await capture.send(one)
  const before = await capture.inbox()
  expect((await capture.send(one, {token: 'no'})).status).toBe(400)
  expect(await capture.inbox()).toEqual(before)
})

test('whatever the shop answers 2xx is kept, also of a stranger beyond the limit', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 400, 'Shopware token is invalid')
  const capture = await runCapture(shop.url, ['--max-disk', '6KiB'])
  for (const index of [2, 3, 4, 5]) await capture.send(event(index), {token: 'no'})
  shop.answer = (_call, response) => void response.end()
  const answered = await capture.send(event(1), {token: 'OfAnotherSalesChannel'})
  expect(answered.status).toBe(200)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', attempts: 1})
})

test.each([
  [502, 'failed', '60'],
  [503, 'failed', '7'],
  [504, 'unknown', '60'],
])('the shop answers %i: the event is %s, the provider is to come again', async (status, kept, after) => {
  const shop = await rawShop()
  shop.answer = (_call, response) => {
    response.writeHead(status, {'Content-Type': 'text/html', 'Retry-After': '7'}).end('<h1>down</h1>')
  }
  const capture = await runCapture(shop.url)
  const answered = await capture.send(event(1))
  expect(answered).toMatchObject({status: 503, headers: {'retry-after': after}})
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: kept, answer: status, attempts: 1})
})

test('a retry of the provider that fails does not tell what came of a call that was given up', async () => {
  const shop = await rawShop()
  const sent = event(1)
  shop.answer = (_call, response) => void response.writeHead(504).end()
  const capture = await runCapture(shop.url)
  await capture.send(sent)
  shop.answer = (_call, response) => refuse(response, 400, 'An error occurred during execution of webhook')
  await capture.send(sent)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'unknown', answer: 400, attempts: 2})
  shop.answer = (_call, response) => void response.end()
  await capture.send(sent)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', attempts: 3})
})

test('no connection: the event is failed, a replay delivers it, and both turns are said once', async () => {
  const shop = await rawShop()
  const {port} = new URL(shop.url)
  await shop.close()
  const capture = await runCapture(shop.url)
  for (const index of [1, 2]) {
    expect(await capture.send(event(index))).toMatchObject({status: 503, headers: {'retry-after': '60'}})
  }
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'failed', answer: null})
  expect(capture.err().match(/The shop does not respond/g)).toHaveLength(1)

  const back = await rawShop(Number(port))
  const {exit} = await capture.run('webhook', 'replay', '--yes', '--no-check-state', '--rate', '0')
  expect(exit).toBe(0)
  expect(back.arrived).toHaveLength(2)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', attempts: 2})
  for (const index of [3, 4]) await capture.send(event(index))
  expect(capture.err().match(/answers again.*/g)).toEqual(['answers again; 2 events were stored meanwhile.'])
})

test('a shop that breaks the connection may have acted: the event is unknown', async () => {
  const shop = await rawShop()
  shop.answer = (_call, _response, request) => void request.socket.destroy()
  const capture = await runCapture(shop.url)
  expect((await capture.send(event(1))).status).toBe(503)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'unknown', answer: null})
})

test('a shop that does not answer in time may have acted: the event is unknown', async () => {
  const shop = await rawShop()
  shop.answer = () => {}
  const capture = await runCapture(shop.url, ['--timeout', '200ms'])
  expect((await capture.send(event(1))).status).toBe(503)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'unknown', answer: null})
})

test('--accept-when-down says 200 while the shop is away, and says so at the start', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  const capture = await runCapture(shop.url, ['--accept-when-down'])
  expect(capture.err()).toContain('events are answered 200')
  expect((await capture.send(event(1))).status).toBe(200)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'failed', answer: 503})
  // Whoever cannot show the token is promised nothing.
  expect((await capture.send(event(2), {token: 'no'})).status).toBe(503)
  shop.answer = (_call, response) => refuse(response, 400, 'An error occurred during execution of webhook')
  expect((await capture.send(event(3))).status).toBe(400)
})

test('events of one payment go one at a time, in the order in which they came; others pass them', async () => {
  const shop = await rawShop()
  const open: (() => void)[] = []
  shop.answer = (_call, response) => void open.push(() => void response.end())
  const capture = await runCapture(shop.url)
  const ids = () => shop.arrived.map(({body}) => JSON.parse(body.toString()).id)
  const sent = []
  for (const [index, transaction] of [
    [1, 7],
    [2, 7],
    [3, 7],
    [4, 8],
  ] as const) {
    sent.push(capture.send(event(index, {transaction})))
    await until('the event is in the inbox', async () => (await capture.inbox()).has(eventId(index)))
  }
  await until('the first and the fourth arrive', () => expect(ids()).toEqual([eventId(1), eventId(4)]))
  open[0]?.()
  await until('the second arrives', () => expect(ids()).toEqual([eventId(1), eventId(4), eventId(2)]))
  open[2]?.()
  await until('all four arrive', () => ids().length === 4)
  for (const end of open) end()
  expect((await Promise.all(sent)).map(({status}) => status)).toEqual([200, 200, 200, 200])
})

test('the same event again is handed on again, as the provider means it', async () => {
  const shop = await rawShop()
  const sent = event(1)
  const capture = await runCapture(shop.url)
  await capture.send(sent)
  await capture.send(sent)
  expect(shop.arrived).toHaveLength(2)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', attempts: 2})
})

test('--skip-delivered answers for the shop where it has taken the event before', async () => {
  const shop = await rawShop()
  const sent = event(1)
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  const capture = await runCapture(shop.url, ['--skip-delivered'])
  expect((await capture.send(sent)).status).toBe(503)
  shop.answer = (_call, response) => void response.end()
  expect((await capture.send(sent)).status).toBe(200)
  expect((await capture.send(sent)).status).toBe(200)
  expect((await capture.send(sent, {token: 'no'})).status).toBe(200)
  expect(shop.arrived).toHaveLength(3)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered', answer: 200})
})

test('--forward-to none keeps events and answers for nobody', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url, ['--forward-to', 'none'])
  expect((await capture.send(event(1))).status).toBe(200)
  const refused = await capture.send(event(2), {token: 'no'})
  expect(refused.status).toBe(400)
  expect(refused.body).toContain('Shopware token is invalid')
  expect(shop.arrived).toEqual([])
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'pending', attempts: 0})
  expect((await capture.inbox()).get(eventId(2))).toMatchObject({status: 'failed', sender: 'wrong-token'})
})

test('--forward-to another address goes there, below its own path, and the inbox stays that of the profile', async () => {
  const [shop, inner] = [await rawShop(), await rawShop()]
  const capture = await runCapture(`${shop.url}/de`, ['--forward-to', `${inner.url}/inner`])
  expect(capture.url).toMatch(/\/de\/api\/_action\/paypal\/webhook\/execute$/)
  expect((await capture.send(event(1))).status).toBe(200)
  expect((await capture.send(event(2), {target: `${WEBHOOK}?sw-token=${TOKEN}`})).status).toBe(404)
  expect(shop.arrived).toEqual([])
  expect(inner.arrived.map(({url}) => url)).toEqual([`/inner${WEBHOOK}?sw-token=${TOKEN}`])
  expect([...(await capture.inbox()).keys()]).toEqual([eventId(1)])
})

test('what would go round in a circle is stopped, and says why', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  shop.answer = async ({body, rawHeaders, url}, response) => {
    const headers = rawHeaders.filter(
      (_, at) => !/^(host|content-length)$/.test(rawHeaders[at - (at % 2)] ?? ''),
    )
    const inner = await sendTo(capture.url, body, {target: url, headers})
    response.writeHead(inner.status, {'Content-Type': 'application/json'}).end(inner.body)
  }
  const answered = await capture.send(event(1))
  expect(answered.status).toBe(503)
  expect((await capture.inbox()).get(eventId(1))?.message).toContain('--forward-to must name the shop')
  expect(shop.arrived).toHaveLength(1)
})

test('large bodies that come at once are asked to come later before they fill the memory', async () => {
  const shop = await rawShop()
  const ends: (() => void)[] = []
  shop.answer = (_call, response) => void ends.push(() => response.end())
  const capture = await runCapture(shop.url)
  const large = Buffer.alloc(9_500_000, 'x')
  const first = Array.from({length: 7}, (_, index) =>
    capture.send(Buffer.concat([large, Buffer.from([index])])),
  )
  await until('7 are under way', () => ends.length === 7)
  expect((await capture.send(large)).status).toBe(503)
  for (const end of ends) end()
  expect((await Promise.all(first)).map(({status}) => status)).toEqual(Array(7).fill(200))
})

test('everything else is refused', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url, ['--body-limit', '1KiB'])
  expect((await capture.send('', {target: '/'})).status).toBe(404)
  expect((await capture.send('', {target: '/api/search/order'})).status).toBe(404)
  expect((await capture.send('', {target: `${WEBHOOK}/`})).status).toBe(404)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect(await capture.send('', {method})).toMatchObject({status: 405, headers: {allow: 'POST'}})
  }
  expect(await capture.send('', {method: 'HEAD'})).toMatchObject({status: 405, body: ''})
  expect((await capture.send('x'.repeat(1025))).status).toBe(413)
  expect((await capture.send('x'.repeat(1024))).status).toBe(200)
  expect(
    (await capture.send(event(1), {target: `http://shop.test${WEBHOOK}?sw-token=${TOKEN}`})).status,
  ).toBe(200)
  expect(shop.arrived).toHaveLength(2)
})

test('metrics count, and name nobody', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const base = capture.url.replace(WEBHOOK, '')
  await capture.send(event(1))
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  await capture.send(event(2))
  await capture.send('', {target: '/x'})
  const {body, headers} = await sendTo(base, '', {method: 'GET', target: '/metrics'})
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(body.split('\n')).toEqual(
    expect.arrayContaining([
      'storectl_capture_events_total{status="delivered",answered="200"} 1',
      'storectl_capture_events_total{status="failed",answered="503"} 1',
      'storectl_capture_refused_total{reason="path"} 1',
      'storectl_capture_forward_seconds_count 2',
      'storectl_capture_inbox_events{status="delivered"} 1',
      'storectl_capture_inbox_events{status="failed"} 1',
      'storectl_capture_inbox_writable 1',
    ]),
  )
  for (const secret of [TOKEN, eventId(1), transactionId(1), '127.0.0.1']) expect(body).not.toContain(secret)
})

test('--metrics-listen takes them to an address of their own', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url, ['--metrics-listen', '0'])
  const [, own = ''] = /Health: (\S+)\/healthz/.exec(capture.err()) ?? []
  const get = {method: 'GET'} as const
  expect((await capture.send('', {...get, target: '/metrics'})).status).toBe(404)
  expect((await capture.send('', {...get, target: '/healthz'})).status).toBe(404)
  expect(await sendTo(own, '', {...get, target: '/healthz'})).toMatchObject({
    status: 200,
    body: '{"status":"ok"}',
  })
  expect((await sendTo(own, '', {...get, target: '/metrics'})).status).toBe(200)
  expect((await sendTo(own, event(1), {target: WEBHOOK})).status).toBe(404)
})

test('Ctrl-C finishes what is under way, takes no more, and ends with 0', async () => {
  const shop = await rawShop()
  const end = holdAnswers(shop)
  const capture = await runCapture(shop.url)
  const sent = capture.send(event(1))
  await until('the event arrives', () => shop.arrived.length === 1)
  capture.interrupt()
  await until('nothing listens any more', () =>
    expect(capture.send(event(2))).rejects.toThrow(/ECONNREFUSED/),
  )
  end()
  expect((await sent).status).toBe(200)
  expect(await capture.ended).toMatchObject({exit: 0, stderr: expect.stringContaining('1 delivered\n')})
  expect([...(await capture.inbox()).keys()]).toEqual([eventId(1)])
})

/** Sends the first event, and hangs up once the shop has it. */
async function sendAndHangUp(capture: RunningCapture, shop: RawShop): Promise<void> {
  const hangUp = new AbortController()
  const {signal} = hangUp
  const url = `${capture.url}?sw-token=${TOKEN}`
  const sent = fetch(url, {method: 'POST', body: JSON.stringify(event(1)), signal}).catch(() => {})
  await until('the event arrives', () => shop.arrived.length === 1)
  hangUp.abort()
  await sent
}

test('Ctrl-C waits for the shop also where the caller has hung up', async () => {
  const shop = await rawShop()
  const end = holdAnswers(shop)
  const capture = await runCapture(shop.url)
  await sendAndHangUp(capture, shop)
  capture.interrupt()
  // By then nobody listens any more.
  await until('nothing listens any more', () =>
    expect(capture.send(event(2))).rejects.toThrow(/ECONNREFUSED/),
  )
  end()
  expect(await capture.ended).toMatchObject({exit: 0, stderr: expect.stringContaining('1 delivered\n')})
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered'})
})

test('who has no answer when the grace period is over is unknown, and the exit is 3', async () => {
  const shop = await rawShop()
  shop.answer = () => {}
  const capture = await runCapture(shop.url, ['--shutdown-timeout', '100ms'])
  const sent = capture.send(event(1)).catch(error => error.message)
  await until('the event arrives', () => shop.arrived.length === 1)
  capture.interrupt()
  // Sooner than it ends by itself.
  await until('it says that it gave up', () => capture.err().includes('had no response yet'))
  const {exit, stderr} = await capture.ended
  expect(exit).toBe(3)
  expect(stderr).toContain('1 had no response yet and are stored as unknown')
  expect(await sent).toMatch(/socket hang up|ECONNRESET/)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'unknown'})
})

test('the same id with another body is kept beside the first, and neither is sent again', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  const capture = await runCapture(shop.url)
  await capture.send(event(1))
  await capture.send({...event(1), summary: 'another'})
  expect([...(await capture.inbox()).values()]).toMatchObject([{conflict: true}, {conflict: true}])
  const {stdout} = await capture.run('webhook', 'replay', '--dry-run', '-o', 'ndjson')
  const actions = readJsonLines(stdout).map(row => row.action)
  expect(actions).toEqual(['invalid', 'invalid'])
})

test('a caller who asks whether to go on is told so', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const headers = ['Content-Type', 'application/json', 'Expect', '100-continue']
  expect((await capture.send(event(1), {headers})).status).toBe(200)
  expect(shop.arrived[0]?.rawHeaders.join()).not.toMatch(/expect/i)
})

test('a caller who hangs up is not asked again what it sent: it is delivered all the same', async () => {
  const shop = await rawShop()
  const end = holdAnswers(shop)
  const capture = await runCapture(shop.url)
  await sendAndHangUp(capture, shop)
  end()
  await until('it prints that the event is delivered', () => capture.out().includes('delivered'))
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered'})
})

test('two captures on one home fill one inbox', async () => {
  const shop = await rawShop()
  const first = await runCapture(shop.url)
  const second = await runCapture(shop.url, [], {home: first.home})
  const indices = Array.from({length: 40}, (_, index) => index)
  const answers = await Promise.all(
    indices.map(index => (index % 2 ? first : second).send(event(index)).then(({status}) => status)),
  )
  expect(new Set(answers)).toEqual(new Set([200]))
  expect((await first.inbox()).size).toBe(40)
})

test('a replay does not send what a capture is handing on at this moment', async () => {
  const shop = await rawShop()
  const end = holdAnswers(shop)
  const capture = await runCapture(shop.url)
  const sent = capture.send(event(1))
  await until('the event arrives', () => shop.arrived.length === 1)
  const words = [
    'webhook',
    'replay',
    eventId(1),
    '--no-check-state',
    '--include-unknown',
    '--yes',
    '-o',
    'ndjson',
  ]
  const {stdout} = await capture.run(...words)
  expect(JSON.parse(stdout)).toMatchObject({id: eventId(1), result: 'held'})
  end()
  expect((await sent).status).toBe(200)
  expect(shop.arrived).toHaveLength(1)
})

test('a replay does not send an event of a payment that a capture is handing another on of', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  shop.answer = (_call, response) => refuse(response, 503, 'maintenance')
  await capture.send(event(1, {transaction: 7}))
  const end = holdAnswers(shop)
  const sent = capture.send(event(2, {transaction: 7}))
  await until('both events arrive', () => shop.arrived.length === 2)
  const words = ['webhook', 'replay', eventId(1), '--no-check-state', '--yes', '-o', 'ndjson']
  const {stdout} = await capture.run(...words)
  expect(JSON.parse(stdout)).toMatchObject({result: 'held', detail: expect.stringContaining('in-flight')})
  end()
  expect((await sent).status).toBe(200)
  expect(shop.arrived).toHaveLength(2)
})

test('another address than that of this machine wants consent', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  for (const listen of [':0', '0.0.0.0:0', '[::]:0']) {
    const {exit, stderr} = await capture.run('webhook', 'capture', '--listen', listen)
    expect(exit).toBe(2)
    expect(stderr).toContain(`--listen ${listen} --allow-remote`)
  }
})

test('a port that is taken ends with 8, a profile without a webhook token with 4', async () => {
  const shop = await rawShop()
  const capture = await runCapture(shop.url)
  const {port} = new URL(capture.url)
  expect(await capture.run('webhook', 'capture', '--listen', port)).toMatchObject({
    ...{exit: 8, stderr: expect.stringContaining('storectl webhook capture --listen 0   # any free port')},
  })
  const bare = await runCapture(shop.url, [], {env: {STORECTL_WEBHOOK_TOKEN: ''}})
  expect(await bare.ended).toMatchObject({exit: 4, stderr: expect.stringContaining('No webhook token')})
})
