import {expect, test} from 'vitest'
import {checked, HEADER, rowOf, tableOf} from '../support/checked.js'
import {sized} from '../support/sized.js'

const row = rowOf('A')

test('a fault of the header hides the faults of its column alone', async () => {
  const header = HEADER.replace('shipTo.name', 'shipTo.nmae').replace('shipTo.country', 'Land')
  const {lines, orders} = await checked(
    [header, rowOf('A', {quantity: '0'}), rowOf('B 2', {code: '', country: 'nowhere'})].join('\n'),
  )
  expect(lines).toEqual([
    'orders.csv:1:1 shipTo.country: required column missing',
    'orders.csv:1:11 shipTo.nmae: unknown column; did you mean shipTo.name?',
    'orders.csv:1:67 Land: unknown column',
    'orders.csv:2:32 line.quantity: must be a whole number from 1 to 1000000 (got 0)',
    'orders.csv:3:1 reference: may hold letters, digits and . _ : - only (got "B 2")',
  ])
  expect(orders).toBe(2)
})

test('nothing is said of rows where no column is one of ours', async () => {
  const {lines, orders} = await checked('hello world, this is\nnot a table\nat all, is it\n')
  expect(lines.every(line => line.startsWith('orders.csv:1:'))).toBe(true)
  expect(orders).toBe(0)
})

test('names of columns may be written in capitals and with blanks around them, each field once', async () => {
  const header = HEADER.replace('reference', '  Reference ').replace('shipTo.city', 'SHIPTO.City')
  expect((await checked(`${header},CustomFields.Sheet\n${row},x\n`)).lines).toEqual([])
  const twice = `${HEADER},shipto.NAME\n${rowOf('A', {name: ''})},Ada\n`
  expect((await checked(twice)).lines).toEqual(['orders.csv:1:105 shipto.NAME: appears twice in the header'])
})

test('nothing is said of a column that stands twice: nobody knows which of them counts', async () => {
  const {lines} = await checked(`${HEADER},line.quantity\n${rowOf('A', {quantity: 'two'})},three\n`)
  expect(lines).toEqual(['orders.csv:1:105 line.quantity: appears twice in the header'])
})

test('a name that differs in gaps alone is the nearest', async () => {
  const {lines} = await checked(`${HEADER.replace('shipTo.postalCode', 'Postal Code')}\n${row}\n`)
  expect(lines).toEqual(['orders.csv:1:37 Postal Code: unknown column; did you mean shipTo.postalCode?'])
})

test('a name of --map finds its column in other capitals', async () => {
  const map = ['order no.=Reference', 'hint=-']
  const table = `${HEADER.replace('reference', 'Order No.')},Hint\n${row},x\n`
  expect((await checked(table, {asked: {map}})).lines).toEqual([])
})

test('columns without a name and without anything in them are what programs leave behind', async () => {
  const more = (text: string, cells: string) => text.replace(/(?<=.)$/gm, cells)
  expect((await checked(more(tableOf(row), ',,,'))).lines).toEqual([])
  expect((await checked(`${HEADER},,,\n${row}\n${rowOf('B')},,\n${rowOf('C')},,,\n`)).lines).toEqual([])
  const middle = HEADER.replace('shipTo.city', 'shipTo.city, ')
  expect((await checked(`${middle}\n${row.replace('Dresden', 'Dresden,')}\n`)).lines).toEqual([])
  expect((await checked(`${tableOf(row)} , ,\n,,,,\n`)).lines).toEqual([])
})

test('what stands below no name is a fault, and hides no other', async () => {
  const {lines} = await checked(`${HEADER},,\n${row},,lost\n${rowOf('B', {quantity: '0'})},,\n`)
  expect(lines).toEqual([
    'orders.csv:2:35: its column has no name in the header (got "lost")',
    'orders.csv:3:32 line.quantity: must be a whole number from 1 to 1000000 (got 0)',
  ])
})

test('a row of a wrong length does not hide the other rows of its order', async () => {
  const rows = [rowOf('A', {sku: ''}), `${row},more`, rowOf('A', {quantity: '0'}), 'B,Ada', 'Printed by ERP']
  expect((await checked(tableOf(...rows))).lines).toEqual([
    'orders.csv:2:30 line.sku: is required',
    'orders.csv:3:1: this row has 9 cells, and the header has 8; a cell that holds "," needs quotes',
    'orders.csv:4:32 line.quantity: must be a whole number from 1 to 1000000 (got 0)',
    'orders.csv:5:1: this row has 2 cells, and the header has 8',
    'orders.csv:6:1: this row has 1 cell, and the header has 8',
  ])
})

test('rows that disagree are judged all the same', async () => {
  const rows = [rowOf('A', {country: 'XX'}), rowOf('A', {street: 'Weg 2', country: 'XX', quantity: 'two'})]
  const {lines} = await checked(tableOf(...rows))
  expect(lines.map(line => line.split(' ')[1])).toEqual([
    'shipTo.country:',
    'shipTo.street:',
    'line.quantity:',
  ])
})

