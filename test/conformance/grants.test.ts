import {randomBytes} from 'node:crypto'
import {describe, expect} from 'vitest'
import type {Person} from './arrange.js'
import {expectErrors, oauthEntry} from './envelopes.js'
import {
  bearer,
  byClient,
  byPassword,
  byRefresh,
  granted,
  jwtPart,
  scopesOf,
  TITLES,
  unusedKey,
} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()
const withUser = row.needs('user')

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const REFUSED = oauthEntry(401, '4', TITLES.T4, null)

/** A user's own access key, as programs sign in with it. */
async function userKey(shop: Target, privileges: string[]) {
  const {id} = await shop.make.person(privileges)
  const accessKey = unusedKey('SWUA')
  const secretAccessKey = randomBytes(20).toString('hex')
  await shop.make.rows('user_access_key', [{userId: id, accessKey, secretAccessKey}])
  return {grant_type: 'client_credentials', client_id: accessKey, client_secret: secretAccessKey}
}

describe('§2.1 grants', () => {
  withUser('password', async shop => expect((await shop.askForToken(byPassword(shop))).status).toBe(200))
  withUser('password: no secret is checked', async shop =>
    expect((await shop.askForToken(byPassword(shop, {client_secret: 'any'}))).status).toBe(200),
  )
  row('client_credentials: an integration', async shop =>
    expect((await shop.askForToken(byClient(shop))).status).toBe(200),
  )
  row('client_credentials: a user’s access key', async shop => {
    const key = await userKey(shop, [])
    expect((await shop.askForToken(key)).status).toBe(200)
    expectErrors(await shop.askForToken({...key, client_secret: 'x'}), 401, REFUSED)
  })
  withUser('refresh_token', async shop => {
    const {refresh_token} = granted(await shop.askForToken(byPassword(shop)))
    expect((await shop.askForToken(byRefresh(refresh_token))).status).toBe(200)
  })
  row('no bearer is needed, and a bad one does not matter', async shop =>
    expect((await shop.askForToken(byClient(shop), bearer('a.b.c'))).status).toBe(200),
  )
  // "A deprecated no-op" names no status; that it is there is all that can be held against a shop.
  row.on('6.5', '6.6')('authorize is there, without a bearer', async shop => {
    const {status} = await shop.call({path: '/api/oauth/authorize', method: 'POST'})
    expect([401, 404, 405]).not.toContain(status)
  })
})

describe('§2.1 HTTP Basic', () => {
  row('supplies id and secret', async shop => {
    const body = byClient(shop, {client_id: undefined, client_secret: undefined})
    const reply = await shop.askForToken(body, basic(shop.clientId, shop.clientSecret))
    expect(reply.status).toBe(200)
  })
  row('supplies the secret alone', async shop => {
    const reply = await shop.askForToken(
      byClient(shop, {client_secret: undefined}),
      basic('x', shop.clientSecret),
    )
    expect(reply.status).toBe(200)
  })
  row('the body wins, where it is right', async shop => {
    const reply = await shop.askForToken(byClient(shop), basic(unusedKey('SWIA'), 'wrong'))
    expect(reply.status).toBe(200)
  })
  row('the body wins, where it is wrong', async shop => {
    const wrong = byClient(shop, {client_secret: 'wrong'})
    expectErrors(await shop.askForToken(wrong, basic(shop.clientId, shop.clientSecret)), 401, REFUSED)
  })
})

describe('§2.1 access keys', () => {
  row('have 26 characters', shop => expect(shop.clientId).toMatch(/^SWIA[A-Z0-9]{22}$/))
  row.bundledOnly('have a secret of 51', shop => expect(shop.clientSecret).toMatch(/^[A-Za-z0-9]{51}$/))
})

describe('§2.2 success', () => {
  row('client_credentials: keys in order, no refresh token (trap 4)', async shop => {
    const reply = await shop.askForToken(byClient(shop))
    expect([reply.status, reply.text]).toEqual([
      200,
      // Trap 44: 599 by rounding.
      expect.stringMatching(
        /^\{"token_type":"Bearer","expires_in":(600|599),"access_token":"[\w-]+\.[\w-]+\.[\w-]+"\}$/,
      ),
    ])
  })
  const WITH_REFRESH =
    /^\{"token_type":"Bearer","expires_in":(600|599),"access_token":"[\w-]+\.[\w-]+\.[\w-]+","refresh_token":"[0-9a-f]+"\}$/
  withUser('password: keys in order', async shop => {
    const reply = await shop.askForToken(byPassword(shop))
    expect([reply.status, reply.text]).toEqual([200, expect.stringMatching(WITH_REFRESH)])
  })
  withUser('refresh_token: keys in order, a new refresh token', async shop => {
    const first = granted(await shop.askForToken(byPassword(shop)))
    const reply = await shop.askForToken(byRefresh(first.refresh_token))
    expect([reply.status, reply.text]).toEqual([200, expect.stringMatching(WITH_REFRESH)])
    expect(reply.json().refresh_token).not.toBe(first.refresh_token)
  })
  row('headers', async shop => {
    const {headers} = await shop.askForToken(byClient(shop))
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      pragma: 'no-cache',
      'cache-control': 'no-store, private',
    })
  })
})

const NUMBER = String.raw`\d+\.\d{1,6}`

