import {beforeEach, describe, expect, onTestFinished, test} from 'vitest'
import {createFaultList, type FaultInjector} from '../../../src/shop/faults/active-faults.js'
import {createFaultInterceptor} from '../../../src/shop/faults/faults.js'
import {parseFaultRule} from '../../../src/shop/faults/parse.js'
import {buildApp} from '../../../src/shop/http/http.js'
import type {ShopRoute} from '../../../src/shop/http/route.js'
import {listen} from '../../../src/shop/shop.js'
import {StoppedClock} from '../../support/clock.js'
import {until} from '../../support/until.js'

const ORDER = '/api/fulfillment/order'
const WEBHOOK = '/api/_action/paypal/webhook/execute'

let committed: string[]
beforeEach(() => {
  committed = []
})

/** A server with two routes that note what they committed. */
async function serverWith(...rules: string[]) {
  const faults = createFaultList(rules.map(parseFaultRule))
  const clock = new StoppedClock()
  const routes = [ORDER, WEBHOOK].map(
    (path): ShopRoute => ({
      method: 'POST',
      path,
      auth: 'none',
      handle: () => {
        committed.push(path)
        return {contentType: 'text/plain', body: 'x'.repeat(1000)}
      },
    }),
  )
  const app = buildApp({
    routes,
    authenticate: () => Promise.reject(new Error('no route asks')),
    resolveContext: () => ({languageId: '', currencyId: '', versionId: ''}),
    intercept: createFaultInterceptor(faults, ms => clock.sleep(ms)),
  })
  const server = await listen(app)
  onTestFinished(() => server.stop())
  const post = (path: string) => fetch(`${server.url}${path}`, {method: 'POST'})
  const statuses = async (path: string, times: number) => {
    const answers: number[] = []
    for (let time = 0; time < times; time++) answers.push((await post(path)).status)
    return answers
  }
  return {faults, clock, post, statuses}
}

describe('a status', () => {
  test('is answered instead of the work, as an envelope, on its route alone', async () => {
    const {post} = await serverWith('route=webhook,status=503,retry-after=2')
    const answer = await post(WEBHOOK)
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      503,
      '2',
      {
        errors: [
          {
            code: '0',
            status: '503',
            title: 'Service Unavailable',
            detail: 'Injected fault: 503',
          },
        ],
      },
    ])
    expect((await post(ORDER)).status).toBe(200)
    expect(committed).toEqual([ORDER])
  })

  test('comes as often as count says, once after has passed', async () => {
    const {statuses} = await serverWith('status=500,after=1,count=2')
    expect(await statuses(ORDER, 5)).toEqual([200, 500, 500, 200, 200])
  })

  test('strikes about its share of requests, the same ones for a seed', async () => {
    const one = await serverWith('status=500,rate=20%,seed=7')
    const other = await serverWith('status=500,rate=20%,seed=8')
    const again = await serverWith('status=500,rate=0.2,seed=7')
    const first = await one.statuses(ORDER, 200)
    expect(await again.statuses(ORDER, 200)).toEqual(first)
    expect(await other.statuses(ORDER, 200)).not.toEqual(first)
    expect(first.filter(status => status === 500).length).toBeGreaterThan(20)
    expect(first.filter(status => status === 500).length).toBeLessThan(60)
  })
})

test('an expired token and a throttle are refused in the shop’s own words', async () => {
  const {post} = await serverWith('route=order,token=expired', 'route=webhook,throttle=30s')
  const expired = await post(ORDER)
  expect([expired.status, await expired.json()]).toEqual([
    401,
    {errors: [expect.objectContaining({code: '9', detail: 'Access token could not be verified'})]},
  ])
  const throttled = await post(WEBHOOK)
  expect([throttled.status, await throttled.json()]).toEqual([
    429,
    {
      errors: [
        expect.objectContaining({
          code: 'FRAMEWORK__AUTH_THROTTLED',
          detail: 'Auth throttled for 30 seconds.',
        }),
      ],
    },
  ])
  expect(committed).toEqual([])
})

describe('a broken connection', () => {
  test('before the commit leaves nothing done', async () => {
    const {post} = await serverWith('reset=before-commit,count=1')
    await expect(post(ORDER)).rejects.toThrow()
    expect(committed).toEqual([])
    expect((await post(ORDER)).status).toBe(200)
  })

  test('after the commit leaves it done', async () => {
    const {post} = await serverWith('route=order,reset=after-commit,count=1')
    await expect(post(ORDER)).rejects.toThrow()
    expect(committed).toEqual([ORDER])
    expect((await post(ORDER)).status).toBe(200)
  })
})

