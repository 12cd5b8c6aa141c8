import {expect, test} from 'vitest'
import {StorectlError} from '../../../src/errors.js'
import type {HttpClient, HttpResponse} from '../../../src/http/http.js'
import {findVersions} from '../../../src/shopware/versions/find-versions.js'
import {
  compareVersions,
  describeVersions,
  isInRange,
  parseVersion,
} from '../../../src/shopware/versions/versions.js'

function answerWith(status: number, body: unknown): HttpResponse {
  return {status, headers: {}, body: Buffer.from(JSON.stringify(body))}
}

function refuse(...parameters: string[]): HttpResponse {
  return answerWith(417, {
    errors: [{status: '417', code: 'FRAMEWORK__API_EXPECTATION_FAILED', meta: {parameters}}],
  })
}

const CORE = 'Version constraint for shopware/core is failed. Installed is: 6.7.5.0'
const PLUGIN = 'Version constraint for swag/paypal is failed. Installed is: 10.6.2'
const NO_PLUGIN = 'Requested package: swag/paypal is not available'

/** A client that answers by path, and remembers which paths were called. */
function clientOf(answers: Record<string, HttpResponse | 'unavailable'>, called: string[] = []): HttpClient {
  return {
    baseUrl: new URL('http://shop.example'),
    call: async ({path, method, body}) => {
      called.push(`${method} ${path}${typeof body === 'string' ? ` ${body}` : ''}`)
      const answer = answers[path] ?? answerWith(404, {})
      if (answer === 'unavailable') throw new StorectlError('unavailable.not_connected', 'no shop')
      return answer
    },
  }
}

const HEALTH = '/api/_info/health-check'
const signal = new AbortController().signal
const find = (unsigned: HttpClient, signed?: HttpClient, set: {shop?: string; plugin?: string} = {}) =>
  findVersions({unsigned, signed, plugin: 'swag/paypal', set, signal})

test('one call without a sign-in tells both versions', async () => {
  const called: string[] = []
  const found = await find(clientOf({[HEALTH]: refuse(CORE, PLUGIN)}), clientOf({}, called))
  expect(found).toEqual({shop: '6.7.5.0', plugin: '10.6.2', from: 'shop'})
  expect(called).toEqual([])
})

test('what the header does not tell is asked for with the sign-in', async () => {
  const called: string[] = []
  const signed = clientOf(
    {
      '/api/_info/version': answerWith(200, {version: '6.6.7.1'}),
      '/api/search/plugin': answerWith(200, {data: [{version: '9.6.2', active: true}]}),
    },
    called,
  )
  expect(await find(clientOf({[HEALTH]: answerWith(200, {})}), signed)).toEqual({
    ...{shop: '6.6.7.1', plugin: '9.6.2', from: 'shop'},
  })
  expect(called).toEqual([
    'GET /api/_info/version',
    'POST /api/search/plugin {"filter":[{"type":"equals","field":"composerName","value":"swag/paypal"}],"limit":1}',
  ])
})

test.each<[string, HttpClient, HttpClient | undefined, object, object]>([
  [
    'an absent plugin',
    clientOf({[HEALTH]: refuse(CORE, NO_PLUGIN)}),
    undefined,
    {},
    {shop: '6.7.5.0', plugin: null},
  ],
  [
    'no plugin:read',
    clientOf({[HEALTH]: refuse(CORE)}),
    clientOf({'/api/search/plugin': answerWith(403, {})}),
    {},
    {plugin: null},
  ],
  [
    'a profile',
    clientOf({}),
    undefined,
    {shop: '6.5.8.14'},
    {shop: '6.5.8.14', plugin: null, from: 'profile'},
  ],
  [
    'a shop that is down',
    clientOf({[HEALTH]: 'unavailable'}),
    clientOf({}),
    {},
    {shop: null, plugin: null, from: null},
  ],
  [
    'a shop that says otherwise than its profile',
    clientOf({[HEALTH]: refuse(CORE, PLUGIN)}),
    undefined,
    {shop: '6.5.8.14'},
    {shop: '6.7.5.0', from: 'shop'},
  ],
  [
    'a version that is none',
    clientOf({[HEALTH]: refuse(CORE.replace('6.7.5.0', '<b>'))}),
    undefined,
    {},
    {shop: null},
  ],
])('%s', async (_, unsigned, signed, set, expected) => {
  expect(await find(unsigned, signed, set)).toMatchObject(expected)
})

test('versions are compared by their numbers', () => {
  expect(compareVersions('6.6.10.0', '6.6.7.1')).toBeGreaterThan(0)
  expect(compareVersions('10.0.0', '9.6.2')).toBeGreaterThan(0)
  expect(compareVersions('v6.6', '6.6.0.0')).toBe(0)
  expect(isInRange('6.6.7.0', {from: '6.6.7.1', below: '6.8'})).toBe(false)
  expect(isInRange('6.7.99', {from: '6.6.7.1', below: '6.8'})).toBe(true)
  expect(isInRange(null, {from: '6.6.7.1', below: '6.8'})).toBe(false)
})

test('a typed version is checked', () => {
  expect(parseVersion(' v6.6.7.1 ', 'shop')).toBe('6.6.7.1')
  expect(parseVersion('', 'shop')).toBe('')
  expect(() => parseVersion('six', 'shop')).toThrow('Invalid version "six" of the shop')
  expect(describeVersions({shop: '6.5.8.14', plugin: null, from: 'profile'})).toBe(
    'Shopware 6.5.8.14, payment plugin (version unknown) (set in the profile)',
  )
})