test('an address that is empty is named by its columns', async () => {
  const {lines} = await checked(`${HEADER}\nA,,,,,,X,2\n`)
  expect(lines.map(line => line.slice(11))).toEqual([
    '2:3 shipTo.name: is required',
    '2:4 shipTo.street: is required',
    '2:6 shipTo.city: is required',
    '2:7 shipTo.country: is required',
  ])
})

const BAD =
  'orders.csv:4:27 shipTo.country: must be a country code of two letters (ISO 3166-1), such as DE (got "XX")'
const later = [rowOf('C', {country: 'XX'}), rowOf('D')]

test.each([
  ['a quote inside a cell', rowOf('B', {sku: '12" TV'}), '3:32: quote in an unquoted cell'],
  [
    'a quote that ends a cell early',
    rowOf('B', {sku: '"12" TV"'}),
    '3:33: text after the closing quote of a cell',
  ],
  [
    'a quote behind cells with good ones',
    rowOf('B', {name: '"Ada"', city: '"Dres""den"', sku: '"12" TV"'}),
    '3:39: text after the closing quote of a cell',
  ],
  ['a quote that is never closed', rowOf('B', {name: '"Ada'}), '3:3: unclosed quote'],
])('%s does not hide the rows below it', async (_, broken, where) => {
  for (const pieceBytes of [1, 7, 1 << 16]) {
    const {lines} = await checked(tableOf(row, broken, ...later), {pieceBytes})
    expect(lines).toEqual([expect.stringContaining(where), BAD])
    expect(lines[0]).toMatch(/; reading continues in line 4$/)
  }
})

test('a quote that takes later lines with it is named where it is opened', async () => {
  const {lines} = await checked(
    tableOf(row, rowOf('B', {name: '"two\nlines" x'}), rowOf('C', {country: 'XX'})),
  )
  expect(lines).toEqual([
    expect.stringMatching(/^orders\.csv:3:3: text after the closing quote.*; reading continues in line 5$/),
    BAD.replace(':4:', ':5:'),
  ])
})

test('a line with more cells than the header is no row to go on with, however it comes in', async () => {
  // The first 64 KiB come in one piece, whatever the pieces are.
  const before = Array.from({length: 2500}, (_, at) => rowOf(`R-${at}`))
  const broken = [rowOf('B', {sku: '12" TV'}), `${rowOf('C')},more`, rowOf('D', {country: 'XX'})]
  for (const pieceBytes of [1, 7, 100]) {
    const {lines} = await checked(tableOf(...before, ...broken), {pieceBytes})
    expect(lines).toEqual([
      expect.stringMatching(/^orders\.csv:2502:32: .*; reading continues in line 2504$/),
      BAD.replace(':4:', ':2504:'),
    ])
  }
})

test('where no row can be told any more, it is said from where on', async () => {
  const {lines} = await checked(tableOf(row, rowOf('B', {name: '"Ada'}), 'C,x', 'D,y'))
  expect(lines).toEqual(['orders.csv:3:3: unclosed quote; nothing from line 3 on was checked'])
  const header = await checked(`refe"rence,x\n${row}\n`)
  expect(header.lines).toEqual([
    expect.stringMatching(/^orders\.csv:1:5: .*nothing from line 1 on was checked$/),
  ])
})

test('a quote that swallows more than a row may hold is found, and the rows behind it are read', async () => {
  const count = sized(30_000, 60_000)
  const many = Array.from({length: count}, (_, at) =>
    rowOf(`R-${at}`, at === count - 1 ? {quantity: '0'} : {}),
  )
  const {lines, orders} = await checked(tableOf(rowOf('B', {name: '"Ada'}), ...many))
  expect(lines).toEqual([
    'orders.csv:2:3: this row is longer than 1 MiB; it may contain an unclosed quote; reading continues in line 3',
    expect.stringMatching(new RegExp(`^orders\\.csv:${count + 2}:\\d+ line\\.quantity: must be`)),
  ])
  expect(orders).toBe(count + 1)
})

test('a hundred broken rows are enough', async () => {
  const rows = Array.from({length: 150}, (_, at) => rowOf(`R-${at}`, {sku: 'a"b'}))
  const {faultCount, lines} = await checked(tableOf(...rows), {mostFaults: 200})
  expect(faultCount).toBe(101)
  expect(lines.at(-1)).toMatch(/nothing from line 102 on was checked$/)
})

test('the first faults are shown, also those that are found last', async () => {
  const rows = [
    rowOf('A'),
    rowOf('B'),
    rowOf('A'),
    ...Array.from({length: 9}, (_, at) => rowOf(`R-${at}`, {sku: ''})),
  ]
  const {lines, faultCount} = await checked(tableOf(...rows), {mostFaults: 2})
  expect(faultCount).toBe(10)
  expect(lines.map(line => line.split(' ')[0])).toEqual(['orders.csv:4:1', 'orders.csv:5:32'])
})

test('lines that end as the first Macintosh ended them are counted, and told apart', async () => {
  const rows = [row, rowOf('B', {sku: '12" TV'}), rowOf('C', {country: 'XX'})]
  const {lines} = await checked(tableOf(...rows).replaceAll('\n', '\r'))
  expect(lines).toEqual([
    expect.stringMatching(/^orders\.csv:3:32: quote in.*; reading continues in line 4$/),
    BAD,
  ])
})
