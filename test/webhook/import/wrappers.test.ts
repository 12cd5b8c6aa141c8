import {describe, expect, test} from 'vitest'
import {eventId} from '../support.js'
import {compactJson, HERE, readAll, writeAround} from './reading.js'
import {AT, WRAPPERS} from './wrappers.js'

/** `custom_id` is JSON in JSON; numbers, blanks, quotes and letters are the provider's own. */
const BODY = `{"id":"${eventId(1)}", "event_type":"PAYMENT.CAPTURE.COMPLETED","total": 1.10,"resource":{"id":"C1","custom_id":"{\\"orderTransactionId\\":\\"${'a'.repeat(32)}\\"}","note":"it's ä } [ {\\" // > x","at":"\\u00e9\\/"}}`

describe('the event in a file of a tool is found once, with its bytes, and nothing is a fault', () => {
  test.each(WRAPPERS)('$tool', async ({write}) => {
    for (const content of [write(BODY), `${write(BODY)}\n`, `${write(BODY)}\r\n`]) {
      const {bodies, faults} = await readAll(content)
      expect([bodies, faults]).toEqual([[BODY], []])
    }
    const {bodies} = await readAll(`${write(BODY)}\n`, {pieceBytes: 7})
    expect(bodies).toEqual([BODY])
  })
})

describe('what a tool knows besides is read along', () => {
  test.each(WRAPPERS.filter(({besides}) => besides))('$tool', async ({write, besides = {}}) => {
    const {events} = await readAll(`${write(BODY)}\n`)
    expect(events).toHaveLength(1)
    const [{event, sighting} = {} as (typeof events)[0]] = events
    const names = event.headers.map(([name]) => name.toLowerCase())
    expect(names).toEqual(expect.arrayContaining([...(besides.headers ?? [])]))
    if (besides.at) expect(event.receivedAt).toEqual(new Date(besides.at))
    if (besides.answer)
      expect(sighting).toMatchObject({
        ...{status: 'failed', answer: besides.answer},
        ...(besides.at ? {at: new Date(besides.at)} : {}),
      })
    else expect(sighting).toBeUndefined()
  })
})

const deep = (levels: number, body: string) =>
  Array.from({length: levels}).reduce<string>(
    (inner, _, at) => (at % 2 === 0 ? `{"m${at}":${inner}}` : `[0,${inner}]`),
    body,
  )

describe('how deep an event may be', () => {
  test('eight levels of objects and lists', async () => {
    for (let levels = 0; levels <= 8; levels++)
      expect((await readAll(`${deep(levels, BODY)}\n`)).bodies, String(levels)).toEqual([BODY])
  })

  test('a text inside a text inside a text', async () => {
    const inTexts = [1, 2, 3].reduce<string>((inner, at) => JSON.stringify({[`m${at}`]: inner}), BODY)
    expect((await readAll(`${inTexts}\n`)).bodies).toEqual([BODY])
  })

  test('what is deeper than that is named, and not left out without a word', async () => {
    const {bodies, faults} = await readAll(`${deep(30, BODY)}\n`)
    expect([bodies, faults]).toMatchObject([[], [{line: 1}]])
  })
})

const OTHER = BODY.replace(eventId(1), eventId(2))
const SPACED = BODY.replace(',"total"', ' , "total"')

describe('the same event twice in a record counts once', () => {
  test.each([
    ['parsed, then as text', writeAround({body: HERE, raw: SPACED}, BODY)],
    ['as text, then parsed', writeAround({raw: SPACED, body: HERE}, BODY)],
    ['parsed further out', writeAround({a: {b: {raw: SPACED}}, event: HERE}, BODY)],
    ['as text further out', writeAround({a: {b: {c: HERE}}, raw: BODY}, SPACED)],
    ['beside another one', writeAround([{raw: SPACED}, HERE, {other: OTHER}], BODY), OTHER],
  ])('%s: the outermost wins', async (_, content, ...others) => {
    const {bodies, faults} = await readAll(`${content}\n`)
    expect([[...bodies].sort(), faults]).toEqual([[BODY, ...others].sort(), []])
  })

  test('in two records it is there twice', async () => {
    expect((await readAll(`${JSON.stringify({a: BODY})}\n`.repeat(2))).bodies).toEqual([BODY, BODY])
  })
})

