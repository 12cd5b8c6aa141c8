import {gzipSync} from 'node:zlib'
import {expect, test} from 'vitest'
import {readDrafts} from '../../../src/order/read/read.js'
import {check, formatFaultLine} from '../../../src/order/validate/check-orders.js'
import {PLAIN} from '../../support/checked.js'

const NOW = new Date('2026-11-21T12:00:00Z')
const HEADER =
  'reference,shipTo.name,shipTo.street,shipTo.postalCode,shipTo.city,shipTo.country,line.sku,line.quantity'

function inputOf(content: string | Buffer, name = 'orders.csv', pieceBytes = 1 << 18) {
  const bytes = Buffer.from(content)
  return {
    name,
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
  }
}

async function faults(content: string | Buffer, name?: string, pieceBytes?: number) {
  const checked = await check(
    {inputs: [inputOf(content, name, pieceBytes)], reading: PLAIN},
    {
      now: NOW,
      mostFaults: 100,
      signal: new AbortController().signal,
      openScratch: () => Promise.reject(new Error('nothing is put aside here')),
    },
  )
  return {...checked, lines: checked.faults.map(formatFaultLine)}
}

async function orders(content: string | Buffer, name?: string, pieceBytes?: number) {
  const found: unknown[] = []
  for await (const drafts of readDrafts(inputOf(content, name, pieceBytes), PLAIN)) {
    for (const {order, broken} of drafts) found.push(broken ?? order)
  }
  return found
}

const order = {
  reference: 'A-1',
  shipTo: {name: 'Ada', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'DE'},
  lines: [{sku: 'X', quantity: 2}],
}

test('every fault of a table has its line, column, field and value', async () => {
  const {lines, orders, faultCount} = await faults(
    `${HEADER}\r\nA-1,Ada,Weg 1,01067,Dresden,Germany,X,2\r\nA 2,"Ada\r\nB.",Weg 1,,Bonn,DE,,"zwei"\r\n`,
  )
  expect(lines).toEqual([
    'orders.csv:2:29 shipTo.country: must be a country code of two letters (ISO 3166-1), such as DE; did you mean DE? (got "Germany")',
    'orders.csv:3:1 reference: may hold letters, digits and . _ : - only (got "A 2")',
    'orders.csv:4:11 shipTo.postalCode: is required in DE',
    'orders.csv:4:20 line.sku: is required',
    'orders.csv:4:21 line.quantity: must be a whole number from 1 to 1000000, not text (got "zwei")',
  ])
  expect([orders, faultCount]).toEqual([2, 5])
})

test('every fault of JSON has its place, whatever the layout', async () => {
  const wrong = {
    ...order,
    shipTo: {...order.shipTo, country: 'Germany', citty: 'x'},
    lines: [{sku: 'X', quantity: 1.5}],
  }
  const {lines} = await faults(JSON.stringify([order, {...wrong, reference: 'A-2'}], null, 2), 'o.json')
  expect(lines).toEqual([
    'o.json:25:18 shipTo.country: must be a country code of two letters (ISO 3166-1), such as DE; did you mean DE? (got "Germany")',
    'o.json:26:16 shipTo.citty: is not a field; did you mean shipTo.city? (got "x")',
    'o.json:31:21 lines[1].quantity: must be a whole number from 1 to 1000000 (got 1.5)',
  ])
  expect(
    (await faults(`${JSON.stringify(order)}\n${JSON.stringify({...order, reference: 7})}\n`)).lines,
  ).toEqual(['orders.csv:2:14 reference: must be text, not a number; put it in quotes (got 7)'])
})

test('a line that is broken does not take the next one with it', async () => {
  const good = JSON.stringify(order)
  const {lines, orders} = await faults(
    `${good}\n{"reference": "A-2", \n{"reference": "A-3"} x\n{"a":1}\n`,
    'o.ndjson',
  )
  expect(orders).toBe(5)
  expect(lines[0]).toBe('o.ndjson:2:22: expected a name in double quotes, got the end')
  expect(lines.some(line => line.startsWith('o.ndjson:3:22: expected a value, got "x"'))).toBe(true)
  expect(lines.at(-1)).toContain('o.ndjson:4:')
})

test.each([
  ['[{}, ]', '1:6: a comma before the end of the list'],
  ['[{} {}]', '1:5: a comma is missing before this'],
  ['[{}', '1:4: the list is not closed: "]" is missing at the end'],
  ['[{}] {}', '1:6: unexpected text after the end of the list'],
  ['[1]', '1:2: must be an object (got 1)'],
  ['{"a": "x}', '1:7: unclosed text'],
])('%s is found broken', async (text, problem) => {
  expect((await faults(text, 'o.json')).lines.join('\n')).toContain(`o.json:${problem}`)
})

