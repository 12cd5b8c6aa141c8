import {expect, test} from 'vitest'
import {findCommonLayout} from '../../src/order/read/file-layout.js'
import {readDrafts} from '../../src/order/read/read.js'
import {buildRunInput} from '../../src/order/submit/submit-input.js'
import {CONTRACT} from '../../src/order/validate/order-rules.js'
import {checked, HEADER, PLAIN, rowOf, tableOf} from '../support/checked.js'

const PRICED = `${HEADER},line.unitPrice.amount,line.unitPrice.currency`

async function ordersIn(text: string, reading = PLAIN, name = 'orders.csv') {
  const input = {
    name,
    async *read() {
      yield Buffer.from(text)
    },
  }
  const found: unknown[] = []
  for await (const drafts of readDrafts(input, reading))
    for (const draft of drafts) found.push(draft.broken ?? JSON.parse(String(draft.renderBody())))
  return found as {[field: string]: unknown; lines: {[field: string]: unknown}[]}[]
}

const plain = tableOf(rowOf('A'), rowOf('B'))

test.each([
  ['of the same width', `Orders of 17.11.2026;;;;;;;\n;;;;;;;\n${plain.replaceAll(',', ';')}`],
  ['of one cell, with another delimiter', `Orders, as of today\n\n${plain.replaceAll(',', ';')}`],
  ['in quotes', `"Orders, ""all"""\r\n\r\n${plain.replaceAll('\n', '\r\n')}`],
])('title lines %s are named by the line of the header, and skipped on demand', async (_, table) => {
  const {lines} = await checked(table)
  expect(lines).toEqual(['orders.csv:1:1: line 3 looks like the header: add --skip-rows 2'])
  expect(await checked(table, {asked: {'skip-rows': 2}})).toMatchObject({lines: [], orders: 2})
})

test('lines that are skipped count in positions, and a line sep= among them names the delimiter', async () => {
  const table = `sep=;\nOrders, all, of, us\n${plain.replaceAll(',', ';')}`.replace('01067', '1067')
  const {lines} = await checked(table, {asked: {'skip-rows': 2}, pieceBytes: 7})
  expect(lines).toEqual([expect.stringMatching(/^orders\.csv:4:13 shipTo\.postalCode: has lost/)])
})

test('more lines to skip than there are leave no orders; one that is the header is named', async () => {
  expect(await checked(plain, {asked: {'skip-rows': 9}})).toMatchObject({lines: [], orders: 0})
  expect((await checked(plain, {asked: {'skip-rows': 1}})).lines).toEqual([
    'orders.csv:2:1: line 1 looks like the header: add --skip-rows 0',
  ])
})

test('the header once more, and a row of totals, are one error each', async () => {
  const table = `${PRICED}\n${rowOf('A')},1.00,EUR\n${PRICED}\n${rowOf('B')},2.00,EUR\n`
  expect((await checked(table)).lines).toEqual([
    'orders.csv:3:1: this is the header once more: delete the line',
  ])
  for (const row of ['Total,,,,,,,2,3.00,', 'Summe:,,,,,,,,3.00,', ',,,,,,Gesamt,2,3.00,'])
    expect((await checked(`${table.replace(`${PRICED}\n${rowOf('B')}`, rowOf('B'))}${row}\n`)).lines).toEqual(
      ['orders.csv:4:1: this looks like a row of totals, and not like an order: delete the line'],
    )
  expect((await checked(tableOf(rowOf('A'), ',,,,,,,5', rowOf('Total')))).lines).toEqual([
    'orders.csv:3:1: this row has no reference: write that of its order into each of its rows, and delete a row of totals',
  ])
})

test('a whole line of an order that is called Total is no row of totals', async () => {
  const set = Object.entries(ORDER.shipTo).map(([name, value]) => `shipTo.${name}=${value}`)
  const table = 'reference,line.sku,line.quantity\nTotal,X,1\n'
  expect(await checked(table, {asked: {set}})).toMatchObject({lines: [], orders: 1})
})

