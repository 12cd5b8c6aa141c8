import {expect, onTestFinished, test} from 'vitest'
import {resetCredentials} from '../../src/shop/open-shop.js'
import {runShop, serverWorld} from './running-shop.js'

async function startShop() {
  const shop = await runShop()
  onTestFinished(() => shop.stop())
  const refusalOf = async (token: string | undefined) => {
    const headers = {authorization: `Bearer ${token}`}
    const answer = await fetch(`${shop.url}/api/_info/version`, {headers})
    const {errors} = (await answer.json()) as {errors?: {detail: string}[]}
    return [answer.status, errors?.[0]?.detail]
  }
  return {shop, refusalOf}
}

test('a bearer token has one spelling of its bytes alone', async () => {
  const {shop, refusalOf} = await startShop()
  const refused = [401, 'Error while decoding from Base64Url, invalid base64 characters detected']
  expect(await refusalOf('a.b.c')).toEqual(refused)
  const [header, claims, signature = ''] = (await shop.signIn()).split('.')
  const last = signature.slice(-1) === 'B' ? 'C' : 'B'
  expect(await refusalOf(`${header}.${claims}.${signature.slice(0, -1)}${last}`)).toEqual(refused)
  expect(await refusalOf(`${header}.${claims}.${signature}==`)).toEqual(refused)
})

test('tokens end with the credentials that they were given for', async () => {
  const {shop, refusalOf} = await startShop()
  const {username, password} = shop.credentials
  const person = {grant_type: 'password', client_id: 'administration', username, password}
  const answer = await shop.askForToken(person)
  const {access_token, refresh_token} = (await answer.json()) as Record<string, string>
  const ofProgram = await shop.signIn()
  shop.clock.pass(1)
  await resetCredentials(shop.db, shop.dataFolder, serverWorld(shop.clock))
  expect(await refusalOf(access_token)).toEqual([401, 'Access token is expired'])
  expect((await refusalOf(ofProgram))[0]).toBe(500)
  const renewal = {grant_type: 'refresh_token', client_id: 'administration', refresh_token}
  expect((await shop.askForToken(renewal)).status).toBe(401)
})
