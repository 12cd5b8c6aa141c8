import {describe, expect, test} from 'vitest'
import {COUNTRY_CODES, CURRENCIES} from '../../../src/wire/fulfillment-order/codes.js'
import {findFaults} from '../../../src/wire/fulfillment-order/validate-order.js'

const NOW = new Date('2024-10-24T21:30:46Z')

const order = {
  reference: 'SO-10007',
  lines: [{sku: 'TEA-1', quantity: 2}],
  shipTo: {
    name: 'Ada Byron',
    street: '12 St James Sq',
    city: 'London',
    postalCode: 'SW1Y 4JH',
    country: 'GB',
  },
}

/** `field message` of every fault. */
function faults(value: unknown) {
  return findFaults(value, NOW).map(({field, message}) => `${field} ${message}`.trim())
}

function line(members: object) {
  return {...order, lines: [{...order.lines[0], ...members}]}
}

function shipTo(members: object) {
  return {...order, shipTo: {...order.shipTo, ...members}}
}

test('the smallest order has no fault, and neither has one that says everything', () => {
  expect(faults(order)).toEqual([])
  expect(
    faults({
      ...order,
      orderNumber: '10007',
      orderDate: '2024-10-24T23:30:46.123+02:00',
      lines: [
        {sku: 'A', quantity: 1_000_000, reference: 'l1', unitPrice: {amount: '12.90', currency: 'EUR'}},
      ],
      shipTo: {
        ...order.shipTo,
        company: 'c',
        additionalLine: 'a',
        state: 's',
        email: 'a@example.test',
        phone: '1',
      },
      shippingMethod: 'express',
      shipNotBefore: '2024-02-29',
      hold: true,
      fillPolicy: 'what-is-available',
      note: '',
      customFields: {a: [1, {b: null}]},
    }),
  ).toEqual([])
})

