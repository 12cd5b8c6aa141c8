import {readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Clock} from '../../../src/platform/clock.js'
import {applyPlanRules} from '../../../src/webhook/plan/plan-file.js'
import {StoppedClock} from '../../support/clock.js'
import {type TestContextOptions, testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {
  event,
  eventId,
  FAST,
  file,
  ndjson,
  openPayments,
  replay,
  type TestShop,
  testShop,
  transactionId,
} from '../support.js'

/** Events of a file, planned and written down. */
async function planned(
  shop: TestShop,
  events: readonly object[],
  words: readonly string[] = [],
  clock?: Clock,
) {
  const timed = clock ? {clock} : {}
  const plan = join(temporaryFolder(), 'monday.plan')
  const given = [file(ndjson(events)), '--dry-run', '--plan', plan, ...words]
  const ended = await replay(shop, given, timed)
  const lines = readFileSync(plan, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return {
    ...ended,
    plan,
    lines,
    apply: (more: string[] = []) => applied(shop, plan, {home: ended.home, ...timed}, more),
  }
}

function applied(shop: TestShop, plan: string, options: TestContextOptions, words: string[] = []) {
  return replay(shop, ['--apply', plan, ...words], options)
}

test('a plan is written down for the owner alone, can be read, and is carried out exactly', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'refunded'})
  const {exit, plan, lines, apply, home, stderr} = await planned(shop, [event(1), event(2), event(3)])
  expect(exit).toBe(0)
  expect(shop.received).toEqual([])
  expect(statSync(plan).mode & 0o777).toBe(0o600)
  const [head, ...rest] = lines
  const end = rest.pop()
  expect(head).toMatchObject({storectlPlan: 1, target: shop.url, rules: {checkState: true}})
  expect(rest.map(({id, action, reason, state, status}) => [id, action, reason, state, status])).toEqual([
    [eventId(1), 'send', null, 'open', 'pending'],
    [eventId(2), 'hold', 'out-of-order', 'refunded', 'pending'],
    [eventId(3), 'hold', 'unknown-transaction', null, 'pending'],
  ])
  expect(end).toMatchObject({events: 3, send: 1})
  expect(stderr).toContain(`plan ${end.hash.slice(0, 12)} of 3 events`)

  // What came meanwhile is not in the plan.
  shop.states.set(transactionId(4), 'open')
  await storectl(['webhook', 'import', file(ndjson([event(4)]))], {home, env: shop.env})
  const sent = await apply()
  expect(Object.fromEntries(sent.outcomes)).toEqual({
    [eventId(1)]: 'applied',
    [eventId(2)]: 'held',
    [eventId(3)]: 'held',
  })
  expect(shop.arrived()).toEqual([eventId(1)])
  const run = JSON.parse((await storectl(['run', 'show', 'last', '-o', 'json'], {home})).stdout)
  expect(run.options.plan).toBe(end.hash)
})

test('a plan is sent once', async () => {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  const {apply} = await planned(shop, events)
  expect((await apply()).exit).toBe(0)
  expect(shop.received).toHaveLength(2)
  const again = await apply()
  expect(again.exit).toBe(2)
  expect(again.stderr).toMatch(/Run \w{16} already used this plan/)
  expect(shop.received).toHaveLength(2)
})

test('a plan that is there already stays, unless it is to be replaced', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const {plan, home} = await planned(shop, [event(1)])
  const before = readFileSync(plan, 'utf8')
  const again = await replay(shop, ['--dry-run', '--plan', plan], {home})
  expect(again.exit).toBe(2)
  expect(readFileSync(plan, 'utf8')).toBe(before)
  expect((await replay(shop, ['--dry-run', '--plan', plan, '--force'], {home})).exit).toBe(0)
})

test('interrupted, a plan is carried on with by its run', async () => {
  const {states, events} = openPayments(12)
  const shop = await testShop(states)
  const {plan, home} = await planned(shop, events)
  const interrupted = testContext({env: shop.env, home})
  shop.intercept = (_, count) => {
    if (count === 3) interrupted.interruption.stop('SIGINT')
    return undefined
  }
  await storectl(['webhook', 'replay', '--apply', plan, ...FAST], interrupted)
  shop.intercept = () => undefined
  const again = await applied(shop, plan, {home})
  expect(again.exit).toBe(2)
  const [, resume] = /(run resume \w+)/.exec(again.stderr) ?? []
  const limits = ['--rate', '50', '--concurrency', '1', '--max', 'none']
  await storectl([...(resume as string).split(' '), ...limits, '--yes'], {home, env: shop.env})
  const {stdout} = await storectl(['run', 'show', 'last', '-o', 'json'], {home, env: shop.env})
  expect(JSON.parse(stdout).options.options).toMatchObject({ratePerSecond: 50, concurrency: 1})
  expect(shop.received).toHaveLength(12)
  expect(new Set(shop.arrived()).size).toBe(12)
})

type Change = (given: {shop: TestShop; plan: string; home: string}) => Promise<unknown> | unknown

const edited = (from: string | RegExp, to: string): Change => {
  return ({plan}) => writeFileSync(plan, readFileSync(plan, 'utf8').replace(from, to))
}

