import {expect, test} from 'vitest'
import {storectl} from '../support/storectl.js'
import {event, file, ndjson, testShop} from '../webhook/support.js'

const replay = async (concurrency: string) => {
  const shop = await testShop({})
  const words = ['webhook', 'replay', file(ndjson([event(1)])), '--dry-run', '--concurrency', concurrency]
  return storectl(words, {env: shop.env})
}

test.each(['1', '64', 'auto'])('webhook replay takes --concurrency %s', async concurrency => {
  expect(await replay(concurrency)).toMatchObject({exit: 0})
})

test.each(['0', '65', '-1', '1.5', 'none', ''])(
  'webhook replay refuses --concurrency "%s"',
  async concurrency => {
    const {exit, stderr} = await replay(concurrency)
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`"${concurrency}" is no concurrency: write 1 to 64, or auto.`),
    ])
  },
)
