import {connect} from 'node:net'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {buildApp} from '../../../src/shop/http/http.js'
import type {ShopRoute} from '../../../src/shop/http/route.js'
import {createHttpError, createShopError} from '../../../src/shop/runtime/shop-error.js'
import {type Listening, listen} from '../../../src/shop/shop.js'

const context = {languageId: 'l', currencyId: 'c', versionId: 'v'}
const routes: ShopRoute[] = [
  {
    method: 'POST',
    path: '/api/echo/:name',
    auth: 'none',
    handle: ({parameters, query, params}) => ({
      contentType: 'application/json',
      body: JSON.stringify({parameters, query, params}),
    }),
  },
  {method: 'POST', path: '/api/private', handle: () => ({body: 'secret', contentType: 'text/plain'})},
  {
    method: 'POST',
    path: '/api/small',
    auth: 'none',
    bodyLimitBytes: 10,
    describeTooLarge: () => createShopError(413, 'FULFILLMENT__TOO_LARGE', 'Too large.'),
    handle: () => ({}),
  },
  {
    method: 'GET',
    path: '/api/broken',
    auth: 'none',
    handle: () => {
      throw new Error('went "wrong" at /srv/<shop> für Ærø')
    },
  },
]

type Body = string | Buffer | FormData

let shop: Listening

beforeAll(async () => {
  const app = buildApp({
    routes,
    authenticate: async () => {
      throw createHttpError(401, 'Missing "Authorization" header', '9')
    },
    resolveContext: () => context,
  })
  shop = await listen(app)
})
afterAll(() => shop.stop())

const post = (path: string, body: Body = '', headers: Record<string, string> = {}) =>
  fetch(`${shop.url}${path}`, {method: 'POST', body, headers})
const json = {'content-type': 'application/json'}
const echoed = async (body: Body, contentType: string, query = '') => {
  const answer = await post(`/api/echo/a${query}`, body, {'content-type': contentType})
  return (await answer.json()) as {parameters: unknown; query: unknown}
}

describe('paths', () => {
  test('outside of the interface an unknown path is a page of the storefront (S17)', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', '/nowhere/at/all?x=1'],
      ['GET', '/index.html'],
    ] as const) {
      const answer = await fetch(`${shop.url}${path}`, {method})
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=UTF-8',
      ])
      expect(await answer.text()).toMatch(/^<!DOCTYPE html>/)
    }
    for (const path of ['/api', '/api/x', '/api%2Fx', '/store-api/x', '/provider/x', '/_storectl/x'])
      expect([path, (await fetch(`${shop.url}${path}`)).status]).toEqual([path, 404])
  })
})

describe('bodies', () => {
  test('forms nest, append and keep the last of equal names', async () => {
    const {parameters} = await echoed(
      'a[b][]=x&a[b][]=y%20z&grant.type=1&n=1&n=2&__proto__[p]=q',
      'application/x-www-form-urlencoded',
    )
    expect(parameters).toEqual(
      JSON.parse('{"a":{"b":["x","y z"]},"grant_type":"1","n":"2","__proto__":{"p":"q"}}'),
    )
  })

  test('multipart fields are read and files are not', async () => {
    const form = new FormData()
    form.set('scope[]', 'wri"te\r\n')
    form.set('file', new Blob(['bytes']), 'a.txt')
    const answer = await post('/api/echo/a', form)
    expect(await answer.json()).toMatchObject({parameters: {scope: ['wri"te\r\n']}})
  })

  test('query strings nest too', async () => {
    expect(await echoed('', 'text/plain', '?sw-token[]=x&p=%E2%82%ac%')).toMatchObject({
      query: {'sw-token': ['x'], p: '€%'},
    })
  })

  test.each([
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nesting deeper than 512', '['.repeat(513) + ']'.repeat(513)],
    ['a byte order mark', '\uFEFF{}'],
  ])('%s is malformed', async (_, body) => {
    expect((await post('/api/echo/a', body, json)).status).toBe(400)
  })

  test('nesting of 512 is read, whatever the brackets inside strings', async () => {
    const body = `${'['.repeat(511)}"${'[\\"'.repeat(600)}"${']'.repeat(511)}`
    expect((await post('/api/echo/a', body, json)).status).toBe(200)
  })

  test("a body over the route's own limit gets the route's own answer", async () => {
    const answer = await post('/api/small', 'x'.repeat(11))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toEqual({
      errors: [
        {
          status: '413',
          code: 'FULFILLMENT__TOO_LARGE',
          title: 'Content Too Large',
          detail: 'Too large.',
          meta: {parameters: []},
        },
      ],
    })
  })
})

describe('headers and escaping', () => {
  test('an exception is a 500 with its text, escaped as the shop escapes', async () => {
    const answer = await fetch(`${shop.url}/api/broken`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).toBe(
      String.raw`{"errors":[{"code":"0","status":"500","title":"Internal Server Error","detail":"went \u0022wrong\u0022 at \/srv\/\u003Cshop\u003E f\u00fcr \u00c6r\u00f8"}]}`,
    )
  })

  test('what is not HTTP is answered with an envelope too', async () => {
    const {hostname, port} = new URL(shop.url)
    const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'))
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*\{"errors":\[\{"code":"0","status":"400"/)
  })

  test('a path that cannot be decoded is answered with an envelope too', async () => {
    const answer = await post('/api/%zz')
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toMatchObject({errors: [{code: '0'}]})
  })
})

test('a port in use has an error of its own', async () => {
  const app = buildApp({routes: [], authenticate: () => Promise.reject(), resolveContext: () => context})
  await expect(listen(app, {port: Number(new URL(shop.url).port)})).rejects.toMatchObject({
    code: 'conflict.port_in_use',
  })
})

test.each([
  ['without a Host header', 'Connection: close'],
  ['that expects something', 'Host: x\r\nConnection: close\r\nExpect: a miracle'],
])('a request %s is answered like any other', async (_, headers) => {
  const bytes = `GET /api/nowhere HTTP/1.1\r\n${headers}\r\n\r\n`
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1', () => socket.write(bytes))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1\.1 404 /)
  expect(answer).toContain('{"errors":[{"code":"0","status":"404"')
})