test.each([
  ['an id without a type', {data: {id: eventId(3), type: 'x', resource: {id: 'C1'}}}],
  ['ids of other things', [{id: 1}, {id: null}, {id: 'evt_1'}]],
  ['text about ids', {message: `no event: {"id":"${eventId(3)}"}`}],
])('near-events are none, and no fault beside an event: %s', async (_, decoy) => {
  const {bodies, faults} = await readAll(`${JSON.stringify(decoy)}\n${BODY}\n${JSON.stringify([decoy])}\n`)
  expect([bodies, faults]).toEqual([[BODY], []])
})

const PRETTY = JSON.stringify(JSON.parse(BODY), null, 2)
const quoted = (mark: string, text: string) => text.replace(/^/gm, mark)

describe('JSON that begins in a line and ends in another', () => {
  test.each([
    ['in a log', `[2026-11-25 17:50:06] webhook.INFO: got ${PRETTY}\n[2026-11-25 17:50:07] x.INFO: done\n`],
    ['in a ticket', `Hi,\nit's about this one:\n\n${PRETTY}\n\nCan you (please) look?\n`],
    ['fenced', `Hi\n\n\`\`\`json\n${PRETTY}\n\`\`\`\nBye\n`],
    ['indented', `Steps:\n1. run\n${quoted('    ', PRETTY)}\n2. see\n`],
    ['indented by a tab', `Steps:\n${quoted('\t', PRETTY)}\n`],
    ['behind a comment', `// from the dashboard\n${PRETTY}\n`],
    ['behind a comment of several lines', `/* from\n * the dashboard */\n${PRETTY}\n`],
    ['of JavaScript', `const event = ${PRETTY};\nsend(event)\n`],
    [
      'in an .http file',
      `### the second one\nPOST https://shop.example/hook HTTP/1.1\nContent-Type: application/json\n\n${PRETTY}\n\n###\n`,
    ],
    [
      'in an .http file without a version',
      `@host = https://shop.example\n\nPOST {{host}}/hook\nContent-Type: application/json\n\n${PRETTY}\n\n###\nGET {{host}}/\n`,
    ],
    ['twice, with prose between', `One:\n${PRETTY}\nTwo:\n${PRETTY.replace(eventId(1), eventId(2))}\n`],
    ['in a list', `The list:\n[\n${quoted('  ', PRETTY)}\n]\nthat's all\n`],
    [
      'in a wrapper',
      `Record:\n${writeAround({a: [1], b: {event: '@'}}, '', 2).replace('"@"', () => PRETTY)}\n`,
    ],
    ['behind a brace that nobody closes', `if (refused) {\nit said:\n${PRETTY}\n`],
    ['behind a quote that nobody closes', `it said "no\n${PRETTY}\n`],
  ])('%s', async (_, content) => {
    for (const lines of [content, content.replaceAll('\n', '\r\n')]) {
      const {bodies, faults} = await readAll(lines)
      const all = lines.includes(eventId(2)) ? [BODY, OTHER] : [BODY]
      const values = all.map(each => JSON.stringify(JSON.parse(each)))
      expect([bodies.map(compactJson), faults]).toEqual([values, []])
    }
  })

  test.each([
    ['quoted', quoted('> ', `Look:\n${PRETTY}\nthanks`)],
    ['quoted twice', quoted('>> ', PRETTY)],
    ['quoted and fenced', quoted('> ', `\`\`\`\n${PRETTY}\n\`\`\``)],
    ['one line, quoted', `> ${BODY}`],
    ['commented out', quoted('// ', PRETTY)],
    [
      'with comments inside',
      PRETTY.replace(/,\n/, ', // the id\n').replace('"resource"', '// what\n  "resource"'),
    ],
    [
      'with commas behind the last member and the last element',
      PRETTY.replace(/\n\}$/, ',\n  "a": [1, [2 , ] ,\n],\n}').replace('"total"', '"b": ",}", "total"'),
    ],
  ])('%s: the marks are no part of it', async (_, content) => {
    const {bodies, faults} = await readAll(`${content}\n`)
    expect([bodies.map(each => JSON.parse(each)), faults]).toMatchObject([[JSON.parse(BODY)], []])
  })

  const lines = `got it\n${PRETTY}\nbye`.split('\n')
  test.each([
    ['kubectl', (n: number) => `[pod/shop-5d/php] 2026-11-25T17:50:06.${123456789 + n * 7777}Z `],
    ['compose', (n: number) => `web-1  | 2026-11-25T17:50:${10 + n}.1Z `],
    ['syslog', (n: number) => `Nov 25 17:50:${10 + n} web1 php[42]: `],
    ['grep', (n: number) => `logs/a.json:${n + 8}:`],
    ['cat', (n: number) => `${String(n + 8).padStart(6)}\t`],
  ])('each line begins with a mark of %s, whose numbers differ', async (_, mark) => {
    const {bodies, faults} = await readAll(lines.map((each, n) => `${mark(n)}${each}\n`).join(''))
    expect([bodies.map(each => JSON.parse(each)), faults]).toEqual([[JSON.parse(BODY)], []])
  })

  test('what closes an object is no mark of the next that begins behind it', async () => {
    const all = [1, 2, 3].map(n => PRETTY.replace(eventId(1), eventId(n)))
    for (const by of ['', ',', ' ']) {
      const {bodies, faults} = await readAll(`${all.join(by)}\n`)
      expect([bodies, faults]).toEqual([all, []])
    }
  })
})

