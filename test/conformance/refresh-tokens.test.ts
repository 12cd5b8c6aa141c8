import {describe, expect} from 'vitest'
import type {Person} from './arrange.js'
import {expectErrors, oauthEntry} from './envelopes.js'
import {bearer, byPassword, byRefresh, granted, TITLES} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const REFUSED = byVersion(401, {'6.7': 400})
const WEEK_SECONDS = 604_800
const refused = (detail: string) => oauthEntry(REFUSED, '8', TITLES.T8, detail)
const signIn = async (shop: Target, person: Person) => granted(await shop.askForToken(byPassword(person)))
const renew = (shop: Target, token: unknown, more = {}) => shop.askForToken(byRefresh(token, more))
const change = async (shop: Target, {id}: Person, values: object) => {
  const headers = {Authorization: `Bearer ${await shop.verifiedToken()}`}
  const reply = await shop.send('PATCH', `/api/user/${id}`, values, headers)
  expect([reply.status, reply.text]).toEqual([204, ''])
}

describe('§2.4 refresh tokens', () => {
  row('form', async shop => {
    const {refresh_token} = await signIn(shop, await shop.make.person([]))
    expect(refresh_token).toMatch(/^def50200[0-9a-f]+$/)
    expect(refresh_token.length).toBeGreaterThanOrEqual(812)
    expect(refresh_token.length).toBeLessThanOrEqual(860)
  })

  row('rotation: a second use is refused (trap 5)', async shop => {
    const first = await signIn(shop, await shop.make.person([]))
    const second = granted(await renew(shop, first.refresh_token))
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expectErrors(await renew(shop, first.refresh_token), REFUSED, refused('Token has been revoked'))
    expect((await renew(shop, second.refresh_token)).status).toBe(200)
  })

  row('one that is used in vain, for more than it had, is not used up', async shop => {
    const {refresh_token} = await signIn(shop, await shop.make.person([]))
    expect((await renew(shop, refresh_token, {scope: 'admin'})).status).toBe(400)
    expect((await renew(shop, refresh_token)).status).toBe(200)
  })

  row.bundledOnly('used twice at once works once', async shop => {
    const {refresh_token} = await signIn(shop, await shop.make.person([]))
    const replies = await Promise.all([renew(shop, refresh_token), renew(shop, refresh_token)])
    expect(replies.map(({status}) => status).toSorted()).toEqual([200, REFUSED])
  })

  row('a change of the password revokes all of the user', async shop => {
    const person = await shop.make.person([])
    const one = await signIn(shop, person)
    const other = await signIn(shop, person)
    await change(shop, person, {password: 'another correct horse'})
    for (const {refresh_token} of [one, other])
      expectErrors(await renew(shop, refresh_token), REFUSED, refused('Token has been revoked'))
  })
})

describe('§2.4 with a clock that can be moved', () => {
  row.bundledOnly('a week, less a second', async shop => {
    const {refresh_token} = await signIn(shop, await shop.make.person([]))
    shop.bundled.clock.pass(WEEK_SECONDS - 1)
    expect((await renew(shop, refresh_token)).status).toBe(200)
  })

  row.bundledOnly('a week and a second', async shop => {
    const {refresh_token} = await signIn(shop, await shop.make.person([]))
    shop.bundled.clock.pass(WEEK_SECONDS + 1)
    expectErrors(await renew(shop, refresh_token), REFUSED, refused('Token has expired'))
  })
})

describe('§2.4 access tokens', () => {
  const version = (shop: Target, token: string) =>
    shop.call({path: '/api/_info/version', headers: bearer(token)})

  row('are not revoked by a refresh', async shop => {
    const first = await signIn(shop, await shop.make.person([]))
    granted(await renew(shop, first.refresh_token))
    expect((await version(shop, first.access_token)).status).toBe(200)
  })

  row.bundledOnly('end with the password that they were given for', async shop => {
    const person = await shop.make.person([])
    const {access_token} = await signIn(shop, person)
    shop.bundled.clock.pass(2)
    await change(shop, person, {password: 'another correct horse'})
    const reply = await version(shop, access_token)
    expect([reply.status, reply.json().errors[0].detail]).toEqual([401, 'Access token is expired'])
    shop.bundled.clock.pass(2)
    const again = await signIn(shop, {...person, password: 'another correct horse'})
    expect((await version(shop, again.access_token)).status).toBe(200)
  })

  row('and signing in do not ask whether the user is active', async shop => {
    const person = await shop.make.person([], {active: false})
    const {access_token} = await signIn(shop, person)
    expect((await version(shop, access_token)).status).toBe(200)
  })
})
