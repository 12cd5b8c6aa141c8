import {describe, expect, test} from 'vitest'
import {SkippingClock, StoppedClock, timeAgo} from '../../support/clock.js'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {
  event,
  eventId,
  FAST,
  file,
  GENERIC,
  ndjson,
  openPayments,
  refusal,
  replay,
  SHOP_ERROR,
  testShop,
  transactionId,
} from '../support.js'

describe('what is sent', () => {
  test('the stored bytes, unchanged, with the provider’s headers and our marks, to a URL made anew', async () => {
    const shop = await testShop({[transactionId(1)]: 'open'})
    const body = JSON.stringify(event(1))
      .replace('"10.00"', '10.10')
      .replace('{"id"', '{ "id"')
      .replace(',"amount":{"currency_code":"EUR","value":10.10}', '')
    const wrapped = ndjson([
      {
        headers: {
          'PAYPAL-TRANSMISSION-ID': 't-1',
          'User-Agent': 'PayPal/AUHD',
          Host: 'old.example',
          'Content-Type': 'application/json',
        },
        body,
      },
    ])
    const {rows, exit} = await replay(shop, [file(wrapped)])
    expect(exit).toBe(0)
    const [sent] = shop.received
    expect(sent?.body).toBe(body)
    expect(sent?.url).toBe(`/api/_action/paypal/webhook/execute?sw-token=${shop.env.STORECTL_WEBHOOK_TOKEN}`)
    expect(sent?.headers).toMatchObject({
      'paypal-transmission-id': 't-1',
      'user-agent': 'storectl/test',
      'x-replay-of': eventId(1),
      'x-replay-attempt': '1',
      'x-replay-run': rows[0].run,
      'content-type': 'application/json',
    })
    expect(sent?.headers.host).not.toBe('old.example')
  })

  test('events of one transaction one at a time in the order of their creation, whatever the order in the file', async () => {
    const shop = await testShop({[transactionId(7)]: 'open'})
    const at = (minutes: number) => timeAgo(minutes * 60_000)
    const events = [
      event(2, {transaction: 7, type: 'PAYMENT.CAPTURE.REFUNDED', createdAt: at(5)}),
      event(1, {transaction: 7, createdAt: at(10)}),
    ]
    const {rows, exit} = await replay(shop, [file(ndjson(events))])
    expect(exit).toBe(0)
    expect(shop.arrived()).toEqual([eventId(1), eventId(2)])
    expect(rows.map(({before, after, result}) => [before, after, result])).toEqual([
      ['open', 'paid', 'applied'],
      ['paid', 'refunded', 'applied'],
    ])
  })

  test('nothing, when it is only a plan; and the inbox stays as it was', async () => {
    const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'refunded'})
    const {rows, home, exit, stderr} = await replay(shop, [
      file(ndjson([event(1), event(2), event(3)])),
      '--dry-run',
    ])
    expect(exit).toBe(0)
    expect(rows.map(({action, reason, state}) => [action, reason, state])).toEqual([
      ['send', null, 'open'],
      ['hold', 'out-of-order', 'refunded'],
      ['hold', 'unknown-transaction', null],
    ])
    expect(stderr).toContain(
      '1 to send, 1 held (out-of-order), 1 held (unknown-transaction); nothing was sent',
    )
    expect(shop.received).toEqual([])
    const list = await storectl(['webhook', 'list', '-o', 'id'], {home, env: shop.env})
    expect(list.stdout).toBe('')
  })

  test('a plan that does not fit into memory is the same plan', async () => {
    const {states, events} = openPayments(2300)
    const late = event(2300, {transaction: 3, type: 'PAYMENT.CAPTURE.REFUNDED'})
    const shop = await testShop(states)
    const {rows, exit} = await replay(shop, [file(ndjson([...events, late])), '--dry-run'])
    expect(exit).toBe(0)
    expect(rows.map(({id}) => id)).toEqual([...events, late].map(({id}) => id))
    expect(rows.at(-1)).toMatchObject({action: 'send', state: 'paid', orderingKey: rows[3].orderingKey})
    expect(new Set(rows.map(({orderingKey}) => orderingKey)).size).toBe(2300)
  })

  test('nothing, when there is more than allowed', async () => {
    const {states, events} = openPayments(5)
    const shop = await testShop(states)
    const {exit, stderr} = await replay(shop, [file(ndjson(events)), '--max', '4'])
    expect(exit).toBe(7)
    expect(stderr).toContain('5 events would be sent; --max allows 4')
    expect(shop.received).toEqual([])
  })

  test('nothing, when nobody agrees', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    const home = temporaryFolder()
    const asked = await storectl(['webhook', 'replay', file(ndjson(events))], {home, env: shop.env})
    expect(asked.exit).toBe(2)
    expect(asked.stderr).toContain('--yes')
    expect(shop.received).toEqual([])
    expect((await storectl(['webhook', 'list', '-o', 'id'], {home, env: shop.env})).stdout).toBe('')
  })
})

