import {expect, test} from 'vitest'
import {AmountTotals, parseDecimal} from '../../src/language/amount-totals.js'

const sum = (...amounts: [string, string][]) => {
  const totals = new AmountTotals()
  for (const [value, currency] of amounts) totals.add({value, currency})
  return totals
}

test('amounts are summed exactly by currency, with the digits of the longest', () => {
  const totals = sum(['0.1', 'EUR'], ['0.20', 'EUR'], ['300', 'JPY'], ['-1.5', 'EUR'], ['1200.5', 'CHF'])
  expect(totals.format()).toBe('1,200.5 CHF, -1.20 EUR, 300 JPY')
  expect(totals.list()).toEqual([
    {value: '1200.5', currency: 'CHF'},
    {value: '-1.20', currency: 'EUR'},
    {value: '300', currency: 'JPY'},
  ])
  totals.clear()
  expect([totals.format(), totals.list()]).toEqual(['', []])
})

test('what is no plain decimal, or is too long for one amount, is left out', () => {
  const most = '9'.repeat(15)
  const totals = sum([most, 'EUR'], [`1${most}`, 'EUR'], ['1e3', 'EUR'], ['1.23456', 'EUR'], ['', 'EUR'])
  totals.add(undefined)
  expect(totals.list()).toEqual([{value: most, currency: 'EUR'}])
  expect([parseDecimal('1.5'), parseDecimal('-0.0001'), parseDecimal('1,5')]).toEqual([
    15_000n,
    -1n,
    undefined,
  ])
})

test('sums of others are added, which may be longer than one amount', () => {
  const totals = sum(['0.5', 'EUR'])
  totals.addSums([
    {value: `1${'0'.repeat(20)}`, currency: 'EUR'},
    {value: '7', currency: 'JPY'},
  ])
  expect(totals.list()).toEqual([
    {value: `1${'0'.repeat(20)}.5`, currency: 'EUR'},
    {value: '7', currency: 'JPY'},
  ])
})
