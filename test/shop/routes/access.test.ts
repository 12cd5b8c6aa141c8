import {expect, onTestFinished, test} from 'vitest'
import {resetCredentials} from '../../../src/shop/open-shop.js'
import {deriveFixedId} from '../../../src/shopware/ids.js'
import {runShop, serverWorld} from '../running-shop.js'

test('the administrator of the first start is found, and can be given a key, also after a reset', async () => {
  const shop = await runShop()
  onTestFinished(() => shop.stop())
  const send = (path: string, body: object, token: string) =>
    shop.post(path, body, {accept: 'application/json', authorization: `Bearer ${token}`})
  const signIn = async (grant: object) => {
    const answer = await shop.askForToken(grant)
    return ((await answer.json()) as {access_token: string}).access_token
  }
  const filter = [{type: 'equals', field: 'username', value: 'admin'}]
  const found = await send('/api/search/user', {filter}, await shop.signIn())
  const [administrator] = ((await found.json()) as {data: Record<string, unknown>[]}).data
  expect(administrator).toMatchObject({admin: true, active: true})
  const key = {accessKey: `SWUA${'Q'.repeat(22)}`, secretAccessKey: 'secret of Q'}
  const owned = {userId: administrator?.id, ...key}
  expect((await send('/api/user-access-key', owned, await shop.signInVerified())).status).toBe(204)
  const byKey = {
    grant_type: 'client_credentials',
    client_id: key.accessKey,
    client_secret: key.secretAccessKey,
  }
  const mayRead = async () => (await send('/api/search/customer', {}, await signIn(byKey))).status
  expect(await mayRead()).toBe(200)

  shop.clock.pass(5)
  const {username, password} = await resetCredentials(shop.db, shop.dataFolder, serverWorld(shop.clock))
  const verified = {grant_type: 'password', client_id: 'administration', scope: 'user-verified'}
  const inPerson = await signIn({...verified, username, password})
  expect(await mayRead()).toBe(200)
  const another = {
    ...{username: 'eve', password: 'correct horse', firstName: 'Eve', lastName: 'Hopper'},
    ...{email: 'eve@example.test', localeId: deriveFixedId('locale', 'en-GB')},
  }
  expect((await send('/api/user', another, await signIn(byKey))).status).toBe(403)
  expect((await send('/api/user', another, inPerson)).status).toBe(204)
})
