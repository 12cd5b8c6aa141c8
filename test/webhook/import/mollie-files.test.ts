import {describe, expect, test} from 'vitest'
import {readAll} from './reading.js'

const TRANSACTION = '0193c4d0e5f67a8b9c0d1e2f3a4b1001'
const PATH = `/api/mollie/webhook/${TRANSACTION}`
const URL = `https://shop.example${PATH}`
const ID = 'tr_Kq81NsZ2aa'
const AT = '2026-11-25T17:50:06.000Z'
const SECONDS = Date.parse(AT) / 1000

/** The one call of a file, with its transaction. */
async function readCall(content: string) {
  const {events, faults} = await readAll(content)
  expect(faults).toEqual([])
  expect(events).toHaveLength(1)
  const [call] = events
  expect(call?.event.traits).toMatchObject({provider: 'mollie', keyText: `id:${TRANSACTION}`})
  expect(new URLSearchParams(Buffer.from(call?.event.body ?? '').toString()).get('id')).toBe(ID)
  expect(call?.event.headers).toContainEqual([
    expect.stringMatching(/^content-type$/i),
    'application/x-www-form-urlencoded',
  ])
  return call
}

const harOf = (postData: object, url = URL) => ({
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: AT,
        request: {method: 'POST', url, headers: [], postData},
        response: {status: 400, content: {text: ''}},
      },
    ],
  },
})