test('blank fields of a later row are as in the first row of its order', async () => {
  const [order] = await ordersIn(tableOf(rowOf('A'), 'A,,,,,,Y,1'))
  expect(order).toMatchObject({shipTo: {name: 'Ada', city: 'Dresden'}, lines: [{sku: 'X'}, {sku: 'Y'}]})
  expect((await checked(tableOf('A,,,,,,Y,1', rowOf('A')))).lines).not.toEqual([])
})

test('two columns of one field are told apart from one that stands twice, and joined by a plus', async () => {
  const table = `reference,First,shipTo.street,LAST,line.sku,line.quantity\nA,Ada,Weg 1,Lovelace,X,1\nB,Bo,Weg 2,,X,1\n`
  const set = ['shipTo.city=Dresden', 'shipTo.country=DE', 'shipTo.postalCode=01067']
  const both = ['first=shipTo.name', 'last=shipTo.name']
  expect((await checked(table, {asked: {set, map: both}})).lines).toEqual([
    'orders.csv:1:31 LAST: two columns map to shipTo.name; join them by --map "First+LAST=shipTo.name", or ignore one by --map "LAST=-"',
  ])
  const reading = (name: string) => ({...PLAIN, renamed: new Map([[name, 'shipTo.name']])})
  const names = async (name: string) => {
    const orders = await ordersIn(table, reading(name))
    return orders.flatMap(({shipTo}) => (shipTo ? [(shipTo as {name: string}).name] : []))
  }
  expect(await names('last + first')).toEqual(['Lovelace Ada', 'Bo'])
  expect((await checked(table, {asked: {set, map: ['first+last=shipTo.name']}})).lines).toEqual([])
  expect((await checked(table, {asked: {set, map: ['first+lost=shipTo.name']}})).lines).toContain(
    'orders.csv:1:1 lost: is in --map, but not in the file; did you mean "LAST"?',
  )
  const named = table.replace('First', 'a+b').replace('LAST', 'b')
  expect((await checked(named, {asked: {set, map: ['a+b=shipTo.name', 'b=-']}})).lines).toEqual([])
})

test('items in columns of their own, or in one cell, are named, and nothing else of them', async () => {
  const order = HEADER.replace(',line.sku,line.quantity', '')
  const cells = rowOf('A').replace(/,X,2$/, '')
  const told =
    'items in columns of their own, or in one cell, are not supported: write a row for each item, with the reference of its order'
  for (const [columns, name] of [
    ['sku1,qty1,sku2,qty2', 'sku1'],
    ['Item 1 SKU,Item 1 Quantity', 'Item 1 SKU'],
    ['line_items', 'line_items'],
  ] as const)
    expect((await checked(`${order},${columns}\n${cells},X,1,Y,2\n`)).lines[0]).toBe(
      `orders.csv:1:${order.length + 2} ${name}: ${told}`,
    )
  const map = ['sku1=line.sku', 'sku2=line.sku', 'qty=line.quantity']
  expect((await checked(`${order},sku1,sku2,qty\n${cells},X,Y,1\n`, {asked: {map}})).lines).toEqual([
    expect.stringContaining(`sku2: two columns map to line.sku; ${told}`),
  ])
  for (const other of [{sku: '2x MUG; 1x SHIRT'}, {sku: '"[{""sku"":1}]"'}, {quantity: '1;2'}])
    expect((await checked(tableOf(rowOf('A', other)))).lines).toEqual([
      expect.stringContaining('holds several items, which is not supported: write a row for each'),
    ])
  for (const sku of ['10x20/30x40', 'M8 x 20; zinc', 'A+B', 'MAXX/1'])
    expect((await checked(tableOf(rowOf('A', {sku})))).lines).toEqual([])
})

