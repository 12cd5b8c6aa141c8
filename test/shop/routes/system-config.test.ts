import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {BASE_IDS, deriveCountryId} from '../../../src/shop/runtime/base-data.js'
import {SYSTEM_CURRENCY_ID, SYSTEM_LANGUAGE_ID} from '../../../src/shopware/ids.js'
import {idOf} from '../people.js'
import {runShop, type TestShop} from '../running-shop.js'

describe('system config', () => {
  let shop: TestShop
  let admin: string
  beforeAll(async () => {
    shop = await runShop({provider: 'acme', tokenPrefix: 'ac'})
    admin = `Bearer ${await shop.signIn()}`
  })
  afterAll(() => shop.stop())

  const PATH = '/api/_action/system-config'
  const KEY = 'SwagPayPal.settings.webhookExecuteToken'
  const call = async (method: string, path: string, body?: unknown, authorization = admin) => {
    const answer = await fetch(`${shop.url}${path}`, {
      method,
      headers: {'content-type': 'application/json', accept: 'application/json', authorization},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    const text = await answer.text()
    return [answer.status, text === '' ? undefined : JSON.parse(text)]
  }
  const settings = (query: string) => call('GET', `${PATH}?${query}`)
  const deliver = async (token: string) => {
    const event = {id: 'WH-1', event_type: 'CHECKOUT.ORDER.APPROVED', resource_type: 'checkout-order'}
    return (await shop.post(`/api/_action/acme/webhook/execute?ac-token=${token}`, event)).status
  }

  async function addChannel(number: number): Promise<string> {
    const id = idOf(number, '5a1e5')
    const payload = [
      {
        id,
        name: `Channel ${number}`,
        accessKey: `SWSC${String(number).padStart(22, 'A')}`,
        typeId: BASE_IDS.salesChannelType,
        languageId: SYSTEM_LANGUAGE_ID,
        currencyId: SYSTEM_CURRENCY_ID,
        paymentMethodId: BASE_IDS.payPal,
        shippingMethodId: BASE_IDS.shippingMethod,
        countryId: deriveCountryId('DE'),
        customerGroupId: BASE_IDS.customerGroup,
      },
    ]
    const [status] = await call('POST', '/api/_action/sync', [
      {entity: 'sales_channel', action: 'upsert', payload},
    ])
    expect(status).toBe(200)
    return id
  }

  test('a second sales channel registers a token of its own, which can be read and is taken (4.1)', async () => {
    const id = await addChannel(1)
    expect(await settings(`domain=SwagPayPal.settings&salesChannelId=${id}`)).toEqual([200, {}])
    expect(await call('POST', `/api/_action/acme/webhook/register/${id}`)).toEqual([200, {result: 'created'}])
    const [, own] = await settings(`domain=SwagPayPal.settings&salesChannelId=${id}`)
    expect(own[KEY]).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(own[KEY]).not.toBe(shop.credentials.webhookToken)
    expect(await deliver(own[KEY])).toBe(200)
    expect(await deliver(shop.credentials.webhookToken)).toBe(200)
    expect(await settings('domain=SwagPayPal.settings')).toMatchObject([
      200,
      {[KEY]: shop.credentials.webhookToken},
    ])
  })

  test('a token that is set is taken from then on, and one that is taken back is not', async () => {
    const id = await addChannel(2)
    const place = `${PATH}?salesChannelId=${id}`
    expect(await call('POST', place, {[KEY]: 'OneOfItsOwn'})).toEqual([204, undefined])
    expect(await deliver('oneofitsown')).toBe(200)
    expect(await call('POST', place, {[KEY]: null})).toEqual([204, undefined])
    expect(await deliver('OneOfItsOwn')).toBe(400)
    expect(await settings(`domain=SwagPayPal.settings&salesChannelId=${id}`)).toEqual([200, {}])
    expect(await settings(`domain=SwagPayPal.settings.&salesChannelId=${id}&inherit=1`)).toMatchObject([
      200,
      {[KEY]: shop.credentials.webhookToken},
    ])
  })

  test('several places are written at once, all or none', async () => {
    const [one, two] = [await addChannel(3), await addChannel(4)]
    const batch = (values: object) => call('POST', `${PATH}/batch`, values)
    const of = async (place: string) => (await settings(`domain=core.config&salesChannelId=${place}`))[1]
    expect(await batch({null: {'core.config.a': 'x'}, [one]: {'core.config.a': 'y/é'}})).toEqual([
      204,
      undefined,
    ])
    expect([await of('null'), await of(one), await of(two)]).toEqual([
      {'core.config.a': 'x'},
      {'core.config.a': 'y/é'},
      {},
    ])
    const refused = await batch({null: {'core.config.a': 'z'}, [idOf(99)]: {'core.config.a': 'z'}})
    expect(refused).toMatchObject([500, {errors: [{code: '1452'}]}])
    expect(await of('null')).toEqual({'core.config.a': 'x'})
    expect(await batch({null: {'truth.settings.a': 'b'}})).toMatchObject([
      404,
      {errors: [{code: 'SYSTEM__SCOPE_NOT_FOUND', meta: {parameters: {scope: 'truth'}}}]},
    ])
  })

  test('settings that sign in to the provider register the webhook, or say why the provider refuses (S17)', async () => {
    const id = await addChannel(5)
    const place = `${PATH}?salesChannelId=${id}`
    const pair = (clientId: string, clientSecret: string) => ({
      'SwagPayPal.settings.clientId': clientId,
      'SwagPayPal.settings.clientSecret': clientSecret,
    })
    const own = async () => (await settings(`domain=SwagPayPal.settings&salesChannelId=${id}`))[1]
    const refused = {payPalWebhookErrors: [expect.stringContaining('Client Authentication failed')]}
    expect(await call('POST', place, pair('wrong', 'pair'))).toEqual([200, refused])
    expect(Object.keys(await own())).toEqual([
      'SwagPayPal.settings.clientId',
      'SwagPayPal.settings.clientSecret',
    ])
    expect(await call('POST', `${PATH}/batch`, {[id]: pair('wrong', 'again')})).toEqual([200, refused])
    const {providerClientId, providerClientSecret} = shop.credentials
    const [status] = await call('POST', place, pair(providerClientId, providerClientSecret))
    expect(status).toBe(204)
    expect(await own()).toMatchObject({
      'SwagPayPal.settings.webhookId': expect.stringMatching(/^[0-9A-Z]{17}$/),
    })
    const again = await call('POST', place, pair(providerClientId, providerClientSecret))
    expect(again).toEqual([204, undefined])
    expect(await call('POST', place, {'core.config.a': 'x'})).toEqual([204, undefined])
  })

  test('a domain is needed, and ids are ids', async () => {
    expect(await settings('')).toMatchObject([
      400,
      {
        errors: [
          {
            code: 'FRAMEWORK__MISSING_REQUEST_PARAMETER',
            detail: 'Parameter "domain" is missing.',
            meta: {parameters: {parameterName: 'domain', path: ''}},
          },
        ],
      },
    ])
    expect(await settings('domain=x&salesChannelId=y')).toMatchObject([
      400,
      {errors: [{code: 'FRAMEWORK__INVALID_UUID'}]},
    ])
    expect((await call('POST', PATH, {'a.b': {c: 1}}))[0]).toBe(400)
  })

  test('what the server keeps for itself is neither shown nor changed', async () => {
    for (const domain of ['storectl', 'storectl.', ' storectl'])
      expect(await settings(`domain=${domain}`)).toEqual([200, {}])
    expect((await call('POST', PATH, {'storectl.signingKey': 'x'}))[0]).toBe(400)
    expect((await call('POST', PATH, {'storectl.signingKey': null}))[0]).toBe(400)
    expect((await settings('domain=SwagPayPal.settings'))[0]).toBe(200)
  })

  test('reading and writing need privileges', async () => {
    const [accessKey, secretAccessKey] = [`SWIA${'S'.repeat(22)}`, 'secret']
    const verified = await shop.signInVerified()
    await call('POST', '/api/integration', {label: 'nobody', accessKey, secretAccessKey}, verified)
    const grant = {grant_type: 'client_credentials', client_id: accessKey, client_secret: secretAccessKey}
    const {access_token} = (await (await shop.askForToken(grant)).json()) as {access_token: string}
    const missing = (privilege: string) => [
      403,
      {errors: [{detail: JSON.stringify({message: 'Missing privilege', missingPrivileges: [privilege]})}]},
    ]
    expect(await call('GET', `${PATH}?domain=x`, undefined, access_token)).toMatchObject(
      missing('system_config:read'),
    )
    expect(await call('POST', PATH, {}, access_token)).toMatchObject(missing('system_config:update'))
    expect(await call('POST', `${PATH}/batch`, {}, access_token)).toMatchObject(
      missing('system_config:update'),
    )
  })
})