const postman = (body: object, url: unknown = {raw: URL, host: ['shop', 'example']}) =>
  JSON.stringify(
    {
      info: {name: 'x', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'},
      item: [{name: 'folder', item: [{name: 'call', request: {method: 'POST', header: [], body, url}}]}],
    },
    null,
    '\t',
  )

describe('a form is a call', () => {
  test.each([
    ['curl -d', `curl -X POST ${URL} -d id=${ID}\n`],
    ['curl -d, quoted, before the address', `curl --data 'id=${ID}' '${URL}'\n`],
    [
      'curl --data-raw',
      `curl '${URL}' \\\n  -H 'Content-Type: application/x-www-form-urlencoded' \\\n  --data-raw 'id=${ID}'\n`,
    ],
    ['curl -F', `curl -F id=${ID} ${URL}\n`],
    ['curl --form', `curl '${URL}' --form 'id="${ID}"'\n`],
    ['curl --form-string', `curl ${URL} --form-string id=${ID}\n`],
    ['curl --data-urlencode', `curl -X POST ${URL} --data-urlencode 'id=${ID}'\n`],
    ['curl, two fields', `curl ${URL} -d 'testmode=1' -d 'id=${ID}'\n`],
    ['the other route', `curl https://shop.example/mollie/webhook/${TRANSACTION} -d id=${ID}\n`],
    [
      'a request',
      `POST ${PATH} HTTP/1.1\nHost: shop.example\nContent-Type: application/x-www-form-urlencoded\n\nid=${ID}\n`,
    ],
    [
      'Postman, urlencoded',
      postman({mode: 'urlencoded', urlencoded: [{key: 'id', value: ID, type: 'text'}]}),
    ],
    ['Postman, formdata', postman({mode: 'formdata', formdata: [{key: 'id', value: ID, type: 'text'}]}, URL)],
    ['Postman, raw', postman({mode: 'raw', raw: `id=${ID}`})],
  ])('%s', async (_, content) => {
    const call = await readCall(content)
    expect(call?.event.id).toBe(ID)
    expect(call?.sighting).toBeUndefined()
  })

  test.each([
    ['text', {mimeType: 'application/x-www-form-urlencoded', text: `id=${ID}`}],
    ['params', {mimeType: 'application/x-www-form-urlencoded', params: [{name: 'id', value: ID}]}],
    ['params beside an empty text', {mimeType: 'x', text: '', params: [{name: 'id', value: ID}]}],
  ])('HAR: %s', async (_, postData) => {
    const call = await readCall(JSON.stringify(harOf(postData)))
    expect(call).toMatchObject({
      event: {id: `${ID}@${AT}`},
      sighting: {status: 'failed', answer: 400, at: new Date(AT)},
    })
  })
})

describe('access logs in JSON give the transaction, the time and the answer', () => {
  const body = `id=${ID}`
  const of = (...parts: object[]) => JSON.stringify(Object.assign({}, ...parts))
  test.each([
    [
      'nginx',
      of(
        {time_iso8601: '2026-11-25T17:50:06+00:00', request: `POST ${PATH} HTTP/1.1`},
        {status: '400', request_body: body},
      ),
    ],
    [
      'nginx, single variables',
      of(
        {time_local: '25/Nov/2026:17:50:06 +0000', request_method: 'POST'},
        {request_uri: PATH, status: 400, request_body: body},
      ),
    ],
    [
      'nginx, names of ours',
      of({'@timestamp': '2026-11-25T17:50:06+00:00', method: 'POST'}, {uri: PATH, status: '400', body}),
    ],
    [
      'nginx, seconds',
      of({msec: `${SECONDS}.000`, request_method: 'POST'}, {uri: PATH, status: '400', request_body: body}),
    ],
    [
      'Traefik',
      of(
        {RequestMethod: 'POST', RequestPath: PATH, DownstreamStatus: 400},
        {OriginStatus: 400, StartUTC: '2026-11-25T17:50:06Z', request_body: body},
      ),
    ],
    [
      'Traefik, its time of writing',
      of(
        {RequestMethod: 'POST', RequestPath: PATH},
        {DownstreamStatus: 400, level: 'info', time: '2026-11-25T17:50:06Z', RequestBody: body},
      ),
    ],
    [
      'Caddy',
      of(
        {level: 'info', ts: SECONDS, logger: 'http.log.access', msg: 'handled request'},
        {request: {method: 'POST', host: 'shop.example', uri: PATH, headers: {}}, status: 400, body},
      ),
    ],
    [
      'Caddy, the body with the request',
      of(
        {ts: SECONDS, msg: 'handled request'},
        {request: {method: 'POST', uri: PATH, body}, status: 400, duration: 0.01},
      ),
    ],
  ])('%s', async (_, content) => {
    const call = await readCall(`${content}\n`)
    expect(call).toMatchObject({
      event: {id: `${ID}@${AT}`, receivedAt: new Date(AT)},
      sighting: {status: 'failed', answer: 400, at: new Date(AT)},
    })
  })

  test('two calls of one payment are two, by their times', async () => {
    const lines = ['06', '36'].map(second =>
      of({time: `2026-11-25T17:50:${second}+00:00`, method: 'POST', uri: PATH}, {status: '400', body}),
    )
    const {events} = await readAll(`${lines.join('\n')}\n`)
    expect(new Set(events.map(({event}) => event.id)).size).toBe(2)
  })
})

const payment = (n: number, webhookUrl: string | null | undefined = URL) => ({
  ...{resource: 'payment', id: `tr_Kq81NsZ2a${n}`, mode: 'live', status: 'paid', method: 'ideal'},
  ...{createdAt: '2026-11-25T17:49:00+00:00', amount: {value: '48.00', currency: 'EUR'}},
  ...{description: 'Order 10001', profileId: 'pfl_QkEhN94Ba', redirectUrl: 'https://shop.example/done'},
  ...(webhookUrl === undefined ? {} : {webhookUrl}),
  _links: {self: {href: `https://api.mollie.com/v2/payments/tr_Kq81NsZ2a${n}`, type: 'application/hal+json'}},
})

describe("Mollie's own payments", () => {
  const list = (...payments: object[]) => ({
    ...{count: payments.length, _embedded: {payments}},
    _links: {
      self: {href: 'https://api.mollie.com/v2/payments?limit=50', type: 'application/hal+json'},
      next: null,
    },
  })

  test.each([
    ['a list', JSON.stringify(list(payment(1), payment(2)))],
    ['a list over lines', JSON.stringify(list(payment(1), payment(2)), null, 2)],
    ['a payment a line', `${JSON.stringify(payment(1))}\n${JSON.stringify(payment(2))}\n`],
    ['only what a call needs', JSON.stringify([1, 2].map(n => ({id: `tr_Kq81NsZ2a${n}`, webhookUrl: URL})))],
  ])('%s: each is a call to the address that it names', async (_, content) => {
    const {events, bodies, faults} = await readAll(content)
    expect(faults).toEqual([])
    expect(bodies).toEqual(['id=tr_Kq81NsZ2a1', 'id=tr_Kq81NsZ2a2'])
    for (const {event, sighting} of events) {
      expect(event).toMatchObject({type: 'payment.changed', traits: {keyText: `id:${TRANSACTION}`}})
      expect(sighting).toBeUndefined()
    }
  })

  test.each([
    ['without a webhook', null],
    ['with the webhook of something else', 'https://other.example/hook'],
  ])('a payment %s is no call', async (_, address) => {
    const {bodies} = await readAll(JSON.stringify(list(payment(1, address), payment(2))))
    expect(bodies).toEqual(['id=tr_Kq81NsZ2a2'])
  })
})

test.each([
  ['a line without a form', '2026-11-25 INFO done'],
  ['an id of something else', '{"id":"cst_1","name":"x"}'],
  ['a word like an id', 'the payment tr_Kq81NsZ2aa is open'],
])('%s beside a call is passed over', async (_, line) => {
  const {events, faults} = await readAll(`${line}\ncurl ${URL} -d id=${ID}\n${line}\n`)
  expect([events.map(({event}) => event.id), faults]).toEqual([[ID], []])
})
