import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords} from '../../../src/records/index.js'
import {begun} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {type TestContext, testContext} from '../../support/context.js'
import {endpoint} from '../../support/endpoint.js'
import {ENGINES} from '../../support/engines.js'
import {temporaryFolder} from '../../support/home.js'
import {orderOf} from '../../support/order-shop.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'
import {file, ndjson, openPayments, testShop} from '../../webhook/support.js'

const says = (context: TestContext, part: string) =>
  until(`it prints ${part}`, () => context.err().includes(part))

/** A shop whose responses wait until the test lets them go. */
async function heldShop(count: number) {
  const {states, events} = openPayments(count)
  const shop = await testShop(states)
  const held: (() => void)[] = []
  let isHeld = true
  shop.intercept = async () => {
    if (isHeld) await new Promise<void>(resolve => held.push(resolve))
    return undefined
  }
  const hold = () => {
    isHeld = true
  }
  const release = () => {
    isHeld = false
    for (const go of held.splice(0)) go()
  }
  return {shop, events, hold, release}
}

describe.each(ENGINES)('a replay on $name', engine => {
  test('is paused, resumed with other limits and stopped from another terminal', async () => {
    const fresh = await engine.fresh()
    const {shop, events, hold, release} = await heldShop(30)
    const env = {...shop.env, ...(fresh.url !== undefined && {STORECTL_DATABASE_URL: fresh.url})}
    const home = temporaryFolder()
    const run = async (...words: string[]) => {
      const {exit, stdout, stderr} = await storectl(['run', ...words, '-o', 'json'], {home, env})
      expect([exit, stderr]).toEqual([0, expect.anything()])
      return JSON.parse(stdout)
    }
    const replay = testContext({home, env})
    const words = ['--yes', '--canary', '0', '--rate', '0', '--concurrency', '1', '-o', 'ndjson']
    const ended = storectl(['webhook', 'replay', file(ndjson(events)), ...words], replay)
    await until('the first event arrives', () => shop.received.length === 1)

    expect(await run('set', 'last', '--paused')).toMatchObject({state: 'paused', control: {isPaused: true}})
    await says(replay, ': paused by ')
    release()
    await until('the first result is there', () => replay.out().includes('"applied"'))
    hold()
    expect(await run('set', 'last', '--concurrency', 'auto')).toMatchObject({control: {concurrency: 'auto'}})
    await says(replay, ': concurrency set to auto by ')
    const limits = ['--concurrency', '3', '--rate', '500']
    expect(await run('set', 'last', ...limits)).toMatchObject({state: 'paused'})
    await says(replay, ': concurrency set to 3 by ')
    expect(shop.received).toHaveLength(1)
    expect(await run('list', '--state', 'paused')).toMatchObject([{control: {concurrency: 3}}])

    expect(await run('resume', 'last')).toMatchObject({state: 'running', control: {isPaused: false}})
    await until('three are in flight at once', () => shop.received.length === 4)
    const stopped = run('stop', 'last', '--reason', 'the shop is slow')
    await says(replay, ': the shop is slow')
    release()
    expect(await stopped).toMatchObject({state: 'stopped', stopCode: 'stopped.by_request'})
    const {exit, stderr} = await ended
    expect(exit).toBe(7)
    expect(shop.received).toHaveLength(4)
    const [, changes = ''] = /changed while it ran: (.+)/.exec(stderr) ?? []
    expect(changes.split(', ').map(change => change.replace(/ by .+/, ''))).toEqual([
      ...['concurrency set to auto', 'rate set to 500/s', 'concurrency set to 3', 'resumed', 'stopped'],
    ])
    expect(stderr).toMatch(/26 not sent; to resume: storectl run resume/)
    expect(stderr).toMatch(/was stopped by .+: the shop is slow/)
    await fresh.drop()
  })
})

test('a submit is stopped from another terminal', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const {url, received} = await endpoint(async ({body}) => {
    await held
    return {body: {id: 'a', reference: JSON.parse(body).reference, status: 'received'}}
  })
  const env = {STORECTL_URL: url, STORECTL_TOKEN: 'signed-in'}
  const home = temporaryFolder()
  const submit = testContext({home, env})
  const orders = file(ndjson(['A', 'B', 'C'].map(each => orderOf(each))))
  const words = ['order', 'submit', orders, '--yes', '--concurrency', '1', '-o', 'ndjson']
  const ended = storectl(words, submit)
  await until('the first order arrives', () => received.length === 1)
  const stopped = storectl(['run', 'stop', 'last', '-o', 'json'], {home, env})
  await says(submit, ': stopped by ')
  release()
  expect(JSON.parse((await stopped).stdout)).toMatchObject({kind: 'submit', state: 'stopped'})
  expect(await ended).toMatchObject({exit: 7, stderr: expect.stringContaining('2 not sent')})
})

test('a run that nobody knows, that is over or unresponsive, or of a protected profile is left alone', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example', '--protected'], {home})
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const open = await begun(records.runs, machineClock, {machine: describeMachine({}), total: 3})
  const gone = {...describeMachine({}), pid: 2 ** 22 + 1}
  const crashed = await begun(records.runs, machineClock, {
    machine: gone,
    target: 'b',
    profile: 'b',
    total: 1,
  })
  crashed.stopHeartbeat()
  const fail = async (...words: string[]) => {
    const {exit, stderr} = await storectl(['run', ...words, '-o', 'json'], {home})
    return [exit, JSON.parse(stderr).error.code]
  }
  expect(await fail('set', '7zz', '--paused')).toEqual([9, 'empty.no_run'])
  expect(await fail('set', open.id)).toEqual([2, 'usage.nothing_to_set'])
  expect(await fail('stop', open.id)).toEqual([7, 'stopped.not_confirmed'])
  expect(await fail('set', crashed.id, '--paused')).toEqual([8, 'conflict.unresponsive'])
  const set = await storectl(['run', 'set', open.id, '--rate', '2', '--confirm', 'shop', '-o', 'json'], {
    home,
  })
  expect(JSON.parse(set.stdout)).toMatchObject({state: 'running', control: {ratePerSecond: 2}})
  await open.end({isComplete: true})
  expect(await fail('stop', open.id, '--confirm', 'shop')).toEqual([2, 'usage.run_not_open'])
  await records.close()
})
