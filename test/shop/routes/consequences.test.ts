import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {BASE_IDS, deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {readConfigOfAll} from '../../../src/shop/store/schema/system-config.js'
import {SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../../src/shopware/ids.js'
import {addTo, idOf, person, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'
import {customer, order, type Row} from '../written.js'

describe('consequences', () => {
  let shop: TestShop
  let authorization: string
  beforeAll(async () => {
    shop = await runShop()
    authorization = `Bearer ${await shop.signIn()}`
  })
  afterAll(() => shop.stop())

  async function done(method: string, path: string, body?: unknown): Promise<void> {
    const answer = await fetch(`${shop.url}/api/${path}`, {
      method,
      headers: {'content-type': 'application/json', accept: 'application/json', authorization},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  }
  async function find(entity: string, id: string): Promise<Row | undefined> {
    const answer = await shop.post(`/api/search/${entity}`, {ids: [id]}, {authorization})
    return ((await answer.json()) as {data: Row[]}).data[0]
  }

  /** An order of a customer's, over an amount, on a day of March 2026. */
  const bought = (number: number, by: number, totalPrice: number, day: number) =>
    order(number, {
      orderDateTime: `2026-03-0${day}T08:00:00.000+00:00`,
      price: {...(order(number).price as Row), totalPrice},
      orderCustomer: {
        ...(order(number).orderCustomer as Row),
        id: idOf(number, '0c11'),
        customerId: idOf(by),
      },
    })
  const orderId = (number: number) => idOf(number, 'cc11')
  async function knows(number: number) {
    const {orderCount, orderTotalAmount, lastOrderDate} = (await find('customer', idOf(number))) as Row
    return [orderCount, orderTotalAmount, lastOrderDate && String(lastOrderDate).slice(8, 10)]
  }
  async function withTwoOrders(number: number): Promise<void> {
    await done('POST', 'customer', customer(number))
    await done('POST', 'order', bought(number, number, 10.1, 1))
    await done('POST', 'order', bought(number + 1, number, 20.2, 5))
  }

  describe('what a customer knows of its orders follows', () => {
    test('new orders, one by one and by sync', async () => {
      await done('POST', 'customer', customer(100))
      expect(await knows(100)).toEqual([0, 0, null])
      await done('POST', 'order', bought(100, 100, 10.1, 5))
      expect(await knows(100)).toEqual([1, 10.1, '05'])
      const payload = [bought(101, 100, 20.2, 3), bought(102, 100, 0.4, 4)]
      await done('POST', '_action/sync', [{entity: 'order', action: 'upsert', payload}])
      expect(await knows(100)).toEqual([3, 30.7, '05'])
    })

    test('changes of an amount and of a date', async () => {
      await withTwoOrders(110)
      const price = {...(order(1).price as Row), totalPrice: 5}
      await done('PATCH', `order/${orderId(110)}`, {price, orderDateTime: '2026-03-07T08:00:00Z'})
      expect(await knows(110)).toEqual([2, 25.2, '07'])
    })

    test('an order that is found to be of somebody else', async () => {
      await withTwoOrders(120)
      await done('POST', 'customer', customer(129))
      await done('PATCH', `order-customer/${idOf(121, '0c11')}`, {customerId: idOf(129)})
      expect(await knows(120)).toEqual([1, 10.1, '01'])
      expect(await knows(129)).toEqual([1, 20.2, '05'])
      await done('DELETE', `order-customer/${idOf(121, '0c11')}`)
      expect(await knows(129)).toEqual([0, 0, null])
    })

    test('orders that go, down to none', async () => {
      await withTwoOrders(130)
      await done('DELETE', `order/${orderId(131)}`)
      expect(await knows(130)).toEqual([1, 10.1, '01'])
      const payload = [{id: orderId(130)}]
      await done('POST', '_action/sync', [{entity: 'order', action: 'delete', payload}])
      expect(await knows(130)).toEqual([0, 0, null])
    })

    test('orders that are cancelled, and those that are opened again', async () => {
      await withTwoOrders(140)
      await done('POST', `_action/order/${orderId(141)}/state/cancel`)
      expect(await knows(140)).toEqual([1, 10.1, '01'])
      await done('POST', `_action/state-machine/order/${orderId(141)}/state/reopen`)
      expect(await knows(140)).toEqual([2, 30.3, '05'])
    })

    test('nothing of what others ordered', async () => {
      await withTwoOrders(150)
      await withTwoOrders(155)
      await done('DELETE', `order/${orderId(150)}`)
      expect(await knows(155)).toEqual([2, 30.3, '05'])
    })
  })

  describe('what is removed', () => {
    test('takes its tag out of every list of ids, first, middle, last or only', async () => {
      const tags = ['x', 'y', 'z'].map((name, index) => ({id: idOf(index + 1, '7a911'), name}))
      const [x, y, z] = tags.map(({id}) => id)
      const lists = [[y], [x, y], [y, z], [x, y, z], [x]]
      for (const [index, ids] of lists.entries()) {
        const some = tags.filter(({id}) => ids.includes(id))
        await done('POST', 'customer', customer(200 + index, {tags: some}))
      }
      await done('DELETE', `tag/${y}`)
      const left = await Promise.all(lists.map((_, index) => find('customer', idOf(200 + index))))
      expect(left.map(one => one?.tagIds)).toEqual([null, [x], [z], [x, z], [x]])
      const having = async (id = '') => {
        const filter = [{type: 'equals', field: 'tagIds', value: id}]
        const answer = await shop.post('/api/search-ids/customer', {filter}, {authorization})
        return ((await answer.json()) as {data: string[]}).data.length
      }
      expect([await having(x), await having(y), await having(z)]).toEqual([3, 0, 2])
    })

    test('takes a tag from more customers than change in one statement', async () => {
      const tag = deriveTagId('Newsletter')
      const numbers = Array.from({length: 1100}, (_, index) => 1000 + index)
      const tagged = numbers.map(number => person(number, {customerNumber: `C-${number}`, tagIds: [tag]}))
      await addTo(shop, 'customer', tagged)
      await tagCustomers(
        shop,
        numbers.map(number => [idOf(number), tag] as const),
      )
      const filter = [{type: 'not', queries: [{type: 'equals', field: 'tagIds', value: null}]}]
      const carrying = async () => {
        const answer = await shop.post(
          '/api/search-ids/customer',
          {
            filter: [...filter, {type: 'prefix', field: 'customerNumber', value: 'C-1'}],
            'total-count-mode': 1,
            limit: 1,
          },
          {authorization},
        )
        return ((await answer.json()) as {total: number}).total
      }
      expect(await carrying()).toBe(1000)
      await done('DELETE', `tag/${tag}`)
      expect(await carrying()).toBe(0)
    })

    test('of a sales channel is also its webhook token', async () => {
      const id = idOf(300)
      await done('POST', 'sales-channel', {
        id,
        typeId: BASE_IDS.salesChannelType,
        languageId: SYSTEM_LANGUAGE_ID,
        currencyId: SYSTEM_CURRENCY_ID,
        paymentMethodId: BASE_IDS.payPal,
        shippingMethodId: BASE_IDS.shippingMethod,
        countryId: customerCountry(),
        customerGroupId: BASE_IDS.customerGroup,
        name: 'Second',
        accessKey: 'SWSC1111111111111111111111',
      })
      await done('POST', `_action/paypal/webhook/register/${id}`)
      const {db} = shop
      const tokens = () => readConfigOfAll(db.reads, 'SwagPayPal.settings.webhookExecuteToken')
      expect(await tokens()).toHaveLength(2)
      await done('DELETE', `sales-channel/${id}`)
      expect(await tokens()).toEqual([shop.credentials.webhookToken])
    })
  })

  const customerCountry = () => (customer(1).defaultBillingAddress as {countryId: string}).countryId
})
