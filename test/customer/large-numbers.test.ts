import {expect, test} from 'vitest'
import {customerRow, listing, signedInTo} from '../support/customer-pages.js'
import {endpoint} from '../support/endpoint.js'
import {storectl} from '../support/storectl.js'

const LARGE = '9007199254740993'
const FORMATS = ['json', 'ndjson', 'csv', 'tsv', 'yaml', 'table'] as const

/** A shop whose rows hold numbers that JavaScript has no number for. @param spoiled as no shop writes its listing */
async function run(argv: readonly string[], isSpoiled = false) {
  const row = JSON.stringify(customerRow(1, {orderCount: 0})).replace(
    '"orderCount":0',
    `"orderCount":${LARGE}`,
  )
  const body = listing([0]).replace('[0]', `[${row}]`)
  const shop = await endpoint(({url}) => {
    if (url !== '/api/search/customer') return {body: listing([])}
    return {body: isSpoiled ? body.replace('{"total"', '{ "total"') : body}
  })
  const {exit, stdout} = await storectl([...argv], {env: signedInTo(shop.url)})
  expect(exit).toBe(0)
  return stdout
}

test.each(FORMATS)('a number keeps its digits whatever is done to its row, as %s', async format => {
  for (const argv of [
    ['customer', 'search', '--fields', 'id,orderCount'],
    ['customer', 'search', '--fields', 'id,orderCount', '--mask-pii'],
    ['customer', 'search', '--fields', 'id,orderCount', '--limit', '1'],
    ['customer', 'show', '10001', '--fields', 'id,orderCount'],
    ['customer', 'show', '10001', '--fields', 'id,orderCount', '--mask-pii'],
    ['api', 'POST', '/api/search/customer', '--fields', 'id,orderCount'],
  ]) {
    expect(await run([...argv, '-o', format]), argv.join(' ')).toContain(LARGE)
    expect(await run([...argv, '-o', format], true), `${argv.join(' ')}, parsed`).toContain(LARGE)
  }
})

test('a response on a terminal is indented, with its numbers as they came', async () => {
  const body = `{"n":[${LARGE},-12345678901234567890],"text":"#1234567890123456789","\\u0023":"\\u0023${LARGE}"}`
  const shop = await endpoint(() => ({body, headers: {'content-type': 'application/json'}}))
  const options = {env: signedInTo(shop.url), terminal: true, columns: 120}
  const {stdout} = await storectl(['api', 'GET', '/api/x'], options)
  expect(stdout.replaceAll('\r', '')).toBe(
    `{\n  "n": [\n    ${LARGE},\n    -12345678901234567890\n  ],\n  "text": "#1234567890123456789",\n  "#": "#${LARGE}"\n}\n`,
  )
})
