import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {addTo, idOf, person, tagCustomers} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('search term', () => {
  let shop: TestShop
  let token: string

  beforeAll(async () => {
    shop = await runShop()
    token = await shop.signIn()
    await addTo(shop, 'customer', [
      person(1, {firstName: 'Ada', lastName: 'Byron', email: 'a@example.test'}),
      person(2, {firstName: 'Byron', lastName: 'Katie', email: 'k@example.test'}),
      person(3, {firstName: 'George', lastName: 'Gordon', email: 'byron@example.test'}),
      person(4, {firstName: 'X', lastName: 'Y', email: 'y@example.test', defaultBillingAddressId: idOf(40)}),
      person(5, {firstName: 'Käthe', lastName: 'Müller', email: 'm@example.test'}),
      person(6, {firstName: 'Ö', lastName: 'Z', email: 'z@example.test', title: 'Byron'}),
    ])
    await addTo(shop, 'customer_address', [
      {id: idOf(40), customerId: idOf(4), street: 'Byron', city: 'Byronville'},
    ])
    await tagCustomers(shop, [
      [idOf(6), deriveTagId('VIP')],
      [idOf(6), deriveTagId('Newsletter')],
      [idOf(5), deriveTagId('VIP')],
    ])
  })
  afterAll(() => shop.stop())

  async function scores(criteria: object): Promise<[number: string, score: string | undefined][]> {
    const answer = await shop.post('/api/search/customer', criteria, {authorization: `Bearer ${token}`})
    const {data} = (await answer.json()) as {
      data: {customerNumber: string; extensions: {search: {_score?: string}}}[]
    }
    return data.map(one => [one.customerNumber, one.extensions.search._score])
  }

  test('a word earns the points of the fields that equal it, and half of those that contain it', async () => {
    expect(await scores({term: 'byron'})).toEqual([
      ['10001', '750'],
      ['10002', '375'],
      ['10004', '218.75'],
      ['10003', '125'],
    ])
  })

  test('of several words each counts by its share, e-mail addresses only for the whole', async () => {
    // "Käthe Müller": 5 of 12 and 6 of 12 characters; equal and contained, so one and a half times 250 and 500.
    expect(await scores({term: 'kathe muller'})).toEqual([['10005', '531.25']])
  })

  test('a term that is only short words is searched all the same', async () => {
    expect(await scores({term: 'ö'})).toContainEqual(['10006', '375'])
  })

  test('tags that do not fit take nothing from those that do', async () => {
    expect(await scores({term: 'VIP'})).toEqual([
      ['10005', '187.5'],
      ['10006', '187.5'],
    ])
  })

  test('points come behind the order that was asked for', async () => {
    const numbers = (await scores({term: 'byron', sort: 'customerNumber'})).map(([number]) => number)
    expect(numbers).toEqual(['10001', '10002', '10003', '10004'])
  })

  test('scored queries give their own points', async () => {
    const query = [
      {query: {type: 'equals', field: 'lastName', value: 'byron'}, score: 7},
      {query: {type: 'prefix', field: 'customerNumber', value: '1000'}, score: 2},
    ]
    expect((await scores({query, limit: 2})).map(([, score]) => score)).toEqual(['9', '2'])
  })

  test('without term and query there are no points', async () => {
    expect((await scores({limit: 1}))[0]).toEqual(['10001', undefined])
  })

  test('a term of two hundred words is searched by its first ones', async () => {
    const term = `muller ${Array.from({length: 200}, (_, index) => `word${index}`).join(' ')}`
    expect((await scores({term})).map(([number]) => number)).toEqual(['10005'])
  })
})
