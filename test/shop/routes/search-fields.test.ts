import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search fields', () => {
  let shop: TestShop
  let token: string

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await addTo(shop, 'customer', [
      person(1, {defaultBillingAddressId: idOf(11, 'ad'), company: 'Acme', orderCount: 1}),
      person(2, {company: 'ácme', orderCount: 2}),
      person(3, {company: 'Zeta', orderCount: 2}),
      person(4, {orderCount: 1}),
      person(5, {orderCount: 1}),
    ])
    await addTo(shop, 'customer_address', [
      {
        id: idOf(11, 'ad'),
        customerId: idOf(1),
        countryId: deriveCountryId('DE'),
        firstName: 'Ada',
        lastName: 'Byron',
        city: 'Köln',
        street: 'Am See 1',
      },
    ])
  })
  afterAll(() => shop.stop())

  // biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
  type Json = Record<string, any>
  const search = async (criteria: object, headers: Record<string, string> = {}) => {
    const answer = await shop.post(
      '/api/search/customer',
      {sort: 'autoIncrement', ...criteria},
      {authorization: `Bearer ${token}`, ...headers},
    )
    return {status: answer.status, body: (await answer.json()) as Json}
  }

  describe('fields', () => {
    test('leave a thing with what was asked for and its id', async () => {
      const {body} = await search({limit: 1, fields: ['firstName', 'customer.email']})
      expect(body.data[0]).toMatchObject({firstName: 'Ada', email: 'person1@example.test', id: idOf(1)})
      const shown = Object.keys(body.data[0])
      for (const name of ['lastName', 'groupId', 'group', 'addresses', 'customFields', 'createdAt'])
        expect(shown).not.toContain(name)
      expect(shown.at(-1)).toBe('apiAlias')
    })

    test('bring the parents of dotted names, in part as well', async () => {
      const {body} = await search({
        limit: 1,
        fields: ['email', 'defaultBillingAddress.city', 'defaultBillingAddress.country.iso'],
      })
      const {defaultBillingAddress: address} = body.data[0]
      expect(address).toMatchObject({city: 'Köln', id: idOf(11, 'ad'), country: {iso: 'DE'}})
      expect(address).not.toHaveProperty('street')
      expect(address.country).not.toHaveProperty('name')
    })

    test('hold in JSON:API, too', async () => {
      const criteria = {limit: 1, fields: ['email', 'defaultBillingAddress.city']}
      const {body} = await search(criteria, {accept: 'application/vnd.api+json'})
      const [first] = body.data
      expect(first.id).toBe(idOf(1))
      expect(Object.keys(first.attributes)).toEqual(['email', 'apiAlias'])
      expect(Object.keys(first.relationships)).toEqual(['defaultBillingAddress'])
      expect(Object.keys(body.included[0].attributes)).toEqual(['city', 'apiAlias'])
    })

    test('are cut further by includes', async () => {
      const {body} = await search({
        limit: 1,
        fields: ['email', 'firstName'],
        includes: {customer: ['email', 'lastName']},
      })
      expect(body.data).toEqual([{email: 'person1@example.test', apiAlias: 'customer'}])
    })

    test('never show what is hidden', async () => {
      const {body} = await search({
        limit: 1,
        fields: ['email', 'password', 'activeBillingAddress.city', 'nothing'],
      })
      for (const name of ['password', 'activeBillingAddress', 'nothing'])
        expect(body.data[0]).not.toHaveProperty(name)
    })

    test('of an entity with translations keep them whole', async () => {
      const answer = await shop.post(
        '/api/search/customer-group',
        {fields: ['displayGross']},
        {authorization: `Bearer ${token}`},
      )
      expect(((await answer.json()) as Json).data[0]).toMatchObject({
        displayGross: true,
        translated: {name: 'Standard customer group'},
      })
    })

    test('as a text are a type error', async () => {
      const {status, body} = await search({fields: 'email'})
      expect(status).toBe(500)
      expect(body.errors).toMatchObject([{code: '0', status: '500', title: 'Internal Server Error'}])
    })

    test('excludes are not known', async () => {
      const {body} = await search({limit: 1, excludes: {customer: ['email']}})
      expect(body.data[0].email).toBe('person1@example.test')
    })
  })

  describe('grouping', () => {
    const numbers = async (criteria: object) => {
      const {body} = await search(criteria)
      return {total: body.total, numbers: body.data.map((row: Json) => row.autoIncrement)}
    }

    test('gives one thing of each value, told apart as compares do', async () => {
      expect(await numbers({grouping: ['company']})).toEqual({total: 3, numbers: [1, 3, 4]})
      expect(await numbers({grouping: ['company', 'orderCount'], 'total-count-mode': 1, limit: 2})).toEqual({
        total: 4,
        numbers: [1, 2],
      })
    })

    test('comes after filters, and never over an association', async () => {
      const filter = [{type: 'equals', field: 'orderCount', value: 2}]
      expect(await numbers({grouping: ['orderCount'], filter})).toEqual({total: 1, numbers: [2]})
      const {status, body} = await search({grouping: ['defaultBillingAddress.city']})
      expect([status, body.errors[0].code]).toEqual([500, '1054'])
    })

    test('keeps points and their order', async () => {
      expect(await numbers({grouping: ['company'], term: 'zeta', sort: []})).toEqual({total: 1, numbers: [3]})
    })

    test('by an unknown field is refused', async () => {
      const {status, body} = await search({grouping: ['foo']})
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{code: 'FRAMEWORK__UNMAPPED_FIELD'}])
    })
  })
})
