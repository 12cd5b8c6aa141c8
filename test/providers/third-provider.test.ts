import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import type {ProviderDefinition} from '../../src/providers/provider.js'
import {PROVIDERS} from '../../src/providers/providers.js'
import {runCapture, TOKEN} from '../gateway/support.js'
import {timeAgo} from '../support/clock.js'
import {SHOP_ERROR} from '../webhook/support.js'
import {runReceiver} from './receiver.js'

/** A provider that no other file knows: JSON, a token in a header, effects by type. */
const ACME: ProviderDefinition = {
  name: 'acmepay',
  displayName: 'Acme Pay',
  plugin: null,
  route: '/acme/{provider}/notify',
  token: {in: 'header', name: 'X-Acme-{prefix}'},
  headers: ['content-type', 'x-acme-*'],
  answers: {
    wrongToken: 'who are you?',
    emptyBody: null,
    invalid: ['not for us'],
    final: [],
    afterToken: ['try later'],
  },
  body: {
    format: 'json',
    id: 'notice.number',
    type: 'notice.kind',
    createdAt: 'notice.at',
    transaction: {in: 'body', member: 'shop.transaction'},
    orderingKeys: ['payment'],
    amount: {value: 'sum.value', currency: 'sum.currency'},
  },
  types: {
    'money.in': {effect: {to: 'paid', refusedFrom: ['refunded']}},
    'money.out': {effect: {to: 'refunded'}},
  },
  sampleIds: [],
  signature: null,
  registration: null,
  api: null,
  payment: null,
}

beforeAll(() => {
  ;(PROVIDERS as Map<string, ProviderDefinition>).set(ACME.name, ACME)
  return () => void (PROVIDERS as Map<string, ProviderDefinition>).delete(ACME.name)
})

const [A, B, C] = ['a', 'b', 'c'].map(letter => letter.repeat(32)) as [string, string, string]

function buildNotice(number: string, kind: string, transaction: string) {
  return {
    notice: {number, kind, at: timeAgo(3_600_000)},
    ...{shop: {transaction}, payment: `p-${transaction[0]}`, sum: {value: '12.50', currency: 'EUR'}},
  }
}

test('one folder of data is a provider: captured, judged, sent again with its token in its header', async () => {
  const shop = await runReceiver(ACME.name, {STORECTL_WEBHOOK_TOKEN: TOKEN})
  const capture = await runCapture(undefined, ['--profile', 'shop'], {
    home: shop.home,
    env: {...shop.env, STORECTL_WEBHOOK_TOKEN: TOKEN},
  })
  expect(new URL(capture.url).pathname).toBe('/acme/acmepay/notify')
  const send = (body: object, token: string) =>
    capture.send(body, {
      target: '/acme/acmepay/notify',
      headers: ['Content-Type', 'application/json', 'X-Acme-Sw', token, 'X-Acme-Trace', 't-1'],
    })
  shop.answer = ({headers}) =>
    headers['x-acme-sw'] === TOKEN ? SHOP_ERROR : {status: 403, body: 'who are you?'}
  await send(buildNotice('n-1', 'money.in', A), TOKEN)
  await send(buildNotice('n-2', 'money.in', B), TOKEN)
  await send(buildNotice('n-3', 'money.out', C), TOKEN)
  await send(buildNotice('n-4', 'news', C), TOKEN)
  await send(buildNotice('n-5', 'money.in', C), 'invented-token')
  expect(shop.calls.map(({headers}) => headers['x-acme-sw'])).toEqual([
    ...Array(4).fill(TOKEN),
    'invented-token',
  ])
  capture.interrupt()
  await capture.ended
  const stored = readFileSync(join(shop.home, 'records.db'), 'latin1')
  expect([stored.includes('t-1'), stored.includes(TOKEN)]).toEqual([true, false])

  for (const id of [A, C]) shop.states.set(id, 'open')
  shop.states.set(B, 'refunded')
  const plan = await shop.rows('webhook', 'replay', '--dry-run')
  const found = plan.map(({id, action, reason, detail}) => [id, action, reason, detail]).sort()
  expect(found).toEqual([
    ['n-1', 'send', null, 'open → paid'],
    ['n-2', 'hold', 'out-of-order', 'the transaction is refunded, from where "paid" is not possible'],
    ['n-3', 'send', null, 'open → refunded'],
    ['n-4', 'skip', 'no-handler', 'the shop has no handler for news'],
    ['n-5', 'hold', 'wrong-token', 'it came with a webhook token that is not of this shop'],
  ])
  const before = shop.calls.length
  shop.answer = ({headers, body}) => {
    if (headers['x-acme-sw'] !== TOKEN) return {status: 403, body: 'who are you?'}
    const {notice, shop: named} = JSON.parse(body)
    shop.states.set(named.transaction, notice.kind === 'money.in' ? 'paid' : 'refunded')
    return {status: 204}
  }
  const results = await shop.rows('webhook', 'replay', '--yes', '--rate', 'none')
  expect(
    results
      .filter(({result}) => result === 'applied')
      .map(({id, detail}) => [id, detail])
      .sort(),
  ).toEqual([
    ['n-1', 'open → paid'],
    ['n-3', 'open → refunded'],
  ])
  const sent = shop.calls.slice(before)
  expect(sent.map(({url, headers}) => [url, headers['x-acme-sw'], headers['x-acme-trace']])).toEqual(
    Array(2).fill(['/acme/acmepay/notify', TOKEN, 't-1']),
  )
  const diagnosis = await shop.rows('webhook', 'diagnose', 'n-2')
  expect(diagnosis).toMatchObject([{cause: 'already-final'}])
})

test('its words for a wrong token and for a body that it cannot read decide about a refusal', async () => {
  const shop = await runReceiver(ACME.name, {STORECTL_WEBHOOK_TOKEN: 'wrong-token'})
  const capture = await runCapture(undefined, ['--profile', 'shop', '--forward-to', 'none'], {
    home: shop.home,
    env: {...shop.env, STORECTL_WEBHOOK_TOKEN: 'wrong-token'},
  })
  const send = (number: string, token: string) =>
    capture.send(buildNotice(number, 'money.in', A), {
      target: '/acme/acmepay/notify',
      headers: ['Content-Type', 'application/json', 'X-Acme-Sw', token],
    })
  expect(await send('n-1', 'wrong-token')).toMatchObject({status: 200})
  const stranger = await send('n-2', 'another-token')
  expect([stranger.status, stranger.body]).toEqual([400, expect.stringContaining('who are you?')])
  capture.interrupt()
  await capture.ended
  shop.states.set(A, 'open')
  shop.answer = () => ({status: 403, body: 'who are you?'})
  const refused = await shop.run('webhook', 'replay', '--yes')
  expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining('refused the webhook token')])
  const diagnosis = await shop.rows('webhook', 'diagnose', 'n-1')
  expect(diagnosis).toMatchObject([{cause: 'token-mismatch'}])
  shop.answer = () => ({status: 400, body: 'not for us'})
  const rows = await shop.rows('webhook', 'replay', '--yes')
  expect(rows.find(({id}) => id === 'n-1')).toMatchObject({result: 'invalid', detail: 'not for us'})
})
