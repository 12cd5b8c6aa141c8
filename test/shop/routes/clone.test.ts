import {expect, test} from 'vitest'
import {deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {testShop} from '../../support/shop.js'
import {idOf} from '../people.js'
import {address, customer, type Row} from '../written.js'

/** `POST /api/_action/clone/{entity}/{id}`. */

const ADA = idOf(1)

async function startShop() {
  const shop = await testShop()
  const company = 'Looms'
  const addresses = [address({city: 'Ulm'})]
  const payload = [customer(1, {company, addresses, tags: [{id: deriveTagId('VIP')}]})]
  const operation = {entity: 'customer', action: 'upsert', payload}
  const made = await shop.call('/api/_action/sync', [operation])
  expect([made.status, await made.text()]).toMatchObject([200, expect.any(String)])
  const clone = async (body: object, id = ADA) => {
    const answer = await shop.call(`/api/_action/clone/customer/${id}`, body)
    return {status: answer.status, ...((await answer.json()) as {id: string; errors: Row[]})}
  }
  const read = async (id: string) => {
    const associations = {addresses: {}, tags: {}}
    const answer = await shop.call('/api/search/customer', {ids: [id], associations})
    return ((await answer.json()) as {data: (Row & {addresses: Row[]; tags: Row[]})[]}).data[0]
  }
  return {shop, clone, read}
}

test('a clone has what belongs to the first one, made anew, and is joined to the same things', async () => {
  const {clone, read} = await startShop()
  const {status, id} = await clone({overwrites: {firstName: 'Grace'}})
  const [first, second] = [await read(ADA), await read(id)]
  expect([status, id === ADA]).toEqual([200, false])
  expect(second).toMatchObject({firstName: 'Grace', company: 'Looms', orderCount: 0})
  expect(second?.tags.map(tag => tag.id)).toEqual([deriveTagId('VIP')])
  const cities = (row = first) => row?.addresses.map(({city}) => city).sort()
  expect(cities(second)).toEqual(cities(first))
  const ids = [first, second].flatMap(row => row?.addresses.map(one => one.id))
  expect(new Set(ids).size).toBe(4)
  const alone = await clone({cloneChildren: false})
  expect((await read(alone.id))?.addresses).toEqual([])
})

test('unknown ids and entities are refused', async () => {
  const {shop, clone} = await startShop()
  const none = 'f'.repeat(32)
  expect(await clone({}, none)).toMatchObject({
    status: 400,
    errors: [{code: 'FRAMEWORK__CANNOT_CREATE_NEW_VERSION'}],
  })
  const unknown = await shop.call(`/api/_action/clone/foo/${none}`, {})
  expect([unknown.status, await unknown.json()]).toMatchObject([
    500,
    {errors: [{code: 'FRAMEWORK__DEFINITION_NOT_FOUND'}]},
  ])
})