test('a reference that comes back later is a duplicate, in tables and in JSON', async () => {
  const row = (reference: string) => `${reference},Ada,Weg 1,01067,Dresden,DE,X,2`
  expect((await faults([HEADER, row('A'), row('B'), row('B'), row('A')].join('\n'))).lines).toEqual([
    'orders.csv:5:1 reference: has rows above, in line 2; rows of one order must follow each other: sort the file by reference (got "A")',
  ])
  expect((await faults(JSON.stringify([order, order]), 'o.json')).lines[0]).toContain('in line 1 (got "A-1")')
})

test('rows of one order agree on everything but the line', async () => {
  const {lines} = await faults(
    `${HEADER}\nA,Ada,Weg 1,01067,Dresden,DE,X,2\nA,Ada,Weg 2,01067,Dresden,DE,Y,1\n`,
  )
  expect(lines).toEqual([
    'orders.csv:3:7 shipTo.street: differs from the first row of the same order ("Weg 1") (got "Weg 2")',
  ])
})

test('every fault of a header is explained, and the rows below it are checked', async () => {
  const {lines, faultCount} = await faults(`reference;shipTo.nmae;country;hold\nA;x;y;z\n`)
  expect(lines.slice(-3)).toEqual([
    'orders.csv:1:11 shipTo.nmae: unknown column; did you mean shipTo.name?',
    'orders.csv:1:23 country: unknown column; did you mean shipTo.country?',
    'orders.csv:2:7 hold: must be true or false (got "z")',
  ])
  expect(lines).toContain('orders.csv:1:1 line.sku: required column missing')
  expect(faultCount).toBe(lines.length)
})

test('the first hundred are described and all are counted', async () => {
  const row = (at: number) => `R-${at},Ada,Weg 1,01067,Dresden,XX,X,2`
  const {faults: described, faultCount} = await faults(
    [HEADER, ...Array.from({length: 250}, (_, at) => row(at))].join('\n'),
  )
  expect([described.length, faultCount]).toEqual([100, 250])
})

test('tables of every dialect give the same orders as JSON', async () => {
  const second = {
    ...order,
    reference: 'A-2',
    note: 'zwei\nZeilen; "so"',
    hold: true,
    lines: [
      {sku: 'Ü', quantity: 1},
      {sku: 'é', quantity: 3},
    ],
  }
  const rows = [
    [...HEADER.split(','), 'note', 'hold', '_error'],
    ['A-1', 'Ada', 'Weg 1', '01067', 'Dresden', 'DE', 'X', '2', '', '', 'was wrong'],
    ['A-2', 'Ada', 'Weg 1', '01067', 'Dresden', 'DE', 'Ü', '1', 'zwei\nZeilen; "so"', 'TRUE', ''],
    ['A-2', 'Ada', 'Weg 1', '01067', 'Dresden', 'DE', 'é', '3', 'zwei\nZeilen; "so"', 'TRUE', ''],
  ]
  const quoted = (cell: string) => (/[\n";,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const table = (delimiter: string, end: string, always = false) =>
    rows
      .map(row =>
        row.map(cell => (always ? `"${cell.replaceAll('"', '""')}"` : quoted(cell))).join(delimiter),
      )
      .join(end)
  const utf16 = Buffer.from(`\ufeff${table('\t', '\r\n')}`, 'utf16le')
  const variants: Record<string, string | Buffer> = {
    comma: table(',', '\n'),
    'semicolon, CRLF, mark': `\ufeff${table(';', '\r\n')}\r\n`,
    tab: `${table('\t', '\n')}\n\n`,
    'all in quotes': table(',', '\r\n', true),
    'sep=': `sep=;\r\n${table(';', '\r\n')}`,
    'empty rows': `${table(';', '\r\n')}\r\n;;;;;;;;;;\r\n`,
    utf16,
    'utf16 the other way': Buffer.from(utf16).swap16(),
    gzip: gzipSync(table(',', '\n')),
    JSON: JSON.stringify([order, second]),
    NDJSON: `${JSON.stringify(order)}\n${JSON.stringify(second)}\n`,
  }
  for (const [name, content] of Object.entries(variants)) {
    for (const pieceBytes of [1, 7, 1 << 18])
      expect(await orders(content, 'o', pieceBytes), name).toEqual([order, second])
  }
})

test('text in another encoding is refused, with the flags that read it', async () => {
  await expect(faults(Buffer.from(`${HEADER}\nA,J\xf6rg`, 'latin1'))).rejects.toMatchObject({
    code: 'usage.encoding',
    nextSteps: expect.arrayContaining(['--encoding windows-1252 (reads "Jörg")']),
  })
})

test('the nearest value is named: a choice, a country by its name in several languages', async () => {
  const wrong = (more: object) => JSON.stringify({...order, ...more})
  const {lines} = await faults(
    wrong({shippingMethod: 'expres', shipTo: {...order.shipTo, country: 'Frankreich'}}),
  )
  expect(lines).toEqual([
    expect.stringContaining('such as DE; did you mean FR? (got "Frankreich")'),
    expect.stringContaining('standard, express, priority, pickup; did you mean express? (got "expres")'),
  ])
})
