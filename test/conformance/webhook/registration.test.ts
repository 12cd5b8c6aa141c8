import {describe, expect} from 'vitest'
import {createFaultList} from '../../../src/shop/faults/active-faults.js'
import {readConfig, writeConfig} from '../../../src/shop/store/schema/system-config.js'
import type {Reply} from '../call.js'
import {expectErrors, oauthEntry, shopEntry} from '../envelopes.js'
import {deliver, during, expectAccepted, webhookPath} from '../payments.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'

const row = conformance({faults: createFaultList()})

const TOKEN_KEY = 'SwagPayPal.settings.webhookExecuteToken'
const ID_KEY = 'SwagPayPal.settings.webhookId'
const EVENT = {event_type: 'CHECKOUT.ORDER.APPROVED'}

type Verb = 'status' | 'register' | 'deregister'
const METHODS: Record<Verb, string> = {status: 'GET', register: 'POST', deregister: 'DELETE'}
const VERBS = Object.keys(METHODS) as Verb[]

function ask(shop: Target, verb: Verb, channel = 'null', headers = {}): Promise<Reply> {
  const path = `/api/_action/${shop.provider}/webhook/${verb}/${channel}`
  return shop.send(METHODS[verb], path, undefined, headers)
}

/** The answer's one word; `deregister` has none in the protocol. */
async function result(shop: Target, verb: Verb, channel?: string, headers?: object): Promise<string> {
  const reply = await ask(shop, verb, channel, headers)
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json'])
  const word = reply.json().result as string
  if (verb !== 'deregister') expect(reply.text).toBe(`{"result":"${word}"}`)
  return word
}

/** What the shop keeps under a key, for a sales channel or for all; no route shows it. */
async function kept({bundled}: Target, key: string, channel?: string): Promise<string | undefined> {
  const {db} = bundled
  return readConfig(db.reads, key, channel)
}

const accepts = (shop: Target, token: string) =>
  deliver(shop, EVENT, {query: `?${shop.tokenPrefix}-token=${token}`})

