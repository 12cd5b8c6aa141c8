import {generateKeyPairSync} from 'node:crypto'
import {CompactSign} from 'jose'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {resetCredentials} from '../../src/shop/open-shop.js'
import {runShop, serverWorld, type TestShop} from './running-shop.js'

let shop: TestShop
beforeAll(async () => {
  shop = await runShop()
})
afterAll(() => shop.stop())

const version = (authorization?: string, {url} = shop) =>
  fetch(`${url}/api/_info/version`, {headers: authorization === undefined ? {} : {authorization}})

async function expectRefusal(answer: Response, detail: string) {
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBeNull()
  expect(await answer.json()).toEqual({
    errors: [
      {
        code: '9',
        status: '401',
        title: 'The resource owner or authorization server denied the request.',
        detail,
      },
    ],
  })
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const NOT_BASE64 = 'Error while decoding from Base64Url, invalid base64 characters detected'
const UNVERIFIED = 'Access token could not be verified'

describe('a bearer token', () => {
  test('has one spelling of its bytes alone', async () => {
    await expectRefusal(await version('Bearer a.b.c'), NOT_BASE64)
    const [header, claims, signature = ''] = (await shop.signIn()).split('.')
    const last = signature.slice(-1) === 'B' ? 'C' : 'B'
    await expectRefusal(
      await version(`Bearer ${header}.${claims}.${signature.slice(0, -1)}${last}`),
      NOT_BASE64,
    )
    await expectRefusal(await version(`Bearer ${header}.${claims}.${signature}==`), NOT_BASE64)
  })

  test('opens the door, with or without its prefix', async () => {
    const token = await shop.signIn()
    const answer = await version(`Bearer ${token}`)
    expect(await answer.json()).toEqual({version: '6.6.7.1'})
    expect((await version(token)).status).toBe(200)
  })

  test.each([
    ['no header', undefined, 'Missing "Authorization" header'],
    ['an empty header', '', 'Missing token in "Authorization" header'],
    ['only the prefix', 'Bearer', 'The JWT string must have two dots'],
    ['only the prefix and a space', 'Bearer ', 'The JWT string must have two dots'],
    ['another scheme', 'Basic xyz', 'The JWT string must have two dots'],
    ['two parts', 'Bearer a.b', 'The JWT string must have two dots'],
    ['no header part', 'Bearer .b.c', 'The JWT string is missing the Header part'],
    ['no claims', 'Bearer a..c', 'The JWT string is missing the Claim part'],
    ['no signature', `Bearer ${part({})}.${part({})}.`, 'The JWT string is missing the Signature part'],
    ['no base64url', 'Bearer a!.b.c', NOT_BASE64],
    ['a prefix in lower case', `bearer ${part({})}.${part({})}.abc`, NOT_BASE64],
    ['no JSON', 'Bearer YWJj.YWJj.YWJj', 'Error while decoding from JSON'],
    ['a made-up signature', `Bearer ${part({alg: 'RS256'})}.${part({sub: ''})}.YWJj`, UNVERIFIED],
    ['no algorithm', `Bearer ${part({alg: 'none'})}.${part({sub: ''})}.YWJj`, UNVERIFIED],
  ])('with %s is refused', async (_, authorization, detail) => {
    await expectRefusal(await version(authorization), detail)
  })

  test('of another key is refused', async () => {
    const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
    const claims = {aud: 'x', iat: 0, nbf: 0, exp: 9e9, sub: ''}
    const token = await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({alg: 'RS256'})
      .sign(privateKey)
    await expectRefusal(await version(`Bearer ${token}`), UNVERIFIED)
  })

  test('ends after ten minutes, even one that was used before', async () => {
    const token = await shop.signIn()
    shop.clock.pass(599)
    expect((await version(token)).status).toBe(200)
    shop.clock.pass(1)
    await expectRefusal(await version(token), UNVERIFIED)
  })

  test('is not good before its time', async () => {
    const token = await shop.signIn()
    shop.clock.pass(-1)
    await expectRefusal(await version(token), UNVERIFIED)
    shop.clock.pass(1)
  })

  test('ends with the password, as does the refresh token', async () => {
    const shop = await runShop()
    onTestFinished(() => shop.stop())
    const {username, password} = shop.credentials
    const person = {grant_type: 'password', client_id: 'administration', username, password}
    const answer = await shop.askForToken(person)
    const {access_token, refresh_token} = (await answer.json()) as Record<string, string>
    const ofProgram = await shop.signIn()
    shop.clock.pass(1)
    await resetCredentials(shop.db, shop.dataFolder, serverWorld(shop.clock))
    await expectRefusal(await version(access_token, shop), 'Access token is expired')
    expect((await version(ofProgram, shop)).status).toBe(500)
    const renewed = await shop.askForToken({
      grant_type: 'refresh_token',
      client_id: 'administration',
      refresh_token,
    })
    expect(renewed.status).toBe(401)
  })
})
