import {describe, expect, test} from 'vitest'
import type {Read, ReadEvent} from '../../src/webhook/import/read-captured.js'
import {type EventFile, readEvents} from '../../src/webhook/import/read-events.js'
import {captureCompleted, providerEvent} from '../support/events.js'
import {sized} from '../support/sized.js'

const TOKEN = 'Ab12'.repeat(8)
const PATH = `/api/_action/paypal/webhook/execute?sw-token=${TOKEN}`
const STRANGE = captureCompleted({seed: 7}).body.replace(
  '"summary":"',
  '"summary":"Größe \\"5\\" – \\u00e9 \\\\ 急須 😀 ',
)

async function read(content: string | Uint8Array, format?: EventFile['format'], pieceBytes = 1 << 20) {
  const bytes = Buffer.from(content)
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
  }
  const reads: Read[] = []
  for await (const each of readEvents({name: 'f', chunks: chunks(), format}, () => new Date(0))) {
    reads.push(each)
  }
  expect(JSON.stringify(reads), 'no token comes through').not.toContain(TOKEN)
  return reads
}

const eventsIn = (reads: readonly Read[]) => reads.filter((each): each is ReadEvent => 'event' in each)
const bodiesIn = (reads: readonly Read[]) =>
  eventsIn(reads).map(({event}) => Buffer.from(event.body).toString())
const faultsIn = (reads: readonly Read[]) => reads.flatMap(each => ('fault' in each ? [each.fault] : []))

/** The content gives this one body and nothing else, however it arrives. */
async function gives(content: string, body: string): Promise<ReadEvent> {
  for (const pieceBytes of [1 << 20, 1000, 7, 1]) {
    const reads = await read(content, undefined, pieceBytes)
    expect(faultsIn(reads)).toEqual([])
    expect(bodiesIn(reads)).toEqual([body])
  }
  return eventsIn(await read(content))[0] as ReadEvent
}

describe('HAR', () => {
  const entry = (body: string, more: object = {}, response: object = {status: 200, content: {}}) => ({
    startedDateTime: '2026-11-20T10:00:00.500Z',
    request: {
      method: 'POST',
      url: `https://shop.example${PATH}`,
      headers: [
        {name: ':method', value: 'POST'},
        {name: 'Authorization', value: 'Basic c2VjcmV0'},
        {name: 'Cookie', value: 'session=secret'},
        {name: 'X-Original-URI', value: PATH},
        {name: 'PAYPAL-TRANSMISSION-ID', value: 'abc'},
      ],
      bodySize: Buffer.byteLength(body),
      postData: {mimeType: 'application/json', text: body},
      ...more,
    },
    response,
  })
  const har = (...entries: unknown[]) => ({log: {version: '1.2', creator: {name: 'x'}, pages: [], entries}})

  test.each([
    ['in one line', har(entry(STRANGE)), 0],
    ['over lines', har(entry(STRANGE)), 2],
    ['with its parts the other way round', {log: {entries: [entry(STRANGE)], pages: [{entries: [1]}]}}, 1],
    [
      'after more pages than are looked ahead',
      {log: {pages: Array(4000).fill('p'.repeat(40)), entries: [entry(STRANGE)]}},
      1,
    ],
  ])('%s', async (_, value, indent) => {
    const {event, sighting, doubt} = await gives(JSON.stringify(value, null, indent), STRANGE)
    expect(event.headers).toEqual([
      ['PAYPAL-TRANSMISSION-ID', 'abc'],
      ['Content-Type', 'application/json'],
    ])
    expect(event.receivedAt).toEqual(new Date('2026-11-20T10:00:00.500Z'))
    expect(sighting).toMatchObject({status: 'delivered', answer: 200, at: event.receivedAt})
    expect(doubt).toBeUndefined()
  })

  test('what was answered is the status of the event, with what was said', async () => {
    const said = {errors: [{detail: 'An error occurred during execution of webhook'}]}
    const refused = {
      status: 400,
      content: {text: Buffer.from(JSON.stringify(said)).toString('base64'), encoding: 'base64'},
    }
    const bodies = [1, 2, 3, 4].map(seed => captureCompleted({seed}).body)
    const responses = [refused, {status: 504}, {status: 0}, null]
    const reads = await read(
      JSON.stringify(har(...bodies.map((body, at) => entry(body, {}, responses[at] as object)))),
    )
    expect(eventsIn(reads).map(({sighting}) => sighting && [sighting.status, sighting.message])).toEqual([
      ['failed', 'An error occurred during execution of webhook'],
      ['unknown', null],
      undefined,
      undefined,
    ])
  })

  test('text that cannot be what was sent is kept and said to be doubtful', async () => {
    const [shorter] = eventsIn(await read(JSON.stringify(har(entry(STRANGE, {bodySize: 5000})))))
    expect(shorter?.doubt).toMatchObject({
      file: 'f',
      why: expect.stringMatching(/text and not its bytes: 5000/),
    })
  })

  test('other traffic is passed over, and a webhook call without a body is named', async () => {
    const other = (url: string, body?: string) =>
      entry('x', {method: body ? 'POST' : 'GET', url, postData: body ? {text: body} : undefined})
    const empty = entry('', {postData: undefined})
    const reads = await read(
      JSON.stringify(
        har(
          other('https://shop.example/'),
          other('https://shop.example/api/oauth/token', '{"client_secret":"hidden"}'),
          entry(STRANGE),
          empty,
          {nothing: 1},
        ),
        null,
        1,
      ),
    )
    expect(reads.map(each => Object.keys(each)[0])).toEqual(['passedOver', 'passedOver', 'event', 'fault'])
    expect(JSON.stringify(reads)).not.toContain('hidden')
    expect(faultsIn(reads).map(({why}) => why)).toEqual(['its body is not in the file'])
  })
})

