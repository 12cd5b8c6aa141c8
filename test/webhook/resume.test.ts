import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {openRun} from '../../src/runs/open-run.js'
import {intent, thisMachine} from '../runs/support.js'
import {currentTime, StoppedClock, timeAgo} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, ndjson, openPayments, SHOP_ERROR, testShop, transactionId} from './support.js'

const FAST = ['--yes', '--rate', '0', '-o', 'ndjson']

function fileOf(events: Iterable<object>): string {
  const path = join(temporaryFolder(), 'events.ndjson')
  writeFileSync(path, ndjson(events))
  return path
}

test('a replay that was interrupted is shown, listed and carried on with', async () => {
  const {states, events} = openPayments(20)
  const shop = await testShop(states)
  const first = testContext({env: shop.env})
  const {home} = first
  shop.intercept = (_, count) => {
    if (count === 6) first.interruption.stop('SIGINT')
    return undefined
  }
  await storectl(['webhook', 'replay', fileOf(events), ...FAST, '--reason', 'ticket 12'], first)
  const sent = shop.received.length
  shop.intercept = () => undefined

  const shown = JSON.parse((await storectl(['run', 'show', 'last', '-o', 'json'], {home})).stdout)
  expect(shown).toMatchObject({
    kind: 'replay',
    state: 'stopped',
    target: shop.url,
    reason: 'ticket 12',
    total: 20,
    counts: {applied: sent},
  })
  expect(shown.who).not.toBe('')

  const resumed = await storectl(['run', 'resume', shown.id.slice(0, 12), '--yes', '-o', 'ndjson'], {
    home,
    env: shop.env,
  })
  expect(resumed.exit).toBe(0)
  expect(shop.received).toHaveLength(20)
  expect(new Set(shop.arrived()).size).toBe(20)

  const listed = await storectl(['run', 'list', '-o', 'json'], {home})
  expect(JSON.parse(listed.stdout)).toMatchObject([
    {state: 'completed', continues: shown.id, counts: {applied: 20 - sent}},
    {state: 'stopped', id: shown.id},
  ])
  const results = await storectl(['run', 'show', 'last', '--results', '-o', 'ndjson'], {home})
  expect(results.stdout.trim().split('\n')).toHaveLength(20 - sent)
})

test('what failed is not sent again by carrying on, though the same replay would send it', async () => {
  const {states, events} = openPayments(4)
  const shop = await testShop(states)
  const home = temporaryFolder()
  shop.intercept = (_, count) => (count === 2 ? SHOP_ERROR : undefined)
  await storectl(['webhook', 'replay', fileOf(events), ...FAST, '--concurrency', '1'], {home, env: shop.env})
  expect(shop.received).toHaveLength(2)
  shop.intercept = () => undefined
  const {stderr} = await storectl(['run', 'resume', 'last', '--yes'], {home, env: shop.env})
  expect(shop.received).toHaveLength(4)
  expect(stderr).toMatch(/1 event failed in run \w+ and were not sent again on resume/)
})

test('the rest goes in the order of the plan, whatever the ids', async () => {
  const shop = await testShop({[transactionId(7)]: 'open'})
  const minute = (minutes: number) => timeAgo(minutes * 60_000)
  const events = [
    event(9, {transaction: 7, final: false, amount: '4.00', createdAt: minute(30)}),
    event(5, {transaction: 7, amount: '6.00', createdAt: minute(20)}),
    event(1, {transaction: 7, type: 'PAYMENT.CAPTURE.REFUNDED', createdAt: minute(10)}),
  ]
  const first = testContext({env: shop.env})
  shop.intercept = () => {
    first.interruption.stop('SIGINT')
    return undefined
  }
  await storectl(['webhook', 'replay', fileOf(events), ...FAST], first)
  expect(shop.arrived()).toEqual([eventId(9)])
  shop.intercept = () => undefined
  const {exit} = await storectl(['run', 'resume', 'last', '--yes'], {home: first.home, env: shop.env})
  expect(exit).toBe(0)
  expect(shop.arrived()).toEqual([eventId(9), eventId(5), eventId(1)])
  expect(shop.states.get(transactionId(7))).toBe('refunded')
})

test('a run that ended before its plan stood is not carried on with', async () => {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  const home = temporaryFolder()
  await storectl(['webhook', 'import', fileOf(events)], {home, env: shop.env})
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const dead = {...thisMachine, host: 'elsewhere'}
  const options = {...intent, target: shop.url, options: {options: {checkState: true}}}
  const clock = new StoppedClock()
  const run = await openRun(options, {store: records.runs, machine: dead, clock, random: Math.random})
  const planned = {item: eventId(0), orderingKey: 'lane', isUnsure: false, metadata: null, block: 0}
  await records.runs.addPlanned(run.id, 0, [planned])
  await run.fail()
  await records.close()
  const {exit, stderr} = await storectl(['run', 'resume', 'last', '--yes'], {home, env: shop.env})
  expect(exit).toBe(2)
  expect(stderr).toContain('ended before its plan was complete')
  expect(shop.received).toEqual([])
})

test('a run of another shop is not carried on with here', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states)
  const other = await testShop(states)
  const home = temporaryFolder()
  await storectl(['webhook', 'replay', fileOf(events), ...FAST], {home, env: shop.env})
  const {exit, stderr} = await storectl(['run', 'resume', 'last', '--yes'], {home, env: other.env})
  expect(exit).toBe(2)
  expect(stderr).toContain(`was for ${shop.url}`)
})

test('a run that nobody knows', async () => {
  const home = temporaryFolder()
  expect((await storectl(['run', 'show', 'last'], {home})).exit).toBe(9)
  expect((await storectl(['run', 'show', '0abc'], {home})).stderr).toContain('Unknown run "0abc"')
})