test.each([
  ['comma', '"12,90"', '12.90'],
  ['comma', '"1.234,50 €"', '1234.50'],
  ['comma', 'EUR 1 234 567', '1234567'],
  ['comma', "1'234", '1234'],
  ['point', '"€1,234.50"', '1234.50'],
  ['point', '12.5 EUR', '12.5'],
] as const)('--decimal %s reads %s as %s', async (decimal, cell, amount) => {
  const [order] = await ordersIn(`${PRICED}\n${rowOf('A')},${cell},EUR\n`, {...PLAIN, decimal})
  expect(order?.lines[0]?.unitPrice).toEqual({amount, currency: 'EUR'})
})

test('a number that --decimal does not read is an error, also one that reads as another without it', async () => {
  const amounts = ['12.90', '"1,234.50"', '1.23.456', '-1', '"12,90 $"', '"EUR 1,00 EUR"', '1E+05']
  for (const amount of amounts) {
    const {lines} = await checked(`${PRICED}\n${rowOf('A')},${amount},EUR\n`, {asked: {decimal: 'comma'}})
    expect(lines, amount).toHaveLength(1)
  }
  const dollars = `${PRICED}\n${rowOf('A')},"12,90 $",\n`
  const set = ['line.unitPrice.currency=EUR']
  expect((await checked(dollars, {asked: {decimal: 'comma', set}})).lines).toEqual([
    expect.stringContaining('line.unitPrice.amount: is not in EUR'),
  ])
  expect(
    (await checked(dollars, {asked: {decimal: 'comma', set: ['line.unitPrice.currency=CAD']}})).lines,
  ).toEqual([])
  const whole = (quantity: string) => checked(tableOf(rowOf('A', {quantity})), {asked: {decimal: 'comma'}})
  expect((await whole('"2,00"')).lines).toEqual([])
  expect((await whole('"2,50"')).lines).toHaveLength(1)
})

test('--decimal is proposed where all numbers of the first thousand rows are written so', async () => {
  const rows = (...amounts: string[]) =>
    checked([PRICED, ...amounts.map((amount, at) => `${rowOf(`R${at}`)},${amount},EUR`), ''].join('\n'))
  const proposed = `orders.csv:1:${HEADER.length + 2} line.unitPrice.amount: numbers are written like 1.234,50 €: add --decimal comma`
  const many = Array.from({length: 999}, () => '"7,50"')
  expect((await rows('"12,90"', '5')).lines[0]).toBe(proposed)
  expect((await rows(...many, '"8,10"', '8.10')).lines[0]).toBe(proposed)
  expect((await rows(...many, '8.10')).lines[0]).not.toContain('--decimal')
  expect((await rows('"12,90"', 'free')).lines[0]).toBe(proposed)
  expect((await rows('$12.90', '"1,200.00"')).lines[0]).toContain('add --decimal point')
  expect((await rows('"1,234"', '5')).lines[0]).not.toContain('--decimal')
  expect((await rows('12.90', '5.00')).lines).toEqual([])
})

test.each([
  ['shipNotBefore', '28.10.2026', '2026-10-28'],
  ['shipNotBefore', '2026-1-5', '2026-01-05'],
  ['shipNotBefore', '20261028', '2026-10-28'],
  ['shipNotBefore', '10/28/2026', '2026-10-28'],
  ['shipNotBefore', '28/10/2026', '2026-10-28'],
  ['shipNotBefore', '10/10/2026', '2026-10-10'],
  ['orderDate', '28.10.2026', '2026-10-28T00:00:00Z'],
  ['orderDate', '2026-10-24T09:30:00+0200', '2026-10-24T09:30:00+02:00'],
  ['orderDate', '2026-10-24 09:30:00.123+02', '2026-10-24T09:30:00.123+02:00'],
  ['orderDate', '2026-10-24 9:30:00 UTC', '2026-10-24T09:30:00Z'],
  ['orderDate', '2026-10-24T09:30:00', '2026-10-24T09:30:00Z'],
  ['orderDate', '28.10.2026 14:05', '2026-10-28T14:05:00Z'],
  ['orderDate', '2024-02-29T12:00:00z', '2024-02-29T12:00:00Z'],
])('%s reads %s as %s, in tables and in JSON', async (field, date, meant) => {
  const table = `${HEADER},${field}\n${rowOf('A')},${date}\n`
  const [fromTable] = await ordersIn(table)
  expect(fromTable?.[field]).toBe(meant)
  expect((await checked(table)).lines).toEqual([])
  const [fromJson] = await ordersIn(JSON.stringify([{...fromTable, [field]: date}]), PLAIN, 'o.json')
  expect(fromJson).toEqual(fromTable)
})

