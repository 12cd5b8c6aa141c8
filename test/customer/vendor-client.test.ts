import {createAdminAPIClient} from '@shopware/api-client'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {addTo, person} from '../shop/people.js'
import {runShop, type TestShop} from '../shop/running-shop.js'
import {storectl} from '../support/storectl.js'

let shop: TestShop
beforeAll(async () => {
  shop = await runShop()
  const people = Array.from({length: 30}, (_, at) =>
    person(at + 1, {lastName: at % 3 ? 'Byron' : 'Lovelace', company: at % 4 ? `Firm ${at}` : null}),
  )
  await addTo(shop, 'customer', people)
})
afterAll(() => shop.stop())

test.each([
  [[]],
  [['byron']],
  [['--where', 'company = null or lastName starts "Love" and not company contains "2"']],
  [['--sort', 'lastName:desc,company', '--limit', '17']],
  [['--ranked', 'firm', 'lovelace', '--limit', '9']],
  [['--fields', 'id,email,lastName', '--limit', '30']],
  [['--all', '--active']],
  [['--limit', '5', '--page', '3']],
  [
    [
      '--criteria',
      '{"filter":{"lastName":"byron"},"sort":"-company","associations":{"group":{}},"limit":11}',
    ],
  ],
])('%j finds the rows that the vendor client finds for the same criteria', async words => {
  const {clientId, clientSecret} = shop.credentials
  const client = createAdminAPIClient({
    baseURL: `${shop.url}/api`,
    credentials: {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret},
  })
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: await shop.signIn()}
  const search = ['customer', 'search', ...words, '-o', 'json']
  const {body} = JSON.parse((await storectl([...search, '--show-request'], {env})).stdout)
  const invoke = client.invoke as unknown as (
    name: string,
    parameters: object,
  ) => Promise<{data: {data: Record<string, unknown>[]}}>
  const {data} = await invoke('searchCustomer post /search/customer', {
    body,
    headers: {Accept: 'application/json'},
  })
  const found = JSON.parse((await storectl(search, {env})).stdout)
  expect(data.data.length).toBeGreaterThan(3)
  const id = (row: Record<string, unknown>) => row.id
  expect(found.map(id)).toEqual(data.data.map(id))
  if (!words.includes('--fields')) expect(found).toEqual(data.data)
})

test('a sorted --all finds, by ids and then by customers, what the vendor client finds in one sorted page', async () => {
  const {clientId, clientSecret} = shop.credentials
  const client = createAdminAPIClient({
    baseURL: `${shop.url}/api`,
    credentials: {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret},
  })
  const sort = [
    {field: 'lastName', order: 'DESC'},
    {field: 'company', order: 'ASC'},
    {field: 'autoIncrement', order: 'ASC'},
  ]
  const invoke = client.invoke as unknown as (
    name: string,
    parameters: object,
  ) => Promise<{data: {data: {id: string}[]}}>
  const {data} = await invoke('searchCustomer post /search/customer', {
    body: {sort, limit: 500},
    headers: {Accept: 'application/json'},
  })
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: await shop.signIn()}
  for (const size of ['7', '500']) {
    const words = ['--all', '--sort', 'lastName:desc,company', '--page-size', size, '-o', 'id']
    const {stdout, stderr} = await storectl(['customer', 'search', ...words], {env})
    expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', data.data.map(({id}) => id)])
  }
})
