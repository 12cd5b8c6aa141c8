import {describe, expect} from 'vitest'
import type {Reply} from './call.js'
import {expectErrors, oauthEntry, shopEntry} from './envelopes.js'
import {byClient, byPassword, byRefresh, granted, TITLES, unusedKey} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const UNSUPPORTED = oauthEntry(400, '2', TITLES.T2, 'Check that all required parameters have been provided')
const missing = (name: string) => oauthEntry(400, '3', TITLES.T3, `Check the \`${name}\` parameter`)
const REFUSED = oauthEntry(401, '4', TITLES.T4, null)
const scope = (name: string) => oauthEntry(400, '5', TITLES.T5, `Check the \`${name}\` scope`)
const WRONG = oauthEntry(400, '6', TITLES.T6, null)
const token = (detail: string) => oauthEntry(byVersion(401, {'6.7': 400}), '8', TITLES.T8, detail)
const expectToken = (reply: Reply, detail: string) =>
  expectErrors(reply, Number(token(detail).status), token(detail))
const UNKNOWN_KEY = shopEntry(
  byVersion(500, {'6.7': 403}),
  'FRAMEWORK__API_INVALID_ACCESS_KEY',
  'Access key is invalid and could not be identified.',
)
const someone = {username: 'ada', password: 'x'}

type Entry = {status: string}
type Refused = [body: (shop: Target) => object, entry: Entry]
const refuses = async (shop: Target, body: (shop: Target) => object, entry: Entry) => {
  const reply = await shop.askForToken(body(shop))
  expectErrors(reply, Number(entry.status), entry)
  expect(reply.headers).not.toHaveProperty('www-authenticate')
}

describe('§2.5 code 2', () => {
  row('no body', async shop =>
    expectErrors(await shop.call({path: '/api/oauth/token', method: 'POST'}), 400, UNSUPPORTED),
  )
  row('an empty body, as JSON', async shop => expectErrors(await shop.askForToken(''), 400, UNSUPPORTED))
  row.each<Refused>(
    [
      ['no grant', () => ({}), UNSUPPORTED],
      ['no grant, but a client', shop => byClient(shop, {grant_type: undefined}), UNSUPPORTED],
      ['an unknown grant', shop => byClient(shop, {grant_type: 'magic'}), UNSUPPORTED],
      ['a grant that others have', shop => byClient(shop, {grant_type: 'authorization_code'}), UNSUPPORTED],
      ['a list as grant', shop => byClient(shop, {grant_type: ['client_credentials']}), UNSUPPORTED],
      ['password, another client', shop => byPassword(someone, {client_id: shop.clientId}), UNSUPPORTED],
      [
        'password, an unknown client',
        () => byPassword(someone, {client_id: 'foo'}),
        byVersion<Entry>(UNSUPPORTED, {'6.7': UNKNOWN_KEY}),
      ],
      ['refresh, another client', shop => byRefresh('x', {client_id: shop.clientId}), UNSUPPORTED],
      [
        'client_credentials, no secret',
        shop => byClient(shop, {client_secret: undefined}),
        byVersion(UNSUPPORTED, {'6.7': missing('client_secret')}),
      ],
    ],
    refuses,
  )
})

describe('§2.5 code 3', () => {
  row.each<Refused>(
    [
      ['client_credentials, no client', shop => byClient(shop, {client_id: undefined}), missing('client_id')],
      ['password, no client', () => byPassword(someone, {client_id: undefined}), missing('client_id')],
      ['refresh, no client', () => byRefresh('x', {client_id: undefined}), missing('client_id')],
      ['no username', () => byPassword({password: 'x'}), missing('username')],
      ['no password', () => byPassword({username: 'x'}), missing('password')],
      ['no username and no password', () => byPassword({}), missing('username')],
      ['no refresh token', () => byRefresh(undefined), missing('refresh_token')],
      ['a secret that is a list', shop => byClient(shop, {client_secret: ['x']}), missing('client_secret')],
      [
        'a secret that is a number',
        shop => byClient(shop, {client_secret: 5}),
        byVersion(missing('client_secret'), {'6.7': REFUSED}),
      ],
    ],
    refuses,
  )
})