describe('§2.3 the access token, and trap 7', () => {
  const tokenOf = async (shop: Target, body: object) => granted(await shop.askForToken(body)).access_token

  row('header', async shop => {
    const header = jwtPart(await tokenOf(shop, byClient(shop)), 0)
    expect(header).toMatch(/^\{"typ":"JWT","alg":"(RS256|HS256)"\}$/)
  })

  row('claims in order: client_credentials', async shop => {
    const claims = jwtPart(await tokenOf(shop, byClient(shop)), 1)
    const times = `"iat":${NUMBER},"nbf":${NUMBER},"exp":${NUMBER}`
    expect(claims).toMatch(
      new RegExp(
        `^{"aud":"${shop.clientId}","jti":"[0-9a-f]{80}",${times},"sub":"${byVersion('', {'6.7': shop.clientId})}","scopes":\\["write"\\]}$`,
      ),
    )
  })

  row('claims in order: password', async shop => {
    const person = await shop.make.person([])
    const claims = jwtPart(await person.token(), 1)
    const times = `"iat":${NUMBER},"nbf":${NUMBER},"exp":${NUMBER}`
    const who = `"sub":"${person.id}","scopes":\\["write"\\]`
    expect(claims).toMatch(new RegExp(`^{"aud":"administration","jti":"[0-9a-f]{80}",${times},${who}}$`))
  })

  row('lasts ten minutes', async shop => {
    const {iat, exp} = JSON.parse(jwtPart(await tokenOf(shop, byClient(shop)), 1))
    expect(exp - iat).toBeCloseTo(600, 3)
  })

  row.setUp('a clock that is read once')('begins when it is given', async shop => {
    const {iat, nbf} = JSON.parse(jwtPart(await tokenOf(shop, byClient(shop)), 1))
    expect(nbf).toBe(iat)
  })

  row('each has another jti', async shop => {
    const jti = async () => JSON.parse(jwtPart(await tokenOf(shop, byClient(shop)), 1)).jti
    expect(await jti()).not.toBe(await jti())
  })
})

type Asked = [scopes: Record<string, unknown>, given: string[]]

/** Hashing a password takes its time: the rows share one. */
let administrator: Promise<Person> | undefined
function administratorOf(shop: Target): Promise<Person> {
  administrator ??= shop.make.person([], {admin: true})
  return administrator
}

describe('§2.3 scopes: password, an administrator', () => {
  const given = ['write', 'admin']
  row.each<Asked>(
    [
      ['none', {}, given],
      ['write', {scope: 'write'}, given],
      ['the ignored key', {scopes: 'user-verified'}, given],
      ['the ignored key as a list', {scopes: ['user-verified']}, given],
      // 6.7 takes no list.
      ...byVersion<[string, ...Asked][]>(
        [['["admin","write"]', {scope: ['admin', 'write']}, ['admin', 'write']]],
        {
          '6.7': [],
        },
      ),
      ['"admin write"', {scope: 'admin write'}, ['admin', 'write']],
      ['admin, completed', {scope: 'admin'}, ['admin', 'write']],
      ['user-verified', {scope: 'user-verified'}, ['user-verified', 'write', 'admin']],
    ],
    async (shop, scopes, expected) => {
      const person = await administratorOf(shop)
      expect(scopesOf(await shop.askForToken(byPassword(person, scopes)))).toEqual(expected)
    },
  )
})

describe('§2.3 scopes: others', () => {
  row('password, no administrator', async shop => {
    const person = await shop.make.person([])
    expect(scopesOf(await shop.askForToken(byPassword(person)))).toEqual(['write'])
  })

  row.each<Asked>(
    [
      ['client_credentials, none', {}, ['write']],
      ['client_credentials, admin', {scope: 'admin'}, ['admin', 'write']],
      ['client_credentials, user-verified', {scope: 'user-verified'}, ['write']],
    ],
    async (shop, scopes, expected) =>
      expect(scopesOf(await shop.askForToken(byClient(shop, scopes)))).toEqual(expected),
  )

  row('client_credentials, admin, for one who may do nothing: the database decides', async shop => {
    const {clientId, clientSecret} = await shop.make.program([])
    const reply = await shop.askForToken(
      byClient(shop, {client_id: clientId, client_secret: clientSecret, scope: 'admin'}),
    )
    expect(scopesOf(reply)).toEqual(['admin', 'write'])
    const {access_token} = granted(reply)
    expect((await shop.search('customer', {limit: 1}, bearer(access_token))).status).toBe(403)
  })

  withUser.each<Asked>(
    [
      ['refresh, none', {}, byVersion(['user-verified', 'write', 'admin'], {'6.7': ['write', 'admin']})],
      ['refresh, write', {scope: 'write'}, ['write']],
    ],
    async (shop, scopes, expected) => {
      const person = await administratorOf(shop)
      const {refresh_token} = granted(await shop.askForToken(byPassword(person, {scope: 'user-verified'})))
      expect(scopesOf(await shop.askForToken(byRefresh(refresh_token, scopes)))).toEqual(expected)
    },
  )
})

describe('§3.3 who a token stands for', () => {
  row('a user’s access key: the user', async shop => {
    const key = await userKey(shop, ['tag:read'])
    const {access_token} = granted(await shop.askForToken(key))
    expect(JSON.parse(jwtPart(access_token, 1)).sub).toBe(byVersion('', {'6.7': key.client_id}))
    expect((await shop.search('tag', {limit: 1}, bearer(access_token))).status).toBe(200)
    expect((await shop.search('customer', {limit: 1}, bearer(access_token))).status).toBe(403)
  })
})
