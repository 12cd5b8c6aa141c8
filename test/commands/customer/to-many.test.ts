import {afterAll, beforeAll, expect, test} from 'vitest'
import {deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person, tagCustomers} from '../../shop/people.js'
import {runShop, type TestShop} from '../../shop/running-shop.js'
import {storectl} from '../../support/storectl.js'

let shop: TestShop
let env: Record<string, string>
const address = (number: number, city: string) => ({
  id: idOf(number, 'ad'),
  customerId: idOf(1),
  countryId: deriveCountryId('DE'),
  firstName: 'Ada',
  lastName: 'Byron',
  street: 'Way 1',
  zipcode: '1',
  city,
})

beforeAll(async () => {
  shop = await runShop()
  env = {STORECTL_URL: shop.url, STORECTL_TOKEN: await shop.signIn()}
  await addTo(shop, 'customer', [person(1, {defaultBillingAddressId: idOf(2, 'ad')}), person(2)])
  await addTo(shop, 'customer_address', [address(1, 'Bonn'), address(2, 'Jena')])
  await addTo(shop, 'tag', [
    {id: idOf(1, 'aa'), name: 'gold'},
    {id: idOf(2, 'aa'), name: 'silver'},
  ])
  await tagCustomers(shop, [
    [idOf(1), idOf(1, 'aa')],
    [idOf(1), idOf(2, 'aa')],
  ])
})
afterAll(() => shop.stop())

const FIELDS = ['--fields', 'customerNumber,addresses.city,tags.name']

test('a search prints the fields of what is associated many times', async () => {
  const {stdout, stderr} = await storectl(['customer', 'search', ...FIELDS, '-o', 'json'], {env})
  expect([stderr, JSON.parse(stdout)]).toEqual([
    '',
    [
      {
        customerNumber: '10001',
        addresses: expect.arrayContaining([{city: 'Bonn'}, {city: 'Jena'}]),
        tags: expect.arrayContaining([{name: 'gold'}, {name: 'silver'}]),
      },
      {customerNumber: '10002', addresses: [], tags: []},
    ],
  ])
  const tsv = await storectl(['customer', 'search', ...FIELDS, '--sort', 'customerNumber', '--all'], {env})
  expect(tsv.stdout).toMatch(/\n10001\t(Bonn, Jena|Jena, Bonn)\t(gold, silver|silver, gold)\n10002\t\t\n$/)
})

test('so does show, of whatever hangs on a customer, for an id with dashes too', async () => {
  const [, a, b, c, d, e] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(idOf(1)) as unknown as string[]
  const fields = 'customerNumber,addresses.city,addresses.use,tags.name,group.name,addresses.country.iso'
  for (const word of ['10001', [a, b, c, d, e].join('-'), idOf(1).toUpperCase()]) {
    const {stdout, stderr} = await storectl(['customer', 'show', word, '--fields', fields, '-o', 'json'], {
      env,
    })
    expect([stderr, JSON.parse(stdout)]).toEqual([
      '',
      {
        customerNumber: '10001',
        addresses: [
          {city: 'Jena', use: 'billing', country: {iso: 'DE'}},
          {city: 'Bonn', use: '', country: {iso: 'DE'}},
        ],
        tags: expect.arrayContaining([{name: 'gold'}, {name: 'silver'}]),
        group: {name: 'Standard customer group'},
      },
    ])
  }
})

test('show refuses a field that is not there before it asks for anything', async () => {
  const {exit, stderr} = await storectl(['customer', 'show', '10001', '--fields', 'tags.nmae'], {env})
  expect(exit).toBe(2)
  expect(stderr).toContain('Did you mean "name"?')
})
