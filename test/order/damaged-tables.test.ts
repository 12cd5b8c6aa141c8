import {expect, test} from 'vitest'
import {createDecoder, parseEncoding} from '../../src/language/encodings.js'
import {readDrafts} from '../../src/order/read/read.js'
import {createRandom} from '../../src/shop/faults/active-faults.js'
import {checked, HEADER, PLAIN} from '../support/checked.js'
import {currentTime} from '../support/clock.js'
import {sized} from '../support/sized.js'

/** Names without a question mark; each of the first list has a letter beyond ASCII between two others. */
const LOSABLE = [
  'Jürgen Groß',
  'Łukasz Wójcik',
  'Françoise Lefèvre',
  'Bjørn Åström',
  'Nuño Ibáñez',
  'Şahin Yıldız',
]
const OTHERS = [
  ...[
    'Zoë',
    'İpek Öz',
    'Émile',
    'José',
    'Seán Ó Súilleabháin',
    'ß',
    'Ø',
    'Ælfgifu',
    'Ðorđe',
    'Þór',
    'à',
    'Ñ',
  ],
  ...[
    'Иван Петров',
    'Ελένη',
    '李明',
    '佐藤 花子',
    '葛\u{e0100}城',
    '김민준',
    'Nguyễn Thị Ánh',
    'สมชาย',
    'דוד',
    'محمد',
  ],
  ...['علی\u200cرضا', 'कृष्\u200dण', 'കൃഷ്ണന്\u200d', 'ශ්\u200dරී', '👩🏽\u200d🚀 Ada', '🏳️\u200d🌈', '☕️ Café'],
  ...['SÃO JOÃO', 'Ângela', '“Große” Straße', 'naïve – café', '5 € §7', 'Weg 5\nHinterhaus', 'a\tb'],
]
const PLAIN_NAMES = [
  ...[
    "O'Brien",
    "D'Arcy",
    "'t Hooft",
    "van 't Hoff",
    "'s-Gravenhage",
    'Null',
    'null',
    'Nan',
    'NaNa',
    'NA',
    'True',
  ],
  ...[
    'Who?',
    'Ada (?)',
    '?',
    'Weg 5?',
    '#1 Main St',
    'Undefined Ltd',
    '[object]',
    'N/A',
    '-',
    '=',
    '@home',
    'x="1"',
  ],
  ...['1E5', 'Err', 'A & B', 'Ada, Bob; C|D', 'say "hi"', 'McDonald-Smith', '<html>', '007', '+49 351'],
]
const SOUND = [...LOSABLE, ...OTHERS, ...PLAIN_NAMES]

const ERROR_VALUES = [
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#DIV/0!',
  '#NAME?',
  '#NV',
  'NULL',
  'NaN',
  'undefined',
  '[object Object]',
]
const HIDDEN = [
  '\u0000',
  '\u0007',
  '\u009f',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2066',
  '\ufeff',
]

type Random = ReturnType<typeof dice>

function dice(seed: number) {
  const random = createRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  return {
    below,
    isIn: (n: number) => below(n) === 0,
    pick: <T>(all: readonly T[]) => all[below(all.length)] as T,
  }
}

const FIELDS = ['shipTo.name', 'shipTo.street', 'shipTo.city', 'note', 'line.sku'] as const
type Field = (typeof FIELDS)[number]
type Row = Record<Field, string>

const misread = (text: string) => createDecoder('windows-1252').decode(Buffer.from(text))

/** Damages a text in a way that shows in it. */
function damage(text: string, {pick, below}: Random): string {
  const letters = [...text]
  const middle = 1 + below(Math.max(1, letters.length - 1))
  const insert = (what: string) => [...letters.slice(0, middle), what, ...letters.slice(middle)].join('')
  const kind = below(5)
  if (kind === 0) return pick(ERROR_VALUES)
  if (kind === 1) return insert('\ufffd')
  if (kind === 2) return `Dres${pick(HIDDEN)}den ${text}`
  const other = /[^\0-\x7f]/.test(text) ? text : pick(LOSABLE)
  return kind === 3 ? misread(other) : misread(misread(other))
}

/** How a sound cell may be written, too. */
function dress(text: string, {below}: Random): string {
  const kind = below(6)
  if (kind === 0) return ` ${text}\u00a0`
  if (kind === 1 && /^[\d+\-=@]/.test(text)) return `'${text}`
  return kind === 2 && !text.includes('"') ? `="${text}"` : text
}

function write(rows: readonly Row[], {pick, isIn}: Random): string {
  const delimiter = pick([',', ';', '\t', '|'])
  const quotesAll = isIn(2)
  const quote = (cell: string) =>
    quotesAll || /[",;\t|\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  const lines = rows.map((row, at) => [
    ...[
      `R-${at}`,
      row['shipTo.name'],
      row['shipTo.street'],
      '01067',
      row['shipTo.city'],
      'DE',
      row['line.sku'],
    ],
    ...['1', row.note],
  ])
  const header = [...HEADER.split(','), 'note']
  return [header, ...lines, []].map(cells => cells.map(quote).join(delimiter)).join(pick(['\n', '\r\n']))
}

