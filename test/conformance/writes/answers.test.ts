import {describe, expect} from 'vitest'
import {conformance} from '../rows.js'
import {HIDDEN} from '../search/members.js'
import {byVersion, foreignKeysOf} from '../versions.js'
import {find, told} from './told.js'

const row = conformance()

describe('§3.4 with _response in the query, a write answers what it wrote', () => {
  row.each<[query: string]>(
    ['_response', '_response=detail', '_response=basic', '_response=true', 'a=b&_response=0'].map(query => [
      `whatever it says: ${query}`,
      query,
    ]),
    async (shop, query) => {
      const made = await shop.post(`/api/tag?${query}`, {name: `${query} ${shop.run}`})
      const {data} = made.json()
      shop.make.remember('tag', data.id)
      expect([made.status, made.headers['content-type'], made.headers.location]).toEqual([
        200,
        'application/json',
        undefined,
      ])
      expect(data).toEqual(await find(shop, 'tag', data.id))
      expect(data.extensions).toEqual(byVersion(foreignKeysOf('tag'), {'6.7': undefined}))
      const changed = await shop.send('PATCH', `/api/tag/${data.id}?${query}`, {name: 'other'})
      expect([changed.status, changed.json().data]).toMatchObject([200, {id: data.id, name: 'other'}])
      const removed = await shop.remove(`/api/tag/${data.id}?${query}`)
      expect([removed.status, removed.text, removed.headers.location]).toEqual([
        204,
        '',
        `${shop.url}/api/tag/${data.id}`,
      ])
    },
  )

  row('in JSON:API where that is accepted, with a link to itself', async shop => {
    const path = '/api/customer?_response=detail&x=%22'
    const sent = await shop.make.customerToSend()
    const reply = await shop.post(path, sent, {Accept: 'application/vnd.api+json'})
    shop.make.remember('customer', sent.id)
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
    expect(Object.keys(reply.json())).toEqual(['data', 'included', 'links'])
    expect(reply.json()).toMatchObject({
      data: {id: sent.id, type: 'customer', attributes: {customerNumber: sent.customerNumber}},
      links: {self: `${shop.url}${path}`},
    })
  })

  row('without what nobody is shown', async shop => {
    const sent = await shop.make.customerToSend({password: 'correct horse'})
    const {text} = await shop.post('/api/customer?_response', sent)
    shop.make.remember('customer', sent.id)
    for (const name of HIDDEN) expect(text).not.toContain(`"${name}"`)
  })

  row('but not in the body, nor where nothing was written', async shop => {
    const id = shop.newId()
    const reply = await shop.post('/api/tag', {id, name: `in the body ${shop.run}`, _response: 'detail'})
    shop.make.remember('tag', id)
    expect([reply.status, reply.text]).toEqual([204, ''])
    const wrong = await shop.post('/api/tag?_response=detail', {name: ''})
    expect(told(wrong)).toEqual([400, ['/0/name', 'This value should not be blank.']])
  })
})
