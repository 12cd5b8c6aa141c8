import {describe, expect} from 'vitest'
import {BASE_IDS} from '../../../src/shop/runtime/base-data.js'
import {expectErrors, plainEntry} from '../envelopes.js'
import {deliver, expectAccepted, expectRefused} from '../payments.js'
import {conformance} from '../rows.js'

const row = conformance({provider: 'adyen', tokenPrefix: 'shop'}).bundledOnly

const EVENT = {event_type: 'CHECKOUT.ORDER.APPROVED'}

describe('observed.md §4: the provider’s name and the token’s prefix are what the shop says', () => {
  row('the path has the name, the query the prefix', async shop => {
    expect([shop.provider, shop.tokenPrefix]).toEqual(['adyen', 'shop'])
    expectAccepted(await deliver(shop, EVENT))
    expectAccepted(await deliver(shop, EVENT, {query: `?sw-token=x&shop-token=${shop.webhookToken}`}))
  })
  row('another prefix is no token', async shop => {
    const reply = await deliver(shop, EVENT, {query: `?sw-token=${shop.webhookToken}`})
    expectRefused(reply, 'Shopware token is invalid')
  })
  row('errors name the parameter', async shop => {
    const detail = 'Input value "shop-token" contains a non-scalar value.'
    expectErrors(await deliver(shop, EVENT, {query: '?shop-token[]=x'}), 400, plainEntry(400, detail))
  })
  row('another name is no route', async shop => {
    for (const [method, way] of [
      ['POST', 'execute'],
      ['GET', 'status/null'],
      ['POST', 'register/null'],
      ['DELETE', 'deregister/null'],
    ] as const) {
      const path = `/api/_action/paypal/webhook/${way}`
      const detail = `No route found for "${method} ${shop.url}${path}"`
      expectErrors(await shop.send(method, path), 404, plainEntry(404, detail))
      // Not for all channels, which would change the token that the other rows send.
      const route = path.replace('paypal', 'adyen').replace('null', BASE_IDS.salesChannel)
      expect((await shop.send(method, route)).status).not.toBe(404)
    }
  })
})
