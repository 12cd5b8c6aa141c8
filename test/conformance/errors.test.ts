import {describe, expect} from 'vitest'
import {criteriaEntry, expectErrors, plainEntry} from './envelopes.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

describe('§1.3 layouts, to the byte', () => {
  row('plain: code, status, title, detail', async shop => {
    const reply = await shop.call({
      path: '/api/search/customer',
      headers: {'Content-Type': 'application/json'},
      body: '{',
    })
    expect(reply.text).toBe(
      '{"errors":[{"code":"0","status":"400","title":"Bad Request","detail":"The JSON payload is malformed."}]}',
    )
  })

  row('OAuth: code, status, title, detail, which may be null', async shop => {
    const reply = await shop.askForToken({
      grant_type: 'client_credentials',
      client_id: shop.clientId,
      client_secret: 'wrong',
    })
    expect(reply.text).toBe(
      '{"errors":[{"code":"4","status":"401","title":"Client authentication failed","detail":null}]}',
    )
  })

  row('of the shop, no parameters: status, code, title, detail, meta with a list (trap 26)', async shop => {
    const reply = await shop.askForToken({
      grant_type: 'client_credentials',
      client_id: 'foo',
      client_secret: 'x',
    })
    expect(reply.text).toBe(
      `{"errors":[{"status":${byVersion('"500"', {'6.7': '"403"'})},"code":"FRAMEWORK__API_INVALID_ACCESS_KEY","title":"${byVersion('Internal Server Error', {'6.7': 'Forbidden'})}","detail":"Access key is invalid and could not be identified.","meta":{"parameters":[]}}]}`,
    )
  })

  row('of the shop, with parameters', async shop => {
    const reply = await shop.search('customer', {filter: [{type: 'equals', field: 'foo', value: 1}]})
    expect(reply.text).toBe(
      '{"errors":[{"status":"400","code":"FRAMEWORK__UNMAPPED_FIELD","title":"Bad Request","detail":"Field \\u0022foo\\u0022 in entity \\u0022customer\\u0022 was not found.","meta":{"parameters":{"field":"foo","entity":"customer"}}}]}',
    )
  })

  row('real-shop.md 3, rule 3: parameters that are empty are there too; 6.5 has none', async shop => {
    const reply = await shop.send('GET', '/api/_action/system-config')
    const [{code, meta}] = reply.json().errors
    expect([reply.status, code]).toEqual([400, 'FRAMEWORK__MISSING_REQUEST_PARAMETER'])
    expect(meta.parameters.path).toBe(byVersion<string | undefined>('', {'6.5': undefined}))
  })

  row('real-shop.md 3, rule 4: a question is answered, where a look finds nothing', async shop => {
    const ask = async (domain: string) => {
      const {status, text} = await shop.send('GET', `/api/_action/system-config/check?domain=${domain}`)
      return [status, text]
    }
    expect(await ask('nothing.settings')).toEqual([200, 'false'])
    expect(await ask('core.basicInformation')).toEqual([200, 'true'])
  })

  row('of criteria, several entries: status, code, title, detail, source, meta', async shop => {
    const reply = await shop.search('customer', {limit: 0, page: 0})
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"errors":[{"status":"400","code":"FRAMEWORK__INVALID_LIMIT_QUERY","title":"Bad Request","detail":"The limit parameter must be a positive integer greater or equals than 1. Given: 0","source":{"pointer":"\\/limit"},"meta":{"parameters":{"limit":0}}},{"status":"400","code":"FRAMEWORK__INVALID_PAGE_QUERY","title":"Bad Request","detail":"The page parameter must be a positive integer. Given: 0","source":{"pointer":"\\/page"},"meta":{"parameters":{"page":0}}}]}',
    ])
  })

  row('are application/json, whatever was accepted (§1.7)', async shop => {
    for (const accept of ['application/vnd.api+json', '*/*']) {
      const reply = await shop.search('customer', {limit: 0}, {Accept: accept})
      const detail = 'The limit parameter must be a positive integer greater or equals than 1. Given: 0'
      expectErrors(
        reply,
        400,
        criteriaEntry(400, 'FRAMEWORK__INVALID_LIMIT_QUERY', detail, '/limit', {limit: 0}),
      )
    }
  })
})

