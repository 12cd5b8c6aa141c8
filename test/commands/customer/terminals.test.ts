import {expect, test} from 'vitest'
import {measureWidth} from '../../../src/output/table/grid.js'
import {customerRow, customerShop, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {sized} from '../../support/sized.js'
import {storectl} from '../../support/storectl.js'

const people = [
  customerRow(1, {lastName: 'x'.repeat(10_000), company: '李'.repeat(3000)}),
  customerRow(2, {lastName: 'e\u0308'.repeat(5000), company: '\u001b[31mred\u0007\u202e'}),
  customerRow(3, {lastName: 'שלום', company: '👩‍👩‍👧'.repeat(500)}),
]

test.each([20, 1, 80, 1000].slice(0, sized(2, 4)))(
  'on a terminal of %i columns no line is wider, and no name of 10 kB hides the customer',
  async columns => {
    const shop = await endpoint(customerShop(() => people))
    for (const words of [[], ['--fields', 'customerNumber,lastName,company'], ['--all', '--sort', 'email']]) {
      const options = {env: signedInTo(shop.url), terminal: true, columns}
      const {exit, stdout} = await storectl(['customer', 'search', ...words, '-o', 'table'], options)
      expect(exit).toBe(0)
      const lines = stdout.split('\n')
      if (columns >= 20) for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(columns)
      if (columns >= 20) for (const {customerNumber} of people) expect(stdout).toContain(customerNumber)
      for (const obeyed of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(obeyed)
    }
  },
)

test('a thousand columns are a thousand columns', async () => {
  const names = Array.from({length: 1000}, (_, at) => `field${at}`)
  const custom = Object.fromEntries(names.map(name => [name, name.toUpperCase()]))
  const shop = await endpoint(customerShop(() => [customerRow(1, {customFields: custom})]))
  const fields = ['--fields', names.map(name => `customFields.${name}`).join(',')]
  for (const [format, separator] of [
    ['csv', ','],
    ['tsv', '\t'],
  ] as const) {
    const {exit, stdout} = await storectl(['customer', 'search', '-o', format, ...fields], {
      env: signedInTo(shop.url),
    })
    expect(exit).toBe(0)
    const [head = '', row = ''] = stdout.split(/\r?\n/)
    expect(head.split(separator)).toEqual(names.map(name => `customFields.${name}`))
    expect(row.split(separator)).toEqual(names.map(name => name.toUpperCase()))
  }
  const table = {env: signedInTo(shop.url), terminal: true, columns: 120}
  const {exit, stdout} = await storectl(['customer', 'search', '-o', 'table', ...fields], table)
  expect(exit).toBe(0)
  expect(stdout).toContain('FIELD999')
})