/** As nginx writes what is not plain, byte by byte. */
const escaped = (body: string) =>
  Array.from(Buffer.from(body), byte =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
      : String.fromCharCode(byte),
  ).join('')

describe('nginx logs', () => {
  const head = `203.0.113.7 - - [20/Nov/2026:10:00:00 +0100]`
  const line = (body: string, status = 400) =>
    `${head} "POST ${PATH} HTTP/1.1" ${status} 181 "-" "PayPal/AUHD-214.0" "${body}"`

  test.each([
    ['the usual format', line(escaped(STRANGE))],
    [
      'a format with other numbers of three digits before the request',
      `203.0.113.7 443 "200" ${line(escaped(STRANGE)).slice(head.indexOf('-'))}`,
    ],
    ['the body without quotes', `${head} "POST ${PATH} HTTP/1.1" 400 181 ${escaped(STRANGE)}`],
    ['escape=json in a format of its own', line(STRANGE.replace(/[\\"]/g, '\\$&'))],
    [
      'a format that is a JSON object',
      JSON.stringify({
        time_local: '20/Nov/2026:10:00:00 +0100',
        request: `POST ${PATH} HTTP/1.1`,
        status: '400',
        http_paypal_transmission_id: 'abc',
        http_authorization: 'Basic c2VjcmV0',
        request_body: STRANGE,
      }),
    ],
    [
      'a JSON object of single variables',
      JSON.stringify({
        time_iso8601: '2026-11-20T10:00:00+01:00',
        ...{method: 'POST', uri: PATH, status: '400', http_paypal_transmission_id: 'abc'},
        request_body: STRANGE,
      }),
    ],
  ])('%s', async (_, content) => {
    const {event, sighting} = await gives(`${content}\n`, STRANGE)
    expect(sighting).toMatchObject({status: 'failed', answer: 400, at: new Date('2026-11-20T09:00:00Z')})
    expect(JSON.stringify(event.headers)).not.toContain('Basic')
  })

  test('time and body alone are enough', async () => {
    const {event, sighting} = await gives(`2026-11-20T10:00:00+00:00 "${escaped(STRANGE)}"\n`, STRANGE)
    expect([event.receivedAt.toISOString(), sighting]).toEqual(['2026-11-20T10:00:00.000Z', undefined])
  })

  test('other requests are passed over; bodies that were not logged or cut off are named', async () => {
    const reads = await read(
      [
        `${head} "GET /${TOKEN}?x-token=${TOKEN} HTTP/1.1" 200 5 "-" "-" "-"`,
        line('-'),
        line(escaped(STRANGE).slice(0, 400)),
        line(escaped(STRANGE), 200),
        JSON.stringify({method: 'POST', uri: '/checkout', request_body: 'cart=1'}),
        JSON.stringify({request_method: 'POST', request_uri: '/checkout', request_body: 'cart=1'}),
      ].join('\n'),
    )
    const kinds = reads.map(each => Object.keys(each)[0])
    expect(kinds).toEqual(['passedOver', 'fault', 'fault', 'event', 'passedOver', 'passedOver'])
    expect(faultsIn(reads)).toMatchObject([
      {line: 2, why: 'its body is not in the file'},
      {line: 3, why: expect.stringContaining('not JSON')},
    ])
  })
})

describe('curl', () => {
  const url = `https://shop.example${PATH}`
  const quoted = `'${STRANGE.replaceAll("'", `'\\''`)}'`
  const ansi = `$'${STRANGE.replace(/[\\']/g, '\\$&').replaceAll('–', '\\u2013')}'`
  const numbered = `$'${STRANGE.replace(/[\\']/g, '\\$&').replaceAll('急', '\\u6025').replaceAll('😀', '\\U0001F600')}'`
  const doubled = `"${STRANGE.replace(/["\\]/g, '\\$&')}"`

  test.each([
    [
      'one line',
      `curl -X POST '${url}' -H 'Content-Type: application/json' -H 'Correlation-Id: b' --data-raw ${quoted}`,
    ],
    [
      'over lines',
      `$ curl '${url}' \\\n  -H 'Correlation-Id: b' \\\n  --data-raw ${quoted} \\\n  --compressed`,
    ],
    [
      'over lines of Windows',
      `curl '${url}' \\\r\n  -H 'Correlation-Id: b' \\\r\n  --data-raw ${quoted}\r\n`,
    ],
    ['as browsers copy it', `curl '${url}' -H 'Correlation-Id: b' -H 'Cookie: x=1' --data-raw ${ansi}`],
    ['with a sign by its number', `curl '${url}' -H 'Correlation-Id: b' --data-raw ${numbered}`],
    ['in double quotes', `curl -sSXPOST "${url}" -HCorrelation-Id:\\ b -d ${doubled}`],
    ['fed by echo', `echo ${quoted} | curl -s -d @- -H 'Correlation-Id: b' ${url.replace('?', '\\?')}`],
    ['fed by printf', `printf %s ${quoted} | curl --data-binary @- -H 'Correlation-Id: b' '${url}'`],
    ['fed by a here document', `curl -d @- -H 'Correlation-Id: b' '${url}' <<'EOF'\n${STRANGE}\nEOF`],
    ['fed by cat', `cat <<EOF | curl -d @- -H 'Correlation-Id: b' '${url}'\n${STRANGE}\nEOF\n`],
    [
      'with variables before it',
      `X=1 curl --json ${quoted} --url '${url}' -u me:secret --header 'Correlation-Id: b'`,
    ],
  ])('%s', async (_, content) => {
    const {event} = await gives(content, STRANGE)
    expect(event.headers).toContainEqual(['Correlation-Id', 'b'])
    expect(JSON.stringify(event.headers)).not.toMatch(/Cookie|secret/)
  })

  test('a body that is elsewhere, or a command that is not whole, is named', async () => {
    const lines = [
      `curl '${url}' -d @event.json`,
      `curl '${url}' -d @-`,
      `curl '${url}'`,
      `curl 'https://shop.example/api/oauth/token' -d 'client_secret=hidden'`,
      `curl '${url}' -F 'event=<event.json'`,
      `curl '${url}' --form-string 'event=x'`,
      `curl '${url}' --data-urlencode 'event=x'`,
      `curl '${url}' -d '{`,
    ]
    const reads = await read(lines.join('\n'))
    expect(faultsIn(reads)).toMatchObject([
      {line: 1, why: 'its body is in event.json: import that file'},
      {line: 2, why: 'its body came from standard input and is not in the file'},
      ...[5, 6, 7].map(line => ({line, why: 'it sends a form, not an event'})),
      {line: 8, why: 'incomplete command'},
    ])
    expect(JSON.stringify(reads)).not.toContain('hidden')
  })

  test.each([
    ['at once', 20],
    ['before long', sized(1500, 5000)],
  ])('a quote that is never closed takes no good line along, %s', async (_, count) => {
    const good = Array.from({length: count}, (_, seed) => captureCompleted({seed}).body)
    const commands = good.slice(0, 3).map(body => `curl '${url}' -d '${body}'`)
    const reads = await read(
      [`curl '${url}' -d '{"id":"x`, ...good, `curl '${url}' -d "{`, ...commands].join('\n'),
    )
    expect(bodiesIn(reads)).toEqual([...good, ...good.slice(0, 3)])
    expect(faultsIn(reads).map(({line}) => line)).toEqual([1, count + 2])
  })

  test('a here document that never ends takes no good line along', async () => {
    const good = [1, 2, 3].map(seed => captureCompleted({seed}).body)
    const reads = await read([`curl -d @- '${url}' <<EOF`, ...good].join('\n'))
    expect([bodiesIn(reads), faultsIn(reads).map(({line}) => line)]).toEqual([good, [1]])
  })

  test('what curl says under -v, with the body and how it was answered', async () => {
    const said = [
      '* Connected to shop.example (203.0.113.9) port 443',
      `> POST ${PATH} HTTP/1.1`,
      '> Host: shop.example',
      '> Authorization: Bearer hidden',
      '> Paypal-Transmission-Id: \t abc \t ',
      '> Content-Length: 5',
      '>',
      '} [1502 bytes data]',
      STRANGE,
      '* upload completely sent off: 1502 bytes',
      '< HTTP/1.1 400 Bad Request',
      '< Content-Type: application/json',
      '<',
      '{"errors":[{"detail":"x"}]}',
      '* Connection #0 left intact',
    ].join('\r\n')
    const {event, sighting} = await gives(
      `${said}\r\n${said.replaceAll('abc', 'def')}`.split('\r\n* Connected')[0] as string,
      STRANGE,
    )
    expect(event.headers).toEqual([
      ['Paypal-Transmission-Id', 'abc'],
      ['Content-Type', 'application/json'],
    ])
    expect(sighting).toMatchObject({status: 'failed', answer: 400})
    expect(bodiesIn(await read(`${said}\r\n${said}`))).toEqual([STRANGE, STRANGE])
  })
})

describe('requests as they go over the wire', () => {
  const request = (body: string, length: number | '' = Buffer.byteLength(body)) =>
    [
      `POST ${PATH} HTTP/1.1`,
      'Host: shop.example',
      'Paypal-Transmission-Id: abc',
      ...(length === '' ? [] : [`Content-Length: ${length}`]),
      '',
      body,
    ].join('\r\n')
  const pretty = JSON.stringify(JSON.parse(STRANGE), null, 2)

  test.each([
    ['by its length', request(STRANGE), STRANGE],
    ['without a length', request(STRANGE, ''), STRANGE],
    ['a body over lines', request(pretty), pretty],
    ['a body over lines without a length', `${request(pretty, '')}\r\n\r\n`, pretty],
    [
      'with its answer',
      `${request(pretty)}\r\n\r\nHTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}`,
      pretty,
    ],
  ])('%s', async (_, content, body) => {
    const {event} = await gives(content, body)
    expect(event.headers).toEqual([
      ['Paypal-Transmission-Id', 'abc'],
      ['Content-Type', 'application/json'],
    ])
  })

  test('without a length does not take along what follows', async () => {
    const {body} = captureCompleted({seed: 9})
    expect(bodiesIn(await read(`${request(STRANGE, '')}\n${body}\n${body}\n`))).toEqual([STRANGE, body, body])
  })

  test('several, with answers between them', async () => {
    const answer =
      'HTTP/1.1 400 Bad Request\r\nContent-Length: 36\r\n\r\n{"errors":[{"detail":"Not this time"}]}\r\n'
    const [first, second] = eventsIn(
      await read(`${request(STRANGE)}\r\n${answer.replace('36', '39')}\r\n${request(pretty, '')}\r\n`),
    )
    expect(first?.sighting).toMatchObject({status: 'failed', message: 'Not this time'})
    expect(Buffer.from(second?.event.body ?? '').toString()).toBe(pretty)
  })
})

test('lines of every kind may stand in one file, and each that is bad is named', async () => {
  const {body, headers} = providerEvent('PAYMENT.SALE.COMPLETED', {seed: 3})
  const reads = await read(
    [
      body,
      'nonsense',
      JSON.stringify({headers, body}),
      `curl 'https://shop.example${PATH}' --data-raw '${body}'`,
      `- - [20/Nov/2026:10:00:00 +0100] "POST ${PATH} HTTP/1.1" 200 0 "-" "-" "${escaped(body)}"`,
      `[${body}]`,
      `{"events":[${body},${body}],"count":2}`,
      '{"id":"WH-1","event_type":"X"',
      `POST ${PATH} HTTP/1.1\nA: b\n\n${body}`,
    ].join('\n'),
  )
  expect(bodiesIn(reads)).toEqual(Array(7).fill(body))
  expect(faultsIn(reads).map(({line, why}) => [line, why])).toEqual([
    [8, 'WH-1: cut off after 29 bytes; get it with --from-provider'],
  ])
})

test('a format that is named is the only one that is read', async () => {
  const {body} = captureCompleted()
  const text = `${body}\ncurl 'https://shop.example${PATH}' -d '${body}'\n`
  const tokens = async (format?: EventFile['format']) =>
    eventsIn(await read(text, format)).map(({token}) => token !== undefined)
  expect(await tokens()).toEqual([false, true])
  expect(await tokens('ndjson')).toEqual([false, false])
  expect(await tokens('curl')).toEqual([true])
  expect(
    bodiesIn(await read(JSON.stringify(JSON.parse(body), null, 1).replace('{\n', '{'), 'json')),
  ).toHaveLength(1)
})

test('UTF-16, as shells of Windows write it, is read', async () => {
  const little = Buffer.from(`\ufeff${STRANGE}\r\n${STRANGE}\r\n`, 'utf16le')
  expect(bodiesIn(await read(little, undefined, 3))).toEqual([STRANGE, STRANGE])
  expect(bodiesIn(await read(Buffer.from(little).swap16()))).toEqual([STRANGE, STRANGE])
})

test('nesting, NULs and other bytes do no harm', async () => {
  const {body} = captureCompleted()
  const deep = '['.repeat(2_000_000)
  const reads = await read(
    Buffer.concat([
      Buffer.from(`${body}\n${deep}\n\0\0\n{"id":"\0"}\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(body),
    ]),
  )
  expect(bodiesIn(reads)).toEqual([body, body])
  expect(faultsIn(reads)).toEqual([])
  const nested = `{"id":"WH-1","event_type":"X","resource":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
  expect(bodiesIn(await read(nested))).toEqual([nested])
})