describe('§1.3 escaping', () => {
  row('in errors', async shop => {
    const referer = `https://example.test/?a='<b>'&c="d"`
    const reply = await shop.call({path: '/api/x', method: 'POST', headers: {Referer: referer}})
    expect(reply.text).toContain(
      String.raw` (from \u0022https:\/\/example.test\/?a=\u0027\u003Cb\u003E\u0027\u0026c=\u0022d\u0022\u0022)`,
    )
  })
})

describe('§1.4 404', () => {
  const notFound = (shop: Target, path: string, from = '') =>
    plainEntry(404, `No route found for "POST ${shop.url}${path}"${from}`)

  row.each<[path: string]>(
    [
      ['an unknown path', '/api/x'],
      ['an unknown entity', '/api/search/foo'],
      ['an entity with underscores (trap 45)', '/api/search/order_delivery'],
      ['an entity in capitals', '/api/search/Customer'],
      ['an operation that is not there', '/api/_action/foo/webhook/execute'],
    ],
    async (shop, path) => {
      expectErrors(await shop.call({path, method: 'POST'}), 404, notFound(shop, path))
    },
  )

  row.setUp('a storefront that is built')('outside of the API it is a page of the storefront', async shop => {
    for (const method of ['GET', 'POST']) {
      const reply = await shop.call({path: '/nowhere/at/all', method})
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8'])
    }
  })

  row('with a Referer', async shop => {
    const headers = {Referer: 'https://example.test/admin'}
    const reply = await shop.call({path: '/api/x', method: 'POST', headers})
    expectErrors(reply, 404, notFound(shop, '/api/x', ' (from "https://example.test/admin")'))
  })
})

describe('§1.4 405', () => {
  row.each<[method: string, path: string, allow: string]>(
    [
      ['a search by GET', 'GET', '/api/search/customer', 'POST'],
      ['a search by PUT', 'PUT', '/api/search/customer', 'POST'],
      ['ids by DELETE', 'DELETE', '/api/search-ids/customer', 'POST'],
      ['a token by GET (§2.5)', 'GET', '/api/oauth/token', 'POST'],
      ['the version by POST', 'POST', '/api/_info/version', 'GET'],
    ],
    async (shop, method, path, allow) => {
      const detail = `No route found for "${method} ${shop.url}${path}": Method Not Allowed (Allow: ${allow})`
      const reply = await shop.call({method, path})
      expectErrors(reply, 405, plainEntry(405, detail))
      // Trap 11: the text alone says what is allowed.
      expect(reply.headers).not.toHaveProperty('allow')
    },
  )
})

describe('§1.1 X-HTTP-Method-Override', () => {
  row('is obeyed', async shop => {
    const reply = await shop.search('customer', {limit: 1}, {'X-HTTP-Method-Override': 'DELETE'})
    const path = '/api/search/customer'
    const detail = `No route found for "DELETE ${shop.url}${path}": Method Not Allowed (Allow: POST)`
    expectErrors(reply, 405, plainEntry(405, detail))
  })
})

describe('§1.4 415', () => {
  row('search only: the version is told whatever is accepted', async shop => {
    const headers = {Authorization: `Bearer ${await shop.token()}`}
    for (const more of [{}, {Accept: 'text/html'}]) {
      const reply = await shop.call({path: '/api/_info/version', headers: {...headers, ...more}})
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
    }
  })
})

describe('§1.4 500, and trap 40: the exception’s text is shown', () => {
  row('of an exception', async shop => {
    const filter = [
      {type: 'not', operator: 'FOO', queries: [{type: 'equals', field: 'id', value: shop.newId()}]},
    ]
    expectErrors(await shop.search('customer', {filter}), 500, plainEntry(500, 'Operator FOO not allowed'))
  })

  // The text says that paths of the server are in it; those of a real shop's files are not known.
  row('of a TypeError', async shop => {
    const reply = await shop.search('customer', {sort: 5})
    const [error] = reply.json().errors
    expectErrors(reply, 500, plainEntry(500, error.detail))
    expect(error.detail).toMatch(/must be of type .+ given/)
  })
})
