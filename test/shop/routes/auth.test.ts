import {decodeJwt, decodeProtectedHeader} from 'jose'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {runShop, type TestShop} from '../running-shop.js'

describe('auth', () => {
  let shop: TestShop
  let client: {grant_type: string; client_id: string; client_secret: string}
  let person: {grant_type: string; client_id: string; username: string; password: string}

  beforeAll(async () => {
    shop = await runShop()
    const {clientId, clientSecret, username, password} = shop.credentials
    client = {grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret}
    person = {grant_type: 'password', client_id: 'administration', username, password}
  })
  afterAll(() => shop.stop())
  /** So that refused attempts of one test do not slow down the next. */
  beforeEach(() => shop.clock.pass(25 * 3600))

  const ask = async (body: object, headers = {}) => {
    const answer = await shop.askForToken(body, headers)
    return (await answer.json()) as {access_token: string; refresh_token: string}
  }

  describe('a grant', () => {
    test('by client credentials has the members of the shop in its order, and no refresh token', async () => {
      const answer = await shop.askForToken(client)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8')
      expect(answer.headers.get('pragma')).toBe('no-cache')
      expect(answer.headers.get('cache-control')).toBe('no-store, private')
      expect(await answer.text()).toMatch(
        /^\{"token_type":"Bearer","expires_in":600,"access_token":"[\w-]+\.[\w-]+\.[\w-]+"\}$/,
      )
    })

    test('by password has a refresh token that looks like the shop’s', async () => {
      const answer = await shop.askForToken(person)
      const text = await answer.text()
      expect(Object.keys(JSON.parse(text))).toEqual([
        'token_type',
        'expires_in',
        'access_token',
        'refresh_token',
      ])
      expect(JSON.parse(text).refresh_token).toMatch(/^def50200[0-9a-f]{804,852}$/)
    })

    test('is a JWT with the claims of the shop, times with fractions and no issuer', async () => {
      const {access_token} = await ask(client)
      expect(decodeProtectedHeader(access_token)).toEqual({typ: 'JWT', alg: 'RS256'})
      const claims = decodeJwt(access_token)
      expect(Object.keys(claims)).toEqual(['aud', 'jti', 'iat', 'nbf', 'exp', 'sub', 'scopes'])
      expect(claims).toMatchObject({aud: client.client_id, sub: '', scopes: ['write']})
      expect(claims.jti).toMatch(/^[0-9a-f]{80}$/)
      expect(claims.iat).not.toBe(Math.trunc(claims.iat as number))
      expect((claims.exp as number) - (claims.iat as number)).toBeCloseTo(600, 5)
    })

    test('is given for a form as for JSON', async () => {
      const answer = await shop.post('/api/oauth/token', new URLSearchParams(client).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect(answer.status).toBe(200)
    })

    test('takes id and secret from HTTP Basic where the body has none', async () => {
      const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
      const answer = await shop.askForToken(
        {grant_type: 'client_credentials'},
        {authorization: `Basic ${basic}`},
      )
      expect(answer.status).toBe(200)
    })

    test('knows the user name in any case', async () => {
      expect((await shop.askForToken({...person, username: person.username.toUpperCase()})).status).toBe(200)
    })

    test.each([
      ['nothing', {}, ['write', 'admin']],
      ['write', {scope: 'write'}, ['write', 'admin']],
      ['the key that is ignored', {scopes: 'user-verified'}, ['write', 'admin']],
      ['a list', {scope: ['admin', 'write']}, ['admin', 'write']],
      ['user-verified', {scope: 'user-verified'}, ['user-verified', 'write', 'admin']],
    ])('of an administrator who asks for %s has its scopes', async (_, asked, scopes) => {
      expect(decodeJwt((await ask({...person, ...asked})).access_token).scopes).toEqual(scopes)
    })

    test.each([
      ['nothing', {}, ['write']],
      ['admin', {scope: 'admin'}, ['admin', 'write']],
      ['user-verified', {scope: 'user-verified'}, ['write']],
    ])('of a program that asks for %s has its scopes', async (_, asked, scopes) => {
      expect(decodeJwt((await ask({...client, ...asked})).access_token).scopes).toEqual(scopes)
    })
  })

  describe('a refresh token', () => {
    const renew = (refresh_token: string, more = {}) =>
      shop.askForToken({grant_type: 'refresh_token', client_id: 'administration', refresh_token, ...more})
    const detail = async (answer: Response) =>
      ((await answer.json()) as {errors: {detail: string; code: string}[]}).errors[0]?.detail

    test('gives a new pair with the same scopes, once', async () => {
      const first = await ask({...person, scope: 'user-verified'})
      const second = (await (await renew(first.refresh_token)).json()) as typeof first
      expect(decodeJwt(second.access_token).scopes).toEqual(['user-verified', 'write', 'admin'])
      expect(second.refresh_token).not.toBe(first.refresh_token)
      const again = await renew(first.refresh_token)
      expect([again.status, await detail(again)]).toEqual([401, 'Token has been revoked'])
    })

    test('used twice at once works once', async () => {
      const {refresh_token} = await ask(person)
      const answers = await Promise.all([renew(refresh_token), renew(refresh_token)])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 401])
    })

    test('may be renewed with fewer scopes, and those are not completed', async () => {
      const {refresh_token} = await ask(person)
      const renewed = (await (await renew(refresh_token, {scope: 'write'})).json()) as {access_token: string}
      expect(decodeJwt(renewed.access_token).scopes).toEqual(['write'])
    })

    test('may not be renewed with more, and is then not used up', async () => {
      const {refresh_token} = await ask(person)
      const answer = await renew(refresh_token, {scope: 'user-verified'})
      expect([answer.status, await detail(answer)]).toEqual([400, 'Check the `user-verified` scope'])
      expect((await renew(refresh_token)).status).toBe(200)
    })

    test('ends after a week', async () => {
      const {refresh_token} = await ask(person)
      shop.clock.pass(604_801)
      const answer = await renew(refresh_token)
      expect([answer.status, await detail(answer)]).toEqual([401, 'Token has expired'])
    })

    test('that was never given is garbage', async () => {
      const answer = await renew('def50200aa')
      expect([answer.status, await detail(answer)]).toEqual([401, 'Cannot decrypt the refresh token'])
    })
  })

  describe('errors', () => {
    const T2 = 'The authorization grant type is not supported by the authorization server.'
    const T3 =
      'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.'
    const T4 = 'Client authentication failed'
    const T5 = 'The requested scope is invalid, unknown, or malformed'
    const T6 = 'The user credentials were incorrect.'
    const T8 = 'The refresh token is invalid.'
    const unsupported = [400, '2', T2, 'Check that all required parameters have been provided'] as const
    const missing = (name: string) => [400, '3', T3, `Check the \`${name}\` parameter`] as const
    const refused = [401, '4', T4, null] as const
    const wrong = [400, '6', T6, null] as const

    test.each<[string, () => object, readonly [number, string, string, string | null]]>([
      ['an empty body', () => ({}), unsupported],
      ['an unknown grant', () => ({grant_type: 'magic'}), unsupported],
      ['a list as grant', () => ({grant_type: ['password']}), unsupported],
      ['a password with another client', () => ({...person, client_id: client.client_id}), unsupported],
      ['a refresh with another client', () => ({grant_type: 'refresh_token', client_id: 'x'}), unsupported],
      ['a known client without secret', () => ({...client, client_secret: undefined}), unsupported],
      ['no client', () => ({grant_type: 'client_credentials'}), missing('client_id')],
      ['no user name', () => ({...person, username: undefined}), missing('username')],
      ['no password', () => ({...person, password: undefined}), missing('password')],
      [
        'no refresh token',
        () => ({grant_type: 'refresh_token', client_id: 'administration'}),
        missing('refresh_token'),
      ],
      ['a secret that is no text', () => ({...client, client_secret: ['x']}), missing('client_secret')],
      ['a wrong secret', () => ({...client, client_secret: 'x'}), refused],
      ['an empty secret', () => ({...client, client_secret: ''}), refused],
      ['an unknown integration', () => ({...client, client_id: `SWIA${'A'.repeat(22)}`}), refused],
      ['a user key that nobody has', () => ({...client, client_id: `SWUA${'A'.repeat(22)}`}), refused],
      ['a sales channel', () => ({...client, client_id: `SWSC${'A'.repeat(22)}`}), refused],
      ['a number as client', () => ({...client, client_id: 5}), refused],
      ['an unknown scope', () => ({...client, scope: 'foo'}), [400, '5', T5, 'Check the `foo` scope']],
      ['a wrong password', () => ({...person, password: 'x'}), wrong],
      ['a wrong user name', () => ({...person, username: 'nobody'}), wrong],
      [
        'a refresh token that is garbage',
        () => ({grant_type: 'refresh_token', client_id: 'administration', refresh_token: 'x'}),
        [401, '8', T8, 'Cannot decrypt the refresh token'],
      ],
    ])('%s', async (_, body, [status, code, title, detail]) => {
      const answer = await shop.askForToken(body())
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(await answer.json()).toEqual({errors: [{code, status: String(status), title, detail}]})
    })

    test.each([
      ['foo', {client_secret: 'x'}],
      ['administration', {client_secret: 'x'}],
    ])('a client id of no known kind, %s, is a 500 of the shop', async (client_id, more) => {
      const answer = await shop.askForToken({grant_type: 'client_credentials', client_id, ...more})
      expect(answer.status).toBe(500)
      expect(await answer.text()).toBe(
        '{"errors":[{"status":"500","code":"FRAMEWORK__API_INVALID_ACCESS_KEY","title":"Internal Server Error","detail":"Access key is invalid and could not be identified.","meta":{"parameters":[]}}]}',
      )
    })

    test.each([
      ['Basic eDp5', 'Basic realm="OAuth"'],
      ['Bearer abc', 'Bearer realm="OAuth"'],
    ])('a refused client that sent %s is challenged in kind', async (authorization, challenge) => {
      const answer = await shop.askForToken({...client, client_secret: 'x'}, {authorization})
      expect(answer.headers.get('www-authenticate')).toBe(challenge)
    })

    test('parameters of the query string count for nothing', async () => {
      const answer = await shop.post(`/api/oauth/token?${new URLSearchParams(client)}`, {})
      expect(answer.status).toBe(400)
    })
  })

  describe('the throttle', () => {
    /** Without a password, so that none has to be hashed. */
    const fail = (username = 'x') => shop.askForToken({...person, username, password: undefined})
    const failTimes = async (times: number) => {
      for (let count = 0; count < times; count++) expect((await fail()).status).toBe(400)
    }

    test('refuses the eleventh attempt for ten seconds, right or wrong, without Retry-After', async () => {
      await failTimes(10)
      const refused = await fail()
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBeNull()
      expect(await refused.text()).toBe(
        '{"errors":[{"status":"429","code":"FRAMEWORK__AUTH_THROTTLED","title":"Too Many Requests","detail":"Auth throttled for 10 seconds.","meta":{"parameters":{"seconds":10}}}]}',
      )
      shop.clock.pass(9)
      expect((await fail()).status).toBe(429)
      shop.clock.pass(1)
      expect((await fail()).status).toBe(400)
    })

    test('waits longer after 15 and 20 attempts, and forgets after a day', async () => {
      await failTimes(10)
      for (const [attempts, seconds] of [
        [5, 10],
        [5, 30],
        [3, 60],
      ] as const) {
        for (let count = 0; count < attempts; count++) {
          shop.clock.pass(seconds - 1)
          expect((await fail()).status).toBe(429)
          shop.clock.pass(1)
          expect((await fail()).status).toBe(400)
        }
      }
      shop.clock.pass(24 * 3600)
      await failTimes(10)
    })

    test('is one bucket a user name, and a success empties it', async () => {
      const right = {...person, password: undefined}
      for (let count = 0; count < 10; count++) await shop.askForToken(right)
      expect((await shop.askForToken(person)).status).toBe(429)
      expect((await fail('another')).status).toBe(400)
      shop.clock.pass(10)
      expect((await shop.askForToken(person)).status).toBe(200)
      expect((await shop.askForToken(right)).status).toBe(400)
    })

    test('takes the user name of the query string first', async () => {
      for (let count = 0; count < 10; count++) await shop.post('/api/oauth/token?username=q', {})
      expect((await shop.post('/api/oauth/token?username=q', person)).status).toBe(429)
      expect((await shop.askForToken(person)).status).toBe(200)
    })
  })
})