describe('given again', () => {
  test('what was delivered is skipped', async () => {
    const {states, events} = openPayments(10)
    const shop = await testShop(states)
    const path = file(ndjson(events))
    const {home} = await replay(shop, [path])
    const again = await replay(shop, [path], {home})
    expect(again.exit).toBe(0)
    expect(shop.received).toHaveLength(10)
    expect(new Set(again.rows.map(row => row.result))).toEqual(new Set(['skipped']))
  })

  test('to another shop, what one shop was delivered is sent: each has its own ledger', async () => {
    const {states, events} = openPayments(2)
    const [one, other] = [await testShop(states), await testShop(states)]
    const path = file(ndjson(events))
    const {home} = await replay(one, [path])
    const {outcomes} = await replay(other, [path], {home})
    expect(outcomes.map(([, result]) => result)).toEqual(['applied', 'applied'])
    expect(other.received).toHaveLength(2)
  })

  test('in two files, an event is sent once', async () => {
    const {states, events} = openPayments(3)
    const shop = await testShop(states)
    const {outcomes} = await replay(shop, [file(ndjson(events)), file(ndjson(events.slice(1)))])
    expect(outcomes).toHaveLength(3)
    expect(shop.arrived().sort()).toEqual(events.map(({id}) => id).sort())
  })

  test('in two files with two bodies, an event is sent from neither', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    const other = {...events[0], summary: 'other'}
    const {outcomes, home} = await replay(shop, [file(ndjson(events)), file(ndjson([other]))])
    expect(outcomes).toEqual([
      [eventId(0), 'invalid'],
      [expect.stringContaining(`${eventId(0)}~`), 'invalid'],
    ])
    expect((await replay(shop, [file(ndjson(events))], {home})).outcomes).toEqual([[eventId(0), 'invalid']])
    expect(shop.received).toEqual([])
  })

  test('after the records were lost, what stands already is not sent', async () => {
    const {states, events} = openPayments(3)
    const shop = await testShop(states)
    const path = file(ndjson(events))
    await replay(shop, [path])
    const {outcomes, exit} = await replay(shop, [path])
    expect(outcomes.map(([, result]) => result)).toEqual(['skipped', 'skipped', 'skipped'])
    expect(exit).toBe(0)
  })

  test('from the inbox, only what failed is sent again', async () => {
    const {states, events} = openPayments(4)
    const shop = await testShop(states)
    shop.intercept = ({body}) => (JSON.parse(body).id === eventId(2) ? SHOP_ERROR : undefined)
    const {home, exit} = await replay(shop, [file(ndjson(events)), '--canary', 'none'])
    expect(exit).toBe(3)
    shop.intercept = () => undefined
    const again = await replay(shop, [], {home})
    expect(again.outcomes).toEqual([[eventId(2), 'applied']])
    expect(shop.arrived().filter(id => id === eventId(2))).toHaveLength(2)
  })
})