describe('each rule', () => {
  const cases: [string, unknown, string][] = [
    ['no order', null, 'must be an object'],
    ['a list', [], 'must be an object'],
    ['no reference', {...order, reference: undefined}, 'reference is required'],
    [
      'reference too long',
      {...order, reference: 'x'.repeat(65)},
      'reference must have at most 64 characters',
    ],
    [
      'reference with a space',
      {...order, reference: 'a b'},
      'reference may hold letters, digits and . _ : - only',
    ],
    ['reference empty', {...order, reference: ''}, 'reference must not be empty'],
    ['reference null', {...order, reference: null}, 'reference must be text, not null; leave it out instead'],
    [
      'orderNumber a number',
      {...order, orderNumber: 7},
      'orderNumber must be text, not a number; put it in quotes',
    ],
    [
      'orderDate without zone',
      {...order, orderDate: '2024-10-24T21:30:46'},
      'orderDate needs a zone, such as 2024-10-24T21:30:46Z or 2024-10-24T23:30:46+02:00',
    ],
    [
      'orderDate a date',
      {...order, orderDate: '2024-10-24'},
      'orderDate must be a date and time with a zone, such as 2024-10-24T21:30:46Z',
    ],
    [
      'orderDate on 30 February',
      {...order, orderDate: '2024-02-30T00:00:00Z'},
      'orderDate is no real date and time',
    ],
    [
      'orderDate at 24:00',
      {...order, orderDate: '2024-10-24T24:00:00Z'},
      'orderDate is no real date and time',
    ],
    [
      'orderDate before year 0 in UTC',
      {...order, orderDate: '0000-01-01T00:00:00+00:01'},
      'orderDate is no real date and time',
    ],
    [
      'orderDate 5 min and 1 s ahead',
      {...order, orderDate: '2024-10-24T21:35:47Z'},
      'orderDate lies more than 5 minutes in the future',
    ],
    ['no lines', {...order, lines: undefined}, 'lines is required'],
    ['lines empty', {...order, lines: []}, 'lines must hold at least one'],
    [
      '1001 lines',
      {...order, lines: Array(1001).fill({sku: 'A', quantity: 1})},
      'lines must hold at most 1000',
    ],
    ['lines an object', {...order, lines: {}}, 'lines must be a list'],
    ['a line a text', {...order, lines: ['A']}, 'lines[] must be an object'],
    ['no sku', line({sku: undefined}), 'lines[].sku is required'],
    ['sku a number', line({sku: 12}), 'lines[].sku must be text, not a number; put it in quotes'],
    ['quantity 0', line({quantity: 0}), 'lines[].quantity must be a whole number from 1 to 1000000'],
    ['quantity 1.5', line({quantity: 1.5}), 'lines[].quantity must be a whole number from 1 to 1000000'],
    [
      'quantity 1000001',
      line({quantity: 1_000_001}),
      'lines[].quantity must be a whole number from 1 to 1000000',
    ],
    [
      'quantity a text',
      line({quantity: '1'}),
      'lines[].quantity must be a whole number from 1 to 1000000, not text',
    ],
    [
      'price a float',
      line({unitPrice: {amount: 12.9, currency: 'EUR'}}),
      'lines[].unitPrice.amount must be a decimal in quotes, such as "12.90"; a bare number loses cents',
    ],
    [
      'price with a comma',
      line({unitPrice: {amount: '12,90', currency: 'EUR'}}),
      'lines[].unitPrice.amount must be a decimal with a point and no sign, such as "12.90"',
    ],
    [
      'no such currency',
      line({unitPrice: {amount: '1', currency: 'EURO'}}),
      'lines[].unitPrice.currency must be a currency code of three letters (ISO 4217), such as EUR',
    ],
    ['price without currency', line({unitPrice: {amount: '1'}}), 'lines[].unitPrice.currency is required'],
    ['no shipTo', {...order, shipTo: undefined}, 'shipTo is required'],
    ['shipTo.name of 101', shipTo({name: 'x'.repeat(101)}), 'shipTo.name must have at most 100 characters'],
    [
      'country in small letters',
      shipTo({country: 'gb'}),
      'shipTo.country must be a country code of two letters (ISO 3166-1), such as DE, in capitals: GB',
    ],
    [
      'no such country',
      shipTo({country: 'UK'}),
      'shipTo.country must be a country code of two letters (ISO 3166-1), such as DE',
    ],
    ['no postal code', shipTo({postalCode: undefined}), 'shipTo.postalCode is required in GB'],
    [
      'postal code a number',
      shipTo({postalCode: 1067}),
      'shipTo.postalCode must be text, not a number; put it in quotes',
    ],
    [
      'shippingMethod',
      {...order, shippingMethod: 'fast'},
      'shippingMethod must be one of standard, express, priority, pickup',
    ],
    [
      'shipNotBefore',
      {...order, shipNotBefore: '2023-02-29'},
      'shipNotBefore must be a real date, such as 2024-10-24',
    ],
    ['hold a text', {...order, hold: 'true'}, 'hold must be true or false'],
    [
      'fillPolicy',
      {...order, fillPolicy: 'all'},
      'fillPolicy must be one of all-or-nothing, what-is-available',
    ],
    ['note of 501', {...order, note: 'x'.repeat(501)}, 'note must have at most 500 characters'],
    ['customFields a list', {...order, customFields: []}, 'customFields must be an object'],
    [
      'customFields of more than 16 KiB',
      {...order, customFields: {a: 'ä'.repeat(8192)}},
      'customFields is larger than 16 KiB of JSON',
    ],
    ['NUL', shipTo({city: 'a\0'}), 'shipTo.city holds a NUL or half a character'],
    ['unknown field', {...order, ship_to: 1}, 'ship_to is not a field; did you mean shipTo?'],
    [
      'unknown field in a line',
      line({quantiy: 2}),
      'lines[].quantiy is not a field; did you mean lines[].quantity?',
    ],
    ['unknown field like nothing', {...order, zodiac: 1}, 'zodiac is not a field of an order'],
    ['a name of every object', {...order, constructor: 1}, 'constructor is not a field of an order'],
  ]
  test.each(cases)('%s', (_name, value, expected) => {
    expect(faults(value)).toEqual([expected])
  })
})