test('a date with two meanings is refused with both, and one with none as it is', async () => {
  const lines = async (field: string, date: string) =>
    (await checked(`${HEADER},${field}\n${rowOf('A')},${date}\n`)).lines[0]
  expect(await lines('shipNotBefore', '10/11/2026')).toMatch(
    /did you mean "2026-11-10" or "2026-10-11"\? \(got "10\/11\/2026"\)$/,
  )
  expect(await lines('orderDate', '10-11-2026 8:00')).toContain(
    'did you mean "2026-11-10T08:00:00Z" or "2026-10-11T08:00:00Z"?',
  )
  for (const date of ['31.02.2026', '28.10.26', '28.10.2026 14:05', 'soon', '2026-10'])
    expect(await lines('shipNotBefore', date)).toContain(`(got "${date}")`)
  for (const date of ['28.10.2026 25:00', '31.02.2026 10:00', '10:30', '2026-10-28T09:30:00+99:00'])
    expect(await lines('orderDate', date)).toContain(`(got "${date}")`)
})

const ORDER = {
  reference: 'A',
  lines: [{sku: 'X', quantity: 2}],
  shipTo: {name: 'Ada', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'DE'},
}
const SECOND = {...ORDER, reference: 'B'}

test.each([
  ['orders', {orders: [ORDER, SECOND]}],
  ['data', {data: [ORDER, SECOND]}],
  ['with more around it', {total: 2, meta: {text: 'the "data": [1]'}, orders: [ORDER, SECOND], next: null}],
  ['two levels deep', {data: {orders: [ORDER, SECOND], hasNext: false}, extensions: {}}],
  ['an empty list', {orders: []}],
])('a list of orders inside an object is read: %s', async (_, wrapper) => {
  const all = JSON.stringify(wrapper).includes('"A"') ? [ORDER, SECOND] : []
  for (const text of [JSON.stringify(wrapper), JSON.stringify(wrapper, null, 2)]) {
    expect(await ordersIn(text, PLAIN, 'stdin')).toEqual(all)
    expect(await checked(text, {name: 'o.json', pieceBytes: 5})).toMatchObject({
      lines: [],
      orders: all.length,
    })
  }
})

test('a wrapped list that is cut off, or is not all there is, is an error', async () => {
  const list = JSON.stringify([ORDER])
  const faults = async (text: string) => (await checked(text, {name: 'o.json'})).lines
  const behind = 'unexpected text after the list, or more orders'
  for (const tail of ['', '}}', '} {"orders":[]}', `,"data":${list}}`, ',"a":}'])
    expect(await faults(`{"orders":${list}${tail}`)).toEqual([expect.stringContaining(behind)])
  expect(await faults(`{"orders":[${JSON.stringify(ORDER)}`)).toEqual([
    expect.stringContaining('the list is not closed'),
  ])
  const wrong = `{\n"orders": [\n${JSON.stringify({...ORDER, hold: 1})}\n]}`
  expect(await faults(wrong)).toEqual([expect.stringMatching(/^o\.json:3:\d+ hold: must be true or false/)])
})

test('an order with a list of that name, or lines of objects, is no wrapper', async () => {
  const custom = {...ORDER, customFields: {data: [{a: 1}], orders: [1]}}
  expect(await ordersIn(JSON.stringify(custom), PLAIN, 'o.json')).toEqual([custom])
  expect((await checked(JSON.stringify({...ORDER, data: []}), {name: 'o.json'})).lines).toEqual([
    expect.stringContaining('data: is not a field'),
  ])
  expect((await checked('{"orders":[]}\n{"orders":[]}\n', {name: 'o.ndjson'})).orders).toBe(2)
})

