import {expect, test} from 'vitest'
import {findPage} from '../../../src/customer/search/response-pages.js'
import {JsonRows} from '../../../src/output/json/json-rows.js'
import {customerRow, listing} from '../../support/customer-pages.js'

const rows = [customerRow(1), customerRow(2, {lastName: '},{"apiAlias":"customer"}'}), customerRow(3)]

function read(body: string) {
  const page = findPage(Buffer.from(body), 'customer')
  if (!page) throw new Error('no listing')
  const isUnparsed = page.rows instanceof JsonRows
  return {
    count: page.count,
    isUnparsed,
    rows: page.rows instanceof JsonRows ? page.rows.parseRows() : page.rows,
  }
}

test('rows are found in the bytes of a listing without parsing them', () => {
  expect(read(listing(rows))).toEqual({count: 3, isUnparsed: true, rows})
  expect(read(listing([rows[0]]))).toEqual({count: 1, isUnparsed: true, rows: [rows[0]]})
})

test('an empty page has none', () => {
  expect(read(listing([]))).toMatchObject({count: 0, rows: []})
})

test.each([
  [
    'a row holds what a border between rows looks like',
    listing([
      customerRow(1, {customFields: {a: [{apiAlias: 'customer'}, {extensions: 1}]}}),
      customerRow(2, {customFields: {a: [{apiAlias: 'customer'}]}}),
    ]),
  ],
  ['the text is spread over lines', JSON.stringify({total: 3, data: rows, aggregations: []}, null, 1)],
  ['a line break stands between two members', listing(rows).replace(',"email"', ',\n"email"')],
  ['the total counts more than the page', listing(rows, 1234)],
  ['members stand in another order', JSON.stringify({aggregations: [], data: rows, total: 3})],
  ['rows end with another member', listing(rows.map(row => ({...row, extra: 1})))],
])('it is parsed where %s', (_, body) => {
  const {data} = JSON.parse(body)
  expect(read(body)).toEqual({count: data.length, isUnparsed: false, rows: data})
})
