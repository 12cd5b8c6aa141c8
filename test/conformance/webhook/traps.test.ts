import {describe, expect} from 'vitest'
import {readConfigOfAll} from '../../../src/shop/store/schema/system-config.js'
import {expectErrors, plainEntry} from '../envelopes.js'
import {
  deliver,
  expectAccepted,
  expectException,
  expectFailed,
  notification,
  payment,
  stateOf,
  WEBHOOK_CLASS,
} from '../payments.js'
import {conformance} from '../rows.js'

const row = conformance().needs('webhook token')

const UNHANDLED = {event_type: 'CHECKOUT.ORDER.APPROVED'}
const CAPTURED = 'PAYMENT.CAPTURE.COMPLETED'

describe('§8 traps of the webhook', () => {
  row('29: sw-language-id counts here too', async shop => {
    const headers = {'Content-Type': 'application/json', 'sw-language-id': 'xyz'}
    expect((await deliver(shop, UNHANDLED, {headers})).status).toBe(412)
  })
  row('31: success is 200, empty, html', async shop => expectAccepted(await deliver(shop, UNHANDLED)))
  row('32: the token counts without signs and without case', async shop => {
    const token = (shop.webhookToken as string).toUpperCase()
    const query = `?${shop.tokenPrefix}-token=-${token.slice(0, 9)}.${token.slice(9)}%21`
    expectAccepted(await deliver(shop, UNHANDLED, {query}))
  })
  row.bundledOnly('32: any sales channel’s token will do', async shop => {
    const {salesChannelId} = await shop.make.ids()
    const path = (verb: string) => `/api/_action/${shop.provider}/webhook/${verb}/${salesChannelId}`
    await shop.send('POST', path('register'))
    const {db} = shop.bundled
    const tokens = await readConfigOfAll(db.reads, 'SwagPayPal.settings.webhookExecuteToken')
    expect(new Set(tokens).size).toBe(2)
    for (const token of tokens)
      expectAccepted(await deliver(shop, UNHANDLED, {query: `?${shop.tokenPrefix}-token=${token}`}))
    await shop.send('DELETE', path('deregister'))
  })
  row('33: neither bearer nor signature is needed', async shop => {
    const headers = {'Content-Type': 'application/json', Authorization: 'Bearer nonsense'}
    expectAccepted(await deliver(shop, UNHANDLED, {headers}))
  })
  row('34: an unknown event type is 200', async shop =>
    expectAccepted(await deliver(shop, {event_type: 'NOBODY.KNOWS.THIS'})),
  )
  row('35: an unknown transaction is 400 with the one text', async shop => {
    const one = {...(await payment(shop)), id: 'f'.repeat(32)}
    expectFailed(await deliver(shop, notification(CAPTURED, one)))
  })
  row('36: a missing event_type is 500', async shop => {
    const {event_type: _, ...body} = notification(CAPTURED, await payment(shop))
    const detail = `Typed property ${WEBHOOK_CLASS}::$eventType must not be accessed before initialization`
    expectErrors(await deliver(shop, body), 500, plainEntry(500, detail))
  })
  row('37: a missing final_capture is 500', async shop => {
    const one = await payment(shop)
    const body = notification(CAPTURED, one)
    const {final_capture: _, ...resource} = body.resource as Record<string, unknown>
    expectException(await deliver(shop, {...body, resource}))
    expect(await stateOf(shop, one.id)).toBe('open')
  })
  row('38: a replay is known by state alone: 400 after a full refund', async shop => {
    const one = await payment(shop)
    const captured = notification(CAPTURED, one)
    expectAccepted(await deliver(shop, captured))
    await shop.post(`/api/_action/order_transaction/${one.id}/state/refund`, {sendMail: false})
    expectFailed(await deliver(shop, captured))
    expect(await stateOf(shop, one.id)).toBe('refunded')
  })
  row('38: a replay is known by state alone: paid again after a partial refund', async shop => {
    const one = await payment(shop)
    const captured = notification(CAPTURED, one)
    expectAccepted(await deliver(shop, captured))
    await shop.post(`/api/_action/order_transaction/${one.id}/state/refund_partially`, {sendMail: false})
    expectAccepted(await deliver(shop, captured))
    expect(await stateOf(shop, one.id)).toBe('paid')
  })
  row('39: resource_version decides the class', async shop => {
    const one = await payment(shop)
    for (const resource_version of ['1.0', '3.0', undefined])
      expectFailed(await deliver(shop, {...notification(CAPTURED, one), resource_version}))
    expectAccepted(await deliver(shop, notification(CAPTURED, one)))
  })
})