test('null of an optional field is the same as nothing, in JSON', async () => {
  const text = JSON.stringify({
    ...ORDER,
    ...{note: null, customFields: {a: null}, orderDate: null},
    lines: [{sku: 'X', quantity: 2, reference: null, unitPrice: null}],
    shipTo: {...ORDER.shipTo, company: null},
  })
  expect(await ordersIn(text, PLAIN, 'o.json')).toEqual([{...ORDER, customFields: {a: null}}])
  expect((await checked(text, {name: 'o.json'})).lines).toEqual([])
  const needed = JSON.stringify({...ORDER, shipTo: null})
  expect((await checked(needed, {name: 'o.json'})).lines).toEqual([
    expect.stringContaining('shipTo: must be'),
  ])
  const spaced = `{ "reference" : "A", ${JSON.stringify(ORDER).slice('{"reference":"A",'.length)}`
  for await (const [draft] of readDrafts(inMemory(spaced), PLAIN))
    expect(String(draft?.renderBody())).toBe(spaced)
  expect(CONTRACT.normalize?.(JSON.parse(spaced))).toBe(false)
})

function inMemory(text: string) {
  return {
    name: 'o.json',
    async *read() {
      yield Buffer.from(text)
    },
  }
}

test('the same item twice in an order is a warning', async () => {
  const table = tableOf(rowOf('A'), rowOf('A', {quantity: '1'}), rowOf('A'), 'A,,,,,,X,2', rowOf('B'))
  const {lines, warnings} = await checked(table)
  expect(lines).toEqual([])
  expect(warnings).toEqual([
    'warning: orders.csv:4:1: is the same item again as in another row of its order, in line 2',
    'warning: orders.csv:5:1: is the same item again as in another row of its order, in line 2',
  ])
  const many = tableOf(...Array.from({length: 15}, () => rowOf('A')))
  expect((await checked(many)).warnings.at(-1)).toBe('warning: 4 more like these')
})

test('--skip-rows, --decimal and --map are for tables alone', async () => {
  for (const asked of [{'skip-rows': 1}, {decimal: 'comma' as const}])
    await expect(checked('{}', {name: 'o.json', asked})).rejects.toThrow(/o\.json is JSON/)
})

test('--map @FILE reads mappings from JSON', async () => {
  const files = {'map.json': '{"No. = 1": "reference", "Given+Family": "shipTo.name"}', 'bad.json': '["a"]'}
  const table = `${HEADER.replace('reference', 'No. = 1').replace('shipTo.name', 'Given')},Family\n${rowOf('A')},L\n`
  expect((await checked(table, {asked: {map: ['@map.json']}, files})).lines).toEqual([])
  for (const name of ['@bad.json', '@none.json'])
    await expect(checked(table, {asked: {map: [name]}, files})).rejects.toThrow(
      /not a JSON object that maps columns/,
    )
})

test('rejects of a table with skipped lines begin with those lines and its header', async () => {
  const text = `Orders, all\n${plain}`
  const inputs = [inMemory(text)].map(input => ({...input, name: 'orders.csv'}))
  const layout = await findCommonLayout({inputs, reading: {...PLAIN, skipRows: 1}})
  const header = {start: 'Orders, all\n'.length, end: `Orders, all\n${HEADER}\n`.length}
  expect(layout).toMatchObject({kind: 'table', skip: header.start, header, names: HEADER.split(',')})
})

test('a run stores how its tables are read, and its file of mappings from the root', () => {
  const request = {files: ['a.csv'], set: [], map: ['@m.json', '@id=reference'], raw: false, force: false}
  const shaped = {...request, 'skip-rows': 2, decimal: 'comma' as const}
  expect(buildRunInput(shaped, path => `/root/${path}`, true)).toMatchObject({
    ...{'skip-rows': 2, decimal: 'comma'},
    map: ['@/root/m.json', '@id=reference'],
  })
})
