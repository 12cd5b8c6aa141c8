import {describe, expect} from 'vitest'
import type {Reply} from './call.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const ALLOWED =
  'Content-Type,Authorization,sw-context-token,sw-access-key,sw-language-id,sw-version-id,sw-inheritance,indexing-behavior,sw-include-seo-urls'
const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
  'access-control-allow-headers': ALLOWED,
  'access-control-expose-headers': ALLOWED,
}
const OF_SUCCESS = {
  'x-frame-options': 'deny',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': `object-src 'none'; script-src 'none'; base-uri 'self';${byVersion('', {'6.7': " frame-ancestors 'none';"})}`,
}
const LANGUAGE = '2fbb5fe2e29a4d70aa5854ce7ce3e20b'

type Ask = (shop: Target, headers?: Record<string, string>) => Promise<Reply>
type Kind = [title: string, ask: Ask, status: number]

const grantOf = ({clientId, clientSecret}: Target) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
})

const SUCCESSES: readonly Kind[] = [
  ['a search', (shop, headers) => shop.search('tag', {limit: 1}, headers), 200],
  [
    'a search, as JSON:API',
    (shop, headers) => shop.search('tag', {limit: 1}, {...headers, Accept: '*/*'}),
    200,
  ],
  ['a search of ids', (shop, headers) => shop.post('/api/search-ids/tag', {limit: 1}, headers), 200],
  ['a token', (shop, headers) => shop.askForToken(grantOf(shop), headers), 200],
  ['the version', (shop, headers) => shop.send('GET', '/api/_info/version', undefined, headers), 200],
  ['the health check', (shop, headers = {}) => shop.call({path: '/api/_info/health-check', headers}), 200],
]

const FAILURES: readonly Kind[] = [
  ['400', (shop, headers) => shop.search('tag', {limit: 0}, headers), 400],
  ['400 for a malformed body', (shop, headers) => shop.search('tag', '{', headers), 400],
  [
    '400 for a webhook',
    (shop, headers = {}) =>
      shop.call({method: 'POST', path: `/api/_action/${shop.provider}/webhook/execute`, headers}),
    400,
  ],
  ['401', (shop, headers = {}) => shop.call({path: '/api/_info/version', headers}), 401],
  [
    '401 for a secret',
    (shop, headers) => shop.askForToken({...grantOf(shop), client_secret: 'x'}, headers),
    401,
  ],
  ['404', (shop, headers = {}) => shop.call({path: '/api/x', headers}), 404],
  ['405', (shop, headers = {}) => shop.call({path: '/api/search/tag', headers}), 405],
  ['412', (shop, headers) => shop.search('tag', {}, {...headers, 'sw-language-id': 'x'}), 412],
  ['415', (shop, headers) => shop.search('tag', {}, {...headers, Accept: 'text/html'}), 415],
  ['417', (shop, headers) => shop.search('tag', {}, {...headers, 'sw-expect-packages': 'a/b:1'}), 417],
  ['500', (shop, headers) => shop.search('tag', {associations: {foo: {}}}, headers), 500],
]

describe('§1.5 the security headers, on 2xx', () => {
  row.each<[Ask, number]>(SUCCESSES, async (shop, ask, status) => {
    const reply = await ask(shop)
    expect(reply.status).toBe(status)
    expect(reply.headers).toMatchObject(OF_SUCCESS)
    const isSecure = shop.url.startsWith('https:')
    expect(reply.headers['strict-transport-security']).toBe(
      isSecure ? 'max-age=31536000; includeSubDomains' : undefined,
    )
  })

  row('on 204', async shop => {
    const {id} = await shop.make.customer()
    const reply = await shop.send('PATCH', `/api/customer/${id}`, {title: 'Countess'})
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers).toMatchObject({...OF_SUCCESS, ...CROSS_ORIGIN})
  })
})

describe('§1.5 no security headers on errors (trap 43)', () => {
  row.each<[Ask, number]>(FAILURES, async (shop, ask, status) => {
    const reply = await ask(shop)
    expect(reply.status).toBe(status)
    const frame = byVersion<string[]>([], {'6.5': ['x-frame-options']})
    for (const name of [...Object.keys(OF_SUCCESS), 'strict-transport-security'])
      if (!frame.includes(name)) expect(reply.headers).not.toHaveProperty(name)
    for (const name of frame) expect(reply.headers[name]).toBe('deny')
  })
})

