import {describe, expect} from 'vitest'
import {providerEvent} from '../../support/events.js'
import {expectErrors, languageEntry, plainEntry} from '../envelopes.js'
import {deliver, expectAccepted, expectRefused, JSON_TYPE, tokenQuery, webhookPath} from '../payments.js'
import {conformance} from '../rows.js'
import type {Target} from '../target.js'
import {byVersion} from '../versions.js'

const row = conformance()
const withToken = row.needs('webhook token')

/** A type that no shop acts on. */
const EVENT = {event_type: 'CHECKOUT.ORDER.APPROVED'}
const INVALID_TOKEN = 'Shopware token is invalid'
const CAPITALS = ['Application/JSON', 'APPLICATION/JSON;x=1']
const NO_DATA = plainEntry(400, 'No webhook data sent')
const MALFORMED = plainEntry(400, 'The JSON payload is malformed.')

const sendWith = (shop: Target, token: string) =>
  deliver(shop, EVENT, {query: `?${shop.tokenPrefix}-token=${token}`})

describe('§4.1 the token', () => {
  withToken('has 32 letters and digits', shop => {
    expect(shop.webhookToken).toMatch(/^[A-Za-z0-9]{32}$/)
  })

  withToken('is read from the query string', async shop => expectAccepted(await deliver(shop, EVENT)))

  withToken('is not read from a JSON body', async shop => {
    const body = {...EVENT, [`${shop.tokenPrefix}-token`]: shop.webhookToken}
    expectRefused(await deliver(shop, body, {query: ''}), INVALID_TOKEN)
  })

  withToken('is not read from a form', async shop => {
    const headers = {'Content-Type': 'application/x-www-form-urlencoded'}
    const body = `${tokenQuery(shop).slice(1)}&event_type=X`
    expectRefused(await deliver(shop, body, {query: '', headers}), INVALID_TOKEN)
  })

  withToken('is not read from a header', async shop => {
    const headers = {...JSON_TYPE, [`${shop.tokenPrefix}-token`]: shop.webhookToken as string}
    expectRefused(await deliver(shop, EVENT, {query: '', headers}), INVALID_TOKEN)
  })

  const spellings: [title: string, (token: string) => string][] = [
    ['signs in the middle', token => `${token.slice(0, 2)}-${token.slice(2)}`],
    ['signs around it', token => `--${token}!_`],
    ['encoded signs', token => `%2F${token}%20%C3%A9%00`],
    ['a plus, which is a space', token => `${token.slice(0, 5)}+${token.slice(5)}`],
    ['an encoded letter', token => `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`],
    ['lower case', token => token.toLowerCase()],
    ['upper case', token => token.toUpperCase()],
  ]
  withToken.each(
    spellings.map(([title, spell]) => [`equals one with ${title}`, spell] as const),
    async (shop, spell) => expectAccepted(await sendWith(shop, spell(shop.webhookToken as string))),
  )

  withToken('is another one with one sign less, or one more', async shop => {
    const token = shop.webhookToken as string
    for (const other of [token.slice(1), `${token}0`, `${token}%00x`])
      expectRefused(await sendWith(shop, other), INVALID_TOKEN)
  })

  withToken('may be followed and led by other parameters', async shop => {
    const query = `?a=1&${tokenQuery(shop).slice(1)}&b[]=2`
    expectAccepted(await deliver(shop, EVENT, {query}))
  })

  withToken('is enough: an Authorization header is ignored even when it is invalid', async shop => {
    for (const Authorization of ['Bearer nonsense', 'Basic xyz', ''])
      expectAccepted(await deliver(shop, EVENT, {headers: {...JSON_TYPE, Authorization}}))
  })

  withToken('is enough: no signature is looked at', async shop => {
    const headers = {...JSON_TYPE, 'PAYPAL-TRANSMISSION-SIG': 'bm9uc2Vuc2U=', 'PAYPAL-AUTH-ALGO': 'none'}
    expectAccepted(await deliver(shop, EVENT, {headers}))
  })

  withToken('§4.7: lets in what carries all headers of the sender', async shop => {
    const {body, headers} = providerEvent('CHECKOUT.ORDER.APPROVED')
    expectAccepted(await deliver(shop, body, {headers}))
  })

  row('is nothing that a bearer stands in for', async shop => {
    const headers = {...JSON_TYPE, Authorization: `Bearer ${await shop.token()}`}
    expectRefused(await deliver(shop, EVENT, {query: '', headers}), INVALID_TOKEN)
  })
})

