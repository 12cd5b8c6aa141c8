import {createHmac, generateKeyPairSync, sign} from 'node:crypto'
import {describe, expect} from 'vitest'
import type {Call} from './call.js'
import {expectErrors, oauthEntry} from './envelopes.js'
import {jwtPart} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'

const row = conformance()

const denied = (detail: string) =>
  oauthEntry(401, '9', 'The resource owner or authorization server denied the request.', detail)
const TWO_DOTS = 'The JWT string must have two dots'
const NOT_BASE64 = 'Error while decoding from Base64Url, invalid base64 characters detected'
const NOT_JSON = 'Error while decoding from JSON'
const UNVERIFIED = 'Access token could not be verified'
const NO_TOKEN = 'Missing token in "Authorization" header'
const encoded = (text: string) => Buffer.from(text).toString('base64url')

/** The same refusal on every route that asks for a bearer. */
async function refuses(shop: Target, headers: Record<string, string>, detail: string): Promise<void> {
  const calls: Call[] = [
    {path: '/api/_info/version'},
    {path: '/api/search/customer', method: 'POST'},
    {path: '/api/_action/sync', method: 'POST'},
  ]
  for (const call of calls) {
    const reply = await shop.call({...call, headers})
    expectErrors(reply, 401, denied(detail))
    expect(reply.headers).not.toHaveProperty('www-authenticate')
  }
}
const version = (shop: Target, Authorization: string) =>
  shop.call({path: '/api/_info/version', headers: {Authorization}})

describe('§2.6 refused', () => {
  row('no header', shop => refuses(shop, {}, 'Missing "Authorization" header'))

  row.each<[authorization: string, detail: string]>(
    [
      ['an empty header', '', NO_TOKEN],
      ['Bearer', 'Bearer', 'The JWT string must have two dots'],
      ['Bearer and a space', 'Bearer ', 'The JWT string must have two dots'],
      ['one part', 'Bearer abc', TWO_DOTS],
      ['two parts', 'Bearer a.b', TWO_DOTS],
      ['four parts', 'Bearer a.b.c.d', TWO_DOTS],
      ['Basic xyz', 'Basic xyz', TWO_DOTS],
    ],
    (shop, Authorization, detail) => refuses(shop, {Authorization}, detail),
  )

  type Forge = (header: string, claims: string, signature: string) => string
  row.each<[forge: Forge, detail: string]>(
    [
      ['no header part', (_, claims, signature) => `.${claims}.${signature}`, missing('Header')],
      ['no claim part', (header, _, signature) => `${header}..${signature}`, missing('Claim')],
      ['no signature part', (header, claims) => `${header}.${claims}.`, missing('Signature')],
      ['a header that is not base64url', (_, claims, signature) => `!.${claims}.${signature}`, NOT_BASE64],
      ['claims that are not base64url', (header, _, signature) => `${header}.!.${signature}`, NOT_BASE64],
      ['a signature that is not base64url', (header, claims) => `${header}.${claims}.!`, NOT_BASE64],
      [
        'a header that is not JSON',
        (_, claims, signature) => `${encoded('{')}.${claims}.${signature}`,
        NOT_JSON,
      ],
      [
        'claims that are not JSON',
        (header, _, signature) => `${header}.${encoded('{')}.${signature}`,
        NOT_JSON,
      ],
      [
        'a wrong signature',
        (header, claims) => `${header}.${claims}.${encoded('x'.repeat(256))}`,
        UNVERIFIED,
      ],
      [
        'other claims under the same signature',
        (header, claims, signature) => `${header}.${withOtherSubject(claims)}.${signature}`,
        UNVERIFIED,
      ],
      ['signed by another', (header, claims) => signedByAnother(`${header}.${claims}`), UNVERIFIED],
      ['alg none', (_, claims, signature) => `${headerOf('none')}.${claims}.${signature}`, UNVERIFIED],
      ['alg HS256', (_, claims) => hashed(`${headerOf('HS256')}.${claims}`), UNVERIFIED],
    ],
    async (shop, forge, detail) => {
      const [header, claims, signature] = (await shop.token()).split('.') as [string, string, string]
      await refuses(shop, {Authorization: `Bearer ${forge(header, claims, signature)}`}, detail)
    },
  )

  row('a prefix in lower case (trap 9)', async shop =>
    refuses(shop, {Authorization: `bearer ${await shop.token()}`}, NOT_BASE64),
  )

  row('the user deleted', async shop => {
    const person = await shop.make.person([], {admin: true})
    const token = await person.token()
    await shop.remove(`/api/user/${person.id}`, {Authorization: `Bearer ${await shop.verifiedToken()}`})
    await refuses(shop, {Authorization: `Bearer ${token}`}, 'Access token is invalid')
  })
})

describe('§2.6 refused, with a clock that can be moved', () => {
  row.bundledOnly('expired (trap 1), and a second before', async shop => {
    const token = await (await shop.make.person([])).token()
    shop.bundled.clock.pass(599)
    expect((await version(shop, `Bearer ${token}`)).status).toBe(200)
    shop.bundled.clock.pass(2)
    await refuses(shop, {Authorization: `Bearer ${token}`}, UNVERIFIED)
  })

  row.bundledOnly('not yet valid', async shop => {
    const person = await shop.make.person([])
    shop.bundled.clock.pass(60)
    const token = await person.token()
    shop.bundled.clock.pass(-60)
    await refuses(shop, {Authorization: `Bearer ${token}`}, UNVERIFIED)
    shop.bundled.clock.pass(60)
  })
})

describe('§2.6 accepted', () => {
  row('with the prefix', async shop =>
    expect((await version(shop, `Bearer ${await shop.token()}`)).status).toBe(200),
  )
  row('bare, without any prefix', async shop =>
    expect((await version(shop, await shop.token())).status).toBe(200),
  )
})

function missing(part: string): string {
  return `The JWT string is missing the ${part} part`
}

function headerOf(alg: string): string {
  return encoded(`{"typ":"JWT","alg":"${alg}"}`)
}

function withOtherSubject(claims: string): string {
  return encoded(
    jwtPart(`.${claims}`, 1).replace(/"sub":"[^"]*"/, '"sub":"0192b7a1c2d37e4f8a9b0c1d2e3f4a5c"'),
  )
}

function signedByAnother(text: string): string {
  const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}

function hashed(text: string): string {
  return `${text}.${createHmac('sha256', 'x').update(text).digest('base64url')}`
}
