import {describe, expect} from 'vitest'
import {deliver, expectAccepted} from './payments.js'
import {conformance} from './rows.js'

const row = conformance()

describe('observed.md §4: four operations, all POST', () => {
  row('1: POST /api/oauth/token returns 200', async shop => {
    const {clientId: client_id, clientSecret: client_secret} = shop
    const grant = {grant_type: 'client_credentials', client_id, client_secret}
    expect((await shop.askForToken(grant)).status).toBe(200)
  })
  row.needs('webhook token')('2: POST webhook/execute answers 400 and 200', async shop => {
    expectAccepted(await deliver(shop, {event_type: 'CHECKOUT.ORDER.APPROVED'}))
    expect((await deliver(shop, {event_type: 'PAYMENT.CAPTURE.COMPLETED'})).status).toBe(400)
  })
  row.needs('webhook token')('2: the query parameter has 32 characters', shop => {
    expect(shop.webhookToken).toHaveLength(32)
  })
  row.bundledOnly('3: POST /api/fulfillment/order returns 200', async shop => {
    const shipTo = {name: 'Ada Byron', street: 'Row 12', city: 'Leipzig', postalCode: '04109', country: 'DE'}
    const order = {reference: `seen-${shop.run}`, lines: [{sku: 'A', quantity: 1}], shipTo}
    expect((await shop.post('/api/fulfillment/order', order)).status).toBe(200)
  })
  row('4: POST /api/search/customer returns 200', async shop => {
    expect((await shop.search('customer', {limit: 1})).status).toBe(200)
  })
})
