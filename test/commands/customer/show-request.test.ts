import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {customerRow, customerShop, signedInTo} from '../../support/customer-pages.js'
import {endpoint} from '../../support/endpoint.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const people = Array.from({length: 1200}, (_, at) => customerRow(at + 1))
const criteria = '{"ids":["00000000000000000000000000000001"],"associations":{"tags":{"sort":"name"}}}'
const where = 'not (tags.name in ("a", "b") or lastLogin < 2024-01-01T00:00:00Z)'

test.each([
  [[]],
  [['ada', 'x@example.test', '--tag', 'a', '--tag', 'b', '-o', 'json']],
  [['--where', where, '--fields', 'id,addresses.city', '-o', 'csv']],
  [['--limit', '700', '--page-size', '40']],
  [['--limit', '30', '--page', '3']],
  [['--all']],
  [['--all', '--page-size', '7', '-o', 'id']],
  [['--sort', 'createdAt:desc', '--limit', '9']],
  [['--sort', 'createdAt:desc', '--limit', '900']],
  [['--sort=orderCount:desc,lastName', '--all', '-o', 'ndjson', '--active']],
  [['ada', '--ranked', '--guest']],
  [['--criteria', criteria]],
  [['--count']],
  [['--count', '--city', 'Bonn', '--sort', 'email', '--fields', 'id']],
  [['--facet', 'group,country', '--limit', '3', '--inactive']],
  [['--facet', 'tags.name', '--all', '--criteria', '{"filter":{"guest":false},"sort":"email"}']],
])('%j: what --show-request prints is what the shop then receives first', async words => {
  const shop = await endpoint(customerShop(() => people))
  const asked = ['customer', 'search', ...words]
  const env = signedInTo(shop.url)
  const shown = await storectl([...asked, '--show-request'], {env})
  expect([shown.exit, shown.stderr, shop.received]).toEqual([0, '', []])
  await storectl(asked, {env})
  const [first] = shop.received
  expect(JSON.parse(shown.stdout)).toEqual({
    method: first?.method,
    path: first?.url,
    body: JSON.parse(first?.body as string),
  })
})

test('sorted ones begin with ids', async () => {
  const {stdout} = await storectl([
    'customer',
    'search',
    '--all',
    '--sort',
    'createdAt:desc',
    '--show-request',
  ])
  expect(JSON.parse(stdout)).toEqual({
    method: 'POST',
    path: '/api/search-ids/customer',
    body: {
      sort: [
        {field: 'createdAt', order: 'DESC'},
        {field: 'autoIncrement', order: 'ASC'},
      ],
      limit: 500,
      page: 1,
    },
  })
})

test('it needs no sign-in, finds mistakes all the same, and --out keeps it', async () => {
  const file = join(temporaryFolder(), 'request.json')
  const env = {STORECTL_URL: 'http://127.0.0.1:1'}
  const asked = ['customer', 'search', '--show-request', '--count']
  expect((await storectl([...asked, '--out', file], {env})).exit).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8')).body).toEqual({limit: 2, 'total-count-mode': 1})
  expect((await storectl([...asked, '--where', 'a ='], {env})).exit).toBe(2)
})
