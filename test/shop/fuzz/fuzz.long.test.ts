import {expect, test} from 'vitest'
import {testShop} from '../../support/shop.js'
import {fuzz} from './fuzz.js'

const MINUTES = 5

test('no request, however malformed, gets anything but a well-formed answer, for minutes', {
  timeout: (MINUTES + 1) * 60_000,
}, async () => {
  const shop = await testShop()
  const seed = Date.now() % 1_000_000_000
  const end = performance.now() + MINUTES * 60_000
  expect(await fuzz(shop, {seed, goesOn: () => performance.now() < end})).toEqual([])
  expect((await fetch(`${shop.url}/api/_info/health-check`)).status).toBe(200)
})
