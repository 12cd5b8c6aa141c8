import {expect, test} from 'vitest'
import type {OutputFormat} from '../../src/language/output-formats.js'
import {printRecord, printRows} from '../../src/output/print.js'
import {pick, type Row, readValueAt, type View} from '../../src/output/view.js'

const view: View = {noun: ['customer', 'customers'], columns: [{path: 'id'}], id: 'id'}
const TIMED: View = {...view, columns: [{path: 'addresses.createdAt', kind: 'time'}]}
const row: Row = {
  id: 'a',
  tags: [{name: '=vip'}, {name: 'b2b'}],
  addresses: [
    {
      city: 'Bonn',
      country: {iso: 'DE'},
      createdAt: '2024-10-24T21:30:46.123+00:00',
      phones: [{no: 1}, {no: 2}],
    },
    {city: null, country: null, createdAt: null, phones: []},
    {city: 'Graz', country: {iso: 'AT'}, createdAt: '2024-10-25T00:00:00.000+02:00', phones: [{no: 3}]},
  ],
  vatIds: ['DE1'],
  orders: [],
}

async function printed(format: OutputFormat, fields: string[], of = view) {
  const pieces: string[] = []
  await printRows(
    [row],
    {columns: undefined, write: async piece => void pieces.push(String(piece))},
    {view: of, format, fields},
  )
  return pieces.join('')
}

test('a path through a list leads to the values of all in it, in its order', () => {
  expect([...(readValueAt(row, 'tags.name') as unknown[])]).toEqual(['=vip', 'b2b'])
  expect([...(readValueAt(row, 'addresses.country.iso') as unknown[])]).toEqual(['DE', null, 'AT'])
  expect([...(readValueAt(row, 'addresses.phones.no') as unknown[])]).toEqual([1, 2, 3])
  expect([...(readValueAt(row, 'orders.number') as unknown[])]).toEqual([])
  expect(readValueAt(row, 'addresses.0.city')).toBe('Bonn')
  expect(readValueAt(row, 'vatIds')).toEqual(['DE1'])
  expect(readValueAt(row, 'tags.length')).toEqual(readValueAt(row, 'tags.nothing'))
})

test('JSON and YAML keep the list as it is, with what was asked for', async () => {
  const fields = ['id', 'tags.name', 'addresses.city', 'addresses.country.iso', 'orders.number']
  expect(JSON.parse(await printed('ndjson', fields))).toEqual({
    id: 'a',
    tags: [{name: '=vip'}, {name: 'b2b'}],
    addresses: [
      {city: 'Bonn', country: {iso: 'DE'}},
      {city: null, country: {iso: null}},
      {city: 'Graz', country: {iso: 'AT'}},
    ],
    orders: [],
  })
  expect(await printed('yaml', ['tags.name'])).toContain('name: b2b')
})

test('text has them with commas between, what is empty left out', async () => {
  expect(await printed('tsv', ['addresses.city', 'addresses.phones.no', 'orders.number'])).toBe(
    'addresses.city\taddresses.phones.no\torders.number\nBonn, Graz\t1, 2, 3\t\n',
  )
  expect(await printed('table', ['tags.name', 'addresses.city'])).toMatch(/=vip, b2b\s+Bonn, Graz/)
})

test('CSV disarms them like any text, and times are in UTC', async () => {
  expect(await printed('csv', ['tags.name'])).toBe(`tags.name\r\n"'=vip, b2b"\r\n`)
  expect(await printed('csv', ['addresses.createdAt'], TIMED)).toContain(
    '"2024-10-24T21:30:46.123Z, 2024-10-24T22:00:00.000Z"',
  )
})

test('one record has them too', async () => {
  const pieces: string[] = []
  const out = {
    columns: undefined,
    write: async (piece: string | Uint8Array) => void pieces.push(String(piece)),
  }
  await printRecord(row, out, {view, format: 'table', fields: ['tags.name', 'addresses.city']})
  expect(pieces.join('')).toMatch(/tags.name\s+=vip, b2b\naddresses.city\s+Bonn, Graz\n/)
})

test('what is named twice, as a whole and in part, is there once', () => {
  expect(pick(row, ['tags.name', 'tags'])).toEqual({tags: row.tags})
  expect(pick({'a.b': 1, c: {'d.e': 2}}, ['a.b', 'c.d.e'])).toEqual({a: {b: 1}, c: {d: {e: 2}}})
  expect(pick({a: 'text'}, ['a.b', 'x.y'])).toEqual({a: {b: null}, x: {y: null}})
})