describe('§1.5 on every response', () => {
  row.each<[Ask, number]>([...SUCCESSES, ...FAILURES], async (shop, ask) => {
    const reply = await ask(shop)
    expect(reply.headers).toMatchObject(CROSS_ORIGIN)
    expect(Date.parse(reply.headers.date ?? '')).not.toBeNaN()
    const isToken = reply.status === 200 && reply.text.startsWith('{"token_type"')
    expect(reply.headers['cache-control']).toBe(isToken ? 'no-store, private' : 'no-cache, private')
  })

  row('CORS headers on a preflight', async shop => {
    const reply = await shop.call({path: '/api/search/tag', method: 'OPTIONS'})
    expect(reply.headers).toMatchObject(CROSS_ORIGIN)
  })
})

describe('§1.5 on none', () => {
  row.each<[Ask, number]>([...SUCCESSES, ...FAILURES], async (shop, ask) => {
    const {headers} = await ask(shop)
    const odd = /ratelimit|rate-limit|retry-after|request-id|^allow$|www-authenticate/
    expect(Object.keys(headers).filter(name => odd.test(name))).toEqual([])
  })
})

describe('§1.5 echoed, if the request sent it', () => {
  const SENT = {
    'sw-version-id': '0fa91ce3e96a4bc2be4bd9ce752c3425',
    'sw-language-id': LANGUAGE,
    'sw-context-token': 'ConText-Token',
  }
  row.each<[name: keyof typeof SENT]>(
    [
      ['sw-version-id', 'sw-version-id'],
      ['sw-language-id', 'sw-language-id'],
      ['sw-context-token', 'sw-context-token'],
    ],
    async (shop, name) => {
      const reply = await shop.search('tag', {limit: 1}, {[name]: SENT[name]})
      expect([reply.status, reply.headers[name]]).toEqual([200, SENT[name]])
      expect((await shop.search('tag', {limit: 1})).headers).not.toHaveProperty(name)
    },
  )
  row('all of them', async shop => {
    expect((await shop.search('tag', {limit: 1}, SENT)).headers).toMatchObject(SENT)
  })
  row('on an error too', async shop => {
    expect((await shop.search('tag', {limit: 0}, SENT)).headers).toMatchObject(SENT)
  })
})

/** The lines of an answer, as it spells their names. */
const linesOf = ({rawHeaders}: Reply) =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))

/** Over HTTP/2, and behind some proxies, all names are lower case; only the bundled shop is asked for capitals. */
describe('§1.3, §1.5 names are spelled', () => {
  row.bundledOnly.each<[Ask, name: string]>(
    [
      ['Content-type by OAuth errors', ask('401 for a secret'), 'Content-type'],
      ['Content-type by a bearer that fails (§2.6)', ask('401'), 'Content-type'],
      ['Content-Type by 404', ask('404'), 'Content-Type'],
      ['Content-Type by errors of criteria', ask('400'), 'Content-Type'],
      ['Content-Type by a search', ask('a search'), 'Content-Type'],
    ],
    async (shop, ask, name) => expect(linesOf(await ask(shop))).toContain(`${name}: application/json`),
  )

  row.bundledOnly('§2.2 in the answer to a grant', async shop => {
    const lines = linesOf(await ask('a token')(shop))
    expect(lines).toEqual(
      expect.arrayContaining([
        'content-type: application/json; charset=UTF-8',
        'pragma: no-cache',
        'Cache-Control: no-store, private',
      ]),
    )
  })

  row.bundledOnly('§1.5 in a search', async shop => {
    const {'x-frame-options': frame, ...success} = OF_SUCCESS
    const capital = (name: string) => name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase())
    const lines = Object.entries({...CROSS_ORIGIN, ...success, 'cache-control': 'no-cache, private'})
    expect(linesOf(await ask('a search')(shop))).toEqual(
      expect.arrayContaining([
        `x-frame-options: ${frame}`,
        ...lines.map(([name, value]) => `${capital(name)}: ${value}`),
      ]),
    )
  })
})

function ask(title: string): Ask {
  return ([...SUCCESSES, ...FAILURES].find(([name]) => name === title) as Kind)[1]
}

describe('§1.3 WWW-Authenticate, for code 4 alone', () => {
  row('none for another code', async shop => {
    const reply = await shop.askForToken({grant_type: 'foo'}, {Authorization: 'Basic eDp5'})
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([400, undefined])
  })
})
