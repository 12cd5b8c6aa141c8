import {describe, expect, test} from 'vitest'
import {FaultSummary} from '../../../src/webhook/import/fault-summary.js'
import type {Read, ReadEvent} from '../../../src/webhook/import/read-captured.js'
import {readEvents} from '../../../src/webhook/import/read-events.js'
import {eventId} from '../support.js'

async function read(content: string): Promise<Read[]> {
  async function* chunks() {
    yield Buffer.from(content)
  }
  const all: Read[] = []
  const shop = {
    tokenPrefix: 'sw',
    isOwnWebhook: (address: string) => address.startsWith('https://shop.example/'),
  }
  for await (const each of readEvents({name: 'f', chunks: chunks()}, () => new Date(0), shop)) all.push(each)
  return all
}

const bodyOf = (found: Read | undefined) => (found as ReadEvent).event.body

/** An event as every capture has it: `custom_id` is JSON in JSON, numbers and spaces are the provider's own. */
const BODY = `{"id":"${eventId(1)}","event_type":"PAYMENT.CAPTURE.COMPLETED","total": 1.10,"resource":{"custom_id":"{\\"orderTransactionId\\":\\"${'a'.repeat(32)}\\"}","note":"ä } {"}}`
const TEXT = JSON.stringify(BODY)
const EVENT = JSON.parse(BODY)
const REASON = 'Transaction "a" not found'

const shopLog = `[2026-11-20T10:11:12.123456+00:00] paypal.ERROR: [PayPal Webhook] ${REASON} {"type":"X","webhook":${TEXT}} []`
const shopJsonLog = JSON.stringify({
  message: `[PayPal Webhook] ${REASON}`,
  context: {type: 'X', webhook: BODY},
  ...{level: 400, level_name: 'ERROR', channel: 'paypal', datetime: '2026-11-20T10:11:12.123456+00:00'},
})

test.each([
  ['text', shopLog],
  ['JSON', shopJsonLog],
  ['text behind what kubectl puts there', `[pod/shop-1/php] ${shopLog}`],
])("Shopware's own log as %s gives the event, when it failed, and why", async (_, line) => {
  const [found] = await read(`${line}\n${line}\n`)
  expect(found).toMatchObject({
    event: {id: eventId(1)},
    sighting: {status: 'failed', answer: 400, message: REASON, at: new Date('2026-11-20T10:11:12.123Z')},
  })
  expect(Buffer.from(bodyOf(found)).toString()).toBe(BODY)
})

describe('an event is found with its bytes', () => {
  test.each([
    ['behind a CRI prefix', `2026-11-20T10:11:12.1Z stdout F ${BODY}`],
    ['behind syslog', `Nov 20 10:11:12 web1 php-fpm[42]: webhook received ${BODY} in 12 ms`],
    ['behind kubectl', `[pod/shop-1/php] ${BODY}`],
    ['with escaped quotes in a field', `ts=2026 level=info body=${TEXT} status=400`],
    ['behind braces that are text', `{request} {x: 1} got ${BODY}`],
    [
      'in the log of docker',
      JSON.stringify({log: `got ${BODY}\n`, stream: 'stdout', time: '2026-11-20T10:11:12Z'}),
    ],
    ['in body', JSON.stringify({headers: {'Content-Type': 'application/json'}, body: BODY})],
    ['in body, as an object', `{"method":"POST","body":${BODY}}`],
    ['in raw', JSON.stringify({raw: BODY})],
    ['in content', JSON.stringify({uuid: 'x', content: BODY, method: 'POST'})],
    ['in webhook_event', `{"auth_algo":"SHA256withRSA","transmission_id":"t","webhook_event":${BODY}}`],
    [
      'in request.body.raw',
      JSON.stringify({name: 'x', request: {method: 'POST', body: {mode: 'raw', raw: BODY}}}),
    ],
    [
      "in Postman's collection",
      JSON.stringify({info: {}, item: [{item: [{request: {method: 'POST', body: {raw: BODY}}}]}]}, null, 2),
    ],
    ["in CloudWatch's export", JSON.stringify({logEvents: [{timestamp: 1, message: `INFO ${BODY}`}]})],
  ])('%s', async (_, content) => {
    const [found, ...others] = await read(`${content}\n`)
    expect(others).toEqual([])
    expect(found).toMatchObject({event: {id: eventId(1)}})
    expect(Buffer.from(bodyOf(found)).toString()).toBe(BODY)
  })
})

