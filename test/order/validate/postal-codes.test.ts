import fc from 'fast-check'
import {expect, test} from 'vitest'
import {restoreZeros} from '../../../src/order/validate/order-rules.js'
import {COUNTRY_CODES} from '../../../src/wire/fulfillment-order/codes.js'
import {checked, rowOf, tableOf} from '../../support/checked.js'
import {sized} from '../../support/sized.js'

test.each([
  ['DE', '1067', '01067'],
  ['DE', '1067.0', '01067'],
  ['US', '501', '00501'],
  ['US', '501.0', '00501'],
  ['US', '5011234', '00501-1234'],
  ['US', '501-1234', '00501-1234'],
  ['FR', '1000', '01000'],
  ['IT', '100', '00100'],
  ['NO', '150', '0150'],
  ['PL', '1067', '01-067'],
  ['BR', '1001000', '01001-000'],
  ['JP', '600000', '060-0000'],
])('in %s, %s lacks zeros and meant %s', (country, code, meant) => {
  expect(restoreZeros(country, code)?.meant).toBe(meant)
})

test.each([
  ['DE', '01067'],
  ['DE', 'D-1067'],
  ['DE', '10670.0'],
  ['US', '12345'],
  ['US', '12345-6789'],
  ['US', '123456789'],
  ['JP', '060-0000'],
  ['BR', '01001000'],
  ['SK', '010 01'],
  ['CH', '8001'],
  ['AT', '1010'],
  ['GB', '1'],
  ['XX', '1'],
  ['constructor', '1'],
])('in %s, nothing can be said against %s', (country, code) => {
  expect(restoreZeros(country, code)).toBeUndefined()
})

/** The lowest postal code of each country whose codes are digits and may begin with a zero. */
const LOWEST = `
  AM:0001 AU:0200 BR:01000-000 CN:010000 CO:050001 DE:01067 DK:0555 DZ:01000 EC:010101 ES:01001
  FI:00002 FR:01000 GE:0100 GT:01001 IT:00010 JP:001-0000 KE:00100 KR:01000 KZ:010000 LA:01000
  LK:00100 LT:00100 MX:01000 MY:01000 NO:0001 NZ:0110 PE:01000 PL:00-001 PR:00601 RO:010011
  SG:010000 SK:01001 TR:01000 UA:01001 US:00501 VA:00120 VI:00801 ZA:0001`

test.each(
  LOWEST.trim()
    .split(/\s+/)
    .map(pair => pair.split(':') as [string, string]),
)('in %s the lowest code is %s, also where a table took its zeros', (country, lowest) => {
  const bare = String(Number(lowest.replace('-', '')))
  expect(restoreZeros(country, bare)?.meant).toBe(lowest)
})

test('a code that no zeros make whole is a fault without a suggestion', () => {
  expect(restoreZeros('DE', '67')).toEqual({digits: 5, meant: undefined})
})

test('what is suggested lacks nothing any more', () => {
  const country = fc.constantFrom(...COUNTRY_CODES)
  fc.assert(
    fc.property(country, fc.nat(99_999_999), (where, number) => {
      const meant = restoreZeros(where, String(number))?.meant
      if (meant === undefined) return
      expect(restoreZeros(where, meant)).toBeUndefined()
      expect(Number(meant.replace('-', ''))).toBe(number)
    }),
    {numRuns: sized(250, 2000)},
  )
})

test('lost zeros are a fault of tables, of JSON and of what is set, with the right code', async () => {
  const table = tableOf(rowOf('A', {code: '1067'}), rowOf('B', {code: '501', country: 'US'}), rowOf('C'))
  expect((await checked(table)).lines).toEqual([
    'orders.csv:2:13 shipTo.postalCode: has lost leading zeros: postal codes in DE have 5 digits; did you mean "01067"? (got "1067")',
    'orders.csv:3:13 shipTo.postalCode: has lost leading zeros: postal codes in US have 5 digits; did you mean "00501"? (got "501")',
  ])
  const json = (postalCode: unknown) =>
    `{"shipTo": {"postalCode": ${JSON.stringify(postalCode)}, "country": "DE"}}`
  const codeFaults = async (text: string, set: string[] = []) =>
    (await checked(text, {name: 'o.json', asked: {set}})).lines.filter(line => line.includes('postalCode'))
  expect(await codeFaults(json('1067'))).toEqual([
    expect.stringContaining('1:27 shipTo.postalCode: has lost'),
  ])
  expect(await codeFaults(json(1067))).toEqual([
    'o.json:1:27 shipTo.postalCode: must be text, not a number; put it in quotes; did you mean "01067"? (got 1067)',
  ])
  expect(await codeFaults(json('01067'))).toEqual([])
  expect(await codeFaults(json('01067'), ['shipTo.postalCode=1067'])).toHaveLength(1)
})

test('numbers that a spreadsheet program has cut short are faults of the text they were', async () => {
  const cells = ['1E+05', '1.23457E+12', '1,5E+15', '1.00E-05', '4.006E+100']
  const table = tableOf(...cells.map((sku, at) => rowOf(`R-${at}`, {sku: `"${sku}"`})), rowOf('1E+06'))
  const {lines, faultCount} = await checked(table)
  expect(faultCount).toBe(6)
  expect(lines[0]).toBe(
    'orders.csv:2:32 line.sku: was shortened by a spreadsheet; format the column as text and enter it again (got "1E+05")',
  )
  expect(lines.at(-1)).toMatch(/^orders\.csv:7:1 reference: was shortened by a spreadsheet/)
})

test('codes that only look like such numbers go through, and JSON says what it means', async () => {
  const cells = ['1E5', '7E-12', '12E+05', 'AE+05', '1E+5', '007', '1e5']
  const table = tableOf(...cells.map((sku, at) => rowOf(`R-${at}`, {sku})))
  expect((await checked(table)).lines).toEqual([])
  const json = JSON.stringify({
    reference: 'A',
    shipTo: {name: 'Ada', street: 'Weg 1', postalCode: '01067', city: 'Dresden', country: 'DE'},
    lines: [{sku: '1E+05', quantity: 1}],
  })
  expect((await checked(json, {name: 'o.json'})).lines).toEqual([])
})

test('a phone number in a table of its own column is looked at too', async () => {
  const [header, row] = tableOf(rowOf('A')).split('\n')
  const {lines} = await checked(`${header},shipTo.phone,customFields.ean\n${row},4.93516E+11,4.00638E+12\n`)
  expect(lines.map(line => line.split(':').slice(1, 4).join(':'))).toEqual([
    '2:34 shipTo.phone: was shortened by a spreadsheet; format the column as text and enter it again (got "4.93516E+11")',
    '2:46 customFields.ean: was shortened by a spreadsheet; format the column as text and enter it again (got "4.00638E+12")',
  ])
})
