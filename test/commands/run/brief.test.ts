import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'
import {file, ndjson} from '../../webhook/support.js'

const COUNT = 120
const FAILED = 'WEB-17'

async function submit(words: readonly string[], terminal: boolean) {
  const refused = {
    status: 400,
    body: {errors: [{code: 'X', status: '400', title: 'Bad', detail: 'no such sku'}]},
  }
  const shop = await orderShop({instead: reference => (reference === FAILED ? refused : undefined)})
  const orders = Array.from({length: COUNT}, (_, at) => orderOf(`WEB-${at}`))
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}
  const argv = ['order', 'submit', file(ndjson(orders)), '--yes', '--rate', 'none', ...words]
  return storectl(argv, {home: temporaryFolder(), env, terminal, columns: 80})
}

test('a long list on a terminal shows what failed and counts the rest; --all and a pipe have the whole', async () => {
  const brief = await submit([], true)
  expect(brief.stdout.split('\n').filter(line => line.startsWith('WEB-'))).toEqual([
    expect.stringMatching(/^WEB-17 +rejected/),
  ])
  expect(brief.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /119 without a problem are not listed; storectl run show \w{16} --results/,
  )
  const whole = await submit(['--all'], true)
  expect(whole.stdout.match(/^WEB-/gm)).toHaveLength(COUNT)
  expect(whole.stderr).not.toContain('not listed')
  expect((await submit([], false)).stdout.match(/^WEB-/gm)).toHaveLength(COUNT)
})