test('curl with a body in double quotes gives the event', async () => {
  const quoted = BODY.replace(/[\\"]/g, '\\$&')
  const [found, ...others] = await read(
    `curl.exe "https://shop.example/webhook/execute" -H "a: b" --data-raw "${quoted}"\r\n`,
  )
  expect(others).toEqual([])
  expect(Buffer.from(bodyOf(found)).toString()).toBe(BODY)
})

test('a request to check a signature keeps the headers of the signature', async () => {
  const [found] = await read(`{"transmission_id":"t-1","transmission_sig":"s","webhook_event":${BODY}}\n`)
  expect(found).toMatchObject({
    event: {
      headers: expect.arrayContaining([
        ['PAYPAL-TRANSMISSION-ID', 't-1'],
        ['PAYPAL-TRANSMISSION-SIG', 's'],
      ]),
    },
  })
})

test('the last answer to this shop that the provider lists is how the delivery went', async () => {
  const entry = (host: string, http_status: unknown, timestamp: string, date?: string) => ({
    ...{
      webhook_url: `https://${host}/api/_action/paypal/webhook/execute?sw-token=secret`,
      http_status,
      timestamp,
    },
    ...(date === undefined ? {} : {response_headers: {Date: date, 'Set-Cookie': 'session=secret'}}),
  })
  const transmissions = [
    entry('shop.example', 500, '2026-11-20T09:00:00Z'),
    entry('shop.example', '400', '2026-11-20T08:00:00Z', 'Sat, 21 Nov 2026 22:00:00 GMT'),
    entry('other.example', 200, '2026-11-22T10:00:00Z'),
  ]
  const [found] = await read(`${JSON.stringify({...EVENT, status: 'PENDING', transmissions})}\n`)
  expect(found).toMatchObject({
    sighting: {status: 'failed', answer: 400, at: new Date('2026-11-21T22:00:00Z')},
  })
  expect(JSON.parse(Buffer.from((found as ReadEvent).event.body).toString())).toEqual(EVENT)
})

test('a success of another address is no answer of the shop, a failure is', async () => {
  const record = (url: string, statusCode: number) =>
    JSON.stringify({req: {method: 'POST', url, body: EVENT}, res: {statusCode}})
  const route = '/api/_action/paypal/webhook/execute'
  const lines = [record('/relay', 200), record('/relay', 400), record(route, 200), record(route, 400)]
  expect((await read(lines.join('\n'))).map(each => (each as ReadEvent).sighting?.status)).toEqual([
    ...[undefined, 'failed', 'delivered', 'failed'],
  ])
})

test("only the provider's own headers are taken from a file", async () => {
  const headers = {
    ...{'PAYPAL-TRANSMISSION-ID': 't', 'User-Agent': 'PayPal', 'correlation-id': 'c'},
    ...{'X-Forwarded-For': '1.2.3.4', Forwarded: 'for=1', Via: '1.1 x', 'CF-Ray': 'r', 'CDN-Loop': 'c'},
    ...{traceparent: '00-1', Cookie: 'a=b', Authorization: 'Basic x', 'X-Odd': 'y'},
  }
  const [found] = await read(`${JSON.stringify({headers, body: BODY})}\n`)
  expect((found as ReadEvent).event.headers.map(([name]) => name)).toEqual([
    ...['PAYPAL-TRANSMISSION-ID', 'User-Agent', 'correlation-id', 'Content-Type'],
  ])
})

test('what only mentions events is refused, in linear time', async () => {
  const noise = `got event_type ${'{"'.repeat(200_000)}`
  expect(await read(`${noise}\n${JSON.stringify({body: 'no event_type'})}\n`)).toEqual([
    {fault: expect.objectContaining({line: 1})},
    {fault: expect.objectContaining({line: 2})},
  ])
})

test('other lines of the log are passed over', async () => {
  const line = '[2026-11-20T10:11:12+00:00] request.INFO: Matched route "x" {"route":"api"} []'
  expect(await read(`${line}\n`)).toEqual([{passedOver: true}])
})

test('refusals are told by their kind, with a count and the first place', () => {
  const summary = new FaultSummary()
  for (let line = 1; line <= 2000; line++) {
    summary.add({file: 'shop.log', line, why: `not JSON: Unexpected token at position ${line}`})
    summary.add({file: 'shop.log', line, why: `WH-${line} has no "event_type"`})
  }
  summary.add({file: 'shop.log', line: 2001, why: 'the file ends inside a list'})
  expect(summary.lines).toEqual([
    'shop.log:1: not JSON: Unexpected token at position 1 (2,000 entries, this is the first)',
    'shop.log:1: WH-1 has no "event_type" (2,000 entries, this is the first)',
    'shop.log:2001: the file ends inside a list',
  ])
  for (let kind = 0; kind < 1000; kind++) summary.add({file: 'f', line: 1, why: `kind ${'x'.repeat(kind)}`})
  expect(summary.lines.length).toBeLessThanOrEqual(51)
})