test('what looks like a comment behind a text in braces takes no event along', async () => {
  const {bodies, faults} = await readAll(`[0,"{","// no comment"] ${BODY}\n`)
  expect([bodies, faults]).toEqual([[BODY], []])
})

test('a byte order mark before parts of a line is no part of the first', async () => {
  const part = (tag: string, text: string) => `2026-11-25T17:50:06.1Z stdout ${tag} ${text}\n`
  const {bodies, faults} = await readAll(`\ufeff${part('P', BODY.slice(0, 50))}${part('F', BODY.slice(50))}`)
  expect([bodies, faults]).toEqual([[BODY], []])
})

test.each([
  ['beside each other', (bodies: string[]) => bodies.join(' ')],
  ['in a list', (bodies: string[]) => `[${bodies.join(',')}]`],
  ['in a list of texts', (bodies: string[]) => JSON.stringify(bodies)],
  ['in a log line', (bodies: string[]) => `INFO batch ${bodies.join(' and ')}.`],
  ['behind stray braces', (bodies: string[]) => `${'{ '.repeat(500)} ${bodies.join(' ')}`],
])('a line of 200 events loses none: %s', async (_, write) => {
  const all = Array.from({length: 200}, (_each, at) => BODY.replace(eventId(1), eventId(at + 1)))
  const {bodies, faults} = await readAll(`${write(all)}\n`)
  expect([bodies, faults]).toEqual([all, []])
})

const ADDRESS = `/api/_action/paypal/webhook/execute?sw-token=${'Ab12'.repeat(8)}`
const CLAIM = {
  ...{method: 'POST', url: `https://shop.example${ADDRESS}`, time: AT, status: 200},
  ...{res: {statusCode: 200}, response: {status: 200}, response_status: 200, body: BODY},
}
const CLAIMS = JSON.stringify(CLAIM)

