import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {BASE_IDS, deriveCountryId, deriveStateId, deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search associations', () => {
  let shop: TestShop
  let token: string

  const address = (number: number, customer: number, city: string) => ({
    id: idOf(number, 'ad'),
    customerId: idOf(customer),
    countryId: deriveCountryId('DE'),
    firstName: 'Ada',
    lastName: 'Byron',
    zipcode: '01067',
    city,
    street: 'Am See 1',
  })

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await addTo(shop, 'customer', [
      person(1, {defaultBillingAddressId: idOf(11, 'ad'), defaultShippingAddressId: idOf(11, 'ad')}),
      person(2),
    ])
    await addTo(shop, 'customer_address', [
      address(11, 1, 'Köln'),
      address(12, 1, 'Aachen'),
      address(13, 1, 'Bonn'),
    ])
    await tagCustomers(shop, [[idOf(1), deriveTagId('VIP')]])
  })
  afterAll(() => shop.stop())

  /** JSON whose shape the expectations check. */
  // biome-ignore lint/suspicious/noExplicitAny: any member may be asked for, and a missing one fails the test
  type Json = Record<string, any>
  const search = (criteria: object, headers: Record<string, string> = {}) =>
    shop.post(
      '/api/search/customer',
      {sort: 'autoIncrement', ...criteria},
      {authorization: `Bearer ${token}`, ...headers},
    )
  const rows = async (criteria: object) => ((await (await search(criteria)).json()) as {data: Json[]}).data
  const resources = async (criteria: object) =>
    (await (await search(criteria, {accept: '*/*'})).json()) as {data: Json[]; included: Json[]}

  describe('associations in plain JSON', () => {
    test('hang on the rows; one that is not asked for is null', async () => {
      const [first, second] = await rows({associations: {addresses: {sort: 'city'}, group: {}, tags: {}}})
      expect(first).toMatchObject({
        addresses: [{city: 'Aachen'}, {city: 'Bonn'}, {city: 'Köln'}],
        group: {
          id: BASE_IDS.customerGroup,
          translated: {name: 'Standard customer group'},
          apiAlias: 'customer_group',
        },
        tags: [{name: 'VIP'}],
        defaultBillingAddress: null,
      })
      expect(second).toMatchObject({addresses: [], tags: []})
    })

    test('an address has the members of the shop in their order, and no search extension', async () => {
      const [first] = await rows({associations: {defaultBillingAddress: {}}})
      const loaded = first?.defaultBillingAddress as Json
      expect(Object.keys(loaded).join()).toBe(
        'extensions,_uniqueIdentifier,versionId,translated,createdAt,updatedAt,customerId,countryId,countryStateId,salutationId,firstName,lastName,zipcode,city,company,department,title,street,phoneNumber,additionalAddressLine1,additionalAddressLine2,country,countryState,salutation,customer,customFields,id,apiAlias',
      )
      expect(loaded.extensions).toEqual({
        foreignKeys: {extensions: [], apiAlias: 'customer_address_foreign_keys_extension'},
        internal_mapping_storage: {extensions: [], apiAlias: null},
      })
      expect(loaded.translated).toEqual([])
    })

    test('nest, and take criteria of their own, counted for each row', async () => {
      const [first] = await rows({
        associations: {
          addresses: {
            limit: 1,
            page: 2,
            sort: '-city',
            filter: [{type: 'not', queries: [{type: 'equals', field: 'city', value: 'bonn'}]}],
            associations: {country: {}, customer: {associations: {tags: {}}}},
          },
        },
      })
      expect(first?.addresses).toMatchObject([
        {city: 'Aachen', country: {iso: 'DE'}, customer: {customerNumber: '10001', tags: [{name: 'VIP'}]}},
      ])
    })

    test('know no largest limit', async () => {
      expect((await search({associations: {addresses: {limit: 9999}}})).status).toBe(200)
    })

    test('belong to orders, so that the state of a payment comes with it', async () => {
      await addTo(shop, 'order', [{id: idOf(5, 'ee'), orderNumber: '7'}])
      await addTo(shop, 'order_transaction', [
        {
          id: idOf(6, 'ee'),
          orderId: idOf(5, 'ee'),
          stateId: deriveStateId('order_transaction.state', 'paid'),
        },
      ])
      const criteria = {associations: {transactions: {associations: {stateMachineState: {}}}}}
      const answer = await shop.post('/api/search/order', criteria, {authorization: `Bearer ${token}`})
      expect(await answer.json()).toMatchObject({
        data: [{transactions: [{id: idOf(6, 'ee'), stateMachineState: {technicalName: 'paid'}}]}],
      })
    })
  })

  describe('associations in JSON:API', () => {
    test('are linked, and included once each, with theirs', async () => {
      const {data, included} = await resources({
        associations: {
          defaultBillingAddress: {associations: {country: {}}},
          defaultShippingAddress: {},
          addresses: {},
        },
      })
      const self = `${shop.url}/api/customer/${idOf(1)}`
      expect(data[0]?.relationships.defaultBillingAddress).toEqual({
        data: {type: 'customer_address', id: idOf(11, 'ad')},
        links: {related: `${self}/default-billing-address`},
      })
      expect(data[0]?.relationships.addresses.data).toHaveLength(3)
      expect(data[1]?.relationships.addresses.data).toEqual([])
      const names = included.map(one => `${one.type} ${one.id}`)
      expect(names.sort()).toEqual([
        `country ${deriveCountryId('DE')}`,
        ...[11, 12, 13].map(number => `customer_address ${idOf(number, 'ad')}`),
        ...data.map(({id}) => `extension ${id}`).sort(),
      ])
    })

    test('an included address has the attributes of the shop in their order', async () => {
      const {included} = await resources({associations: {defaultBillingAddress: {}}})
      const [only] = included
      expect(Object.keys(only?.attributes).join()).toBe(
        'customerId,countryId,countryStateId,salutationId,firstName,lastName,zipcode,city,company,street,department,title,phoneNumber,additionalAddressLine1,additionalAddressLine2,customFields,createdAt,updatedAt,apiAlias',
      )
      expect(only?.links).toEqual({self: `${shop.url}/api/customer-address/${idOf(11, 'ad')}`})
    })
  })

  describe('includes', () => {
    test('keep the members that are listed, in the order of the entity, and the alias', async () => {
      const answer = await search({ids: [idOf(1)], includes: {customer: ['lastName', 'email', 'firstName']}})
      expect(await answer.text()).toBe(
        '{"total":1,"data":[{"firstName":"Ada","lastName":"Byron","email":"person1@example.test","apiAlias":"customer"}],"aggregations":[]}',
      )
    })

    test('leave entities alone that are not listed', async () => {
      const [first] = await rows({
        associations: {defaultBillingAddress: {}, addresses: {}},
        includes: {customer: ['defaultBillingAddress', 'addresses', 'extensions'], country: ['id']},
      })
      expect(Object.keys(first as Json)).toEqual([
        'extensions',
        'defaultBillingAddress',
        'addresses',
        'apiAlias',
      ])
      expect(first?.extensions?.search).toMatchObject({customerNumber: '10001', autoIncrement: 1})
      expect(first?.defaultBillingAddress?.city).toBe('Köln')
    })

    test('drop attributes and relationships of a resource, but not its id, type and links', async () => {
      const {data} = await resources({ids: [idOf(1)], includes: {customer: ['email', 'group']}})
      const [only] = data
      expect(Object.keys(only as Json)).toEqual([
        'id',
        'type',
        'attributes',
        'links',
        'relationships',
        'meta',
      ])
      expect(only?.attributes).toEqual({
        email: 'person1@example.test',
        apiAlias: 'customer_foreign_keys_extension',
      })
      expect(Object.keys(only?.relationships)).toEqual(['group'])
      const without = await resources({ids: [idOf(1)], includes: {customer: ['email']}})
      expect(without.data[0]?.relationships).toEqual([])
    })
  })

  describe('hidden and computed members', () => {
    test('secrets never come', async () => {
      const text = await (await search({})).text()
      for (const name of [
        'password',
        'legacyPassword',
        'legacyEncoder',
        'newsletterSalesChannelIds',
        'active_billing',
      ]) {
        expect(text).not.toContain(`"${name}"`)
      }
    })

    test('search info is not there when ids alone were asked for', async () => {
      const own = {type: 'equals', field: 'active', value: true}
      const crossing = {type: 'equals', field: 'addresses.city', value: 'Bonn'}
      const [byIds] = await rows({ids: [idOf(1)], filter: [own], sort: undefined})
      expect(byIds?.extensions).not.toHaveProperty('search')
      for (const criteria of [{}, {filter: [crossing], sort: undefined}]) {
        const [searched] = await rows({ids: [idOf(1)], ...criteria})
        expect(searched?.extensions).toHaveProperty('search')
      }
    })
  })
})
