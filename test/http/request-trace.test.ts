import {expect, test} from 'vitest'
import {endpoint} from '../support/endpoint.js'
import {storectl} from '../support/storectl.js'

test('--debug shows method, address, status, time, sizes and header names, and no value', async () => {
  const shop = await endpoint(() => ({
    status: 200,
    headers: {'x-customer': 'ada@example.test'},
    body: {version: '1'},
  }))
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token-hidden'}
  const {stderr} = await storectl(['auth', 'status', '--check', '--debug'], {env})
  const lines = stderr.split('\n')
  const [call, sent, received] = lines.slice(lines.findIndex(line => line.includes('/api/_info/version')))
  expect(call).toMatch(new RegExp(`^debug: GET ${shop.url}/api/_info/version -> 200 in \\d+ ms$`))
  expect(sent).toBe('debug:   sent 0 bytes (accept, authorization)')
  expect(received).toMatch(/^debug: {3}received 15 bytes \(.*x-customer.*\)$/)
  expect(stderr).not.toMatch(/hidden|ada@/)
})

test('--debug hides what is typed into an address, and addresses of people', async () => {
  const shop = await endpoint(() => ({body: {}}))
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token-hidden'}
  const {stderr} = await storectl(
    ['api', 'GET', '/api/x/ada@example.test/y?limit=5&ada&sw-token=abc', '--debug'],
    {env},
  )
  expect(stderr.split('\n')[0]).toContain(`${shop.url}/api/x/***/y?limit=5&***&sw-token=*** -> 200`)
})
