import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readDrafts} from '../../src/order/read/read.js'
import {PLAIN} from '../support/checked.js'
import {sized} from '../support/sized.js'

const COLUMNS = [
  'reference',
  'shipTo.name',
  'shipTo.street',
  'shipTo.postalCode',
  'shipTo.city',
  'shipTo.country',
  'note',
  'hold',
  'customFields.sheet',
  'line.sku',
  'line.quantity',
] as const

/** What people and programs put into cells, each of them harmless as a piece of text. */
const CELL = fc.oneof(
  fc.constantFrom('007', '1e5', '=1+1', "=cmd|'/C calc'!A0", '+49 351', '-', '@SUM(A1)', ' padded ', 'Jörg'),
  fc.constantFrom('a,b', 'a;b', 'a\tb', 'a|b', 'say "hi"', 'two\nlines', 'two\r\nlines', '日本', '🚚'),
  fc
    .string({unit: 'grapheme-ascii', minLength: 1, maxLength: 12})
    .filter(text => text.trim() === text && !/^'|^="|[?]/.test(text)),
)

const LINE = fc.record({sku: CELL, quantity: fc.integer({min: 1, max: 99})})

const ORDER = fc.record({
  name: CELL,
  street: CELL,
  postalCode: fc.constantFrom('01067', '00501'),
  note: fc.option(CELL),
  hold: fc.option(fc.boolean()),
  sheet: fc.option(CELL),
  lines: fc.array(LINE, {minLength: 1, maxLength: 3}),
})

type Order = typeof ORDER extends fc.Arbitrary<infer T> ? T : never

const DIALECT = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  encoding: fc.constantFrom('utf8', 'utf8-marked', 'utf16le', 'utf16be', 'utf16le-unmarked'),
  quotesAll: fc.boolean(),
  hasSep: fc.boolean(),
  endsWithLineEnd: fc.boolean(),
  blankLines: fc.boolean(),
  isPacked: fc.boolean(),
  pieceBytes: fc.constantFrom(7, 1000, 1 << 16),
})

type Dialect = typeof DIALECT extends fc.Arbitrary<infer T> ? T : never

function twin(order: Order, at: number) {
  const {name, street, postalCode, note, hold, sheet, lines} = order
  const city = 'Dresden'
  return {
    reference: `R-${at}`,
    shipTo: {name: name.trim(), street: street.trim(), postalCode, city, country: 'DE'},
    ...(note !== null && {note: note.trim()}),
    ...(hold !== null && {hold}),
    ...(sheet !== null && {customFields: {sheet: sheet.trim()}}),
    lines: lines.map(({sku, quantity}) => ({sku: sku.trim(), quantity})),
  }
}

function table(orders: readonly Order[], {delimiter, lineEnd, quotesAll, ...dialect}: Dialect): string {
  const cell = (text: string) =>
    quotesAll || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const rows = orders.flatMap((order, at) =>
    order.lines.map(({sku, quantity}) => [
      ...[`R-${at}`, order.name, order.street, order.postalCode, 'Dresden', 'DE', order.note ?? ''],
      ...[
        order.hold === null ? '' : String(order.hold).toUpperCase(),
        order.sheet ?? '',
        sku,
        String(quantity),
      ],
    ]),
  )
  const lines = [COLUMNS as readonly string[], ...rows].map(row => row.map(cell).join(delimiter))
  const sep = dialect.hasSep ? `sep=${delimiter}${lineEnd}` : ''
  const text = sep + lines.join(dialect.blankLines ? lineEnd + lineEnd : lineEnd)
  return dialect.endsWithLineEnd ? text + lineEnd : text
}

function encoded(text: string, {encoding, isPacked}: Dialect): Buffer {
  const wide = (marked: string) => Buffer.from(marked, 'utf16le')
  const bytes = {
    utf8: () => Buffer.from(text),
    'utf8-marked': () => Buffer.from(`\ufeff${text}`),
    utf16le: () => wide(`\ufeff${text}`),
    utf16be: () => wide(`\ufeff${text}`).swap16(),
    'utf16le-unmarked': () => wide(text),
  }[encoding]()
  return isPacked ? gzipSync(bytes) : bytes
}

async function read(bytes: Buffer, pieceBytes: number): Promise<unknown[]> {
  const found: unknown[] = []
  const input = {
    name: 'orders',
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes)
        yield Buffer.from(bytes.subarray(at, at + pieceBytes))
    },
  }
  for await (const drafts of readDrafts(input, PLAIN))
    for (const {order, broken} of drafts) found.push(broken ?? order)
  return found
}

test('a table of any dialect and encoding gives the same orders as its JSON twin', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(ORDER, {minLength: 1, maxLength: 5}), DIALECT, async (orders, dialect) => {
      const fromTable = await read(encoded(table(orders, dialect), dialect), dialect.pieceBytes)
      const json = Buffer.from(JSON.stringify(orders.map(twin)))
      expect(fromTable).toEqual(await read(json, dialect.pieceBytes))
    }),
    {numRuns: sized(50, 300)},
  )
})