describe('whoever sent the text of a record may have made up an address and an answer: neither counts', () => {
  test.each([
    ['in a line of a log', `INFO got ${CLAIMS}`],
    ['in the message of a record', JSON.stringify({level: 30, time: 1, msg: CLAIMS})],
    [
      'in the body of another request, parsed',
      JSON.stringify({level: 30, time: 1, req: {method: 'POST', url: '/checkout', body: CLAIM}}),
    ],
    [
      'in the body of another request',
      JSON.stringify({
        time_iso8601: AT,
        request: 'POST /checkout HTTP/1.1',
        status: '200',
        request_body: CLAIMS,
      }),
    ],
    ['in a cell', `time,message\n1,"${CLAIMS.replaceAll('"', '""')}"`],
    ['over lines in a ticket', `They wrote:\n${JSON.stringify(CLAIM, null, 2)}\nTrue?`],
    ['in a list of another request', JSON.stringify({method: 'POST', url: '/checkout', all: [CLAIM]})],
    [
      'in a member of a call to the shop',
      JSON.stringify({method: 'POST', url: '/api/_action/paypal/webhook/execute', more: CLAIM}),
    ],
    ['in a queue', JSON.stringify({Messages: [{Body: CLAIMS}]})],
    [
      'in a list that another request sent',
      JSON.stringify({method: 'POST', url: '/checkout', body: [CLAIM]}),
    ],
    [
      'in a list inside of what another request sent',
      JSON.stringify({
        request: {method: 'POST', url: '/graphql', body: {all: [[CLAIM]]}},
        res: {status: 200},
      }),
    ],
    [
      'in a cookie of another request',
      JSON.stringify({log: {entries: [{request: {method: 'GET', url: '/x', cookies: [CLAIM]}}]}}),
    ],
    ...['body', 'rawBody', 'request_body', 'payload', 'query', 'queryString', 'postData', 'headers'].map(
      (name): [string, string] => [
        `in the ${name} of a request whose address nobody wrote down`,
        JSON.stringify({level: 30, req: {method: 'GET', [name]: CLAIM}}),
      ],
    ),
  ])('%s: an address and an answer that were made up count nothing', async (_, content) => {
    const {events} = await readAll(`${content}\n`)
    for (const {token, sighting} of events) expect([token, sighting]).toEqual([undefined, undefined])
  })

  const LISTED = JSON.stringify({
    ...{id: eventId(1), event_type: 'X'},
    transmissions: [{webhook_url: CLAIM.url, http_status: 200, timestamp: AT}],
  })
  const hex = BODY.replace(/["\\]/g, each => `\\x${each.charCodeAt(0).toString(16)}`)
  const call = (method: string, address: string) => `"${method} ${address} HTTP/1.1"`

  test.each([
    ['in a line of its own behind prose', `INFO name=Ada\n${CLAIMS}\nINFO done\n`],
    ['the same behind a record of the shop', `${'[2026-11-25T17:50:06+00:00]'} app.ERROR: a\n${CLAIMS}\n`],
    ['in a list in a line behind prose', `INFO name=Ada\n[${CLAIMS}]\n`],
    [
      'as parts of lines of a container',
      `2026-11-25T17:50:06.1Z stdout F a\n2026-11-25T17:50:06.1Z stdout F ${CLAIMS}\n`,
    ],
    ["as the provider's list, behind prose", `INFO name=Ada\n${LISTED}\n`],
    [
      "as the provider's list, in another request",
      JSON.stringify({req: {url: '/checkout', body: JSON.parse(LISTED)}}),
    ],
    [
      'at another address',
      `192.0.2.1 - - [25/Nov/2026:17:50:06 +0000] ${call('POST', '/checkout')} 200 1 "${hex}"`,
    ],
    [
      'by a caller whose name looks like a request',
      `${call('POST', ADDRESS)} 192.0.2.1 [25/Nov/2026:17:50:06 +0000] ${call('POST', '/checkout')} 200 "${hex}"`,
    ],
  ])('an answer that the shop took it does not count %s', async (_, content) => {
    const {events} = await readAll(content)
    expect(events).toHaveLength(1)
    for (const {sighting, isListed} of events) expect([sighting, isListed]).toEqual([undefined, undefined])
  })

  test.each([
    ['records alone', `{"level":30,"msg":"up"}\n${CLAIMS}\n`],
    ['a list over lines', `[\n{"level":30,"msg":"up"},\n${CLAIMS}\n]\n`],
  ])('it counts in %s', async (_, content) => {
    const {events} = await readAll(content)
    expect(events).toMatchObject([{sighting: {status: 'delivered', answer: 200}}])
  })

  test('that it failed counts behind prose, too', async () => {
    const {events} = await readAll(
      `INFO up\n${JSON.stringify({...CLAIM, status: 400, response_status: 400, res: {}, response: {}})}\n`,
    )
    expect(events).toMatchObject([{sighting: {status: 'failed', answer: 400}}])
  })
})

test.each([1, 1e-3, 1e3, 1e6])('a time of Unix in units of %d milliseconds is read', async unit => {
  const record = {level: 30, time: Date.parse(AT) * unit, event: JSON.parse(BODY)}
  const {events} = await readAll(`${JSON.stringify(record)}\n`)
  expect(events).toMatchObject([{event: {receivedAt: new Date(AT)}}])
})

test('an event beside braces that hold what a proxy says of the call is read', async () => {
  const {bodies, faults} = await readAll(
    `Nov 25 17:50:06 lb haproxy[1]: 192.0.2.1:5 [25/Nov/2026:17:50:06.123] in a/s1 0/1 400 212 {shop.example|x} {${BODY}} "POST ${ADDRESS} HTTP/1.1"\n`,
  )
  expect([bodies, faults]).toEqual([[BODY], []])
})
