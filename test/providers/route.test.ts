import {expect, test} from 'vitest'
import {findProvider} from '../../src/providers/providers.js'
import {
  buildTokenParts,
  fillTemplate,
  findPluginPackage,
  findTokenLocation,
  isRoute,
  matchRoute,
} from '../../src/providers/route.js'

const [PAYPAL, MOLLIE] = [findProvider('paypal'), findProvider('mollie')]
const EXECUTE = '/api/_action/paypal/webhook/execute'

test.each([
  [EXECUTE, 'paypal', undefined],
  [`https://shop.example/de${EXECUTE}?sw-token=x`, 'paypal', undefined],
  [`${EXECUTE}/`, 'paypal', undefined],
  [`${EXECUTE}#x`, 'paypal', undefined],
  ['/api/_action/other/webhook/execute', 'paypal', undefined],
  ['/api/mollie/webhook/abc', 'mollie', 'abc'],
  ['https://shop.example/mollie/webhook/abc/?id=tr_1', 'mollie', 'abc'],
] as const)(
  'the address %s is of a route of %s, and names the transaction %s',
  (target, name, transaction) => {
    expect(matchRoute(target)).toEqual({provider: findProvider(name), transaction})
  },
)

test.each([
  undefined,
  '',
  '/',
  `${EXECUTE}/more`,
  `${EXECUTE}s`,
  '/mollie/webhook/',
  '/api/_action/a/b/webhook/execute',
])('the address %s is of no route', target => {
  expect(matchRoute(target)).toBeUndefined()
})

test('a path is a route where all of it is one, whatever transaction it names', () => {
  const names = {provider: 'paypal'}
  const isPaypal = (path: string) => isRoute(PAYPAL, path, names)
  expect(isPaypal(EXECUTE)).toBe(true)
  for (const path of [
    '',
    `${EXECUTE}/`,
    `/de${EXECUTE}`,
    '/api/_action/other/webhook/execute',
    EXECUTE.slice(1),
  ])
    expect(isPaypal(path)).toBe(false)
  const isMollie = (path: string) => isRoute(MOLLIE, path, {provider: 'mollie'})
  for (const path of ['/api/mollie/webhook/a-b_1', '/mollie/webhook/a', `/mollie/webhook/${'a'.repeat(200)}`])
    expect(isMollie(path)).toBe(true)
  for (const end of ['', 'a/b', '..', 'a%2Fb', 'a?b', 'a'.repeat(201)])
    expect(isMollie(`/mollie/webhook/${end}`)).toBe(false)
  for (const path of ['/x/mollie/webhook/a', '/mollie/webhooks/a']) expect(isMollie(path)).toBe(false)
})

test('what stands behind the transaction in a route belongs to it', () => {
  const route = {...MOLLIE, route: '/pay/{transaction}/done', otherRoutes: []}
  const isOne = (path: string) => isRoute(route, path, {provider: 'mollie'})
  expect(['/pay/a/done', '/pay/done', '/pay/a/done/b', '/pay/a', '/pay//done'].map(isOne)).toEqual([
    ...[true, false, false, false, false],
  ])
})

test('a template is filled in for an address', () => {
  expect(fillTemplate(PAYPAL.route, {provider: 'Pay Pal'})).toBe('/api/_action/Pay%20Pal/webhook/execute')
  expect(fillTemplate(MOLLIE.route, {provider: 'mollie'})).toBe('/api/mollie/webhook/{transaction}')
  expect(fillTemplate(MOLLIE.route, {provider: 'mollie', transaction: 'a/b'})).toBe(
    '/api/mollie/webhook/a%2Fb',
  )
})

test('the plugin of a provider is known by its name, unless that is no name of a package', () => {
  expect(findPluginPackage('PayPal')).toBe('swag/paypal')
  expect(findPluginPackage('mollie')).toBe('kiener/mollie-payments-plugin')
  expect(findPluginPackage('pay pal')).toBeUndefined()
})

test('a token stands where its provider has it', () => {
  const inQuery = findTokenLocation(PAYPAL, 'sw')
  expect(inQuery).toEqual({in: 'query', name: 'sw-token'})
  expect(buildTokenParts(inQuery, 'a b')).toEqual({query: 'sw-token=a%20b', headers: {}})
  const inHeader = findTokenLocation({token: {in: 'header', name: 'X-{prefix}'}}, 'Sw')
  expect(buildTokenParts(inHeader, 'a b')).toEqual({query: '', headers: {'x-sw': 'a b'}})
  expect(findTokenLocation(MOLLIE, 'sw')).toBeUndefined()
  expect(buildTokenParts(undefined, 'a b')).toEqual({query: '', headers: {}})
})
