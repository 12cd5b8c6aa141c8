import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {EVENT_FORMATS, type EventFormat} from '../../../src/webhook/import/formats/formats.js'
import type {ReadEvent} from '../../../src/webhook/import/read-captured.js'
import {readEvents} from '../../../src/webhook/import/read-events.js'
import {eventId} from '../support.js'

const BODY = `{"id":"${eventId(1)}","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C1"}}`
const URL = 'https://shop.example/webhook/execute'

/** An event in each format, as its tool writes it. */
const SAMPLES: Readonly<Record<EventFormat, string>> = {
  json: `{"events":[\n${BODY}\n]}`,
  ndjson: `${BODY}\n`,
  har: JSON.stringify({
    log: {entries: [{request: {method: 'POST', url: URL, headers: [], postData: {text: BODY}}}]},
  }),
  curl: `# as it was sent\n$ curl ${URL} \\\n  -d '${BODY}'\n`,
  http: `POST /webhook/execute HTTP/1.1\nHost: shop.example\n\n${BODY}\n`,
  nginx: `1.2.3.4 - - [21/Nov/2026:17:53:36 +0000] "POST ${URL} HTTP/1.1" 400 0 "${BODY.replaceAll('"', '\\x22')}"\n`,
  log: `Nov 20 10:11:12 web1 php-fpm[42]: webhook received ${BODY} in 12 ms\n`,
}

async function read(content: string, format?: EventFormat) {
  async function* chunks() {
    yield Buffer.from(content)
  }
  const all: unknown[] = []
  for await (const each of readEvents({name: 'f', chunks: chunks(), format}, () => new Date(0)))
    all.push(each)
  return all
}

test.each(EVENT_FORMATS)('%s is told by its content, and read by its name', async format => {
  const found = await read(SAMPLES[format])
  expect(found).toMatchObject([{event: {id: eventId(1)}}])
  expect(Buffer.from((found[0] as ReadEvent).event.body).toString()).toBe(BODY)
  expect(await read(SAMPLES[format], format)).toEqual(found)
})

test('docs/webhooks.md has a row for every format, and for no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')
  const [, table = ''] = page.split('| `--format` |')
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual([...EVENT_FORMATS].sort())
})

test.each([undefined, ...EVENT_FORMATS])('a line without an event is passed over by %s', async format =>
  expect(await read('a line of a text\n', format)).toEqual([{passedOver: true}]),
)
