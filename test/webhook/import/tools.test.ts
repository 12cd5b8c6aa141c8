import {expect, test} from 'vitest'
import type {Read, ReadEvent} from '../../../src/webhook/import/read-captured.js'
import {readEvents} from '../../../src/webhook/import/read-events.js'
import {eventId} from '../support.js'

async function read(content: string): Promise<Read[]> {
  async function* chunks() {
    yield Buffer.from(content)
  }
  const all: Read[] = []
  for await (const each of readEvents({name: 'f', chunks: chunks()}, () => new Date(0))) all.push(each)
  return all
}

/** `custom_id` is JSON in JSON; numbers, spaces, quotes and letters are the provider's own. */
const BODY = `{"id":"${eventId(1)}","event_type":"PAYMENT.CAPTURE.COMPLETED","total": 1.10,"resource":{"custom_id":"{\\"orderTransactionId\\":\\"${'a'.repeat(32)}\\"}","note":"it's ä } $x"}}`
const URL = 'https://shop.example/webhook/execute?sw-token=secret'
const SENT = {
  'PAYPAL-TRANSMISSION-ID': 'b7fb38b0-1',
  'Content-Type': 'application/json',
  'X-Forwarded-For': '1.2.3.4',
}
const AT = new Date('2026-11-21T12:00:00Z')

/** The one event of a file, with its very bytes and the provider's headers alone. */
async function expectEvent(content: string, more: object = {}): Promise<void> {
  const [found, ...others] = await read(content)
  expect(others).toEqual([])
  const {event} = found as ReadEvent
  expect(Buffer.from(event.body).toString()).toBe(BODY)
  const names = event.headers.map(([name]) => name.toLowerCase())
  expect(names).toEqual(expect.arrayContaining(['paypal-transmission-id']))
  expect(names.filter(name => !/^(paypal-.*|content-type)$/.test(name))).toEqual([])
  expect(JSON.stringify(event.headers)).not.toContain('secret')
  expect(found).toMatchObject(more)
}

test.each([
  [
    'PowerShell',
    'PS C:\\> Invoke-RestMethod -Uri "https://shop.example/webhook/execute" -Method Post -Body $body',
  ],
  ["Windows' cmd", 'curl ^"https://shop.example/webhook/execute^" ^\r\n  -X POST ^\r\n  --data-raw ^"^{^}^"'],
  [
    "Windows' cmd without carets in words",
    'curl "https://shop.example/webhook/execute" ^\r\n  --data-raw "{}"',
  ],
])('a command of %s is no event, and each line of it is passed over', async (_, command) => {
  const lines = command.split('\n').map(() => ({passedOver: true}))
  const all = await read(`${command}\n${BODY}\n`)
  expect(all.slice(0, -1)).toEqual(lines)
  expect(all.at(-1)).toMatchObject({event: {id: eventId(1)}})
})

const RAW = `POST /webhook/execute?sw-token=secret HTTP/1.1\r\nHost: shop.example\r\n\r\n${BODY}`
const lists = Object.fromEntries(Object.entries(SENT).map(([name, value]) => [name, [value]]))
const named = Object.entries(SENT).map(([name, value]) => ({name, value}))

const INSOMNIA = {
  ...{_type: 'export', __export_format: 4, __export_date: '2026-11-21T12:00:00.000Z'},
  resources: [
    {_id: 'wrk_1', _type: 'workspace', name: 'shop'},
    {
      ...{_id: 'req_1', parentId: 'wrk_1', _type: 'request', name: 'webhook', method: 'POST', url: URL},
      ...{body: {mimeType: 'application/json', text: BODY}, headers: named},
    },
  ],
}

/** An export of version 5. @param text the body as YAML */
const writeInsomnia5 = (text: string) => `type: collection.insomnia.rest/5.0
schema_version: "5.1"
name: shop
meta:
  id: wrk_1
collection:
  - name: webhooks
    children:
      - url: ${URL}
        name: captured
        method: POST
        body:
          mimeType: application/json
          text: ${text}
        headers:
${named.map(({name, value}) => `          - name: ${name}\n            value: ${JSON.stringify(value)}`).join('\n')}
environments:
  name: Base`

