import {describe, expect} from 'vitest'
import type {Made, Values} from './arrange.js'
import {shopEntry} from './envelopes.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'

const row = conformance()

const read = async (shop: Target, entity: string, id: unknown) =>
  (await shop.search(entity, {ids: [id]})).json().data[0] as Values | undefined

const tagIdsOf = async (shop: Target, id: string) => {
  const {data} = (await shop.post(`/api/search-ids/customer/${id}/tags`, {})).json()
  return data as string[]
}

describe('real-shop.md 3, rule 2: below a row', () => {
  row('what is created of many hangs on the row', async shop => {
    const customer = await shop.make.customer()
    const address = await shop.make.address()
    const reply = await shop.post(`/api/customer/${customer.id}/addresses`, address)
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(await read(shop, 'customer-address', address.id)).toMatchObject({
      customerId: customer.id,
      city: address.city,
    })
  })

  row('with _response it is shown', async shop => {
    const customer = await shop.make.customer()
    const address = await shop.make.address()
    const reply = await shop.post(`/api/customer/${customer.id}/addresses?_response`, address)
    expect([reply.status, reply.json().data]).toMatchObject([
      200,
      {id: address.id, customerId: customer.id, apiAlias: 'customer_address'},
    ])
  })

  row('it is changed, and taken away', async shop => {
    const customer = await shop.make.customer()
    const address = await shop.make.address()
    const path = `/api/customer/${customer.id}/addresses`
    await shop.post(path, address)
    expect((await shop.send('PATCH', `${path}/${address.id}`, {city: 'Leipzig'})).status).toBe(204)
    expect((await shop.send('GET', `${path}/${address.id}`)).json().data.city).toBe('Leipzig')
    expect((await shop.send('DELETE', `${path}/${address.id}`)).status).toBe(204)
    expect((await shop.send('GET', `${path}/${address.id}`)).status).toBe(404)
  })

  row('the row holds the id of what is created of one', async shop => {
    const customer = await shop.make.customer()
    const address = await shop.make.address({customerId: customer.id})
    const reply = await shop.post(`/api/customer/${customer.id}/default-shipping-address`, address)
    expect(reply.status).toBe(204)
    expect(await read(shop, 'customer', customer.id)).toMatchObject({defaultShippingAddressId: address.id})
  })

  row('of many to many, an id joins, values create, and a delete only parts', async shop => {
    const [old] = (await shop.make.rows('tag', [{name: `old ${shop.run}`}])) as [Made]
    const customer = await shop.make.customer()
    const added = {id: shop.newId(), name: `new ${shop.run}`}
    const path = `/api/customer/${customer.id}/tags`
    for (const tag of [{id: old.id}, added]) expect((await shop.post(path, tag)).status).toBe(204)
    expect((await tagIdsOf(shop, customer.id)).toSorted()).toEqual([old.id, added.id].toSorted())
    expect((await shop.send('DELETE', `${path}/${added.id}`)).status).toBe(204)
    expect(await tagIdsOf(shop, customer.id)).toEqual([old.id])
    expect(await read(shop, 'tag', added.id)).toMatchObject({name: added.name})
    expect((await shop.send('DELETE', `/api/tag/${added.id}`)).status).toBe(204)
  })

  row.each<[method: string, isOne: boolean]>(
    [
      ['a create at one thing: 405', 'POST', true],
      ['a change of all: 405', 'PATCH', false],
      ['a delete of all: 405', 'DELETE', false],
      ['a put: 405', 'PUT', false],
    ],
    async (shop, method, isOne) => {
      const customer = await shop.make.customer()
      const {id} = customer.defaultBillingAddress as Made
      const path = `/api/customer/${customer.id}/addresses${isOne ? `/${id}` : ''}`
      expect((await shop.send(method, path, {city: 'Leipzig'})).status).toBe(405)
    },
  )

  row('no association: 404', async shop => {
    const customer = await shop.make.customer()
    const reply = await shop.post(`/api/customer/${customer.id}/foo`, {name: 'x'})
    expect([reply.status, reply.json().errors]).toEqual([
      404,
      [
        shopEntry(
          404,
          'FRAMEWORK__NOT_EXISTING_RELATION_EXCEPTION',
          'Resource at path "customer.foo" is not an existing relation.',
          {path: 'customer.foo'},
        ),
      ],
    ])
  })

  row('wrong values are refused as by the route of their own', async shop => {
    const customer = await shop.make.customer()
    const {city: _, ...address} = await shop.make.address()
    const reply = await shop.post(`/api/customer/${customer.id}/addresses`, address)
    expect([reply.status, reply.json().errors[0].source.pointer]).toEqual([400, '/0/city'])
  })

  row('a change below another row moves the thing there', async shop => {
    const [one, other] = [await shop.make.customer(), await shop.make.customer()]
    const {id} = other.defaultBillingAddress as Made
    const path = `/api/customer/${one.id}/addresses/${id}`
    expect((await shop.send('PATCH', path, {city: 'Ulm'})).status).toBe(204)
    expect(await read(shop, 'customer-address', id)).toMatchObject({city: 'Ulm', customerId: one.id})
  })

  row('the answer says where the thing itself is', async shop => {
    const {customerGroupId} = await shop.make.ids()
    const {groupId: _, ...customer} = await shop.make.customerToSend()
    const reply = await shop.post(`/api/customer-group/${customerGroupId}/customers`, customer)
    shop.make.remember('customer', customer.id as string)
    expect([reply.status, reply.headers.location]).toEqual([204, `${shop.url}/api/customer/${customer.id}`])
  })

  row('a row that there is not takes nothing', async shop => {
    const address = await shop.make.address()
    expect((await shop.post(`/api/customer/${shop.newId()}/addresses`, address)).status).toBe(500)
    expect(await read(shop, 'customer-address', address.id)).toBeUndefined()
  })

  row.each<[body: object]>(
    [
      ['several at once: 400', [{name: 'x'}]],
      ['nothing: 400', {}],
    ],
    async (shop, body) => {
      const customer = await shop.make.customer()
      expect((await shop.post(`/api/customer/${customer.id}/tags`, body)).status).toBe(400)
    },
  )

  row('the ids of the tags that are joined follow', async shop => {
    const customer = await shop.make.customer()
    const [tag] = (await shop.make.rows('tag', [{name: `joined ${shop.run}`}])) as [Made]
    await shop.post(`/api/customer/${customer.id}/tags`, {id: tag.id})
    expect(await read(shop, 'customer', customer.id)).toMatchObject({tagIds: [tag.id]})
  })

  row('who may not create it may not here', async shop => {
    const customer = await shop.make.customer()
    const reader = await shop.make.program(['customer:read', 'customer_address:read'])
    const headers = {Authorization: `Bearer ${await reader.token()}`}
    const address = await shop.make.address()
    const reply = await shop.post(`/api/customer/${customer.id}/addresses`, address, headers)
    expect(reply.status).toBe(403)
    expect(await read(shop, 'customer-address', address.id)).toBeUndefined()
  })
})

