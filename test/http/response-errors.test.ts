import {expect, test} from 'vitest'
import type {HttpResponse} from '../../src/http/http.js'
import {createResponseError} from '../../src/http/response-errors.js'

const base = new URL('https://shop.example/de')
const now = new Date('2026-11-21T12:00:00Z')
const fixes = {
  signIn: 'sign in again',
  atUrl: (url: string) => `use ${url}`,
  basicAuth: 'give the gate a password',
  header: 'give the gate a header',
}

const call = {baseUrl: base, doing: 'the search', now, fixes}

function refusal(status: number, entry?: object, headers: HttpResponse['headers'] = {}) {
  const body = entry === undefined ? '<h1>hello</h1>' : JSON.stringify({errors: [entry]})
  return createResponseError({status, headers, body: Buffer.from(body)}, call)
}

test.each<[number, object | undefined, number, string, string]>([
  [401, {code: '9', detail: 'Access token could not be verified'}, 4, 'auth.token_refused', 'be verified'],
  [401, {code: '9', detail: 'Access token is expired'}, 4, 'auth.password_changed', 'password was changed'],
  [401, {code: '9', detail: 'Access token is invalid'}, 4, 'auth.user_deleted', 'was deleted'],
  [401, undefined, 4, 'auth.gate', 'its own credentials'],
  [
    403,
    {
      code: 'X',
      detail: '{"message":"Missing privilege","missingPrivileges":{"0":"customer:read","2":"tag:read"}}',
    },
    4,
    'auth.missing_privilege',
    'missing customer:read, tag:read',
  ],
  [404, {code: '0', detail: 'No route found'}, 2, 'usage.no_such_route', 'has no route for the search'],
  [404, undefined, 2, 'usage.not_a_shop', 'is not a shop'],
  [
    400,
    {code: 'FRAMEWORK__X', detail: 'Wrong.', source: {pointer: '/filter/0'}},
    5,
    'rejected.by_shop',
    'FRAMEWORK__X Wrong. (at /filter/0)',
  ],
  [429, {code: 'X', meta: {parameters: {seconds: 10}}}, 6, 'unavailable.throttled', 'Wait 10 s.'],
  [500, {code: '0', detail: 'Broken'}, 6, 'unavailable.shop_failed', 'failed (500) at the search: Broken.'],
  [502, undefined, 6, 'unavailable.shop_failed', 'failed (502) at the search.'],
])('%i %j ends with exit %i', (status, entry, exit, code, words) => {
  const error = refusal(status, entry)
  expect([error.exit, error.code]).toEqual([exit, code])
  expect(error.message).toContain(words)
  expect(error.message).toContain('https://shop.example/de')
})

test('a redirect names where it leads, without its query', () => {
  const error = refusal(302, undefined, {location: '/login?next=%2Fapi&token=hidden'})
  expect(error.code).toBe('usage.redirected')
  expect(error.message).toContain('https://shop.example/login.')
  expect(error.message).not.toContain('hidden')
})

test('a message of the shop cannot control the terminal', () => {
  const error = refusal(400, {code: 'X', detail: 'a\u001b[2Jb\nerror: forged'})
  expect(error.message).toContain('a\\e[2Jb\\nerror: forged')
})

test.each([
  [{code: 'C'.repeat(100), detail: 'x'}, `${'C'.repeat(100)} x.`],
  [{code: 'C'.repeat(101), detail: 'x'}, `${'C'.repeat(100)} x.`],
  [{code: '0', detail: 'x'}, ': x.'],
  [{code: 'C', detail: 'x', source: {pointer: `/${'p'.repeat(100)}`}}, `C x (at /${'p'.repeat(99)}).`],
])('an endless code or place is cut at a hundred characters: %j', (entry, words) => {
  expect(refusal(400, entry).message).toContain(` refused the search (400): ${words}`.replace(': : ', ': '))
})

test('an endless list of errors is cut', () => {
  const errors = Array.from({length: 40}, (_, at) => ({code: 'X', detail: `number ${at}`}))
  const body = Buffer.from(JSON.stringify({errors}))
  const {message} = createResponseError({status: 400, headers: {}, body}, call)
  expect(message).toContain('number 4; and 35 more')
})