describe('§2.5 code 4', () => {
  row.each<Refused>(
    [
      ['a wrong secret', shop => byClient(shop, {client_secret: 'x'}), REFUSED],
      [
        'an empty secret',
        shop => byClient(shop, {client_secret: ''}),
        byVersion(REFUSED, {'6.7': missing('client_secret')}),
      ],
      ['an unknown SWIA', shop => byClient(shop, {client_id: unusedKey('SWIA')}), REFUSED],
      ['an unknown SWUA', shop => byClient(shop, {client_id: unusedKey('SWUA')}), REFUSED],
      ['SWSC', shop => byClient(shop, {client_id: unusedKey('SWSC')}), REFUSED],
      ['SWPE', shop => byClient(shop, {client_id: unusedKey('SWPE')}), REFUSED],
      [
        'a number as client',
        shop => byClient(shop, {client_id: 5}),
        byVersion<Entry>(REFUSED, {'6.7': UNKNOWN_KEY}),
      ],
    ],
    refuses,
  )
  row('SWSC, of a sales channel that there is', async shop => {
    const {salesChannelId} = await shop.make.ids()
    const channel = (await shop.search('sales-channel', {ids: [salesChannelId]})).json().data[0]
    expect(channel.accessKey).toMatch(/^SWSC/)
    expectErrors(await shop.askForToken(byClient(shop, {client_id: channel.accessKey})), 401, REFUSED)
  })
  // An inactive app would be refused too; apps are no part of the four operations.

  row.each<[authorization: string, challenge: string]>(
    [
      ['challenged in kind: Basic', 'Basic eDp5', 'Basic realm="OAuth"'],
      ['challenged in kind: Bearer', 'Bearer a.b.c', 'Bearer realm="OAuth"'],
    ],
    async (shop, Authorization, challenge) => {
      const reply = await shop.askForToken(byClient(shop, {client_secret: 'x'}), {Authorization})
      expectErrors(reply, 401, REFUSED)
      expect(reply.headers['www-authenticate']).toBe(challenge)
    },
  )
})

describe('§2.5 500, and trap 3', () => {
  row.each<Refused>(
    [
      ['foo', shop => byClient(shop, {client_id: 'foo'}), UNKNOWN_KEY],
      [
        'administration',
        shop => byClient(shop, {client_id: 'administration'}),
        byVersion<Entry>(UNKNOWN_KEY, {'6.7': REFUSED}),
      ],
      ['a prefix in lower case', shop => byClient(shop, {client_id: unusedKey('swia')}), UNKNOWN_KEY],
    ],
    refuses,
  )
})

describe('§2.5 code 5', () => {
  row.each<Refused>(
    [
      ['client_credentials', shop => byClient(shop, {scope: 'foo'}), scope('foo')],
      ['one of several', shop => byClient(shop, {scope: 'write foo'}), scope('foo')],
      [
        'one of a list',
        shop => byClient(shop, {scope: ['write', 'foo']}),
        byVersion(scope('foo'), {'6.7': missing('scope')}),
      ],
      ['password', () => byPassword(someone, {scope: 'foo'}), byVersion(scope('foo'), {'6.7': WRONG})],
    ],
    refuses,
  )
  row('refresh, asking for more', async shop => {
    const person = await shop.make.person([])
    const {refresh_token} = granted(await shop.askForToken(byPassword(person)))
    const reply = await shop.askForToken(byRefresh(refresh_token, {scope: 'admin'}))
    expectErrors(reply, 400, scope('admin'))
  })
})

describe('§2.5 code 6, and trap 2', () => {
  row('a wrong username', async shop =>
    refuses(shop, () => byPassword({username: `nobody-${shop.run}`, password: 'x'}), WRONG),
  )
  row('a wrong password', async shop => {
    const {username} = await shop.make.person([])
    await refuses(shop, () => byPassword({username, password: 'x'}), WRONG)
  })
})

describe('§2.5 code 8', () => {
  row.each<Refused>(
    [
      ['garbage', () => byRefresh('x'), token('Cannot decrypt the refresh token')],
      [
        'garbage of the right form',
        () => byRefresh(`def50200${'ab'.repeat(410)}`),
        token('Cannot decrypt the refresh token'),
      ],
    ],
    refuses,
  )
  // Only `administration` is given refresh tokens, so that one of another client has to be planted.
  row.bundledOnly('of another client', async shop => {
    const person = await shop.make.person([])
    const {refresh_token} = granted(await shop.askForToken(byPassword(person)))
    const {db} = shop.bundled
    await db.writes.run(write => write.updateTable('refresh_token').set({client_id: 'other'}).execute())
    const reply = await shop.askForToken(byRefresh(refresh_token))
    expectToken(reply, 'Token is not linked to client')
  })
})

describe('§2.5 the same for a form', () => {
  row.each<Refused>(
    [
      ['code 2', () => ({grant_type: 'magic'}), UNSUPPORTED],
      ['code 3', () => ({grant_type: 'client_credentials'}), missing('client_id')],
      ['code 4', shop => byClient(shop, {client_secret: 'x'}), REFUSED],
      ['code 6', () => byPassword({username: 'nobody at all', password: 'x'}), WRONG],
    ],
    async (shop, body, entry) => {
      const reply = await shop.call({
        path: `/api/oauth/token?username=${shop.newId()}`,
        headers: {'Content-Type': 'application/x-www-form-urlencoded'},
        body: new URLSearchParams(body(shop) as Record<string, string>).toString(),
      })
      expectErrors(reply, Number(entry.status), entry)
    },
  )
})
