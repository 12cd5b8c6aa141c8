import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import type {OutputFormat} from '../../src/language/output-formats.js'
import {readCsvRows} from '../../src/order/read/csv-rows.js'
import {type PrintOptions, printRows} from '../../src/output/print.js'
import type {Row, View} from '../../src/output/view.js'
import {currentTime} from '../support/clock.js'
import {sized} from '../support/sized.js'

const PATHS = ['id', 'text', 'deep.value', 'any']
const VIEW: View = {
  noun: ['row', 'rows'],
  columns: PATHS.map(path => ({path})),
  id: 'text',
  hasAnyField: true,
}

/** Pieces that one format or another has a meaning for. */
const PIECE = fc.constantFrom(
  ...['\n', '\r', '\r\n', '\t', ',', ';', '|', '"', "'", '\\', '\\n', '\\u001b', ' ', '\u00a0', '\ufeff'],
  ...['=1+1', '+49', '-', '@SUM', '＝', '007', '1e5', 'NO', 'null', '~', '# ', ': ', '- ', '[', '{"a":1}'],
  ...[
    '\u0000',
    '\u001b[2J',
    '\u007f',
    '\u009b',
    '\u2028',
    '\u202e',
    '\ud83d',
    '\ude00',
    '👍🏽',
    'Jörg',
    '日本',
  ],
)
const TEXT = fc.oneof(
  fc.array(PIECE, {maxLength: 5}).map(pieces => pieces.join('')),
  fc.string({unit: 'binary', maxLength: 8}),
)
const SINGLE = fc.oneof(
  TEXT,
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({noNaN: true, noDefaultInfinity: true}).map(n => n || 0),
)
const ROW = fc.record({
  id: fc.nat().map(n => `id-${n}`),
  text: TEXT,
  deep: fc.oneof(fc.constant(null), fc.record({value: SINGLE})),
  any: fc.oneof(
    SINGLE,
    fc.array(SINGLE, {maxLength: 3}),
    fc.dictionary(TEXT, SINGLE, {maxKeys: 3, noNullPrototype: true}),
  ),
})

async function write(format: OutputFormat, rows: readonly Row[], options: Partial<PrintOptions> = {}) {
  const pieces: string[] = []
  const out = {
    columns: undefined,
    write: async (piece: string | Uint8Array) => void pieces.push(String(piece)),
  }
  await printRows(rows, out, {view: VIEW, format, ...options})
  // What no file can hold would be lost here.
  return Buffer.from(pieces.join('')).toString()
}

/** What a cell says, written out here once more. */
function cell(row: Row, path: string): string {
  const value = path === 'deep.value' ? (row.deep as {value: unknown} | null)?.value : row[path]
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
const cells = (rows: readonly Row[], paths = PATHS) => [
  paths,
  ...rows.map(row => paths.map(path => cell(row, path))),
]

/** RFC 4180 and nothing else. */
function readRfc4180(text: string): string[][] {
  const rows: string[][] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  for (let row: string[] = []; field.lastIndex < text.length; ) {
    const [, quoted, plain, end] = field.exec(text) ?? expect.unreachable(JSON.stringify(text))
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push(row.splice(0))
  }
  return rows
}

/** As `order submit` reads a table. */
async function readByOurs(text: string): Promise<string[][]> {
  const rows: string[][] = []
  const pieces = (async function* () {
    yield Buffer.from(text)
  })()
  for await (const batch of readCsvRows(pieces)) {
    if ('message' in batch) return expect.unreachable(batch.message)
    rows.push(...batch.rows.map(row => [...row.cells]))
  }
  return rows
}

const HALF = /\p{Cs}/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written out
const WRITTEN_OUT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu
const writeOut = (text: string) =>
  text.replace(WRITTEN_OUT, c =>
    c === '\u001b' ? '\\e' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** With the apostrophe that text has where a spreadsheet would run it. */
function disarm(row: Row, path: string): string {
  const value = path === 'deep.value' ? (row.deep as {value: unknown} | null)?.value : row[path]
  const text = writeOut(cell(row, path))
  return typeof value === 'string' && '=+-@\t\r\n＝＋－＠'.includes(text[0] ?? '#') ? `'${text}` : text
}

const unescapeTsv = (text: string) =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code, name) =>
    code
      ? String.fromCharCode(Number.parseInt(code, 16))
      : ({n: '\n', r: '\r', t: '\t', e: '\u001b'}[name as string] ?? name),
  )

const FORMATS: Readonly<Record<string, (rows: Row[]) => Promise<void>>> = {
  json: async rows => {
    const text = await write('json', rows)
    expect(JSON.parse(text)).toEqual(rows)
    expect(parse(text)).toEqual(rows)
  },
  ndjson: async rows => {
    const lines = (await write('ndjson', rows)).split('\n')
    expect([lines.pop(), lines.map(line => JSON.parse(line))]).toEqual(['', rows])
  },
  yaml: async rows => {
    const text = await write('yaml', rows)
    expect(parse(text)).toEqual(rows)
    expect(parse(text, {version: '1.1'})).toEqual(rows)
  },
  tsv: async rows => {
    const lines = (await write('tsv', rows)).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map(line => line.split('\t').map(unescapeTsv))).toEqual(cells(rows))
  },
  csv: async rows => {
    const text = await write('csv', rows)
    const expected = [PATHS, ...rows.map(row => PATHS.map(path => disarm(row, path)))]
    expect(readRfc4180(text)).toEqual(expected)
    expect(await readByOurs(text)).toEqual(expected)
  },
  'csv as it is': async rows => {
    const whole = rows.filter(row => !PATHS.some(path => HALF.test(cell(row, path))))
    const text = await write('csv', whole, {csvRaw: true})
    expect(readRfc4180(text)).toEqual(cells(whole))
    expect(await readByOurs(text)).toEqual(cells(whole))
    const alone = await write('csv', whole, {csvRaw: true, fields: ['text'], bom: true})
    expect(alone[0]).toBe('\ufeff')
    expect(readRfc4180(alone.slice(1))).toEqual(cells(whole, ['text']))
  },
  id: async rows => expect((await write('id', rows)).split('\n')).toHaveLength(rows.length + 1),
  table: async rows =>
    expect((await write('table', rows)).split('\n')).toHaveLength(rows.length === 0 ? 1 : rows.length + 2),
}

const OF_DAY = Number(currentTime().toISOString().slice(0, 10).replaceAll('-', ''))

test.each(Object.keys(FORMATS))('every kind of value comes back from %s', async format => {
  for (const seed of [20_261_121, OF_DAY])
    await fc.assert(
      fc.asyncProperty(fc.array(ROW, {maxLength: 4}), async rows => void (await FORMATS[format]?.(rows))),
      {
        seed,
        numRuns: sized(40, 2000),
      },
    )
})