describe('§4.2 the order of checks', () => {
  row('1: malformed JSON', async shop =>
    expectErrors(await deliver(shop, '{"a":', {query: ''}), 400, MALFORMED),
  )
  row('1 before 2: malformed JSON by another method', async shop =>
    expectErrors(await deliver(shop, '{"a":', {method: 'PUT'}), 400, MALFORMED),
  )
  row('1 before 3: malformed JSON with a bad language', async shop => {
    const headers = {...JSON_TYPE, 'sw-language-id': 'xyz'}
    expectErrors(await deliver(shop, '{"a":', {headers}), 400, MALFORMED)
  })
  row('1 before 4: malformed JSON with a token that is a list', async shop =>
    expectErrors(await deliver(shop, '[1', {query: `?${shop.tokenPrefix}-token[]=x`}), 400, MALFORMED),
  )

  row.each(
    ['GET', 'PUT', 'PATCH', 'DELETE'].map(method => [`2: ${method}`, method] as const),
    async (shop, method) => {
      const target = `"${method} ${shop.url}${webhookPath(shop)}"`
      const detail = `No route found for ${target}: Method Not Allowed (Allow: POST)`
      const reply = await deliver(shop, undefined, {method, headers: {}, query: '?sw-token=x'})
      expectErrors(reply, 405, plainEntry(405, detail))
      expect(reply.headers).not.toHaveProperty('allow')
    },
  )
  row('2: another path', async shop => {
    const path = '/api/_action/no-provider/webhook/execute'
    const reply = await shop.call({path, headers: JSON_TYPE, body: EVENT})
    expectErrors(reply, 404, plainEntry(404, `No route found for "POST ${shop.url}${path}"`))
  })
  row('2 before 3: another method with a bad language', async shop => {
    const reply = await deliver(shop, undefined, {method: 'GET', headers: {'sw-language-id': 'xyz'}})
    expect(reply.status).toBe(405)
  })

  row.each(
    ['xyz', '', 'f'.repeat(32)].map(id => [`3: language "${id}"`, id] as const),
    async (shop, id) => {
      const headers = {...JSON_TYPE, 'sw-language-id': id}
      expectErrors(await deliver(shop, EVENT, {headers}), 412, languageEntry(id))
    },
  )
  row('3 before 4: a bad language with a token that is a list', async shop => {
    const headers = {...JSON_TYPE, 'sw-language-id': 'xyz'}
    const reply = await deliver(shop, EVENT, {headers, query: `?${shop.tokenPrefix}-token[]=x`})
    expect(reply.status).toBe(412)
  })

  const lists: [title: string, (name: string) => string, body: unknown][] = [
    ['4: a token that is a list', name => `?${name}[]=x`, EVENT],
    ['4: a token that is a map', name => `?${name}[a]=x`, EVENT],
    ['4 before 7: a token that is a list, without a body', name => `?${name}[]=x`, undefined],
  ]
  row.each(lists, async (shop, query, body) => {
    const name = `${shop.tokenPrefix}-token`
    const detail = `Input value "${name}" contains a non-scalar value.`
    const reply = await deliver(shop, body, {query: query(name)})
    expectErrors(reply, 400, plainEntry(400, detail))
  })

  const refused: [title: string, (name: string) => string, body: unknown][] = [
    ['5: no token', () => '', EVENT],
    ['5: an empty token', name => `?${name}=`, EVENT],
    ['5: a token without a value', name => `?${name}`, EVENT],
    ['5: a token of signs', name => `?${name}=--_%20%2B%C3%9F`, EVENT],
    ['5: a parameter of another name', () => '?other-token=x', EVENT],
    ['5 before 7: no token and no body', () => '', undefined],
    ['6: an unknown token', name => `?${name}=${'A'.repeat(32)}`, EVENT],
    ['6 before 7: an unknown token and no body', name => `?${name}=${'A'.repeat(32)}`, undefined],
    ['6 before 8: an unknown token and an event of numbers', name => `?${name}=x`, {event_type: 1}],
  ]
  row.each(refused, async (shop, query, body) => {
    const reply = await deliver(shop, body, {query: query(`${shop.tokenPrefix}-token`)})
    expectRefused(reply, INVALID_TOKEN)
  })

  const empty: [title: string, body: string | undefined, type?: string][] = [
    ['no body', undefined],
    ['an empty body', ''],
    ['{}', '{}'],
    ['[]', '[]'],
    ['null', 'null'],
    ['a text', '"str"'],
    ['a number', '5'],
    ['true', 'true'],
    ['JSON:API', JSON.stringify(EVENT), 'application/vnd.api+json'],
    ['plain text', JSON.stringify(EVENT), 'text/plain'],
    ['a form without fields', '', 'application/x-www-form-urlencoded'],
  ]
  withToken.each(
    empty.map(([title, ...cells]) => [`7: ${title}`, ...cells] as const),
    async (shop, body, type = 'application/json') => {
      expectErrors(await deliver(shop, body, {headers: {'Content-Type': type}}), 400, NO_DATA)
    },
  )
  withToken('7: a body without a content type', async shop =>
    expectErrors(await deliver(shop, JSON.stringify(EVENT), {headers: {}}), 400, NO_DATA),
  )

  withToken.each(
    ['application/json; charset=utf-8', ...byVersion(CAPITALS, {'6.7': []})].map(
      type => [`7: ${type} is read`, type] as const,
    ),
    async (shop, type) => expectAccepted(await deliver(shop, EVENT, {headers: {'Content-Type': type}})),
  )
  withToken.on('6.7').each(
    CAPITALS.map(type => [`7: ${type} is no JSON`, type] as const),
    async (shop, type) =>
      expectErrors(await deliver(shop, EVENT, {headers: {'Content-Type': type}}), 400, NO_DATA),
  )
  withToken('7: a form is read', async shop => {
    const headers = {'Content-Type': 'application/x-www-form-urlencoded'}
    expectAccepted(await deliver(shop, 'event_type=X&resource[id]=5', {headers}))
  })
  withToken('7: a form of parts is read', async shop => {
    const headers = {'Content-Type': 'multipart/form-data; boundary=b'}
    const body = '--b\r\nContent-Disposition: form-data; name="event_type"\r\n\r\nX\r\n--b--\r\n'
    expectAccepted(await deliver(shop, body, {headers}))
  })

  withToken('9: no handler for the event type', async shop => expectAccepted(await deliver(shop, EVENT)))
  withToken('9: a type in small letters is another type', async shop =>
    expectAccepted(await deliver(shop, {event_type: 'payment.capture.completed'})),
  )
})