test('latency is waited for before the work, and adds up over rules', async () => {
  const {clock, post} = await serverWith('latency=200ms', 'route=order,latency=2s')
  await post(ORDER)
  await post(WEBHOOK)
  expect(clock.sleeps).toEqual([200, 2000, 200])
})

test('a slow body comes in pieces and arrives whole', async () => {
  const {clock, post} = await serverWith('slow-body=5s')
  const answer = await post(ORDER)
  expect(answer.headers.get('content-length')).toBe('1000')
  expect(await answer.text()).toBe('x'.repeat(1000))
  expect(clock.sleeps).toEqual(Array(10).fill(500))
})

describe('the list of a running server', () => {
  const add = (faults: FaultInjector, text: string) => faults.add(parseFaultRule(text))

  test('takes rules, tells how often they struck, and lets them go', async () => {
    const {faults, statuses} = await serverWith()
    expect(await statuses(ORDER, 1)).toEqual([200])
    const {id} = add(faults, 'status=500')
    const second = add(faults, 'route=webhook,status=502')
    expect(await statuses(ORDER, 2)).toEqual([500, 500])
    expect(faults.list().map(({rule, matched, injected}) => [rule.text, matched, injected])).toEqual([
      ['status=500', 2, 2],
      ['route=webhook,status=502', 0, 0],
    ])
    expect(faults.remove(id)).toBe(true)
    expect(faults.remove(id)).toBe(false)
    expect(await statuses(ORDER, 1)).toEqual([200])
    expect(await statuses(WEBHOOK, 1)).toEqual([502])
    faults.clear()
    expect(await statuses(WEBHOOK, 1)).toEqual([200])
    expect(add(faults, 'status=500').id).toBeGreaterThan(second.id)
  })

  test("keeps what strikes the payment provider's own API apart", () => {
    const faults = createFaultList()
    add(faults, 'provider=down,count=1')
    expect(faults.drawFaults(WEBHOOK)).toEqual([])
    expect(faults.drawProviderFault(WEBHOOK)).toBe('down')
    expect(faults.drawProviderFault(WEBHOOK)).toBeUndefined()
  })
})

describe('where random numbers begin', () => {
  const RULE = parseFaultRule('status=500,rate=30%')
  const strikes = (seed: number | undefined, rules = [RULE, RULE]) => {
    const faults = createFaultList(rules, seed)
    return Array.from({length: 200}, () => faults.drawFaults('/api/x').length)
  }

  test('is the same for a server’s seed and other for another', () => {
    expect(strikes(7)).toEqual(strikes(7))
    expect(strikes(7)).not.toEqual(strikes(8))
    expect(strikes(undefined)).toEqual(strikes(1))
  })

  test('differs between rules, so that two of one share do not always strike together', () => {
    const both = strikes(1).filter(struck => struck === 2).length
    const one = strikes(1).filter(struck => struck === 1).length
    expect(one).toBeGreaterThan(both)
    expect(both).toBeGreaterThan(0)
  })

  test('is a rule’s own where it says so, whatever the server’s', () => {
    const own = [parseFaultRule('status=500,rate=30%,seed=5')]
    expect(strikes(1, own)).toEqual(strikes(2, own))
  })
})

test.each([
  ['latency=3s,status=504,work-after=5s', [3000, 5000]],
  ['status=503,work-after=1s', [1000]],
])('%s answers, and the work is done later', async (rule, sleeps) => {
  const {clock, statuses} = await serverWith(`route=webhook,${rule}`)
  expect((await statuses(WEBHOOK, 1))[0]).toBeGreaterThan(500)
  await until('the work is done', () => committed.length > 0)
  expect([committed, clock.sleeps]).toEqual([[WEBHOOK], sleeps])
})

test('a connection is cut, and the work is done later', async () => {
  const {post} = await serverWith('route=webhook,reset=before-commit,work-after=5s')
  await expect(post(WEBHOOK)).rejects.toThrow()
  await until('the work is done', () => committed.length > 0)
  expect(committed).toEqual([WEBHOOK])
})
