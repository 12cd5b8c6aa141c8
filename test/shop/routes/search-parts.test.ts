import {sql} from 'kysely'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {addTo, idOf, person} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search parts', () => {
  let shop: TestShop
  let token: string

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await seedShop({customers: 6000, orders: 0}, {db: shop.db})
  })
  afterAll(() => shop.stop())

  interface Found {
    total: number
    data: {id: string; lastName: string; email: string; customerNumber: string}[]
  }
  const search = async (criteria: object): Promise<Found> => {
    const answer = await shop.post('/api/search/customer', criteria, {authorization: `Bearer ${token}`})
    expect(answer.status).toBe(200)
    return (await answer.json()) as Found
  }
  const containing = (field: string, value: string, more: object = {}) =>
    search({'total-count-mode': 1, limit: 25, filter: [{type: 'contains', field, value}], ...more})
  const change = (statement: string) => shop.db.writes.run(db => sql.raw(statement).execute(db))

  test('a rare part is found, also where it is common in another field', async () => {
    expect((await containing('customerNumber', '13456')).data.map(row => row.customerNumber)).toEqual([
      '13456',
    ])
    expect((await containing('email', '.13456@')).total).toBe(1)
    expect((await containing('lastName', 'example')).total).toBe(0)
  })

  test('a common part is found in the order of creation', async () => {
    const {total, data} = await containing('email', 'EXAMPLE.')
    expect(total).toBeGreaterThan(5000)
    expect(data).toHaveLength(25)
    expect(data.every(row => row.email.includes('example.'))).toBe(true)
    const numbers = data.map(row => Number(row.customerNumber))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  })

  test('what is added, changed and taken away later is found as it is now', async () => {
    await addTo(shop, 'customer', [person(90_001, {lastName: 'Quetzalcóatl'})])
    expect((await containing('lastName', 'ZALCOA')).total).toBe(1)
    await change(
      `update customer set last_name = 'Xylofon', last_name_folded = 'xylofon' where id = '${idOf(90_001)}'`,
    )
    expect((await containing('lastName', 'zalcoa')).total).toBe(0)
    expect((await containing('lastName', 'ylofo')).total).toBe(1)

    const [known] = (await containing('customerNumber', '12345')).data
    await change(
      `update customer set last_name = 'Vuvuzela', last_name_folded = 'vuvuzela' where id = '${known?.id}'`,
    )
    expect((await containing('lastName', 'uvuzel')).data.map(row => row.id)).toEqual([known?.id])
    await change(`delete from customer where id = '${known?.id}'`)
    expect((await containing('lastName', 'uvuzel')).total).toBe(0)
    expect((await containing('customerNumber', '12345')).total).toBe(0)
  })

  test('signs that mean something to an index, and parts too short for it, are text', async () => {
    await addTo(shop, 'customer', [person(90_002, {company: 'A "quoted" * (name) 100%_x'})])
    for (const part of ['"quoted"', '* (n', ') 100%_', '"', '%_', 'quoted" *']) {
      expect((await containing('company', part)).total, part).toBe(1)
    }
    expect((await containing('company', 'quoted_"')).total).toBe(0)
  })

  test('an answer is the same with others around it: or, not, and with several parts', async () => {
    await addTo(shop, 'customer', [person(90_003, {company: 'Quagmire & Co'})])
    const part = (value: string) => ({type: 'contains', field: 'customerNumber', value})
    const count = async (...filter: object[]) =>
      (await search({limit: 1, 'total-count-mode': 1, filter})).total
    expect(await count({type: 'or', queries: [part('13001'), part('13002')]})).toBe(2)
    expect(await count(part('13001'), part('300'))).toBe(1)
    const all = await count()
    expect(await count({type: 'not', queries: [part('13001')]})).toBe(all - 1)
    const withCompany = await count({
      type: 'not',
      queries: [{type: 'equals', field: 'company', value: null}],
    })
    const others = {type: 'not', queries: [{type: 'contains', field: 'company', value: 'quagmire'}]}
    expect(await count(others)).toBe(withCompany - 1)
  })

  test('aggregations count the same', async () => {
    const aggregations = [{name: 'n', type: 'count', field: 'id'}]
    const found = await containing('customerNumber', '1300', {aggregations}) // 13000 to 13009, and 11300
    expect(found).toMatchObject({total: 11, aggregations: {n: {count: 11}}})
  })
})
