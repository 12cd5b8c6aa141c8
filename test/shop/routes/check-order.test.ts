import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {hashOfSecret} from '../../../src/shop/oauth/secrets.js'
import {replaceIntegration} from '../../../src/shop/store/accounts.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
let authorization: string
beforeAll(async () => {
  shop = await runShop()
  const client_id = `SWIA${'Z'.repeat(22)}`
  const account = {id: 'd'.repeat(32), access_key: client_id, label: 'nobody', admin: 0, privileges: '[]'}
  await shop.db.writes.run(db => replaceIntegration(db, {...account, secret_hash: hashOfSecret('s')}))
  const answer = await shop.askForToken({grant_type: 'client_credentials', client_id, client_secret: 's'})
  authorization = `Bearer ${((await answer.json()) as {access_token: string}).access_token}`
})
afterAll(() => shop.stop())

/** Everything about these requests is wrong; each test mends what was complained about before. */
const WRONG = {
  'sw-language-id': 'x',
  'sw-expect-packages': 'foo/bar:*',
  accept: 'text/html',
}

async function status(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${shop.url}${path}`, {method, headers: {authorization, ...headers}})).status
}

describe('checks come in the order of 1.1', () => {
  test.each([
    ['GET', '/api/_action/paypal/webhook/status/null'],
    ['POST', '/api/_action/paypal/webhook/register/null'],
    ['DELETE', '/api/_action/paypal/webhook/deregister/null'],
    ['POST', '/api/fulfillment/order'],
    ['GET', '/api/_action/access-key/intergration'],
  ])('token, language, privilege of the route, packages: %s %s', async (method, path) => {
    const {'sw-language-id': _, ...withLanguage} = WRONG
    expect(await status(method, path, {...WRONG, authorization: 'x'})).toBe(401)
    expect(await status(method, path, WRONG)).toBe(412)
    expect(await status(method, path, withLanguage)).toBe(403)
    const administrator = {authorization: `Bearer ${await shop.signIn()}`}
    expect(await status(method, path, {...withLanguage, ...administrator})).toBe(417)
  })

  test.each([
    ['POST', '/api/search/customer', 403],
    ['POST', '/api/customer', 400],
    ['DELETE', `/api/customer/${'a'.repeat(32)}`, 404],
    ['POST', `/api/_action/state-machine/order/${'a'.repeat(32)}/state/process`, 403],
  ])(
    'packages, media type, and only then what the work itself needs: %s %s',
    async (method, path, refusal) => {
      const {'sw-language-id': _, ...withLanguage} = WRONG
      expect(await status(method, path, withLanguage)).toBe(417)
      expect(await status(method, path, {accept: 'text/html'})).toBe(415)
      expect(await status(method, path, {accept: 'application/json'})).toBe(refusal)
    },
  )
})
