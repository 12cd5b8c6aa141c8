import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {ReadOptions} from '../../src/order/draft/read-options.js'
import {readDrafts} from '../../src/order/read/read.js'
import {NOW, PLAIN} from '../support/checked.js'
import {sized} from '../support/sized.js'

const word = fc.constantFrom('Ada', 'Prager Straße', 'Łódź', 'O’Hara', 'Köln-Porz', 'St. 7', '日本', 'x+y')
const name = fc.tuple(word, word).map(parts => parts.join(' '))
const cents = fc.integer({min: 1, max: 99_999_999})
const day = fc.date({min: new Date('2020-01-01'), max: new Date('2026-10-01'), noInvalidDate: true})

const LINE = fc.record({
  sku: fc.constantFrom('MUG', 'SHIRT-M', '007', 'A/B', '10x20'),
  quantity: fc.integer({min: 1, max: 99_999}),
  cents,
})
const ORDER = fc.record({
  name,
  city: word,
  note: fc.option(word),
  placed: fc.option(day),
  lines: fc.array(LINE, {minLength: 1, maxLength: 4}),
})
type Sample = typeof ORDER extends fc.Arbitrary<infer T> ? T : never

const SHAPE = fc.record({
  titles: fc.array(fc.constantFrom('', 'Orders, all of us', 'Stand;17.11.2026;;', '"Report ""A"""'), {
    maxLength: 4,
  }),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  decimal: fc.constantFrom('comma', 'point', undefined),
  thousands: fc.boolean(),
  sign: fc.constantFrom('', ' €', ' EUR'),
  date: fc.constantFrom('iso', 'german', 'offset', 'no-zone', 'year-first'),
  blanks: fc.boolean(),
  splitsName: fc.boolean(),
  renames: fc.boolean(),
  pieceBytes: fc.constantFrom(300, 1 << 16),
})
type Shape = typeof SHAPE extends fc.Arbitrary<infer T> ? T : never

function plainOrder({name, city, note, placed, lines}: Sample, at: number) {
  return {
    reference: `R-${at}`,
    ...(placed && {orderDate: `${placed.toISOString().slice(0, 19)}Z`}),
    lines: lines.map(({sku, quantity, cents}) => ({
      ...{sku, quantity},
      unitPrice: {amount: (cents / 100).toFixed(2), currency: 'EUR'},
    })),
    shipTo: {name, city, street: 'Weg 1', postalCode: '01067', country: 'DE'},
    ...(note !== null && {note}),
  }
}

function writeNumber(number: number, places: number, {decimal, thousands}: Shape): string {
  if (decimal === undefined) return number.toFixed(places)
  const locale = decimal === 'comma' ? 'de' : 'en'
  const digits = {minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: thousands}
  return number.toLocaleString(locale, digits)
}

function writeDate(placed: Date | null, {date}: Shape): string {
  if (!placed) return ''
  const iso = placed.toISOString().slice(0, 19)
  const [year, month, dayOfMonth] = iso.slice(0, 10).split('-').map(Number)
  if (date === 'german') return `${dayOfMonth}.${month}.${year} ${iso.slice(11)}`
  if (date === 'offset') return `${new Date(placed.getTime() + 7_200_000).toISOString().slice(0, 19)}+0200`
  if (date === 'no-zone') return iso.replace('T', ' ')
  return date === 'year-first' ? `${year}/${month}/${dayOfMonth} ${iso.slice(11)} UTC` : `${iso}Z`
}

function shapedTable(orders: readonly Sample[], shape: Shape): {text: string; reading: ReadOptions} {
  const {delimiter, lineEnd, decimal, sign, titles, blanks, splitsName, renames} = shape
  const header = [
    ...[
      renames ? 'Order no.' : 'reference',
      'orderDate',
      ...(splitsName ? ['Given', 'Family'] : ['shipTo.name']),
    ],
    ...['shipTo.city', 'shipTo.street', 'shipTo.postalCode', 'shipTo.country', 'note'],
    ...['line.sku', 'line.quantity', 'line.unitPrice.amount', 'line.unitPrice.currency'],
  ]
  const rows = orders.flatMap((order, at) =>
    order.lines.map(({sku, quantity, cents}, index) => {
      const [given = '', ...family] = order.name.split(' ')
      const names = splitsName ? [given, family.join(' ')] : [order.name]
      const ofOrder = [
        writeDate(order.placed, shape),
        ...names,
        order.city,
        'Weg 1',
        '01067',
        'DE',
        order.note ?? '',
      ]
      const isBlank = blanks && index > 0
      const amount = writeNumber(cents / 100, 2, shape) + (decimal ? sign : '')
      return [
        ...[`R-${at}`, ...(isBlank ? ofOrder.map(() => '') : ofOrder)],
        ...[sku, writeNumber(quantity, 0, shape), amount, 'EUR'],
      ]
    }),
  )
  const quote = (cell: string) => (/[",;\t]/.test(cell) ? `"${cell}"` : cell)
  const lines = [...titles, ...[header, ...rows].map(row => row.map(quote).join(delimiter)), '']
  const renamed = new Map<string, string>()
  if (renames) renamed.set('order No.', 'reference')
  if (splitsName) renamed.set('given+family', 'shipTo.name')
  return {text: lines.join(lineEnd), reading: {...PLAIN, decimal, renamed, skipRows: titles.length}}
}

function shapedJson(orders: readonly object[], wrapper: string): string {
  const list = orders.map(order => ({company: undefined, ...order, orderNumber: null, shipNotBefore: null}))
  if (wrapper === 'list') return JSON.stringify(list)
  const outer =
    wrapper === 'nested' ? {data: {orders: list, more: false}} : {count: 2, [wrapper]: list, end: []}
  return JSON.stringify(outer, null, 1)
}

/** The moment that it was ordered at, whatever zone it is written in. */
function inUtc(order: {orderDate?: string}): object {
  const {orderDate} = order
  return orderDate === undefined
    ? order
    : {...order, orderDate: `${new Date(orderDate).toISOString().slice(0, 19)}Z`}
}

async function read(text: string, reading: ReadOptions, pieceBytes: number): Promise<unknown[]> {
  const bytes = Buffer.from(text)
  const input = {
    name: 'orders',
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
  }
  const found: unknown[] = []
  for await (const drafts of readDrafts(input, reading))
    for (const {order, broken, renderBody} of drafts) {
      const faults = order === undefined ? [] : reading.rules.findFaults(order, NOW)
      found.push(broken ?? (faults.length > 0 ? faults : inUtc(JSON.parse(String(renderBody())))))
    }
  return found
}

const WRAPPER = fc.constantFrom('list', 'orders', 'data', 'nested')

test('a sound file of any shape gives the same orders as the plain form', async () => {
  let shaped = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(ORDER, {minLength: 1, maxLength: 4}),
      SHAPE,
      WRAPPER,
      async (orders, shape, wrapper) => {
        const expected = orders.map(plainOrder)
        const {text, reading} = shapedTable(orders, shape)
        expect(await read(text, reading, shape.pieceBytes), text).toEqual(expected)
        expect(await read(shapedJson(expected, wrapper), PLAIN, shape.pieceBytes)).toEqual(expected)
        shaped++
      },
    ),
    {numRuns: sized(300, 10_000)},
  )
  expect(shaped).toBe(sized(300, 10_000))
})
