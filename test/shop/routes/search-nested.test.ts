import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search nested', () => {
  let shop: TestShop
  let token: string

  const address = (number: number, customer: number, city: string) => ({
    id: idOf(number, 'ad'),
    customerId: idOf(customer),
    firstName: 'Ada',
    lastName: 'Byron',
    city,
    street: 'Am See 1',
  })

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await addTo(shop, 'customer', [person(1, {defaultBillingAddressId: idOf(12, 'ad')}), person(2)])
    await addTo(shop, 'customer_address', [
      address(11, 1, 'Köln'),
      address(12, 1, 'Bonn'),
      address(13, 2, 'Rom'),
    ])
    await tagCustomers(shop, [
      [idOf(1), deriveTagId('VIP')],
      [idOf(2), deriveTagId('Newsletter')],
    ])
  })
  afterAll(() => shop.stop())

  // biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
  type Json = Record<string, any>
  const post = (path: string, criteria: object = {}, headers: Record<string, string> = {}) =>
    shop.post(`/api/search/${path}`, criteria, {authorization: `Bearer ${token}`, ...headers})
  const found = async (path: string, criteria: object = {}) =>
    (await (await post(path, criteria)).json()) as Json
  const cities = async (path: string, criteria: object = {}) =>
    (await found(path, criteria)).data.map((row: Json) => row.city)

  describe('a search of what hangs on one thing', () => {
    test('finds that alone, by criteria of its own kind', async () => {
      const path = `customer/${idOf(1)}/addresses`
      expect(await cities(path, {sort: 'city'})).toEqual(['Bonn', 'Köln'])
      expect(await cities(`${path}/`, {filter: {city: 'koln'}})).toEqual(['Köln'])
      expect(await cities(path, {sort: '-city', limit: 1, page: 2})).toEqual(['Bonn'])
      expect(await found(path, {limit: 1, 'total-count-mode': 1})).toMatchObject({total: 2})
    })

    test('counts no others in aggregations, and none by their ids', async () => {
      const count = {name: 'n', type: 'count', field: 'id'}
      const {aggregations, data} = await found(`customer/${idOf(1)}/addresses`, {aggregations: [count]})
      expect(aggregations.n.count).toBe(2)
      expect(data[0].extensions).toHaveProperty('search')
      expect(await cities(`customer/${idOf(1)}/addresses`, {ids: [idOf(13, 'ad')]})).toEqual([])
    })

    test('goes to one thing, over pairs, and over several steps', async () => {
      // What leads back to the customer, not what the key says.
      const all = await cities(`customer/${idOf(1)}/addresses`)
      expect(await cities(`customer/${idOf(1)}/default-billing-address`)).toEqual(all)
      expect(await cities(`customer/${idOf(2)}/defaultBillingAddress`)).toEqual(['Rom'])
      expect((await found(`customer/${idOf(1)}/tags`)).data).toMatchObject([{name: 'VIP'}])
      expect((await found(`customer/${idOf(1)}/addresses/${idOf(13, 'ad')}/customer`)).data).toEqual([])
      expect(await cities(`customer/${idOf(1)}/extensions/addresses`)).toHaveLength(2)
    })

    test('of a thing that is not there finds nothing', async () => {
      expect(await found(`customer/${idOf(99)}/addresses`)).toEqual({total: 0, data: [], aggregations: []})
    })

    test('has links to itself in JSON:API', async () => {
      const answer = await post(`customer/${idOf(1)}/addresses`, {limit: 1}, {accept: '*/*'})
      const {links, data} = (await answer.json()) as Json
      const url = `${shop.url}/api/search/customer/${idOf(1)}/addresses`
      expect(links).toEqual({first: `${url}?limit=1&page=1`, next: `${url}?limit=1&page=2`, self: url})
      expect(data[0].links.self).toBe(`${shop.url}/api/customer-address/${data[0].id}`)
    })

    test('over what is no association is answered 404', async () => {
      const answer = await post(`customer/${idOf(1)}/foo-bar`)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({
        errors: [
          {
            status: '404',
            code: 'FRAMEWORK__NOT_EXISTING_RELATION_EXCEPTION',
            title: 'Not Found',
            detail: 'Resource at path "customer.fooBar" is not an existing relation.',
            meta: {parameters: {path: 'customer.fooBar'}},
          },
        ],
      })
      expect((await post(`customer/${idOf(1)}/active-billing-address`)).status).toBe(404)
    })

    test.each([
      'customer/123/addresses',
      `customer/${idOf(1).toUpperCase()}/addresses`,
      `customer/${idOf(1)}`,
      `foo/${idOf(1)}/addresses`,
      'foo',
    ])('%s is no route, and needs no token', async path => {
      const answer = await shop.post(`/api/search/${path}`, {})
      expect(answer.status).toBe(404)
      expect(((await answer.json()) as Json).errors[0].detail).toBe(
        `No route found for "POST ${shop.url}/api/search/${path}"`,
      )
    })

    test('with another method is answered 405, where there is such a route', async () => {
      const path = `/api/search/customer/${idOf(1)}/addresses`
      const answer = await fetch(`${shop.url}${path}`)
      expect(answer.status).toBe(405)
      expect(((await answer.json()) as Json).errors[0].detail).toBe(
        `No route found for "GET ${shop.url}${path}": Method Not Allowed (Allow: POST)`,
      )
      expect((await fetch(`${shop.url}/api/search/foo`)).status).toBe(404)
    })

    test('wants a token', async () => {
      expect((await shop.post(`/api/search/customer/${idOf(1)}/addresses`, {})).status).toBe(401)
    })
  })
})