describe('§4.1 registration helper routes', () => {
  row.each(
    VERBS.map(verb => [`${verb} needs a bearer`, verb] as const),
    async (shop, verb) => {
      const title = 'The resource owner or authorization server denied the request.'
      const entry = oauthEntry(401, '9', title, 'Missing "Authorization" header')
      const path = `/api/_action/${shop.provider}/webhook/${verb}/null`
      expectErrors(await shop.call({method: METHODS[verb], path}), 401, entry)
    },
  )
  const privileges = {status: 'viewer', register: 'editor', deregister: 'editor'}
  row.each(
    VERBS.map(verb => [`${verb} needs swag_paypal.${privileges[verb]}`, verb] as const),
    async (shop, verb) => {
      const other = privileges[verb] === 'viewer' ? 'editor' : 'viewer'
      const program = await shop.make.program(['order:read', `swag_paypal.${other}`])
      const headers = {Authorization: `Bearer ${await program.token()}`}
      const missing = {message: 'Missing privilege', missingPrivileges: [`swag_paypal.${privileges[verb]}`]}
      const entry = shopEntry(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', JSON.stringify(missing))
      expectErrors(await ask(shop, verb, 'null', headers), 403, entry)
    },
  )
  row.bundledOnly('those who have the privileges may', async shop => {
    const program = await shop.make.program(['swag_paypal.viewer', 'swag_paypal.editor'])
    const headers = {Authorization: `Bearer ${await program.token()}`}
    for (const verb of VERBS) expect((await ask(shop, verb, 'null', headers)).status).toBe(200)
  })
  row.bundledOnly('missing, created, valid, nothing, deregistered, missing', async shop => {
    expect(await result(shop, 'status')).toBe('missing')
    expect(await result(shop, 'register')).toBe('created')
    expect(await result(shop, 'status')).toBe('valid')
    expect(await result(shop, 'register')).toBe('nothing')
    await result(shop, 'deregister')
    expect(await result(shop, 'status')).toBe('missing')
  })
  row.bundledOnly('invalid, updated, valid, where the webhook leads elsewhere', async shop => {
    await result(shop, 'register', 'null', {Host: 'moved.example.test'})
    expect(await result(shop, 'status')).toBe('invalid')
    expect(await result(shop, 'register')).toBe('updated')
    expect(await result(shop, 'status')).toBe('valid')
    await result(shop, 'deregister')
  })
  row.bundledOnly.each(
    VERBS.map(verb => [`${verb} by another method: 405`, verb] as const),
    async (shop, verb) => {
      const reply = await shop.send('PUT', `/api/_action/${shop.provider}/webhook/${verb}/null`, {})
      expect([reply.status, reply.json().errors[0].code]).toEqual([405, '0'])
    },
  )
})

describe('§4.1 of which sales channel', () => {
  row.each(
    VERBS.map(verb => [`${verb} of what is no id: 400`, verb] as const),
    async (shop, verb) => {
      const reply = await ask(shop, verb, 'nobody')
      expect([reply.status, reply.json().errors[0].code]).toEqual([400, 'FRAMEWORK__INVALID_UUID'])
    },
  )
  row('status of one that there is not: 200', async shop => {
    const reply = await ask(shop, 'status', shop.newId())
    expect([reply.status, Object.keys(reply.json())]).toEqual([200, ['result']])
  })
  row.bundledOnly('register of one that there is not: 404', async shop =>
    expect((await ask(shop, 'register', shop.newId())).status).toBe(404),
  )
  row.bundledOnly('one without a webhook of its own has that of all', async shop => {
    const {salesChannelId} = await shop.make.ids()
    for (const channel of [salesChannelId, shop.newId()])
      expect(await result(shop, 'status', channel)).toBe('missing')
    await result(shop, 'register')
    for (const channel of [salesChannelId, shop.newId()])
      expect(await result(shop, 'status', channel)).toBe('valid')
    await result(shop, 'deregister')
  })
})

describe('§4.1 the payment provider', () => {
  row.bundledOnly('that is down breaks a look, and nothing after it', async shop => {
    await result(shop, 'register')
    const fault = `route=/api/_action/${shop.provider}/webhook/status,provider=down`
    const reply = await during(shop, fault, () => ask(shop, 'status'))
    expect([reply.status, reply.json().errors[0].code]).toEqual([500, 'SWAG_PAYPAL__API_EXCEPTION'])
    expect(await result(shop, 'status')).toBe('valid')
    await result(shop, 'deregister')
  })
})

describe('§4.1 what is registered', () => {
  row.bundledOnly('an https URL of the execute route with the token', async shop => {
    await result(shop, 'register')
    const id = await kept(shop, ID_KEY)
    expect(id).toMatch(/^\w+$/)
    const {host} = new URL(shop.url)
    const token = await kept(shop, TOKEN_KEY)
    const url = `https://${host}${webhookPath(shop)}?${shop.tokenPrefix}-token=${token}`
    expect(await kept(shop, `storectl.providerWebhook.${id}`)).toBe(url)
    await result(shop, 'deregister')
    expect(await kept(shop, ID_KEY)).toBeUndefined()
  })
})

describe('§4.1 where the token is from', () => {
  /** Deregistering deletes the token, so that each row that needs the one of all sales channels writes it. */
  async function giveCommonToken(shop: Target): Promise<string> {
    const common = shop.webhookToken as string
    await shop.bundled.db.writes.run(write => writeConfig(write, TOKEN_KEY, common))
    return common
  }

  row.bundledOnly('registration keeps the token that all sales channels have', async shop => {
    const common = await giveCommonToken(shop)
    expect(await result(shop, 'register')).toBe('created')
    expect(await kept(shop, TOKEN_KEY)).toBe(common)
    await result(shop, 'deregister')
  })
  row.bundledOnly('deregistering deletes it, and the next registration makes another', async shop => {
    const common = await giveCommonToken(shop)
    await result(shop, 'register')
    expectAccepted(await accepts(shop, common))
    expect(await result(shop, 'deregister')).toBe('deleted')
    expect(await kept(shop, TOKEN_KEY)).toBeUndefined()
    expect((await accepts(shop, common)).status).toBe(400)

    await result(shop, 'register')
    const next = (await kept(shop, TOKEN_KEY)) as string
    expect(next).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(next).not.toBe(common)
    expect(await result(shop, 'deregister')).toBe('deleted')
    expect(await result(shop, 'deregister')).toBe('nothing')
  })
  row.bundledOnly('a sales channel that inherits it gets a fresh one, and keeps that', async shop => {
    const common = await giveCommonToken(shop)
    const {salesChannelId} = await shop.make.ids()
    expect(await result(shop, 'register', salesChannelId)).toBe('created')
    const own = (await kept(shop, TOKEN_KEY, salesChannelId)) as string
    expect(own).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(own).not.toBe(common)
    expect(await kept(shop, TOKEN_KEY)).toBe(common)
    expect(await result(shop, 'register', salesChannelId)).toBe('nothing')
    expect(await result(shop, 'status', salesChannelId)).toBe('valid')
    expect(await kept(shop, TOKEN_KEY, salesChannelId)).toBe(own)

    expectAccepted(await accepts(shop, own))
    expectAccepted(await accepts(shop, own.toUpperCase()))
    expectAccepted(await accepts(shop, common))
    await result(shop, 'deregister', salesChannelId)
    expect((await accepts(shop, own)).status).toBe(400)
    expectAccepted(await accepts(shop, common))
  })
  row.bundledOnly('one of its own that is the same as that of all is replaced too', async shop => {
    const common = await giveCommonToken(shop)
    const {salesChannelId} = await shop.make.ids()
    await shop.bundled.db.writes.run(write => writeConfig(write, TOKEN_KEY, common, salesChannelId))
    await result(shop, 'register', salesChannelId)
    const own = (await kept(shop, TOKEN_KEY, salesChannelId)) as string
    expect(own).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(own).not.toBe(common)
    expectAccepted(await accepts(shop, own))
    expectAccepted(await accepts(shop, common))
    await result(shop, 'deregister', salesChannelId)
  })
})
