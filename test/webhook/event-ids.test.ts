import {expect, test} from 'vitest'
import {countIds, findEventIds, readEventIds, readIdList} from '../../src/webhook/event/event-ids.js'
import {all} from '../runs/support.js'

async function* inPieces(text: string, size = 7) {
  for (let from = 0; from < text.length; from += size) yield Buffer.from(text.slice(from, from + size))
}

/** The ids that words name, with this on standard input. */
const read = (words: readonly string[], pieces: AsyncIterable<Uint8Array> = inPieces('')) =>
  readEventIds(words, async () => ({read: () => pieces}))

const NO_ID = {code: 'usage.no_id', exit: 2, nextSteps: ['storectl webhook list -o id | …']}

test('ids come from words and from lines of standard input, of which the first word counts', async () => {
  const lines = inPieces('id\ttype\nWH-2\tPAYMENT\r\n\nWH-3 later\nid\nWH-4')
  expect(await all(read(['WH-1', '-', 'WH-5'], lines))).toEqual([
    ...['WH-1', 'WH-2', 'WH-3', 'id', 'WH-4', 'WH-5'],
  ])
})

test('ids are handed on in groups, and counted', async () => {
  const text = Array.from({length: 600}, (_, index) => `WH-${index}\n`).join('')
  const sizes: number[] = []
  for await (const {length} of read(['-'], inPieces(text))) sizes.push(length)
  expect(sizes).toEqual([250, 250, 100])
  expect(await countIds(read(['-'], inPieces(text)))).toBe(600)
})

test.each(['{"id": "WH-1"}', '"WH-1', 'x'.repeat(201), 'x"y'])('%s is no id', async text => {
  await expect(all(read(['-'], inPieces(`WH-1\n${text}\n`)))).rejects.toMatchObject({
    ...NO_ID,
    message: 'Line 2 of stdin is not an event id.',
  })
})

test('an id may have 200 characters', async () => {
  const id = 'x'.repeat(200)
  expect(await all(read(['-'], inPieces(`${id}\n`)))).toEqual([id])
})

test('a line that does not end is refused before it fills the memory', async () => {
  let pieces = 0
  async function* endless() {
    for (;;) {
      pieces++
      yield Buffer.from('x'.repeat(100))
    }
  }
  await expect(all(read(['-'], endless()))).rejects.toMatchObject(NO_ID)
  expect(pieces).toBeLessThan(1000)
})

const [A, B, C] = [
  'WH-58D329510W468432D-8HN650336L201105X',
  'WH-COC11055RA711503B-4YM959094A144403T',
  'WH-3',
] as const

const LISTS: readonly (readonly [how: string, text: string])[] = [
  ['a line each', `${A}\n${B}\n${C}\n`],
  ['lines of Windows, blanks and blank lines', `\r\n  ${A} \r\n\r\n\t${B}\r\n${C}`],
  ['a header', `id\n${A}\n${B}\n${C}`],
  ['a header of other words', `Webhook events\n${A}\n${B}\n${C}`],
  ['quotes', `"id"\n"${A}"\n'${B}'\n"${C}"`],
  ['commas', `${A}, ${B},${C}\n`],
  ['commas at the ends of lines', `${A},\n${B},\n${C}\n`],
  ['semicolons', `${A};${B}\n${C}`],
  ['blanks', `${A} ${B}\n${C}`],
  ['a JSON list', `["${A}","${B}",\n "${C}"]`],
  ['a JSON list over lines', `[\n  "${A}",\n  "${B}",\n  "${C}"\n]\n`],
  ['a table', `id\ttype\n${A}\tPAYMENT\n${B}\t\n${C}\tX`],
  ['a table without a header', `${A}\tPAYMENT\n${B}\tX\n${C}\tX`],
  ['a column further right', `type,event_id,note\nX,${A},"a, b"\n"c, d",${B},\n,"${C}",x`],
  ['a column further right without a header', `X,${A},a\nX,${B},\n,${C},x`],
]

test.each(LISTS)('a list of ids is read: %s', async (_, text) => {
  const encodings = {
    plain: Buffer.from(text),
    marked: Buffer.from(`\ufeff${text}`),
    wide: Buffer.from(`\ufeff${text}`, 'utf16le'),
    'wide, unmarked': Buffer.from(text, 'utf16le'),
    'wide, the other way': Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  }
  for (const [encoding, bytes] of Object.entries(encodings))
    for (const size of [1, 7, 10_000]) {
      const pieces = () =>
        (async function* () {
          for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
        })()
      expect([encoding, size, await all(read(['-'], pieces()))]).toEqual([encoding, size, [A, B, C]])
      expect([encoding, size, await readIdList(pieces())]).toEqual([encoding, size, [A, B, C]])
    }
})

test.each([
  ['no id', 'hello\nworld\n'],
  ['an event', `{"id":"${A}","event_type":"X"}`],
  ['an event behind its id', `${A} {"id":"${A}","event_type":"X"}`],
  ['a log that names them', `2026-11-27 ${A} failed\n2026-11-27 ${B} failed`],
  ['nothing', '\n'],
  ['a line without one', `${A}\nhello\n`],
])('what may hold events is no list of ids: %s', async (_, text) => {
  expect(await readIdList(inPieces(text))).toBeUndefined()
})

test('a first line that could be a mistyped id is not taken for a header', async () => {
  expect(await all(read(['-'], inPieces(`${A.slice(3)}\n${B}\n`)))).toEqual([A.slice(3), B])
})

test('ids are found anywhere in a text, each once', () => {
  expect(
    findEventIds(`POST /x?id=${A}: 500 "${B}" (${A}), XWH-1, WH-1-2, ${B}-1x ${'WH-A'.repeat(9)}`),
  ).toEqual([A, B])
  expect(findEventIds('')).toEqual([])
})
