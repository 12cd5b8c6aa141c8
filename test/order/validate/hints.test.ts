import {expect, test} from 'vitest'
import {Hints} from '../../../src/order/validate/hints.js'
import {checked, rowOf, tableOf} from '../../support/checked.js'

const COUNTRY = 'must be a country code of two letters (ISO 3166-1), such as DE'
const CURRENCY = 'must be a currency code of three letters (ISO 4217), such as EUR'

function meant(message: string, got: unknown): string | undefined {
  return /; did you mean (.+)\?$/.exec(new Hints().addHint(message, got))?.[1]
}

test.each([
  ['UK', 'GB'],
  ['usa', 'US'],
  ['U.S.A.', 'US'],
  ['DEU', 'DE'],
  ['FRR', 'FR'],
  ['ED', 'DE'],
  ['D', 'DE'],
  ['Österreich', 'AT'],
  ['Deutchland', 'DE'],
  ['Holland', 'NL'],
  ['England', 'GB'],
  ['EL', 'GR'],
  ['ZWE', 'ZW'],
  ['Allemagne', 'DE'],
  ['XX', undefined],
  ['QXQ', undefined],
  ['x'.repeat(500), undefined],
])('the country %s meant %s', (got, code) => {
  expect(meant(COUNTRY, got)).toBe(code)
})

test.each([
  ['GPB', 'GBP'],
  ['USE', 'USD'],
  ['Euro', 'EUR'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['GBD', 'GBP'],
  ['ABD', 'AUD'],
  ['us dollar', 'USD'],
  ['HUFF', 'HUF'],
  ['Hungarian Florint', 'HUF'],
  ['Indische Rupie', 'INR'],
  ['XFA', 'XAF'],
  ['XAUU', undefined],
  ['XXQ', undefined],
])('the currency %s meant %s', (got, code) => {
  expect(meant(CURRENCY, got)).toBe(code)
})

test.each([
  ['must be true or false', 'WAHR', 'true'],
  ['must be true or false', 'no', 'false'],
  ['must be true or false', 'N', 'false'],
  ['must be true or false', 'perhaps', undefined],
  ['must be a whole number from 1 to 1000000', '2.0', '2'],
  ['must be a whole number from 1 to 1000000', ' 2', '2'],
  ['must be a whole number from 1 to 1000000', '1.000', undefined],
  ['must be a whole number from 1 to 1000000', '1000000.0', '1000000'],
  ['must be a whole number from 1 to 1000000', '1000001.0', undefined],
  ['must be a decimal with a point', '12,90', '"12.90"'],
  ['must be a decimal with a point', '1.234,50', '"1234.50"'],
  ['must be a decimal with a point', '1,234.50', '"1234.50"'],
  ['must be a decimal with a point', '12.90 €', '"12.90"'],
  ['must be a decimal with a point', '1,234', undefined],
  ['must be a decimal in quotes', 12.9, '"12.9"'],
  ['must be a real date', '24.10.2024', '"2024-10-24"'],
  ['must be a real date', '10/24/2024', '"2024-10-24"'],
  ['must be a real date', '2024-1-5', '"2024-01-05"'],
  ['must be a real date', '10/11/2024', '"2024-11-10" or "2024-10-11"'],
  ['must be a date and time', '10/10/2024 9:30', '"2024-10-10T09:30:00Z"'],
  ['must be a real date', '31.02.2024', undefined],
  ['must be one of standard, express', 'expres', 'express'],
  ['may hold letters, digits', ' A-1', '"A-1"'],
])('%s: %s meant %s', (message, got, right) => {
  expect(meant(message, got)).toBe(right)
})

test('the hint stands in the fault, once', async () => {
  const {lines} = await checked(tableOf(rowOf('A', {country: 'UK'}), rowOf('B', {country: 'de'})))
  expect(lines).toEqual([
    `orders.csv:2:27 shipTo.country: ${COUNTRY}; did you mean GB? (got "UK")`,
    `orders.csv:3:27 shipTo.country: ${COUNTRY}, in capitals: DE (got "de")`,
  ])
})

test.each([
  ...['yes', 'Y', '1', 'x', 'wahr', 'JA', 'vrai', 'oui', 'True'].map(got => [got, 'true'] as const),
  ...['no', 'N', '0', 'falsch', 'Nein', 'faux', 'non', 'FALSE'].map(got => [got, 'false'] as const),
  ['perhaps', 'undefined'] as const,
])('%s meant %s', (got, expected) => {
  expect(String(meant('must be true or false', got))).toBe(expected)
})
