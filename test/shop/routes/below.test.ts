import {expect, test} from 'vitest'
import {BASE_IDS, deriveTagId} from '../../../src/shop/runtime/base-data.js'
import {testShop} from '../../support/shop.js'
import {idOf} from '../people.js'
import {address, customer, order, type Row} from '../written.js'

/** Writes below a row, beyond what the rows of the interface hold. */

async function startShop() {
  const shop = await testShop()
  const authorization = `Bearer ${await shop.signInVerified()}`
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${shop.url}${path}`, {
      method,
      headers: {accept: 'application/json', 'content-type': 'application/json', authorization},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    const text = await answer.text()
    return {status: answer.status, location: answer.headers.get('location'), text}
  }
  const read = async (entity: string, id: string) => {
    const {data} = JSON.parse((await send('POST', `/api/search/${entity}`, {ids: [id]})).text) as {
      data: Row[]
    }
    return data[0]
  }
  expect((await send('POST', '/api/customer', customer(1))).status).toBe(204)
  return {shop, send, read}
}

const ADA = `/api/customer/${idOf(1)}`

test('a change below another row moves the thing there', async () => {
  const {send, read} = await startShop()
  await send('POST', '/api/customer', customer(2))
  const moved = await send('PATCH', `${ADA}/addresses/${idOf(2, 'b111')}`, {city: 'Ulm'})
  expect([moved.status, await read('customer-address', idOf(2, 'b111'))]).toMatchObject([
    204,
    {city: 'Ulm', customerId: idOf(1)},
  ])
})

test('the last step of a longer path is the one that counts, and the answer says where the thing is', async () => {
  const {shop, send, read} = await startShop()
  await send('POST', '/api/order', order(1))
  const path = `/api/order/${idOf(1, 'cc11')}/order-customer/${idOf(9)}/customer`
  const {status} = await send('POST', path, customer(3))
  // There is no such customer of an order, so that nothing can hold the new id.
  expect([status, await read('customer', idOf(3))]).toEqual([400, undefined])
  const added = await send('POST', `/api/customer-group/${BASE_IDS.customerGroup}/customers`, customer(3))
  expect(added).toMatchObject({status: 204, location: `${shop.url}/api/customer/${idOf(3)}`})
})

test('a row that there is not takes nothing, and nothing is kept', async () => {
  const {send, read} = await startShop()
  const nowhere = `/api/customer/${idOf(99)}`
  const one = address({id: idOf(7)})
  expect((await send('POST', `${nowhere}/addresses`, one)).status).toBe(500)
  expect((await send('POST', `${nowhere}/tags`, {id: idOf(8), name: 'Lost'})).status).toBe(400)
  expect([await read('customer-address', idOf(7)), await read('tag', idOf(8))]).toEqual([
    undefined,
    undefined,
  ])
})

test('what is not written at all is not written below a row either', async () => {
  const {send} = await startShop()
  const {status, text} = await send('POST', `${ADA}/language`, {name: 'Latin'})
  expect([status, text]).toMatchObject([405, expect.stringContaining('(Allow: GET)')])
})

test('what is not joined cannot be parted, and several at once are refused', async () => {
  const {send} = await startShop()
  const parted = await send('DELETE', `${ADA}/tags/${deriveTagId('VIP')}`)
  expect([parted.status, parted.text]).toMatchObject([404, expect.stringContaining('RESOURCE_NOT_FOUND')])
  expect((await send('POST', `${ADA}/addresses`, [address()])).status).toBe(400)
  expect((await send('POST', `${ADA}/addresses`, {})).status).toBe(400)
})

test('the ids of its tags follow on the customer', async () => {
  const {send, read} = await startShop()
  const id = deriveTagId('VIP')
  await send('POST', `${ADA}/tags`, {id})
  expect(await read('customer', idOf(1))).toMatchObject({tagIds: [id]})
  await send('DELETE', `${ADA}/tags/${id}`)
  expect(await read('customer', idOf(1))).toMatchObject({tagIds: null})
})
