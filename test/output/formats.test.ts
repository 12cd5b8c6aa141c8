import {Writable} from 'node:stream'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {OUTPUT_FORMATS, type OutputFormat} from '../../src/language/output-formats.js'
import {printRecord, printRows} from '../../src/output/print.js'
import type {Row, View} from '../../src/output/view.js'
import {sinkTo} from '../../src/platform/streams.js'

const view: View = {
  hasAnyField: true,
  noun: ['customer', 'customers'],
  columns: [{path: 'number'}, {path: 'name'}, {path: 'address.city'}, {path: 'orders', kind: 'number'}],
  id: 'id',
}
const rows: Row[] = [
  {id: 'a1', number: '007', name: 'Ada "Countess" Byron', address: {city: 'Zürich'}, orders: 3},
  {id: 'b2', number: '008', name: '=HYPERLINK("http://evil")', address: null, orders: -12},
]

async function printed(
  format: OutputFormat,
  {fields, columns, from = rows}: {fields?: string[]; columns?: number; from?: Row[]} = {},
) {
  const pieces: string[] = []
  const out = {columns, write: async (piece: string) => void pieces.push(piece)}
  await printRows(from, out, {view, format, fields})
  return pieces.join('')
}

test('JSON is one array, valid when empty', async () => {
  expect(JSON.parse(await printed('json'))).toEqual(rows)
  expect(JSON.parse(await printed('json', {from: []}))).toEqual([])
})

test('NDJSON is a row a line', async () => {
  const lines = (await printed('ndjson')).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map(line => JSON.parse(line))).toEqual(rows)
})

test('fields choose paths, nested as they were, null where there is nothing', async () => {
  expect(JSON.parse(await printed('json', {fields: ['id', 'address.city']}))).toEqual([
    {id: 'a1', address: {city: 'Zürich'}},
    {id: 'b2', address: {city: null}},
  ])
})

test('CSV quotes as RFC 4180 says and disarms formulas, but not negative numbers', async () => {
  expect(await printed('csv')).toBe(
    'number,name,address.city,orders\r\n' +
      '007,"Ada ""Countess"" Byron",Zürich,3\r\n' +
      '008,"\'=HYPERLINK(""http://evil"")",,-12\r\n',
  )
})

test('TSV keeps one row on one line whatever the values hold', async () => {
  const from = [{number: 'a\tb', name: 'c\nd\\', address: {city: '\u001b[31m'}, orders: null}]
  expect(await printed('tsv', {from})).toBe(
    'number\tname\taddress.city\torders\na\\tb\tc\\nd\\\\\t\\e[31m\t\n',
  )
})

test('YAML reads back as the rows', async () => {
  expect(parse(await printed('yaml'))).toEqual(rows)
  expect(parse(await printed('yaml', {from: []}))).toEqual([])
})

test('YAML quotes what older readers would take for true, false, a time or another number', async () => {
  const from = [
    {id: 'NO', number: '0012', name: 'yes', address: {city: '1:30'}, orders: '2024-10-24T21:30:46Z'},
  ]
  const text = await printed('yaml', {from})
  expect(text.match(/"/g)).toHaveLength(10)
  expect(parse(text, {version: '1.1'})).toEqual(from)
})

test('money is two columns for programs and one for people, as its writer wrote it where that is no number', async () => {
  const money = (value: unknown) => ({number: '1', orders: value})
  const from = [
    money({value: '1234.50', currency: 'EUR'}),
    money([
      {value: '1', currency: 'EUR'},
      {value: '7', currency: 'JPY'},
    ]),
    money({value: 'ten\u001b[2J', currency: 'EUR'}),
    money(null),
  ]
  const columns = [{path: 'number'}, {path: 'orders', kind: 'money' as const}]
  const print = async (format: OutputFormat) => {
    const pieces: string[] = []
    const write = async (piece: string | Uint8Array) => void pieces.push(String(piece))
    await printRows(from, {columns: undefined, write}, {view: {...view, columns}, format})
    return pieces.join('').split('\n')
  }
  expect((await print('tsv')).slice(0, 3)).toEqual([
    'number\torders.value\torders.currency',
    '1\t1234.50\tEUR',
    '1\t1, 7\tEUR, JPY',
  ])
  expect((await print('table')).slice(1, 5)).toEqual([
    '1       1,234.50 EUR',
    '1       1 EUR, 7 JPY',
    '1       ten\\e[2J EUR',
    '1',
  ])
})

test('ids come bare, one a line', async () => {
  expect(await printed('id')).toBe('a1\nb2\n')
})

test('no format lets through what a terminal obeys, and JSON and YAML read back the same', async () => {
  const harmful = '\u001b[31m\u0007\u007f\u009b2J\u2028\u202eevil'
  const from = [
    {id: harmful, number: harmful, name: 'b', address: {city: harmful}, orders: 1, [harmful]: 'key'},
  ]
  for (const format of OUTPUT_FORMATS) {
    const text = await printed(format, {from})
    expect(text.replace(/\r\n/g, '\n').replaceAll('\t', ' '), format).not.toMatch(/[^\n\u0020-\u007e]/)
    if (format === 'json' || format === 'ndjson') expect([JSON.parse(text)].flat()).toEqual(from)
    if (format === 'yaml') expect(parse(text)).toEqual(from)
  }
})

test('half a character, which no file can hold, is written out, and whole ones are left alone', async () => {
  const from = [{number: '\ud83d', name: '👍🏽', address: {city: 'x\ude00'}, orders: 1}]
  for (const format of ['table', 'csv', 'tsv', 'ndjson'] as const) {
    const text = await printed(format, {from})
    expect(text, format).toMatch(/\\ud83d.*👍🏽.*x\\ude00/)
    expect(Buffer.from(text).toString(), format).toBe(text)
  }
})

test('fields that are asked for stand in headings without what a terminal obeys', async () => {
  for (const format of ['table', 'csv', 'tsv'] as const) {
    const text = await printed(format, {fields: ['\u001b[31mx']})
    expect(text.split(/\r?\n/)[0]?.toLowerCase(), format).toBe('\\e[31mx')
  }
})

test('a table fits the terminal and shows escape sequences as text', async () => {
  const from = [{number: '1', name: 'x'.repeat(200), address: {city: '\u001b[2J\u202eevil'}, orders: 1}]
  const table = await printed('table', {from, columns: 60})
  for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect(table).toContain('\\e[2J\\u202eevil')
  expect(table).not.toContain('\u001b')
})

test('a single record is an object in JSON and aligned lines in a table', async () => {
  const texts: string[] = []
  const out = {columns: undefined, write: async (text: string) => void texts.push(text)}
  await printRecord(rows[0] as Row, out, {view, format: 'json'})
  await printRecord(rows[0] as Row, out, {view, format: 'table', fields: ['id', 'address.city']})
  expect(JSON.parse(texts[0] ?? '')).toEqual(rows[0])
  expect(texts[1]).toBe('id            a1\naddress.city  Zürich\n')
})

test('a slow reader holds the rows back', async () => {
  let made = 0
  async function* many() {
    for (; made < 1_000_000; made++) yield {id: 'x'.repeat(100)}
  }
  const blocked = new Writable({highWaterMark: 1, write: () => undefined})
  const printing = printRows(
    many(),
    sinkTo(() => blocked, 'stdout'),
    {view, format: 'ndjson'},
  )
  await Promise.race([printing, new Promise(resolve => setTimeout(resolve, 200))])
  expect(made).toBeLessThan(10_000)
})