/** What was not seen of a real shop. */
describe('below a row, of the bundled shop', () => {
  row.bundledOnly(
    'the last step of a longer path counts, and nothing is kept where it leads nowhere',
    async shop => {
      const {id} = await shop.make.order()
      const customer = await shop.make.customerToSend()
      const path = `/api/order/${id}/order-customer/${shop.newId()}/customer`
      expect((await shop.post(path, customer)).status).toBe(400)
      expect(await read(shop, 'customer', customer.id)).toBeUndefined()
    },
  )

  row.bundledOnly('a row that there is not takes no tag', async shop => {
    const tag = {id: shop.newId(), name: `lost ${shop.run}`}
    expect((await shop.post(`/api/customer/${shop.newId()}/tags`, tag)).status).toBe(400)
    expect(await read(shop, 'tag', tag.id)).toBeUndefined()
  })

  row.bundledOnly('what is not written at all is not written here either', async shop => {
    const customer = await shop.make.customer()
    const reply = await shop.post(`/api/customer/${customer.id}/language`, {name: 'Latin'})
    expect([reply.status, reply.text]).toMatchObject([405, expect.stringContaining('(Allow: GET)')])
  })

  row.bundledOnly('what is not joined cannot be parted', async shop => {
    const customer = await shop.make.customer()
    const [tag] = (await shop.make.rows('tag', [{name: `apart ${shop.run}`}])) as [Made]
    const reply = await shop.remove(`/api/customer/${customer.id}/tags/${tag.id}`)
    expect([reply.status, reply.json().errors[0].code]).toEqual([404, 'FRAMEWORK__RESOURCE_NOT_FOUND'])
  })

  row.bundledOnly('the ids of the tags that are parted follow', async shop => {
    const [tag] = (await shop.make.rows('tag', [{name: `parted ${shop.run}`}])) as [Made]
    const customer = await shop.make.customer({tags: [{id: tag.id}]})
    await shop.remove(`/api/customer/${customer.id}/tags/${tag.id}`)
    expect(await read(shop, 'customer', customer.id)).toMatchObject({tagIds: null})
  })
})
