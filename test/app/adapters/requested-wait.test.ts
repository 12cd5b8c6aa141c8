import {expect, test} from 'vitest'
import {rawShop} from '../../gateway/support.js'
import {storectl} from '../../support/storectl.js'

test('a search that is asked to wait says who asked, and until when', async () => {
  const shop = await rawShop()
  shop.answer = (_call, response) => {
    if (shop.arrived.length === 1) return void response.writeHead(429, {'Retry-After': '1'}).end()
    response.writeHead(200, {'Content-Type': 'application/json'})
    response.end(JSON.stringify({total: 0, data: [], aggregations: {}}))
  }
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}
  const {stderr} = await storectl(['customer', 'search', '-o', 'json'], {env})
  expect(stderr).toMatch(/^127\.0\.0\.1:\d+ \(429\) asks to wait [12] s: retrying at \d{4}-\S+Z$/m)
})
