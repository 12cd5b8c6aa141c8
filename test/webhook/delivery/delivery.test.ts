import {expect, test} from 'vitest'
import {createShopTransport} from '../../../src/webhook/delivery/delivery.js'
import type {Headers} from '../../../src/webhook/event/headers.js'
import {NOW, plannedCapture} from '../replay/replayed-payment.js'

/** Headers that an event is sent with, by their lower-case names. */
async function sendWith(headers: Headers) {
  let sent: Record<string, unknown> = {}
  const call = async (request: {headers: Record<string, unknown>}) => {
    sent = request.headers
    return {status: 200, headers: {}, body: Buffer.from('{}')}
  }
  const profile = {name: 'shop', url: new URL('http://shop'), provider: 'paypal', tokenPrefix: ''}
  const transport = createShopTransport({
    shop: {profile, unsigned: {baseUrl: profile.url, call}} as never,
    ...{token: 'secret', transactions: undefined, rules: {}, userAgent: 'storectl'},
    ...{retryAfterMs: () => undefined, clock: {readTicks: () => 0, now: () => NOW}},
  })
  const {event, content} = plannedCapture().value
  await transport.deliver(
    {event, content: {...content, headers}, run: 'run', attempt: 2},
    undefined,
    () => {},
  )
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
}

test('an event carries the marks of its own run, and none of those it was stored with', async () => {
  const sent = await sendWith([
    ['X-Replay-Run', 'earlier'],
    ['x-replay-attempt', '9'],
    ['X-REPLAY-SOMETHING', 'earlier'],
    ['PayPal-Transmission-Id', 'T-1'],
  ])
  expect(sent).toMatchObject({
    'x-replay-run': 'run',
    'x-replay-attempt': '2',
    'paypal-transmission-id': 'T-1',
  })
  expect(sent).not.toHaveProperty('x-replay-something')
  expect(Object.values(sent).flat()).not.toContain('earlier')
})

test.each([
  'Authorization',
  'Cookie',
  'Proxy-Authorization',
  'Host',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
])('%s of a stored event is not sent along', async name => {
  expect(Object.values(await sendWith([[name, 'stored']]))).not.toContain('stored')
})