test('an export of YAML that is none, or unfolds, is refused', async () => {
  const why = async (content: string) =>
    JSON.stringify(await read(`type: collection.insomnia.rest/5.0\n${content}\n`))
  expect(await why('collection: [')).toContain('it is not YAML: ')
  expect(await why('collection: *none')).toContain('it is not YAML: ')
  const level = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(`*${of}`).join(', ')}]`
  const bomb = ['a: &a [x]', level('b', 'a'), level('c', 'b'), level('d', 'c'), level('e', 'd')].join('\n')
  expect(await why(bomb)).toContain('it is not YAML: ')
  expect(await why(`collection: ${'['.repeat(400)}`)).toContain('it is not YAML: ')
  for (const deep of ['['.repeat(3_000_000), '- '.repeat(1_000_000), '{a: '.repeat(500_000)])
    expect(await why(`collection:\n  ${deep}`)).toContain('more than 512 levels')
  expect(await why(`b: &a 1\na:\n${'  - *a\n'.repeat(4096)}`)).toContain('more than 4096 anchors')
  expect(await why('# '.repeat(3_000_000))).toContain('longer than 4 MiB')
})

test('many values of YAML side by side are no levels', async () => {
  const tags = `\ntags: [${Array(600).fill('[a, b]').join(', ')}]\n`
  await expectEvent(`${writeInsomnia5(JSON.stringify(BODY))}${tags}`)
})

test('a here-string of the shell is what curl sends', async () => {
  const headers = Object.entries(SENT).map(([name, value]) => `-H '${name}: ${value}'`)
  const body = `'${BODY.replaceAll("'", "'\\''")}'`
  await expectEvent(`curl -X POST ${headers.join(' ')} -d @- '${URL}' <<< ${body}\n`)
})

const NGROK = {
  uri: '/api/requests/http',
  requests: [
    {
      ...{uri: '/api/requests/http/4a', id: '4a', tunnel_name: 'command_line', start: '2026-11-21T12:00:00Z'},
      request: {
        ...{method: 'POST', proto: 'HTTP/1.1', headers: lists, uri: '/webhook/execute?sw-token=secret'},
        raw: Buffer.from(RAW).toString('base64'),
      },
      response: {status: '400 Bad Request', status_code: 400, proto: 'HTTP/1.1', headers: {}, raw: ''},
    },
  ],
}

test('a raw body in base64 that is neither a request nor an object is none', async () => {
  const [inspection] = NGROK.requests
  const raw = Buffer.from(`Begin of a text that goes on\r\n\r\n${BODY}`).toString('base64')
  const other = {...NGROK, requests: [{...inspection, request: {...inspection?.request, raw}}]}
  expect(await read(JSON.stringify(other))).toEqual([{passedOver: true}])
})

const WEBHOOK_SITE = {
  data: [
    {
      ...{uuid: 'u', type: 'web', method: 'POST', ip: '1.2.3.4', content: BODY, headers: lists},
      ...{url: URL, created_at: '2026-11-21 12:00:00'},
    },
  ],
  ...{total: 1, per_page: 50, current_page: 1, is_last_page: true},
}

const csv = (text: string) => `"${text.replaceAll('"', '""')}"`
const WEBHOOK_SITE_CSV = `\ufeffuuid,type,method,ip,user_agent,content,query,headers,url,created_at\r\nu,web,POST,1.2.3.4,PayPal,${csv(BODY)},,${csv(JSON.stringify(lists))},${URL},2026-11-21 12:00:00\r\n`

const CHARLES = [
  {
    ...{status: 'COMPLETE', method: 'POST', scheme: 'https', host: 'shop.example', path: '/webhook/execute'},
    request: {header: {firstLine: 'POST / HTTP/1.1', headers: named}, body: {text: BODY, charset: 'UTF-8'}},
    response: {status: 400},
  },
]

const harEntry = (more: object) => ({
  log: {
    ...{version: '1.2', creator: {name: 'Charles Proxy', version: '4.6'}},
    entries: [
      {
        ...{startedDateTime: '2026-11-21T12:00:00.000+00:00', time: 12},
        request: {
          ...{method: 'POST', url: URL, httpVersion: 'HTTP/1.1', headers: named, headersSize: 300},
          ...{
            bodySize: Buffer.byteLength(BODY),
            postData: {mimeType: 'application/json', text: BODY, ...more},
          },
        },
        response: {status: 400, content: {size: 0}},
      },
    ],
  },
})

