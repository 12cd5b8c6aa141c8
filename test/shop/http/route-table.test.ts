import {expect, test} from 'vitest'
import type {RouteMethod, ShopRoute} from '../../../src/shop/http/route.js'
import {createRouteTable} from '../../../src/shop/http/route-table.js'

const ID = '0123456789abcdef0123456789abcdef'
const routeAt = (method: RouteMethod, path: string): ShopRoute => ({method, path, handle: () => ({})})
const find = createRouteTable([
  routeAt('GET', '/api/customer'),
  routeAt('POST', '/api/customer'),
  routeAt('DELETE', '/api/customer/:id(^[0-9a-f]{32}$)'),
  routeAt('GET', '/api/:entity'),
  routeAt('GET', '/api/:entity/*'),
  routeAt('POST', '/api/search/*'),
  routeAt('POST', '/api/_action/:name/:id/state'),
])
const found = (path: string) => {
  const match = find(path)
  return match && [...[...match.routes].map(([method, route]) => `${method} ${route.path}`), match.params]
}

test.each([
  ['a fixed path, with all its methods', '/api/customer', ['GET /api/customer', 'POST /api/customer', {}]],
  ['a fixed part that is escaped', '/api/%63ustomer', ['GET /api/customer', 'POST /api/customer', {}]],
  [
    'a parameter with its condition',
    `/api/customer/${ID}`,
    ['DELETE /api/customer/:id(^[0-9a-f]{32}$)', {id: ID}],
  ],
  ['what is no id, one step back', '/api/customer/x', ['GET /api/:entity/*', {entity: 'customer', '*': 'x'}]],
  ['a word that begins like another', '/api/customers', ['GET /api/:entity', {entity: 'customers'}]],
  ['the rest of a path, unescaped', '/api/search/a%2Fb/c%20d', ['POST /api/search/*', {'*': 'a/b/c d'}]],
  ['a rest of nothing', '/api/search/', ['POST /api/search/*', {'*': ''}]],
  [
    'several parameters',
    '/api/_action/a%25/b/state',
    ['POST /api/_action/:name/:id/state', {name: 'a%', id: 'b'}],
  ],
  ['a parameter that is empty', '/api/', ['GET /api/:entity', {entity: ''}]],
])('finds %s', (_, path, expected) => {
  expect(found(path)).toEqual(expected)
})

test.each(['/', '/api', '/other/customer', `/api/${'x'.repeat(2001)}`, '/API/customer'])(
  'finds nothing at %s',
  path => {
    expect(find(path)).toBeUndefined()
  },
)
