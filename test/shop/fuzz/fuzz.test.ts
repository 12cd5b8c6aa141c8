import {expect, test} from 'vitest'
import {streamDeliveries} from '../../../src/shop/store/deliveries.js'
import {testShop} from '../../support/shop.js'
import {sized} from '../../support/sized.js'
import {fuzz} from './fuzz.js'
import {exchange, faultOf} from './judge.js'

test.each([1, 2, 3])(
  'no request, however malformed, gets anything but a well-formed answer: seed %i',
  {
    timeout: 30_000,
  },
  async seed => {
    const shop = await testShop()
    expect(await fuzz(shop, {seed, goesOn: sent => sent < sized(75, 400)})).toEqual([])
    expect((await fetch(`${shop.url}/api/_info/health-check`)).status).toBe(200)
  },
)

test('a notification with an announced length over the limit gets 413, and is stored', async () => {
  const shop = await testShop()
  const head = 'POST /api/_action/paypal/webhook/execute HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
  const bytes = Buffer.from(`${head}Content-Type: text/plain\r\nContent-Length: 99999999999\r\n\r\n{}`)
  const answer = await exchange(Number(new URL(shop.url).port), {bytes, mayWait: false, shown: head})
  expect(faultOf(answer)).toBeUndefined()
  expect(answer?.toString()).toMatch(/^HTTP\/1\.1 413 /)
  const statuses: number[] = []
  for await (const {status} of streamDeliveries(shop.db.reads)) statuses.push(status)
  expect(statuses).toEqual([413])
})
