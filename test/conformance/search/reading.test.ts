import {describe, expect} from 'vitest'
import type {Made, Values} from '../arrange.js'
import {expectErrors, shopEntry} from '../envelopes.js'
import {conformance} from '../rows.js'

const row = conformance()

/** What is read by GET. */
describe('§6.1 GET', () => {
  row('a listing, its criteria in the query string', async shop => {
    const {id, customerNumber} = await shop.make.customer()
    const query = `limit=1&filter[0][type]=equals&filter[0][field]=customerNumber&filter[0][value]=${customerNumber}`
    const reply = await shop.send('GET', `/api/customer?${query}`)
    expect([reply.status, reply.json().data.map((one: Made) => one.id)]).toEqual([200, [id]])
  })

  row('one thing, not in a list', async shop => {
    const {id} = await shop.make.customer()
    const reply = await shop.send('GET', `/api/customer/${id}`)
    expect([reply.status, reply.json().data]).toMatchObject([200, {id, apiAlias: 'customer'}])
  })

  row('a listing of what hangs on a thing, empty where there is none', async shop => {
    const {id, defaultBillingAddress} = await shop.make.customer()
    const idsAt = async (path: string) =>
      (await shop.send('GET', path)).json().data.map((one: Values) => one.id)
    expect(await idsAt(`/api/customer/${id}/addresses`)).toEqual([(defaultBillingAddress as Made).id])
    expect(await idsAt(`/api/customer/${shop.newId()}/addresses`)).toEqual([])
  })

  row('what is not there: 404', async shop => {
    const id = shop.newId()
    const reply = await shop.send('GET', `/api/customer/${id}`)
    const detail = `The customer resource with the following primary key was not found: id(${id})`
    const {parameters} = reply.json().errors[0].meta
    expectErrors(reply, 404, shopEntry(404, 'FRAMEWORK__RESOURCE_NOT_FOUND', detail, parameters))
  })
})