test('lengths count characters, not UTF-16 units', () => {
  expect(faults(shipTo({city: '𝄞'.repeat(100)}))).toEqual([])
  expect(faults(shipTo({city: '𝄞'.repeat(101)}))).toEqual(['shipTo.city must have at most 100 characters'])
})

test('a date may be 5 minutes ahead, in any zone, on a leap second', () => {
  for (const orderDate of [
    '2024-10-24T21:35:46Z',
    '2024-10-24t21:30:46.5z',
    '2016-12-31T23:59:60Z',
    '2016-12-31T18:59:60-05:00',
  ]) {
    expect(faults({...order, orderDate}), orderDate).toEqual([])
  }
  expect(faults({...order, orderDate: '2016-12-31T22:59:60Z'})).toEqual([
    'orderDate is no real date and time',
  ])
})

test('a country without postal codes needs none and takes one', () => {
  expect(faults(shipTo({country: 'HK', postalCode: undefined}))).toEqual([])
  expect(faults(shipTo({country: 'HK', postalCode: '000'}))).toEqual([])
})

test('line references are unique, positions included', () => {
  const lines = [
    {sku: 'A', quantity: 1},
    {sku: 'B', quantity: 1, reference: '1'},
    {sku: 'C', quantity: 1, reference: '3'},
  ]
  expect(findFaults({...order, lines}, NOW)).toEqual([
    {
      pointer: '/lines/1/reference',
      field: 'lines[].reference',
      message: 'is the reference of line 1 already',
      value: '1',
    },
  ])
})

test('all faults come at once, each with its pointer and what stood there', () => {
  const bad = {...order, reference: 'a b', lines: [order.lines[0], {sku: '', quantity: 0}], 'a/b~c': 1}
  expect(findFaults(bad, NOW).map(({pointer, value}) => [pointer, value])).toEqual([
    ['/reference', 'a b'],
    ['/lines/1/sku', ''],
    ['/lines/1/quantity', 0],
    ['/a~1b~0c', 1],
  ])
})

test('custom fields may not be what cannot be written again', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)
  expect(faults({...order, customFields: deep})).toEqual(['customFields is nested more than 64 levels deep'])
  expect(faults(JSON.parse(JSON.stringify(order).replace('{', '{"customFields":{"a":1e999},')))).toEqual([
    'customFields holds a number that JSON cannot hold',
  ])
})

test('the lists of codes are those of the standards', () => {
  expect(COUNTRY_CODES.size).toBe(249)
  const names = new Intl.DisplayNames(['en'], {type: 'region', fallback: 'none'})
  expect([...COUNTRY_CODES].filter(code => names.of(code) === undefined)).toEqual([])
  const known = new Set(Intl.supportedValuesOf('currency'))
  expect(['EUR', 'USD', 'JPY', 'SLE'].filter(code => !CURRENCIES.has(code) || !known.has(code))).toEqual([])
  expect([...CURRENCIES].every(code => /^[A-Z]{3}$/.test(code))).toBe(true)
  expect(CURRENCIES.has('DEM')).toBe(false)
})

test('ten times the lines are ten times the work, counted by what is read of them', () => {
  const countReads = (lines: number) => {
    let reads = 0
    const watched = (values: object): object =>
      new Proxy(values, {
        get: (target, name) => {
          reads++
          return Reflect.get(target, name)
        },
      })
    const many = Array.from({length: lines}, (_, at) =>
      watched({reference: `L-${at}`, sku: 'A', quantity: 1, unitPrice: {amount: '12.90', currency: 'EUR'}}),
    )
    expect(findFaults({...order, lines: many}, NOW)).toEqual([])
    return reads
  }
  expect(countReads(1000)).toBe(10 * countReads(100))
})