const toOrder = (row: Row, at: number) => ({
  ...{reference: `R-${at}`, note: row.note, lines: [{sku: row['line.sku'], quantity: 1}]},
  shipTo: {
    ...{name: row['shipTo.name'], street: row['shipTo.street'], city: row['shipTo.city']},
    ...{postalCode: '01067', country: 'DE'},
  },
})

function encode(text: string, {pick}: Random): Buffer {
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  return pick([
    () => Buffer.from(text),
    () => Buffer.from(`\ufeff${text}`),
    () => wide,
    () => wide.swap16(),
  ])()
}

async function readOrders(bytes: Buffer, encoding?: string): Promise<unknown[]> {
  async function* read() {
    yield bytes
  }
  const found: unknown[] = []
  for await (const drafts of readDrafts({name: 'orders.csv', encoding, read}, PLAIN))
    for (const {order, broken} of drafts) found.push(broken ?? order)
  return found
}

/** The field of each fault, beside the place. */
async function faultyFields(bytes: Buffer, pieceBytes: number): Promise<string[]> {
  const {lines} = await checked(bytes, {pieceBytes})
  return lines.map(line => /^orders\.csv:\d+:\d+ ([\w.]+): /.exec(line)?.[1] ?? line)
}

function makeRows(random: Random, names: readonly string[]): Row[] {
  const {pick, below} = random
  const makeRow = () => Object.fromEntries(FIELDS.map(field => [field, pick(names)])) as Row
  return Array.from({length: 1 + below(4)}, makeRow)
}

function dressRow(row: Row, random: Random): Row {
  return Object.fromEntries(FIELDS.map(field => [field, dress(row[field], random)])) as Row
}

/** A table that is sound, or with damage in some cells. */
async function judgeCells(random: Random) {
  const {below, isIn, pick} = random
  const rows = makeRows(random, SOUND)
  const dressed = rows.map(row => dressRow(row, random))
  const pieceBytes = pick([50, 1 << 16])
  if (isIn(2)) {
    const bytes = encode(write(dressed, random), random)
    expect(await faultyFields(bytes, pieceBytes)).toEqual([])
    expect(await readOrders(bytes)).toEqual(rows.map(toOrder))
    return
  }
  const field = pick(FIELDS)
  const row = dressed[below(dressed.length)] as Row
  row[field] = damage(row[field].trim(), random)
  expect(await faultyFields(encode(write(dressed, random), random), pieceBytes), row[field]).toEqual([field])
}

/** A table whose letters beyond ASCII became question marks. */
async function judgeLostLetters(random: Random) {
  const rows = makeRows(random, PLAIN_NAMES)
  const field = random.pick(['shipTo.name', 'shipTo.street', 'shipTo.city'] as const)
  const row = random.pick(rows)
  row[field] = random.pick(LOSABLE)
  const text = write(rows, random)
  expect(await faultyFields(Buffer.from(text.replace(/[^\0-\x7f]/gu, '?')), 1 << 16), row[field]).toEqual([
    field,
  ])
  expect(await faultyFields(Buffer.from(text), 1 << 16)).toEqual([])
}

/** A table in an encoding of one byte a character: refused, and read right by the flag that the error names. */
async function judgeEncoding(random: Random) {
  const encoding = random.pick(['windows-1252', 'macintosh', 'cp850', 'windows-1250', 'windows-1251'])
  const decoder = createDecoder(encoding)
  const bytesOf = new Map(Array.from({length: 256}, (_, byte) => [decoder.decode(Buffer.from([byte])), byte]))
  const fits = (text: string) => [...text].every(each => bytesOf.has(each))
  const names = SOUND.filter(fits)
  const rows = makeRows(random, names)
  ;(rows[0] as Row)['shipTo.name'] = random.pick(
    names.filter(name => /^[^\0-\x7f]|[^\0-\x7f][a-z]/.test(name)),
  )
  const bytes = Buffer.from([...write(rows, random)].map(each => bytesOf.get(each) as number))
  const refused = checked(bytes)
  await expect(refused).rejects.toMatchObject({code: 'usage.encoding'})
  const {nextSteps} = (await refused.catch(error => error)) as {nextSteps: string[]}
  expect(nextSteps.join('\n')).toContain(`--encoding ${encoding} (reads `)
  expect(await readOrders(bytes, parseEncoding(encoding))).toEqual(rows.map(toOrder))
}

async function judge(seed: number): Promise<void> {
  const random = dice(seed)
  try {
    await [judgeCells, judgeCells, judgeCells, judgeLostLetters, judgeEncoding][random.below(5)]?.(random)
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, {cause: error})
  }
}

test('nothing damaged is accepted, and nothing sound refused: fixed seeds', {timeout: 600_000}, async () => {
  for (let seed = 0; seed < sized(250, 10_000); seed++) await judge(seed)
})

test('nor by the seeds of the day', {timeout: 600_000}, async () => {
  const first = Math.floor(currentTime().getTime() / 86_400_000) * 100_000
  for (let seed = first; seed < first + sized(50, 10_000); seed++) await judge(seed)
})
