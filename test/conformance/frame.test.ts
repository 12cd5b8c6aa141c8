import {expect} from 'vitest'
import {conformance} from './rows.js'

const row = conformance()

row('what rows need is made through the API, and gone afterwards', async shop => {
  const customer = await shop.make.customer()
  const order = await shop.make.order()
  const program = await shop.make.program(['customer:read'])
  const person = await shop.make.person([], {admin: true})
  const search = async (entity: string, id: string) =>
    (await shop.search(entity, {ids: [id]})).json().data.length
  const counts = async () => [
    await search('customer', customer.id),
    await search('order', order.id),
    await search('integration', program.id),
    await search('user', person.id),
    await search('acl-role', program.roleId),
  ]
  expect(await counts()).toEqual([1, 1, 1, 1, 1])
  expect((await shop.search('tag', {}, {Authorization: `Bearer ${await program.token()}`})).status).toBe(403)
  expect((await shop.search('tag', {}, {Authorization: `Bearer ${await person.token()}`})).status).toBe(200)
  await shop.make.remove()
  expect(await counts()).toEqual([0, 0, 0, 0, 0])
})