describe('what an answer means', () => {
  test('200 without an effect is no-op', async () => {
    const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
    shop.intercept = ({body}) => (JSON.parse(body).id === eventId(2) ? {status: 200} : undefined)
    const {outcomes, exit} = await replay(shop, [file(ndjson([event(1), event(2)]))])
    expect(Object.fromEntries(outcomes)).toEqual({[eventId(1)]: 'applied', [eventId(2)]: 'unchanged'})
    expect(exit).toBe(0)
  })

  test('a refused token stops the run at the first one', async () => {
    const {states, events} = openPayments(20)
    const shop = await testShop(states)
    const env = {STORECTL_WEBHOOK_TOKEN: 'wrong'.repeat(6)}
    const path = file(ndjson(events, env.STORECTL_WEBHOOK_TOKEN))
    const {exit, stderr} = await replay(shop, [path, '--canary', '1'], {env})
    expect(exit).toBe(4)
    expect(shop.received).toHaveLength(1)
    expect(JSON.parse(stderr.trim().split('\n').at(-1) as string).error.code).toBe(
      'auth.webhook_token_refused',
    )
  })

  test.each([
    [401, 4],
    [403, 4],
    [412, 4],
    [404, 2],
    [302, 2],
  ])('%i stops the run with exit %i', async (status, exit) => {
    const {states, events} = openPayments(20)
    const shop = await testShop(states)
    shop.intercept = () => ({status})
    const ended = await replay(shop, [file(ndjson(events)), '--concurrency', '1'])
    expect(ended.exit).toBe(exit)
    expect(shop.received).toHaveLength(1)
  })

  test.each([500, 413])('%i is rejected, and the rest of its transaction is not sent', async status => {
    const shop = await testShop({[transactionId(1)]: 'open'})
    shop.intercept = () => ({...SHOP_ERROR, status})
    const late = timeAgo(30_000)
    const events = [event(1), event(2, {transaction: 1, type: 'PAYMENT.CAPTURE.REFUNDED', createdAt: late})]
    const {rows, exit} = await replay(shop, [file(ndjson(events)), '--canary', '0'])
    expect(rows.map(({result}) => result)).toEqual(['rejected', 'held'])
    expect(rows[0].detail).toBe('it broke')
    expect(rows[1].detail).toContain(`blocked: ${eventId(1)}`)
    expect(exit).toBe(3)
    expect(shop.received).toHaveLength(1)
  })

  test('429 is tried again as long after as it asks', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = (_, count) => (count === 1 ? {status: 429, headers: {'retry-after': '7'}} : undefined)
    const clock = new StoppedClock(timeAgo(0))
    const {rows, stderr} = await replay(shop, [file(ndjson(events))], {clock})
    expect(Math.max(...clock.sleeps)).toBeGreaterThanOrEqual(7000)
    expect(stderr).toMatch(/the server asks to wait [78] s: retrying at \d{4}-\S+Z/)
    expect(rows[0]).toMatchObject({result: 'applied', attempts: 2})
    expect(shop.received.map(({headers}) => headers['x-replay-attempt'])).toEqual(['1', '2'])
  })

  test('503 to the end is unavailable', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = () => ({status: 503})
    const {rows, exit} = await replay(shop, [file(ndjson(events)), '--retries', '1'])
    expect(rows[0]).toMatchObject({result: 'failed', status: 503, attempts: 2})
    expect(exit).toBe(7)
    const withoutCanary = await replay(shop, [file(ndjson(events)), '--retries', '0', '--canary', '0'])
    expect(withoutCanary.exit).toBe(6)
  })

  test('a connection that broke before the commit: looked up, and not sent again in this run', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = (_, count) => (count === 1 ? {reset: true} : undefined)
    const {rows, exit, home} = await replay(shop, [file(ndjson(events)), '--canary', '0'])
    expect(rows[0]).toMatchObject({result: 'unknown', attempts: 1})
    expect(exit).toBe(6)
    const soon = await replay(shop, [], {home})
    expect(soon.rows[0]).toMatchObject({result: 'held', attempts: 0})
    expect(soon.rows[0].detail).toMatch(
      /^unknown-result: an attempt that ended at \S+Z may still be at work; without a change of the state it counts as not applied from \S+Z$/,
    )
    const later = await replay(shop, [], {home, clock: new SkippingClock(11 * 60_000)})
    expect(later.rows[0]).toMatchObject({result: 'applied', attempts: 1})
  })

  test('a connection that broke after the commit: looked up, and not sent again', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = () => {
      shop.states.set(transactionId(0), 'paid')
      return {reset: true}
    }
    const {rows, exit} = await replay(shop, [file(ndjson(events))])
    expect(rows[0]).toMatchObject({result: 'applied', attempts: 1})
    expect(rows[0].detail).toContain('looked up')
    expect(shop.received).toHaveLength(1)
    expect(exit).toBe(0)
  })

  test('without a look at states, what got no answer stays unknown, and is listed', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = () => ({reset: true})
    const path = file(ndjson(events))
    const {rows, exit, stderr, home} = await replay(shop, [path, '--no-check-state', '--canary', '0'])
    expect(rows[0]).toMatchObject({result: 'unknown'})
    expect(exit).toBe(6)
    expect(stderr).toContain(`may have been applied: ${eventId(0)}`)
    const again = await replay(shop, [path, '--no-check-state'], {home})
    expect(again.rows[0]).toMatchObject({result: 'held'})
    expect(shop.received).toHaveLength(1)
  })

  test('the one text for everything: tried again where the transition is possible', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = (_, count) => (count === 1 ? refusal(GENERIC) : undefined)
    const {rows} = await replay(shop, [file(ndjson(events))])
    expect(rows[0]).toMatchObject({result: 'applied', attempts: 2})
  })

  test('the one text for everything: not tried again where the transaction has moved on meanwhile', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    shop.intercept = () => {
      shop.states.set(transactionId(0), 'refunded')
      return refusal(GENERIC)
    }
    const {rows, exit} = await replay(shop, [file(ndjson(events)), '--canary', '0'])
    expect(rows[0]).toMatchObject({result: 'rejected', attempts: 1})
    expect(rows[0].detail).toContain('out-of-order')
    expect(exit).toBe(5)
  })
})

