import {expect, test} from 'vitest'
import {deriveTagId} from '../../src/shop/runtime/base-data.js'
import {testShop} from '../support/shop.js'
import {idOf} from './people.js'
import {customer, type Row} from './written.js'

/** The requests of stock clients, written out: paths, headers and bodies as they send them. */

const ADA = idOf(1)
const HOME = idOf(1, 'b111')
const VIP = deriveTagId('VIP')
const ada = customer(1)

/** Signs in as `fetch` does, without saying what it accepts, and sends with the headers of a client. */
async function signIn(headers: Record<string, string>) {
  const shop = await testShop()
  const {clientId: client_id, clientSecret: client_secret} = shop.credentials
  const token = await fetch(`${shop.url}/api/oauth/token`, {
    method: 'POST',
    redirect: 'manual',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({grant_type: 'client_credentials', client_id, client_secret}),
  })
  const {access_token, expires_in} = (await token.json()) as {access_token: string; expires_in: number}
  expect(expires_in).toBeTypeOf('number')
  return async (method: string, path: string, body?: unknown): Promise<{status: number; body: Row}> => {
    const answer = await fetch(`${shop.url}/api${path}`, {
      method,
      headers: {Authorization: `Bearer ${access_token}`, ...headers},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    return {status: answer.status, body: answer.status === 204 ? {} : ((await answer.json()) as Row)}
  }
}

test('@shopware-ag/app-server-sdk: upsert, search, search of ids, aggregation, deletion by ids and by filters', async () => {
  const send = await signIn({'content-type': 'application/json', accept: 'application/json'})
  const sync = (entity: string, action: string, payload: unknown[], criteria: unknown = null) =>
    send('POST', '/_action/sync', [{key: action, entity, action, payload, criteria}])
  expect((await sync('customer', 'upsert', [{...ada, tags: [{id: VIP}]}])).status).toBe(200)
  const filter = [{type: 'equals', field: 'firstName', value: 'ada'}]
  const found = {page: 1, limit: 25, 'total-count-mode': 1, filter}
  expect((await send('POST', '/search/customer', found)).body).toMatchObject({total: 1, data: [{id: ADA}]})
  expect((await send('POST', '/search-ids/customer', found)).body.data).toEqual([ADA])
  const counted = {...found, limit: 1, aggregations: [{type: 'count', name: 'n', field: 'id'}]}
  expect((await send('POST', '/search/customer', counted)).body.aggregations).toMatchObject({n: {count: 1}})
  const pair = {customerId: ADA, tagId: VIP}
  const byCustomer = [{type: 'equals', field: 'customerId', value: ADA}]
  const parted = await sync('customer_tag', 'delete', [], byCustomer)
  expect([parted.status, parted.body.deleted]).toEqual([200, {customer_tag: [pair]}])
  const {body: left} = await send('POST', '/search/customer', {ids: [ADA], associations: {tags: {}}})
  expect(left.data).toMatchObject([{tags: [], tagIds: null}])
  const joined = await sync('customer_tag', 'upsert', [pair])
  expect([joined.status, joined.body.data]).toEqual([200, {customer_tag: [pair]}])
  const again = await sync('customer_tag', 'delete', [pair, {customerId: ADA, tagId: 'c'.repeat(32)}])
  expect(again.body).toMatchObject({
    deleted: {customer_tag: [pair]},
    notFound: {customer_tag: [{customerId: ADA, tagId: 'c'.repeat(32)}]},
  })
  expect((await sync('customer_tag', 'upsert', [{customerId: ADA, tagId: 'x'}])).status).toBe(400)
  expect((await sync('customer_tag', 'upsert', [{customerId: ADA, tagId: 'c'.repeat(32)}])).status).toBe(500)
  const gone = await sync('customer', 'delete', [{id: ADA}])
  expect(gone.body.deleted).toEqual({customer: [ADA]})
})

test('shopware-admin-api-client: the schema, JSON:API, a change, a nested list, a clone and a deletion', async () => {
  const send = await signIn({Accept: 'application/vnd.api+json', 'Content-Type': 'application/json'})
  type Schema = Record<string, {properties: Record<string, {flags?: {required?: boolean}}>}>
  const schema = (await send('GET', '/_info/entity-schema.json')).body as Schema
  const required = Object.values(schema.customer?.properties ?? {}).filter(one => one.flags?.required)
  expect(required).toHaveLength(13)
  expect((await send('POST', '/customer', ada)).status).toBe(204)
  expect((await send('PATCH', `/customer/${ADA}`, {title: 'Dr.'})).status).toBe(204)
  const {body} = await send('POST', '/search/customer', {
    limit: 25,
    ids: [ADA],
    associations: {addresses: {}},
  })
  expect(body).toMatchObject({
    data: [{type: 'customer', id: ADA, attributes: {title: 'Dr.'}}],
    included: [
      {type: 'customer_address', id: HOME},
      {type: 'extension', id: ADA},
    ],
  })
  expect((await send('POST', `/search/customer/${ADA}/addresses`, {})).body.data).toMatchObject([{id: HOME}])
  expect((await send('POST', '/search-ids/customer', {limit: 25})).body).toMatchObject({total: 1})
  const cloned = await send('POST', `/_action/clone/customer/${ADA}`, {overwrites: {email: 'b@example.test'}})
  expect(cloned.status).toBe(200)
  expect((await send('DELETE', `/customer/${cloned.body.id}`)).status).toBe(204)
  expect((await send('DELETE', `/customer/${cloned.body.id}`)).status).toBe(404)
})
