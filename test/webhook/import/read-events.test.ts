import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import type {Read} from '../../../src/webhook/import/read-captured.js'
import {readEvents} from '../../../src/webhook/import/read-events.js'
import {event, eventId, ndjson} from '../support.js'

/** Reads a text that arrives in pieces of the given size. */
async function read(content: string | Uint8Array, pieceBytes = 1 << 20): Promise<Read[]> {
  const bytes = Buffer.from(content)
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
  }
  const all: Read[] = []
  for await (const each of readEvents({name: 'f', chunks: chunks()}, () => new Date(0))) all.push(each)
  return all
}

const bodies = (reads: Read[]) =>
  reads.map(each => ('event' in each ? Buffer.from(each.event.body).toString() : each))

test.each([
  ['opened and closed', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
  ['opened only', (levels: number) => '['.repeat(levels)],
])('200,000 lists inside each other, %s, are nothing, and what follows is read', async (_, nested) => {
  expect(await read(`${nested(200_000)}\n`)).toEqual([])
  expect(await read(`${nested(200_000)}\n${JSON.stringify(event(1))}\n`)).toMatchObject([
    {event: {id: eventId(1)}},
  ])
})

test('objects inside each other are read eight levels deep, lists around them do not count', async () => {
  const body = JSON.stringify(event(1))
  const nested = (levels: number) => '{"a":'.repeat(levels) + body + '}'.repeat(levels)
  expect(bodies(await read(`[[[[[[[[[[${nested(8)}]]]]]]]]]]`))).toEqual([body])
  const why = 'an event is nested more than 8 levels deep'
  expect(await read(nested(9))).toEqual([{fault: {file: 'f', line: 1, why}}])
  expect(await read(nested(600))).toEqual([{fault: {file: 'f', line: 1, why}}])
  expect(bodies(await read(`{"\\u0065vents":[${body}]}\n`))).toEqual([body])
})

describe('every form gives the same events, with their bytes', () => {
  const strange = `{ "id":"${eventId(1)}",  "event_type":"X.Y", "resource":{"total": 1.10, "big": 12345678901234567890, "t":"a\\"]},{"}}`
  const plain = JSON.stringify(event(2))

  test.each([
    ['lines', `${strange}\n${plain}\n`],
    ['lines with CRLF and blank ones', `${strange}\r\n\r\n${plain}\r\n\n`],
    ['lines after a byte order mark', `\ufeff${strange}\n${plain}`],
    ['a list', `[${strange},${plain}]`],
    ['a list over lines', `\n[\n  ${strange},\n  ${plain}\n]\n`],
    ['the provider’s list', `{"events":[${strange},${plain}],"count":2,"links":[]}`],
    ['the provider’s list over lines', `{\n  "events": [\n${strange},\n${plain}\n],\n"count": 2}`],
    ['the provider’s lists, one a line', `{"events":[${strange}]}\n{"events":[${plain}]}\n`],
    ['gzip', gzipSync(`${strange}\n${plain}\n`)],
  ])('%s', async (_, content) => {
    for (const pieceBytes of [1 << 20, 7, 1])
      expect(bodies(await read(content, pieceBytes))).toEqual([strange, plain])
  })

  test('one object over several lines keeps its bytes too', async () => {
    const pretty = JSON.stringify(event(1), null, 2)
    expect(bodies(await read(`${pretty}\n`))).toEqual([pretty])
  })
})

test('an event with its headers', async () => {
  const body = `{"id":"${eventId(1)}", "event_type":"X"}`
  const [first] = await read(
    `${JSON.stringify({headers: {'Content-Type': 'text/plain', 'Correlation-Id': 'b'}, body})}\n`,
  )
  expect(first).toMatchObject({
    event: {
      headers: [
        ['Content-Type', 'text/plain'],
        ['Correlation-Id', 'b'],
      ],
    },
  })
  expect(bodies([first as Read])).toEqual([body])
})

test('what cannot be used is named by its line, and the rest is kept', async () => {
  const lines = [
    JSON.stringify(event(1)),
    '{"id":"WH-1","event_type":"X"',
    '',
    '[1]',
    '{"event_type":"X"}',
    '"text"',
    JSON.stringify(event(2)),
  ]
  const reads = await read(lines.join('\n'))
  expect(
    reads.map(each => ('event' in each ? each.event.id : 'fault' in each ? each.fault.line : 'noise')),
  ).toEqual([eventId(1), 2, 'noise', 5, 'noise', eventId(2)])
  const why = 'WH-1: cut off after 29 bytes; get it with --from-provider'
  expect(reads[1]).toEqual({fault: {file: 'f', line: 2, why}})
})

test('a cut event is named by its own id, and not by that of what it is about', async () => {
  const reads = await read(
    '{"resource":{"id":"C-1","custom_id":"x"},"id":"EV-1","event_type":"X","links":[{"id":"L-1"}',
  )
  expect(reads).toMatchObject([{fault: {why: expect.stringMatching(/^EV-1: cut off/)}}])
})

test('a list that ends too early gives what was whole, and names the rest', async () => {
  const reads = await read(`[${JSON.stringify(event(1))},\n{"event_type":`)
  expect(reads).toMatchObject([{event: {id: eventId(1)}}, {fault: {line: 2}}])
})

test('a text that jq has coloured is read as it was', async () => {
  const colour = (text: string) => `\u001b[1;39m${text}\u001b[0m`
  const body = JSON.stringify(event(1))
  const lines = JSON.stringify(event(2), null, 2).split('\n')
  const coloured = [body.replaceAll(/"[^"]*"/g, colour), ...lines.map(colour)].join('\n')
  expect(bodies(await read(coloured))).toEqual([body, lines.join('\n')])
})

test('a line of a log with several events gives all of them, each once', async () => {
  const [one, two] = [JSON.stringify(event(1)), JSON.stringify(event(2))]
  const escaped = JSON.stringify(two).slice(1, -1)
  const line = `2026-11-20 worker[7]: batch of 2: ${one} and ${two}, seen before: ${one}`
  expect(bodies(await read(`${line}\n`))).toEqual([one, two])
  expect(bodies(await read(`${JSON.stringify({level: 'info'})} {"log": ${one}} "${escaped}"\n`))).toEqual([
    one,
    two,
  ])
})

test('a list in a line that does not end gives its events, and so does the next line', async () => {
  const [one, two] = [JSON.stringify(event(1)), JSON.stringify(event(2))]
  expect(bodies(await read(`first line\n[${one},${two},\n${one}\n`)).slice(1)).toEqual([one, two, one])
})

test('a piece longer than any event is named, and neither kept nor repeated', async () => {
  const long = Buffer.alloc(17 * 1024 * 1024, 'a')
  const why = 'longer than 16 MiB'
  const next = Buffer.from(`\n${JSON.stringify(event(1))}\n`)
  expect(await read(Buffer.concat([long, next]))).toMatchObject([
    {passedOver: true},
    {event: {id: eventId(1)}},
  ])
  expect(await read(Buffer.concat([Buffer.from('{\n"id":"'), long]))).toMatchObject([{fault: {line: 1, why}}])
  const [longId] = await read(`{"event_type":"X","id":"${'a'.repeat(10_000)}"}`)
  expect(longId).toMatchObject({fault: {why: '"id" is not an event id: not an event of the provider'}})
})

test.each([
  ['a log of nginx', (body: string) => `- - - "POST /x HTTP/1.1" 400 0 "${body.replaceAll('"', '\\x22')}"`],
  ['a row of a table', (body: string) => `id,body\n1,"${body.replaceAll('"', '""')}"`],
  ['a command', (body: string) => `curl https://shop.example/x -d '${body}'`],
  ['a line of JSON', (body: string) => body],
  ['a text in JSON', (body: string) => JSON.stringify({message: body})],
])('an event of 12 MiB in %s is read', async (_, write) => {
  const body = `{"id":"${eventId(1)}","event_type":"X","note":"${'a'.repeat(12 * 1024 * 1024)}"}`
  const found = bodies(await read(`${write(body)}\n${JSON.stringify(event(2))}\n`))
  expect(found.map(each => (each as string).length)).toEqual([body.length, JSON.stringify(event(2)).length])
})

test('bytes that are no UTF-8 are no event', async () => {
  const reads = await read(
    Buffer.concat([
      Buffer.from('{"id":"WH-1","event_type":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]),
  )
  expect(reads).toMatchObject([
    {
      fault: {
        line: 1,
        why: expect.stringMatching(
          /^not UTF-8 text; webhook import takes --encoding windows-1252 \(reads "ÿþ"\), or /,
        ),
      },
    },
  ])
})

test.each(['yesterday', 7])('a create_time of %j is a fault, and not the time of the import', async time => {
  const reads = await read(JSON.stringify({...event(1), create_time: time}))
  expect(reads).toMatchObject([{fault: {why: `${eventId(1)} has an invalid time in "create_time"`}}])
})

test('nothing at all is no event and no fault', async () => {
  expect(await read('')).toEqual([])
  expect(await read('\n \n')).toEqual([])
  expect(await read('[]')).toEqual([])
})

test('a gzip file that is cut off says so, and what came before is kept', async () => {
  const cut = gzipSync(ndjson([event(1)])).subarray(0, 60)
  expect(await read(cut)).toMatchObject([{fault: {why: expect.stringContaining('damaged gzip archive')}}])
  const random = Array.from({length: 3000}, (_, index) => event(index))
  const long = gzipSync(ndjson(random))
  const reads = await read(long.subarray(0, long.length - 2000))
  expect(reads.length).toBeGreaterThan(100)
  expect(reads.filter(each => 'fault' in each)).toEqual([reads.at(-1)])
})

test('what unpacks without end is not read to its end', async () => {
  const zeros = gzipSync(Buffer.alloc(16 * 1024 * 1024))
  let taken = 0
  async function* endless() {
    yield gzipSync(`${JSON.stringify(event(1))}\n`)
    for (; taken < 1000; taken++) yield zeros
  }
  const reads: Read[] = []
  for await (const each of readEvents({name: 'f', chunks: endless()}, () => new Date(0))) reads.push(each)
  expect(reads).toMatchObject([
    {event: {id: eventId(1)}},
    {fault: {why: expect.stringContaining('more than 500 times its size')}},
  ])
  expect(taken).toBeLessThan(100)
})
