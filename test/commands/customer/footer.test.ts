import {join} from 'node:path'
import {expect, test} from 'vitest'
import {OUTPUT_FORMATS} from '../../../src/language/output-formats.js'
import {customerRow, customerShop, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

async function search(argv: string[], count: number, options: object = {}) {
  const rows = Array.from({length: count}, (_, at) => customerRow(at + 1))
  const shop = await endpoint(customerShop(() => rows))
  return storectl(['customer', 'search', ...argv], {env: signedInTo(shop.url), ...options})
}

test.each(OUTPUT_FORMATS)(
  '%s for a script that the usual limit cuts off says so, on stderr alone',
  async format => {
    const {exit, stdout, stderr} = await search(['-o', format], 30)
    expect([exit, stderr]).toEqual([0, '25 customers shown; if there are more: --limit N or --all.\n'])
    expect(stdout).not.toContain('shown')
    expect((await search(['-o', format, '--quiet'], 30)).stderr).toBe('')
  },
)

test('a page past the last one is answered with how many there are', async () => {
  const home = temporaryFolder()
  await storectl(['server', 'seed', '--customers', '12', '--orders', '3'], {home})
  const words = ['customer', 'search', '--profile', 'local', '--page', '99', '--limit', '5']
  const {exit, stderr} = await storectl(words, {home})
  expect(exit).toBe(0)
  expect(stderr).toContain('Page 99 is past the last one: 12 customers match, on 3 pages of 5.\n')
  expect((await search(['--page', '99'], 0)).stderr).not.toContain('past the last')
})

test('a script that got all there is, or asked for all, is told nothing', async () => {
  for (const argv of [['--limit', '4'], ['--all'], ['--criteria', '{"limit":4}']]) {
    expect((await search(argv, 3)).stderr, argv.join(' ')).toBe('')
  }
})

test('a person is told in every format, and quiet is quiet', async () => {
  const terminal = {terminal: true, columns: 200}
  for (const format of OUTPUT_FORMATS) {
    const footer = format === 'table' ? '1 customer (url)\n' : '1 customer shown.\n'
    expect((await search(['-o', format], 1, terminal)).stderr, format).toBe(footer)
  }
  expect((await search([], 0, terminal)).stderr).toMatch(/^No customers found at http:\S+\n$/)
  expect((await search(['--quiet'], 30, terminal)).stderr).toBe('')
})

test('a page by its number leads on to the page after', async () => {
  const {stderr} = await search(['--limit', '2', '--page', '3'], 9)
  expect(stderr).toBe('2 customers shown; if there are more: --page 4.\n')
})

test('a file that holds only the beginning is said to', async () => {
  const file = join(temporaryFolder(), 'some.csv')
  const {stderr, stdout} = await search(['--limit', '2', '--out', file], 9)
  expect(stdout).toBe('')
  expect(stderr).toBe(`2 customers written; if there are more: --limit N or --all.\nWritten: ${file}\n`)
  expect((await search(['--all', '--out', `${file}2`, '--quiet'], 9)).stderr).toBe('')
})

test('counts by a field of which not all values came say so', async () => {
  const buckets = ['Bonn', 'Jena'].map(key => ({key, count: 1}))
  const body = JSON.stringify({total: 0, data: [], aggregations: {facet0: {name: 'facet0', buckets}}})
  const shop = await endpoint(() => ({body}))
  const facet = (limit: string) =>
    storectl(['customer', 'search', '--facet', 'city', '--limit', limit], {env: signedInTo(shop.url)})
  expect((await facet('2')).stderr).toBe('first 2 values of city; if there are more: --limit N or --all\n')
  expect((await facet('3')).stderr).toBe('')
})
