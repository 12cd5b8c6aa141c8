import {describe, expect} from 'vitest'
import {expectErrors, oauthEntry, plainEntry} from './envelopes.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const row = conformance()

const UNSUPPORTED_GRANT = oauthEntry(
  400,
  '2',
  'The authorization grant type is not supported by the authorization server.',
  'Check that all required parameters have been provided',
)

/** Two tags that are there for this run, the second of which is asked for. */
async function twoTags(shop: Target) {
  const [one, other] = await shop.make.rows('tag', [{name: `one ${shop.run}`}, {name: `other ${shop.run}`}])
  return {oneId: one?.id as string, otherId: other?.id as string}
}

async function found(shop: Target, type: string | undefined, body: string): Promise<string[]> {
  const headers = {Accept: 'application/json', Authorization: `Bearer ${await shop.token()}`}
  const typed = type === undefined ? headers : {...headers, 'Content-Type': type}
  const reply = await shop.call({path: '/api/search/tag', headers: typed, body})
  expect(reply.status).toBe(200)
  return reply.json().data.map(({id}: {id: string}) => id)
}

const BOUNDARY = 'x-boundary'
const multipart = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(
      ([name, value]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join('')
    .concat(`--${BOUNDARY}--\r\n`)

describe('§1.2 decoded as JSON', () => {
  row.each<[type: string]>(
    [
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      ...byVersion(['Application/JSON', 'APPLICATION/JSON; charset=utf-8'], {'6.7': []}),
    ].map(type => [type, type]),
    async (shop, type) => {
      const {otherId} = await twoTags(shop)
      expect(await found(shop, type, JSON.stringify({ids: [otherId]}))).toEqual([otherId])
    },
  )

  row.each<[type: string]>(
    ['application/json', ...byVersion(['APPLICATION/json'], {'6.7': []}), 'application/json-patch+json'].map(
      type => [`malformed, as ${type}`, type],
    ),
    async (shop, type) => {
      const reply = await shop.call({
        path: '/api/search/tag',
        headers: {'Content-Type': type},
        body: '{"ids":',
      })
      expectErrors(reply, 400, plainEntry(400, 'The JSON payload is malformed.'))
    },
  )

  row.each<[body: string]>(
    ['5', '"ids"', 'true', 'false', 'null', '1.5', '', '{}', '[]'].map(body => [
      `${body || 'an empty body'} is no parameters`,
      body,
    ]),
    async (shop, body) => {
      const {oneId, otherId} = await twoTags(shop)
      const ids = await found(shop, 'application/json', body)
      expect(ids).toEqual(expect.arrayContaining([oneId, otherId]))
    },
  )
})

describe('§1.2 parsed as a form', () => {
  const nested = (name: string) => ({
    'filter[0][type]': 'equalsAny',
    'filter[0][field]': 'name',
    'filter[0][value][]': name,
  })
  row('application/x-www-form-urlencoded, nested', async shop => {
    const {otherId} = await twoTags(shop)
    const body = new URLSearchParams(nested(`other ${shop.run}`)).toString()
    const ids = await found(shop, 'application/x-www-form-urlencoded', body)
    expect(ids).toContain(otherId)
    expect(new Set(await names(shop, ids))).toEqual(new Set([`other ${shop.run}`]))
  })

  row('multipart/form-data, nested', async shop => {
    const {otherId} = await twoTags(shop)
    const ids = await found(
      shop,
      `multipart/form-data; boundary=${BOUNDARY}`,
      multipart(nested(`other ${shop.run}`)),
    )
    expect(ids).toContain(otherId)
    expect(new Set(await names(shop, ids))).toEqual(new Set([`other ${shop.run}`]))
  })

  async function names(shop: Target, ids: string[]): Promise<string[]> {
    const reply = await shop.search('tag', {ids})
    return reply.json().data.map(({name}: {name: string}) => name)
  }
})

/** Trap 13 */
const IGNORED = ['application/vnd.api+json', 'text/plain', undefined] as const

describe('§1.2 ignored', () => {
  row.each<[type: string | undefined]>(
    IGNORED.map(type => [`by search, as ${type ?? 'no type at all'}`, type]),
    async (shop, type) => {
      const {oneId, otherId} = await twoTags(shop)
      const ids = await found(shop, type, JSON.stringify({ids: [otherId]}))
      expect(ids).toEqual(expect.arrayContaining([oneId, otherId]))
    },
  )

  row.each<[type: string | undefined]>(
    IGNORED.map(type => [`by search though malformed, as ${type ?? 'no type at all'}`, type]),
    async (shop, type) => {
      const {oneId, otherId} = await twoTags(shop)
      expect(await found(shop, type, '{"ids":')).toEqual(expect.arrayContaining([oneId, otherId]))
    },
  )

  row.each<[type: string | undefined]>(
    IGNORED.map(type => [`by the token endpoint, as ${type ?? 'no type at all'}`, type]),
    async (shop, type) => {
      const reply = await shop.call({
        path: `/api/oauth/token?username=${shop.newId()}`,
        headers: type === undefined ? {} : {'Content-Type': type},
        body: grant(shop),
      })
      expectErrors(reply, 400, UNSUPPORTED_GRANT)
    },
  )

  row.needs('webhook token').each<[type: string | undefined]>(
    IGNORED.map(type => [`by the webhook, as ${type ?? 'no type at all'}`, type]),
    async (shop, type) => {
      const reply = await shop.call({
        path: `/api/_action/${shop.provider}/webhook/execute?${shop.tokenPrefix}-token=${shop.webhookToken}`,
        headers: type === undefined ? {} : {'Content-Type': type},
        body: {id: 'WH-1', event_type: 'CHECKOUT.ORDER.APPROVED'},
      })
      expectErrors(reply, 400, plainEntry(400, 'No webhook data sent'))
    },
  )
})

const grant = ({clientId, clientSecret}: Target) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
})

describe('§1.2 the token endpoint takes', () => {
  const path = '/api/oauth/token'
  row('a form as JSON', async shop => {
    const reply = await shop.call({
      path,
      headers: {'Content-Type': 'application/x-www-form-urlencoded'},
      body: new URLSearchParams(grant(shop)).toString(),
    })
    expect([reply.status, reply.json().token_type]).toEqual([200, 'Bearer'])
  })

  row('multipart as JSON', async shop => {
    const headers = {'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`}
    const reply = await shop.call({path, headers, body: multipart(grant(shop))})
    expect([reply.status, reply.json().token_type]).toEqual([200, 'Bearer'])
  })

  row('no grant field from the query string', async shop => {
    const query = new URLSearchParams({...grant(shop), username: shop.newId()})
    const headers = {'Content-Type': 'application/json'}
    expectErrors(await shop.call({path: `${path}?${query}`, headers, body: '{}'}), 400, UNSUPPORTED_GRANT)
  })

  row('no client from the query string', async shop => {
    const query = new URLSearchParams({...grant(shop), username: shop.newId()})
    const headers = {'Content-Type': 'application/json'}
    const body = {grant_type: 'client_credentials'}
    const reply = await shop.call({path: `${path}?${query}`, headers, body})
    expect([reply.status, reply.json().errors[0].detail]).toEqual([400, 'Check the `client_id` parameter'])
  })
})