test.each<[string, number, string, Change]>([
  ['an edited action', 2, 'edited or cut off', edited('"hold"', '"send"')],
  ['a line less', 2, 'edited or cut off', edited(/{"action":"send".*\n/, '')],
  ['an end that is gone', 2, 'edited or cut off', ({plan}) => cut(plan)],
  ['a file that is no plan', 2, 'is not a replay plan', ({plan}) => writeFileSync(plan, ndjson([event(1)]))],
  ['an empty file', 2, 'is not a replay plan', ({plan}) => writeFileSync(plan, '')],
  [
    'a transaction that moved',
    7,
    `${eventId(1)}: its transaction is paid, and was open`,
    ({shop}) => shop.states.set(transactionId(1), 'paid'),
  ],
  [
    'an event that was delivered meanwhile',
    7,
    `${eventId(1)}: it is delivered, and was pending`,
    ({shop, home}) => replay(shop, [eventId(1)], {home}),
  ],
  [
    'an id that got a second body',
    7,
    `${eventId(1)}: it is invalid`,
    ({shop, home}) =>
      storectl(['webhook', 'import', file(ndjson([{...event(1), summary: 'other'}]))], {
        home,
        env: shop.env,
      }),
  ],
])('%s: exit %i, and nothing is sent', async (_, exit, said, change) => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'refunded'})
  const {plan, home, apply} = await planned(shop, [event(1), event(2)])
  await change({shop, plan, home})
  const before = shop.received.length
  const ended = await apply()
  expect(ended.stderr).toContain(said)
  expect(ended.stderr).toContain('storectl webhook replay --plan FILE')
  expect(ended.stderr).not.toMatch(/and \d+ more/)
  expect(ended.exit).toBe(exit)
  expect(shop.received).toHaveLength(before)
})

test('a plan that was edited is told by its code, and that nothing was sent', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'refunded'})
  const {plan, home} = await planned(shop, [event(1), event(2)])
  writeFileSync(plan, readFileSync(plan, 'utf8').replace('"hold"', '"send"'))
  const words = ['webhook', 'replay', '--apply', plan, '--yes', '-o', 'json']
  const {stderr} = await storectl(words, {env: shop.env, home})
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage.plan_edited',
    message: expect.stringMatching(/was edited or cut off. Nothing was sent\.$/),
  })
})

test('a plan of no events is a plan: applied, it sends nothing', async () => {
  const shop = await testShop({})
  const {lines, apply} = await planned(shop, [event(1)], ['--type', 'PAYMENT.CAPTURE.REFUNDED'])
  expect(lines).toHaveLength(2)
  const ended = await apply()
  expect([ended.exit, ended.outcomes, shop.received]).toEqual([0, [], []])
})

function cut(plan: string): void {
  const lines = readFileSync(plan, 'utf8').trimEnd().split('\n')
  writeFileSync(plan, `${lines.slice(0, -1).join('\n')}\n`)
}

test('a plan for another shop: exit 2, and nothing is sent', async () => {
  const [shop, other] = [await testShop({[transactionId(1)]: 'open'}), await testShop({})]
  const {plan, home} = await planned(shop, [event(1)])
  const ended = await applied(other, plan, {home})
  expect(ended.exit).toBe(2)
  expect(ended.stderr).toContain(`The plan is for ${shop.url}, but ${other.url} is chosen`)
  expect(other.received).toEqual([])
})

test('a plan says what it is about: words and filters beside it are refused, limits are not', async () => {
  const shop = await testShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const {apply} = await planned(shop, [event(1), event(2)])
  for (const words of [['--since', '2d'], ['--include-out-of-order'], [eventId(1)]]) {
    expect((await apply(words)).exit).toBe(2)
  }
  const ended = await apply(['--max', '1'])
  expect(ended.exit).toBe(7)
  expect(ended.stderr).toContain('--max allows 1')
  expect(ended.stderr).toContain('add --max 2')
  expect(ended.stderr).not.toContain('--since')
})

test('an age is counted up to when the plan was made', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const clock = new StoppedClock()
  const createdAt = new Date(clock.now().getTime() - 86_400_000 + 1500).toISOString()
  const {lines, apply} = await planned(shop, [event(1, {createdAt})], ['--max-age', '1d'], clock)
  expect(lines[1].action).toBe('send')
  clock.advance(1501)
  expect((await apply()).outcomes).toEqual([[eventId(1), 'applied']])
})

test('a plan that does not fit into memory is applied as it is', async () => {
  const {states, events} = openPayments(2300)
  // All payments but the first ten and the last ten were refunded: their events are held, which is quick.
  for (const key of Object.keys(states).slice(10, -10)) states[key] = 'refunded'
  const shop = await testShop(states)
  const {lines, apply} = await planned(shop, events)
  expect(lines).toHaveLength(2302)
  const ended = await apply(['--max', 'none', '--concurrency', '20'])
  expect(ended.outcomes).toHaveLength(2300)
  expect(ended.exit).toBe(3)
  expect(shop.arrived().sort()).toEqual([...events.slice(0, 10), ...events.slice(-10)].map(({id}) => id))
})

test('a plan that has no limit has none, whatever the command that carries it out says', () => {
  const limits = {maxAgeMs: 1, countsSinceMs: 2, countsRuns: 3, presumeLostAfterMs: 4}
  const rules = {checkState: true, includeDelivered: false}
  const applied = applyPlanRules({...limits, rate: 5} as never, {rules} as never)
  expect(applied).toMatchObject({...rules, rate: 5})
  for (const name of Object.keys(limits)) expect(applied).toHaveProperty(name, undefined)
})
