import {describe, expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import type {Reply} from '../call.js'
import {expectErrors, shopEntry} from '../envelopes.js'
import {bearer} from '../grants.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {find} from './told.js'

const row = conformance()

const lacks = (reply: Reply, ...missingPrivileges: string[]) => {
  const detail = JSON.stringify({message: 'Missing privilege', missingPrivileges})
  expectErrors(reply, 403, shopEntry(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', detail))
}
const callerWith = async (shop: Target, privileges: string[]) =>
  bearer(await (await shop.make.program(privileges)).token())
const tagOf = async (shop: Target) => (await shop.make.rows('tag', [{name: `tag ${shop.run}`}]))[0] as Made

describe('§3.4 writes: values, then existence, then privileges', () => {
  row('a new thing', async shop => {
    const headers = await callerWith(shop, [])
    expect((await shop.post('/api/tag', {name: ''}, headers)).status).toBe(400)
    lacks(await shop.post('/api/tag', {name: 'x'}, headers), 'tag:create')
  })
  row('a change', async shop => {
    const headers = await callerWith(shop, [])
    const {id} = await tagOf(shop)
    const change = (of: string) => shop.send('PATCH', `/api/tag/${of}`, {name: 'x'}, headers)
    expect((await change(shop.newId())).status).toBe(400)
    lacks(await change(id), 'tag:update')
  })
  row('a removal', async shop => {
    const headers = await callerWith(shop, [])
    const {id} = await tagOf(shop)
    expect((await shop.remove(`/api/tag/${shop.newId()}`, headers)).status).toBe(404)
    lacks(await shop.remove(`/api/tag/${id}`, headers), 'tag:delete')
  })
  row('a removal by sync', async shop => {
    const {id} = await tagOf(shop)
    const operation = {entity: 'tag', action: 'delete', payload: [{id}]}
    lacks(await shop.post('/api/_action/sync', [operation], await callerWith(shop, [])), 'tag:delete')
    expect(await find(shop, 'tag', id)).toBeDefined()
  })
})

describe('§3.4 writes of several things', () => {
  row('a tag on a customer needs a privilege for joining the two', async shop => {
    const headers = await callerWith(shop, ['customer:update'])
    const {id} = await shop.make.customer()
    const put = (tags: Values[]) => shop.send('PATCH', `/api/customer/${id}`, {tags}, headers)
    lacks(await put([{id: (await tagOf(shop)).id}]), 'customer_tag:create')
    lacks(await put([{name: 'new'}]), 'tag:create', 'customer_tag:create')
  })
  row('what is nested needs its own', async shop => {
    const held = ['customer:create']
    const customer = await shop.make.customerToSend()
    const make = async () => shop.post('/api/customer', customer, await callerWith(shop, held))
    lacks(await make(), 'customer_address:create')
    expect(await find(shop, 'customer', customer.id)).toBeUndefined()
    held.push('customer_address:create')
    expect((await make()).status).toBe(204)
    shop.make.remember('customer', customer.id)
  })
})

describe('§1.1 checks of writes come in order', () => {
  row('404: an id that is none', async shop =>
    expect((await shop.send('PATCH', '/api/customer/NOT-AN-ID', {})).status).toBe(404),
  )
  row('405: another method', async shop =>
    expect((await shop.send('PUT', `/api/customer/${shop.newId()}`, {})).status).toBe(405),
  )
  row('401 before 415, and 415 before the values', async shop => {
    const headers = {Authorization: 'x', Accept: 'text/html'}
    expect((await shop.post('/api/customer', {}, headers)).status).toBe(401)
    expect((await shop.post('/api/customer', {}, {Accept: 'text/html'})).status).toBe(415)
  })
  row.bundledOnly('405: what only transitions write', async shop =>
    expect((await shop.post('/api/state-machine-history', {})).status).toBe(405),
  )
})
