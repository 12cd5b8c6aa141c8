import {expect, test} from 'vitest'
import {knowsClient} from '../../../src/auth/token/token-errors.js'
import type {Reply} from '../../support/endpoint.js'
import {oauthError, tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'

const html = (status: number): Reply => ({
  status,
  headers: {'content-type': 'text/html'},
  body: '<h1>hello</h1>',
})
const shopError = (status: number, code: string, detail: string, parameters: object = {}): Reply => ({
  status,
  body: {errors: [{status: String(status), code, title: 'x', detail, meta: {parameters}}]},
})

const SIGN_IN = 'export STORECTL_CLIENT_ID=… STORECTL_CLIENT_SECRET=…'
const LOOK = 'look under Settings > System > Integrations in the shop'

/** What each error suggests. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  'auth.client_unknown': [SIGN_IN, LOOK],
  'auth.client_id_unknown': [SIGN_IN],
  'auth.wrong_password': [SIGN_IN],
  'auth.grant_refused': [SIGN_IN],
  'auth.request_incomplete': [SIGN_IN],
  'auth.scope_refused': [SIGN_IN],
  'auth.gate': ['--header-stdin   # reads', 'ask its operator to allow this machine'],
  'unavailable.throttled': ['run the command again with --wait'],
  'unavailable.shop_failed': ['run the command again in a while'],
  'usage.not_a_shop': ['storectl auth status   # shows the URL, and where it is set'],
  'usage.redirected': ['export STORECTL_URL=https://other.example   # if that is your shop'],
}

test.each<[string, Reply, number, string, string]>([
  [
    'an id that the shop does not know',
    oauthError(401, '4', 'Client authentication failed', null),
    4,
    'auth.client_unknown',
    'does not know client SWIAX',
  ],
  [
    'an id without a known prefix',
    shopError(500, 'FRAMEWORK__API_INVALID_ACCESS_KEY', 'Access key is invalid and could not be identified.'),
    4,
    'auth.client_id_unknown',
    'begins with SWIA',
  ],
  [
    'wrong user or password',
    oauthError(400, '6', 'The user credentials were incorrect.', null),
    4,
    'auth.wrong_password',
    'wrong user name or password',
  ],
  ['another grant', oauthError(400, '2', 'unsupported', 'Check'), 4, 'auth.grant_refused', 'with this grant'],
  [
    'a missing field',
    oauthError(400, '3', 'missing', 'Check the `client_id` parameter'),
    4,
    'auth.request_incomplete',
    'Check the `client_id` parameter',
  ],
  ['a scope', oauthError(400, '5', 'scope', 'Check the `foo` scope'), 4, 'auth.scope_refused', '`foo` scope'],
  [
    'throttled',
    shopError(429, 'FRAMEWORK__AUTH_THROTTLED', 'Auth throttled for 10 seconds.', {seconds: 10}),
    6,
    'unavailable.throttled',
    'Wait 10 s',
  ],
  [
    'throttled, nobody says how long',
    shopError(429, 'FRAMEWORK__AUTH_THROTTLED', ''),
    6,
    'unavailable.throttled',
    'Wait a minute',
  ],
  [
    'throttled, under another code',
    shopError(429, 'FRAMEWORK__RATE_LIMIT', ''),
    6,
    'unavailable.throttled',
    'Wait a minute',
  ],
  ['a gate in front', html(401), 4, 'auth.gate', 'its own credentials'],
  ['a gate that lets nobody in', html(403), 4, 'auth.gate', 'does not let this call through (403)'],
  ['no such route', oauthError(404, '0', 'Not Found', 'No route found'), 2, 'usage.not_a_shop', 'not a shop'],
  ['a page of another server', html(200), 2, 'usage.not_a_shop', '200 with text/html'],
  ['a page not found', html(404), 2, 'usage.not_a_shop', '404 with text/html'],
  ['a gateway without a shop', html(502), 6, 'unavailable.shop_failed', 'is unavailable (502)'],
  [
    'a redirect',
    {status: 301, headers: {location: 'https://other.example/api/oauth/token?x=1'}},
    2,
    'usage.redirected',
    'https://other.example.',
  ],
  [
    'an error of the shop',
    shopError(500, '0', 'Something broke'),
    6,
    'unavailable.shop_failed',
    'Something broke',
  ],
  [
    'a token with a line break',
    {status: 200, body: {access_token: 'a\r\nb', expires_in: 600}},
    2,
    'usage.not_a_shop',
    'not a shop',
  ],
])('%s has its own message, next step and exit code', async (_case, reply, exit, code, words) => {
  const shop = await tokenShop({grant: () => reply})
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const ended = await storectl(['auth', 'token', '-o', 'json'], {env})
  const {error} = JSON.parse(ended.stderr)
  expect([ended.exit, error.code, ended.stdout]).toEqual([exit, code, ''])
  expect(error.message).toContain(words)
  expect(error.nextSteps).toEqual(STEPS[code]?.map(step => expect.stringContaining(step)))
  expect(ended.stderr).not.toContain('hidden-secret')
})

test('a redirect that names no URL suggests none', async () => {
  const shop = await tokenShop({grant: () => ({status: 302})})
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {error} = JSON.parse((await storectl(['auth', 'token', '-o', 'json'], {env})).stderr)
  expect(error.message).toContain('answered with a redirect (302) that names no URL.')
  expect(error.nextSteps).toEqual(STEPS['usage.not_a_shop'])
})

test.each([
  ['SWSCX', 'a sales channel'],
  ['SWPEX', 'a product export'],
])('the key %s cannot sign in, as it is that of %s', async (clientId, whose) => {
  const shop = await tokenShop({grant: () => oauthError(401, '4', 'Client authentication failed', null)})
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: clientId, STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {error} = JSON.parse((await storectl(['auth', 'token', '-o', 'json'], {env})).stderr)
  expect(error).toMatchObject({code: 'auth.client_unknown', nextSteps: [SIGN_IN, LOOK]})
  expect(error.message).toContain(`${clientId} is the key of ${whose}, which cannot sign in`)
})

test('a wrong id or secret is told apart only where the shop does so', async () => {
  const refusal = oauthError(401, '4', 'Client authentication failed', null)
  const shop = await tokenShop({
    grant: body => (body.client_secret === undefined ? {status: 500, body: {}} : refusal),
  })
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {exit, stderr} = await storectl(['auth', 'token'], {env})
  expect([exit, shop.grants().length]).toEqual([4, 2])
  expect(stderr).toContain('refused client SWIAX: the id or its secret is wrong.')
  expect(stderr).toContain(LOOK)
})

test('a refused connection ends with 6', async () => {
  const shop = await tokenShop()
  await shop.close()
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {exit, stderr} = await storectl(['auth', 'token'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain('Nothing was sent')
})

test('what a shop repeats of a secret is not shown', async () => {
  const shop = await tokenShop({
    grant: body =>
      shopError(500, '0', `no idea what ${body.client_secret} is, in base64 ${btoa('hidden-secret')}`),
  })
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {stderr} = await storectl(['auth', 'token', '--debug'], {env})
  expect(stderr).toContain('no idea what *** is')
  expect(stderr).not.toContain('hidden-secret')
  expect(stderr).not.toContain(btoa('hidden-secret'))
})

test.each([
  ['without its secret', 400, '2', true],
  ['that nobody has', 401, '4', false],
  ['without its secret, by something that failed', 500, '2', undefined],
  ['that nobody has, under another status', 400, '4', undefined],
  ['with another error', 401, '2', undefined],
] as const)(
  'what a shop says of an id %s (%i, code %s) tells whether it knows it: %s',
  async (_, status, code, known) => {
    const {body} = oauthError(status, code, 'no', null)
    const call = async () => ({status, headers: {}, body: Buffer.from(JSON.stringify(body))})
    expect(await knowsClient({} as never, {call} as never)).toBe(known)
    const fail = async () => {
      throw new Error('no connection')
    }
    expect(await knowsClient({} as never, {call: fail} as never)).toBeUndefined()
  },
)
