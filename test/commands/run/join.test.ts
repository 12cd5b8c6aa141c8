import {join} from 'node:path'
import {expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords} from '../../../src/records/index.js'
import {openRun} from '../../../src/runs/open-run.js'
import {writeStoppedReplay} from '../../runs/stopped-replay.js'
import {intent} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {eventId, file, ndjson, openPayments, type TestShop, testShop} from '../../webhook/support.js'

const RULES = {
  ...{
    checkState: true,
    includeOutOfOrder: false,
    includeUnverified: false,
    via: 'shop',
    includeDelivered: false,
    includeUnknown: false,
  },
  ...{ratePerSecond: 0, concurrency: 2, retries: 0, canary: 0, graceMs: 0},
}

/** A replay of so many events whose process is gone, with an intent of the first that nobody answered. */
async function abandoned(shop: TestShop, count: number) {
  const home = temporaryFolder()
  const {events} = openPayments(count)
  await storectl(['webhook', 'import', file(ndjson(events))], {home, env: shop.env})
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const machine = {...describeMachine({}), pid: 2 ** 22 + 1}
  const asked = {...intent, target: shop.url, options: {options: RULES, isNamed: false}}
  const run = await openRun(asked, {store: records.runs, machine, clock: machineClock, random: Math.random})
  const planned = async function* () {
    for (const {id} of events) yield {item: id, orderingKey: id, isUnsure: false, metadata: 'open'}
  }
  await run.storePlan(count, count, planned())
  const [first] = events
  const entry = {
    item: first?.id as string,
    orderingKey: first?.id as string,
    contentHash: 'c0ffee',
    attempt: 1,
  }
  await records.runs.claim(run.ref, [])
  await run.journal.write({kind: 'intent', ...entry})
  run.stopHeartbeat()
  await records.close()
  return {home, id: run.id}
}

test('who joins a replay whose process is gone brings it to its end, and looks up what was in flight', async () => {
  const shop = await testShop(openPayments(8).states)
  const {home, id} = await abandoned(shop, 8)
  const {exit, stdout, stderr} = await storectl(
    ['run', 'resume', 'last', '--join', '--yes', '-o', 'ndjson'],
    {
      home,
      env: shop.env,
    },
  )
  expect(exit, stderr).toBe(6)
  expect(stderr).not.toContain('other workers of the run ended')
  expect(stdout.trim().split('\n')).toHaveLength(8)
  // The first may still be at work: its state did not change, which proves nothing.
  expect(shop.arrived().sort()).toEqual(Array.from({length: 7}, (_, index) => eventId(index + 1)))
  const shown = JSON.parse((await storectl(['run', 'show', id, '-o', 'json'], {home})).stdout)
  expect(shown).toMatchObject({
    ...{state: 'completed', counts: {applied: 7, unknown: 1}, atWork: 0},
    workers: [
      {id, state: 'gone', counts: {}},
      {state: 'left', counts: {applied: 7, unknown: 1}},
    ],
  })
  const verified = await storectl(['run', 'verify', id, '-o', 'json'], {home})
  expect(JSON.parse(verified.stdout)).toMatchObject([{auditLog: 'verified'}])
  const table = await storectl(['run', 'show', id, '-o', 'table'], {home})
  expect(table.stdout).toMatch(/gone: nothing yet; .* left: .*7 applied/)
})

test('--confirm with the name of another profile joins nothing, and --concurrency 1 sends one at a time', async () => {
  const shop = await testShop(openPayments(8).states)
  const {home} = await abandoned(shop, 8)
  let inFlight = 0
  let most = 0
  shop.intercept = async () => {
    most = Math.max(most, ++inFlight)
    await new Promise(resolve => setImmediate(resolve))
    inFlight--
    return undefined
  }
  const join = (...words: string[]) =>
    storectl(['run', 'resume', 'last', '--join', '--yes', ...words], {home, env: shop.env})
  expect((await join('--confirm', 'nobody')).exit).toBe(7)
  // The shop may still be at work on what the abandoned worker sent.
  expect((await join('--concurrency', '1')).exit).toBe(6)
  expect(most).toBe(1)
})

test('a replay that is over, that nobody knows, or that is for another shop is not joined', async () => {
  const [shop, other] = [await testShop(openPayments(2).states), await testShop()]
  const home = temporaryFolder()
  const {events} = openPayments(2)
  const none = await storectl(['run', 'resume', 'last', '--join', '--yes'], {home, env: shop.env})
  expect([none.exit, none.stderr]).toEqual([9, expect.stringContaining('No replay, submit or repair yet')])
  await storectl(['webhook', 'replay', file(ndjson(events)), '--yes', '--rate', '0'], {home, env: shop.env})
  const over = await storectl(['run', 'resume', 'last', '--join', '--yes'], {home, env: shop.env})
  expect([over.exit, over.stderr]).toEqual([2, expect.stringContaining('has completed: nothing to join')])
  expect(over.stderr).toContain('storectl run show')
  expect(over.stderr).not.toContain('storectl run resume')
  const elsewhere = await storectl(['run', 'resume', 'last', '--join', '--yes'], {home, env: other.env})
  expect([elsewhere.exit, elsewhere.stderr]).toEqual([2, expect.stringContaining('--join --url')])
  expect(elsewhere.stderr).toContain(`was for ${shop.url}`)
  expect(shop.received).toHaveLength(2)
})

test('a replay that was stopped is resumed instead', async () => {
  const home = temporaryFolder()
  const {id} = await writeStoppedReplay(home, machineClock, {total: 2, ended: 1})
  const words = ['run', 'resume', 'last', '--join', '--yes', '--url', 'https://shop.example']
  const {exit, stderr} = await storectl(words, {home, env: {STORECTL_TOKEN: 'token'}})
  expect([exit, stderr]).toEqual([2, expect.stringContaining('was stopped: nothing to join')])
  expect(stderr).toContain(`storectl run resume --url https://shop.example ${id}`)
})

test('a submit is not joined', async () => {
  const shop = await testShop()
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const deps = {store: records.runs, machine: describeMachine({}), clock: machineClock, random: Math.random}
  const run = await openRun({...intent, kind: 'submit', target: shop.url, total: 3}, deps)
  const {exit, stderr} = await storectl(['run', 'resume', run.id, '--join', '--yes'], {home, env: shop.env})
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is a submit')])
  expect(stderr).toContain('split the orders')
  expect(stderr).toContain('split the orders into several files')
  await run.discard()
  await records.close()
})