describe('what is held', () => {
  const held = async (state: string, options: Parameters<typeof event>[1], words: string[] = []) => {
    const shop = await testShop({[transactionId(1)]: state})
    const {rows} = await replay(shop, [file(ndjson([event(1, options)])), '--dry-run', ...words])
    const {action, reason} = rows[0]
    return reason === null ? action : `${action} ${reason}`
  }

  test.each([
    ['refunded_partially', {}, 'hold out-of-order'],
    ['refunded', {}, 'hold out-of-order'],
    ['paid', {type: 'PAYMENT.CAPTURE.DENIED'}, 'hold out-of-order'],
    ['open', {type: 'PAYMENT.CAPTURE.DENIED'}, 'send'],
    ['open', {type: 'PAYMENT.CAPTURE.REFUNDED'}, 'hold out-of-order'],
    ['paid', {}, 'skip already-applied'],
    ['cancelled', {type: 'PAYMENT.CAPTURE.DENIED'}, 'skip already-applied'],
    ['refunded_partially', {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'}, 'send'],
    ['refunded', {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'}, 'send'],
    ['refunded', {type: 'PAYMENT.CAPTURE.REFUNDED'}, 'skip already-applied'],
    ['paid_partially', {final: false}, 'send'],
    ['paid', {type: 'PAYMENT.CAPTURE.REFUNDED'}, 'send'],
    ['cancelled', {}, 'send'],
    ['open', {createdAt: '2019-02-14T21:50:07.940Z'}, 'hold expired'],
    ['paid', {createdAt: '2019-02-14T21:50:07.940Z'}, 'skip already-applied'],
    ['refunded', {createdAt: '2019-02-14T21:50:07.940Z'}, 'hold out-of-order'],
    ['open', {createdAt: '2019-02-14T21:50:07.940Z', transaction: 2}, 'hold unknown-transaction'],
    ['open', {type: 'CHECKOUT.ORDER.APPROVED'}, 'skip no-handler'],
  ])('a transaction that is %s, and %j: %s', async (state, options, action) => {
    expect(await held(state, options)).toBe(action)
  })

  test('sent when the flag for its kind of hold is given', async () => {
    expect(await held('refunded_partially', {}, ['--include-out-of-order'])).toBe('send')
    expect(await held('open', {createdAt: '2019-02-14T21:50:07.940Z'}, ['--max-age', 'none'])).toBe('send')
  })

  test('held when it is named too; the flag releases it', async () => {
    const shop = await testShop({[transactionId(1)]: 'refunded_partially'})
    const home = temporaryFolder()
    await storectl(['webhook', 'import', file(ndjson([event(1)]))], {home, env: shop.env})
    const all = await replay(shop, [], {home})
    expect(all.outcomes).toEqual([[eventId(1), 'held']])
    expect(all.exit).toBe(7)
    const named = await replay(shop, [eventId(1)], {home})
    expect(named.outcomes).toEqual([[eventId(1), 'held']])
    expect(shop.arrived()).toEqual([])
    const released = await replay(shop, [eventId(1), '--include-out-of-order'], {home})
    expect(released.outcomes).toEqual([[eventId(1), 'applied']])
  })

  test('ids come from standard input too', async () => {
    const {states, events} = openPayments(3)
    const shop = await testShop(states)
    const home = temporaryFolder()
    await storectl(['webhook', 'import', file(ndjson(events))], {home, env: shop.env})
    const {outcomes} = await replay(shop, ['-'], {home, stdin: `${eventId(0)}\n${eventId(2)}\n`})
    expect(outcomes.map(([id]) => id).sort()).toEqual([eventId(0), eventId(2)])
  })

  test('an id that came with two bodies', async () => {
    const {states, events} = openPayments(1)
    const shop = await testShop(states)
    const {rows, exit} = await replay(shop, [file(ndjson([...events, {...events[0], summary: 'other'}]))])
    expect(rows[0].result).toBe('invalid')
    expect(exit).toBe(7)
    expect(shop.received).toEqual([])
  })
})

describe('guards', () => {
  test('a canary that fails keeps the rest back', async () => {
    const {states, events} = openPayments(30)
    const shop = await testShop(states)
    shop.intercept = (_, count) => (count === 3 ? SHOP_ERROR : undefined)
    const {exit, stderr} = await replay(shop, [file(ndjson(events))])
    expect(exit).toBe(7)
    expect(shop.received.length).toBeLessThanOrEqual(5)
    expect(stderr).toContain('stopped.canary_failed')
  })

  test('failures in a row open the breaker', async () => {
    const {states, events} = openPayments(60)
    const shop = await testShop(states)
    shop.intercept = (_, count) => (count > 20 ? SHOP_ERROR : undefined)
    const {exit} = await replay(shop, [file(ndjson(events)), '--concurrency', '1'])
    expect(exit).toBe(7)
    expect(shop.received).toHaveLength(24)
  })
})

test('two at once: the second is told of the first', async () => {
  const {states, events} = openPayments(3)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const path = file(ndjson(events))
  let second: Promise<Awaited<ReturnType<typeof replay>>> | undefined
  shop.intercept = async () => {
    second ??= replay(shop, [path], {home})
    await second
    return undefined
  }
  const first = await replay(shop, [path], {home})
  expect(first.exit).toBe(0)
  expect((await second)?.exit).toBe(8)
  expect((await second)?.stderr).toContain('A replay to ')
  expect(shop.received).toHaveLength(3)
})

test('an interruption finishes what is in flight, and the same command carries on', async () => {
  const {states, events} = openPayments(20)
  const shop = await testShop(states)
  const path = file(ndjson(events))
  const interrupted = testContext({env: shop.env})
  shop.intercept = (_, count) => {
    if (count === 6) interrupted.interruption.stop('SIGINT')
    return undefined
  }
  const first = await storectl(['webhook', 'replay', path, ...FAST], interrupted)
  expect(first.exit).toBe(130)
  const sent = shop.received.length
  expect(sent).toBeLessThan(12)
  expect(first.stdout.split('\n').filter(Boolean)).toHaveLength(sent)
  const second = await replay(shop, [path], {home: interrupted.home})
  expect(second.exit).toBe(0)
  expect(new Set(shop.arrived()).size).toBe(20)
  expect(shop.received).toHaveLength(20)
})
