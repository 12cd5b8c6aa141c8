import {afterAll, beforeAll, expect, test} from 'vitest'
import {BASE_IDS} from '../../../src/shop/runtime/base-data.js'
import {addTo, person} from '../../shop/people.js'
import {runShop, type TestShop} from '../../shop/running-shop.js'
import {signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {storectl} from '../../support/storectl.js'

let shop: TestShop
let env: Record<string, string>
beforeAll(async () => {
  shop = await runShop()
  env = {STORECTL_URL: shop.url, STORECTL_TOKEN: await shop.signIn()}
  await addTo(shop, 'customer', [person(1)])
})
afterAll(() => shop.stop())

const search = (...words: string[]) => storectl(['customer', 'search', ...words], {env})
const DASHED = '0192b7a1-c2d3-4e4f-8a9b-000000000009'

test.each([
  [['--country', 'Germany'], 'The shop has no country "Germany". Did you mean "DE"?'],
  [['--country', 'XQ'], 'The shop has no country "XQ".'],
  [['--group', 'Standart customer group'], 'Did you mean "Standard customer group"?'],
  [['--group', DASHED], `The shop has no customer group "${DASHED}".`],
  [['--tag', 'newsleter'], 'The shop has no tag "newsleter". Did you mean "Newsletter"?'],
  [['--count', '--tag', 'newsleter'], 'The shop has no tag "newsleter".'],
  [['--facet', 'city', '--country', 'XQ'], 'The shop has no country "XQ".'],
])('%j finds nobody, and why is said on stderr', async (words, reason) => {
  const {exit, stderr, stdout} = await search(...words, '-o', 'json')
  expect([exit, JSON.parse(stdout)]).toEqual([0, words[0] === '--count' ? {count: 0} : []])
  expect(stderr).toContain(reason)
  expect((await search(...words, '--quiet')).stderr).toBe('')
})

test('nothing is said of a group, a country or a tag that is there', async () => {
  const there = [
    ['--group', BASE_IDS.customerGroup],
    ['--group', 'STANDARD customer group'],
  ]
  for (const words of [...there, ['--country', 'de'], ['--tag', 'Newsletter']]) {
    const {exit, stderr} = await search(...words, 'nobody', '-o', 'id')
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^No customers found at \S+\n$/)])
  }
  expect((await search('--group', BASE_IDS.customerGroup, '-o', 'id')).stdout).not.toBe('')
})

test('who may not see countries is told nothing of them', async () => {
  const refusing = await endpoint(({url}) =>
    url.endsWith('/customer')
      ? {body: '{"total":0,"data":[],"aggregations":[]}'}
      : {status: 403, body: '{"errors":[{"status":"403"}]}'},
  )
  const {exit, stderr} = await storectl(['customer', 'search', '--country', 'XQ'], {
    env: signedInTo(refusing.url),
  })
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/^No customers found at \S+\n$/)])
})