const MODSECURITY = {
  transaction: {time: '21/Nov/2026:12:00:00.123456 +0000', transaction_id: 'Y1'},
  request: {
    request_line: 'POST /webhook/execute HTTP/1.1',
    headers: SENT,
    body: [BODY.slice(0, 20), BODY.slice(20)],
  },
  response: {protocol: 'HTTP/1.1', status: 400, headers: {}},
}
const MODSECURITY_3 = {
  transaction: {
    ...{client_ip: '1.2.3.4', time_stamp: 'Sat Nov 21 12:00:00 2026', unique_id: '1'},
    request: {method: 'POST', http_version: 1.1, uri: '/webhook/execute', headers: SENT, body: BODY},
    response: {http_code: 400, headers: {}},
  },
}

const failed = {sighting: {status: 'failed', answer: 400}}
const failedThen = {sighting: {status: 'failed', answer: 400, at: AT}}

test.each([
  ['Insomnia', JSON.stringify(INSOMNIA, null, 2), {}],
  ['Insomnia 5, a text over lines', writeInsomnia5(`|-\n            ${BODY}`), {}],
  ['Insomnia 5, quoted', writeInsomnia5(JSON.stringify(BODY)), {}],
  ["ngrok's inspection", JSON.stringify(NGROK), failedThen],
  ['webhook.site, JSON', JSON.stringify(WEBHOOK_SITE), {event: {receivedAt: AT}}],
  ['webhook.site, CSV', WEBHOOK_SITE_CSV, {event: {receivedAt: AT}}],
  ["Charles' own session", JSON.stringify(CHARLES), failed],
  ['HAR of Charles', JSON.stringify(harEntry({}), null, 1), failedThen],
  ['HAR of a browser', JSON.stringify(harEntry({params: []})), failedThen],
  ['ModSecurity 2, JSON', JSON.stringify(MODSECURITY), failed],
  ['ModSecurity 3, JSON', JSON.stringify(MODSECURITY_3), failed],
])('the export of %s gives the event, its bytes and how it was answered', (_, content, more) =>
  expectEvent(`${content}\n`, more),
)

const serial = (id: string, body: string, dash = '--') =>
  [
    `${dash}${id}-A--`,
    '[21/Nov/2026:12:00:00 +0000] Y1AAAQ 192.0.2.10 52344 192.0.2.1 443',
    `${dash}${id}-B--`,
    'POST /webhook/execute?sw-token=secret HTTP/1.1',
    ...Object.entries(SENT).map(([name, value]) => `${name}: ${value}`),
    '',
    `${dash}${id}-C--`,
    body,
    `${dash}${id}-F--`,
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json',
    '',
    `${dash}${id}-H--`,
    'Message: Warning. Pattern match "event_type" at REQUEST_BODY.',
    `${dash}${id}-Z--`,
    '',
  ].join('\n')

test('the serial audit log of ModSecurity gives each event, and passes other requests over', async () => {
  const other = serial('99aabb00', 'a=b').replace('/webhook/execute?sw-token=secret', '/checkout')
  await expectEvent(serial('c7036611', BODY), failedThen)
  await expectEvent(
    serial('NBqYGVqs-', BODY, '---').replaceAll('---NBqYGVqs--', '---NBqYGVqs---'),
    failedThen,
  )
  const all = await read(
    other + serial('c7036611', BODY) + serial('c7036612', BODY.replace(eventId(1), eventId(2))),
  )
  expect(all).toMatchObject([{passedOver: true}, {event: {id: eventId(1)}}, {event: {id: eventId(2)}}])
})

test('a row that is not whole is passed over, or named where it had an event', async () => {
  expect(await read('method,content\nPOST,"{""id""\n')).toEqual([{passedOver: true}])
  const [row, ...others] = await read(`method,content\nPOST,${csv(BODY).slice(0, 80)}\n`)
  const why = expect.stringMatching(
    new RegExp(`^${eventId(1)}: cut off after \\d+ bytes; get it with --from-provider$`),
  )
  expect([row, others]).toEqual([{fault: {file: 'f', line: 2, why}}, []])
})
