import {expect, test} from 'vitest'
import {customerRow, customerShop, signedInTo} from '../support/customer-pages.js'
import {endpoint} from '../support/endpoint.js'
import {warmHome} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import {everyNth} from '../support/sized.js'

const people = Array.from({length: 700}, (_, at) =>
  customerRow(at + 1, {company: at % 2 ? 'IĞNELİ ışık' : 'x'.repeat(10_000), orderTotalAmount: 1234.5 * at}),
)

const PLACES = [
  {TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8'},
  {TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C'},
  {TZ: 'UTC', LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8'},
]

test.each(
  everyNth(2, [
    ...['json', 'csv', 'yaml'].map(format => [format, PLACES.slice(0, 2)] as const),
    ...['ndjson', 'tsv', 'id'].map(format => [format, PLACES.slice(1)] as const),
  ]),
)(
  '%s is the same byte for byte in every time zone and language, and without a terminal',
  async (format, places) => {
    const shop = await endpoint(customerShop(() => people))
    const fields = 'id,company,createdAt,active,orderTotalAmount'
    const words = ['customer', 'search', '--all', '-o', format, '--fields', fields]
    const found = []
    for (const place of places) {
      const env = {...signedInTo(shop.url), ...place, STORECTL_HOME: warmHome()}
      found.push(await ended(startProcess(words, {env})))
    }
    expect(found.map(({exit, stderr}) => [exit, stderr])).toEqual(places.map(() => [0, '']))
    expect(new Set(found.map(({stdout}) => stdout)).size).toBe(1)
    expect(found[0]?.stdout.length).toBeGreaterThan(700 * 30)
  },
  120_000,
)

test('a slow reader gets every row, and the shop is not asked far ahead of it', async () => {
  const shop = await endpoint(customerShop(() => people))
  const env = {...signedInTo(shop.url), STORECTL_HOME: warmHome()}
  const child = startProcess(['customer', 'search', '--all', '-o', 'ndjson', '--page-size', '20'], {env})
  let text = ''
  let most = 0
  for await (const piece of child.stdout ?? []) {
    text += piece
    most = Math.max(most, shop.received.length - text.split('\n').length / 20)
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
  expect(text.trimEnd().split('\n')).toHaveLength(700)
  expect(most).toBeLessThan(12)
}, 60_000)
