import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {addTo, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search', () => {
  let shop: TestShop
  let token: string

  beforeAll(async () => {
    shop = await runShop()
    const id = (end: string) => `0192b7a1c2d37e4f8a9b0c1d2e3f4a${end}`
    const ada = person(7, {
      id: id('5c'),
      email: 'ada@example.test',
      birthday: '1815-12-10',
      groupId: 'cfbd5018d38d41d8adca10d94fc8bdd6',
      defaultPaymentMethodId: id('61'),
      salesChannelId: '98432def39fc4624b33213a56b8c944d',
      defaultBillingAddressId: id('5b'),
      defaultShippingAddressId: id('5b'),
    })
    await addTo(shop, 'customer', [person(1), ada, person(9)])
    token = await shop.signIn()
  })
  afterAll(() => shop.stop())

  const search = (criteria: unknown, headers: Record<string, string> = {}, path = '/api/search/customer') =>
    shop.post(path, criteria, {authorization: `Bearer ${token}`, ...headers})

  const withoutBreaks = (text: string) => text.replaceAll('\n', '')

  test.each(['product', 'media', 'webhook-event-log'])(
    'a search of %s, which the bundled shop does not have, finds nothing',
    async name => {
      const answer = await search({limit: 1, 'total-count-mode': 1}, {}, `/api/search/${name}`)
      expect([answer.status, await answer.json()]).toMatchObject([200, {total: 0, data: []}])
    },
  )

  describe('an answer', () => {
    test('in plain JSON is the shop’s, byte for byte', async () => {
      const answer = await search({limit: 1, page: 2, 'total-count-mode': 1})
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('cache-control')).toBe('no-cache, private')
      expect(await answer.text()).toBe(
        withoutBreaks(`{"total":3,"data":[{
"extensions":{"foreignKeys":{"extensions":[],"apiAlias":"customer_foreign_keys_extension"},
"search":{"extensions":[],"_uniqueIdentifier":null,"translated":[],"autoIncrement":7,"customerNumber":"10007"}},
"_uniqueIdentifier":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c","versionId":null,"translated":[],
"createdAt":"2024-10-24T21:30:46.123+00:00","updatedAt":null,
"groupId":"cfbd5018d38d41d8adca10d94fc8bdd6","defaultPaymentMethodId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a61",
"salesChannelId":"98432def39fc4624b33213a56b8c944d","languageId":"2fbb5fe2e29a4d70aa5854ce7ce3e20b",
"lastPaymentMethodId":null,"defaultBillingAddressId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5b",
"defaultShippingAddressId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5b","customerNumber":"10007","salutationId":null,
"firstName":"Ada","lastName":"Byron","company":null,"email":"ada@example.test","title":null,"vatIds":null,
"affiliateCode":null,"campaignCode":null,"active":true,"doubleOptInRegistration":false,
"doubleOptInEmailSentDate":null,"doubleOptInConfirmDate":null,"hash":null,"guest":false,"firstLogin":null,
"lastLogin":null,"accountType":"private","birthday":"1815-12-10T00:00:00.000+00:00","lastOrderDate":null,
"orderCount":0,"orderTotalAmount":0,"reviewCount":0,"group":null,"defaultPaymentMethod":null,"salesChannel":null,
"language":null,"lastPaymentMethod":null,"salutation":null,"defaultBillingAddress":null,
"defaultShippingAddress":null,"addresses":null,"orderCustomers":null,"autoIncrement":7,"tags":null,"tagIds":null,
"promotions":null,"recoveryCustomer":null,"productReviews":null,"remoteAddress":null,"requestedGroupId":null,
"requestedGroup":null,"boundSalesChannelId":null,"boundSalesChannel":null,"wishlists":null,"createdById":null,
"createdBy":null,"updatedById":null,"updatedBy":null,"customFields":{},
"id":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c","apiAlias":"customer"}],"aggregations":[]}`),
      )
    })

    test('in JSON:API has attributes, links and meta of the shop, byte for byte', async () => {
      const answer = await search({limit: 1, page: 2, 'total-count-mode': 1}, {accept: '*/*'})
      expect(answer.headers.get('content-type')).toBe('application/vnd.api+json')
      const text = await answer.text()
      const url = shop.url.replaceAll('/', '\\/')
      const self = `${url}\\/api\\/customer\\/0192b7a1c2d37e4f8a9b0c1d2e3f4a5c`
      const start =
        withoutBreaks(`{"data":[{"id":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c","type":"customer","attributes":{
"groupId":"cfbd5018d38d41d8adca10d94fc8bdd6","salesChannelId":"98432def39fc4624b33213a56b8c944d",
"languageId":"2fbb5fe2e29a4d70aa5854ce7ce3e20b","lastPaymentMethodId":null,
"defaultBillingAddressId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5b","defaultShippingAddressId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5b",
"autoIncrement":7,"customerNumber":"10007","salutationId":null,"firstName":"Ada","lastName":"Byron","company":null,
"email":"ada@example.test","title":null,"vatIds":null,"affiliateCode":null,"campaignCode":null,"active":true,
"doubleOptInRegistration":false,"doubleOptInEmailSentDate":null,"doubleOptInConfirmDate":null,"hash":null,
"guest":false,"firstLogin":null,"lastLogin":null,"birthday":"1815-12-10T00:00:00.000+00:00","lastOrderDate":null,
"orderCount":0,"orderTotalAmount":0.0,"reviewCount":0,"customFields":{},"remoteAddress":null,"tagIds":null,
"requestedGroupId":null,"boundSalesChannelId":null,"accountType":"private","createdById":null,"updatedById":null,
"defaultPaymentMethodId":"0192b7a1c2d37e4f8a9b0c1d2e3f4a61","createdAt":"2024-10-24T21:30:46.123+00:00",
"updatedAt":null,"apiAlias":"customer_foreign_keys_extension"},
"links":{"self":"${self}"},
"relationships":{
"group":{"data":null,"links":{"related":"${self}\\/group"}},`)
      expect(text.slice(0, start.length)).toBe(start)
      expect(text).toContain(`"addresses":{"data":[],"links":{"related":"${self}\\/addresses"}}`)
      expect(text).toContain(
        `"defaultBillingAddress":{"data":null,"links":{"related":"${self}\\/default-billing-address"}}`,
      )
      const at = (page: number) => `"${url}\\/api\\/search\\/customer?limit=1&page=${page}"`
      const link = (name: string) =>
        `"${name}":{"data":[],"links":{"related":"${self}\\/extensions\\/${name}"}}`
      const added = `{"id":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c","type":"extension","attributes":[],"links":[],"relationships":{${link('paypalVaultTokens')},${link('paypalVaultTokenMappings')}},"meta":null}`
      const end = `"extensions":{"data":{"type":"extension","id":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c"}}},"meta":null}],"included":[${added}],"links":{"first":${at(1)},"prev":${at(1)},"last":${at(3)},"next":${at(3)},"self":"${url}\\/api\\/search\\/customer"},"meta":{"totalCountMode":1,"total":3},"aggregations":[]}`
      expect(text.slice(-end.length)).toBe(end)
      expect(Object.keys(JSON.parse(text).data[0].relationships).join()).toBe(
        'group,salesChannel,language,lastPaymentMethod,defaultBillingAddress,defaultShippingAddress,salutation,addresses,orderCustomers,tags,promotions,productReviews,recoveryCustomer,requestedGroup,boundSalesChannel,wishlists,createdBy,updatedBy,defaultPaymentMethod,extensions',
      )
    })
  })

  test('a page beyond all numbers is empty', async () => {
    const shop = await runShop()
    const authorization = `Bearer ${await shop.signIn()}`
    for (const [page, limit] of [
      ['99999999999999999999', 1],
      [1e300, 1],
      [Number.MAX_SAFE_INTEGER, 7],
      [1e15, 1],
    ]) {
      const answer = await shop.post('/api/search/customer', {limit, page}, {authorization})
      expect([answer.status, await answer.json()]).toEqual([200, {total: 0, data: [], aggregations: []}])
    }
    await shop.stop()
  })
})
