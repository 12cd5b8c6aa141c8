import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords} from '../../../src/records/index.js'
import {begun} from '../../runs/support.js'
import {currentTime, SkippingClock, timeAgo} from '../../support/clock.js'
import {testContext} from '../../support/context.js'
import {ENGINES, type Engine} from '../../support/engines.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'
import {bareNdjson, event, eventId, openPayments, SHOP_ERROR, transactionId} from '../support.js'
import {AWAY, importEvents, QuickClock, startWatch, type WatchedShop, watchedShop} from './support.js'

/** A home whose inbox holds events. */
async function homeWith(shop: WatchedShop, events: Iterable<object>): Promise<string> {
  const context = testContext({env: shop.env})
  await importEvents(events, context)
  return context.home
}

const listRuns = async (home: string) =>
  JSON.parse((await storectl(['run', 'list', '--kind', 'replay', '-o', 'json'], {home})).stdout)

const listStatuses = async (home: string, shop: WatchedShop) => {
  const {stdout} = await storectl(['webhook', 'list', '--all', '-o', 'ndjson'], {home, env: shop.env})
  return readJsonLines(stdout).map(({status}) => status)
}

/** Events among calls, without probes. */
const sent = (shop: WatchedShop) => shop.calls().filter(call => call !== 'probe')

test('an outage is ended by one run: probes while the shop is away, and no event before two are good', async () => {
  const {states, events} = openPayments(12)
  const shop = await watchedShop(states)
  let failures = 6
  shop.away = () => (failures-- > 0 ? AWAY : undefined)
  const before = testContext({env: shop.env})
  await importEvents(events, before)
  const watch = startWatch(shop, {home: before.home})
  await watch.until(() => shop.calls().length >= 20)
  await watch.until(() => watch.context.err().includes('12 applied'))
  const {exit, stdout, stderr} = await watch.stop()
  expect(exit).toBe(0)
  expect(shop.calls().slice(0, 8)).toEqual(Array(8).fill('probe'))
  expect(shop.calls().slice(8).sort()).toEqual(events.map((_, index) => eventId(index)).sort())
  expect(readJsonLines(stdout)).toHaveLength(12)
  expect(stderr).toMatch(/the shop is away: answered 503[\s\S]*the shop is back, after/)
  const runs = JSON.parse((await storectl(['run', 'list', '--kind', 'replay', '-o', 'json'], before)).stdout)
  expect(runs).toMatchObject([{kind: 'replay', state: 'completed', counts: {applied: 12}}])
})

test('a watch works beside others on records in PostgreSQL', async () => {
  const {states, events} = openPayments(8)
  const shop = await watchedShop(states)
  let failures = 2
  shop.away = () => (failures-- > 0 ? AWAY : undefined)
  const {url} = (await (ENGINES[1] as Engine).fresh()) as {url: string}
  const env = {...shop.env, STORECTL_DATABASE_URL: url}
  const context = testContext({env})
  await importEvents(events, context)
  const [one, other] = [startWatch({...shop, env}, {home: context.home}), startWatch({...shop, env})]
  await one.until(() => sent(shop).length === 8)
  await one.until(async () =>
    (await listStatuses(context.home, {...shop, env})).every(each => each === 'delivered'),
  )
  const rows = JSON.parse((await storectl(['run', 'list', '-o', 'json'], {home: context.home, env})).stdout)
  expect(rows.map(({kind, atWork}: {kind: string; atWork: number}) => `${kind} ${atWork}`)).toEqual([
    'watch 1',
    'watch 1',
  ])
  expect([(await one.stop()).exit, (await other.stop()).exit]).toEqual([0, 0])
  expect(new Set(sent(shop)).size).toBe(8)
})

test('after an event that the shop refuses because it is away, none is sent until two probes are good', async () => {
  const {states, events} = openPayments(30)
  const shop = await watchedShop(states)
  let isAway = false
  let probes = 0
  shop.away = ({body}) => {
    if (body !== '{}' && sent(shop).length === 12) isAway = true
    if (isAway && body === '{}' && ++probes === 4) isAway = false
    return isAway ? AWAY : undefined
  }
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home, words: ['--yes', '--concurrency', '1', '--canary', '0']})
  await watch.until(async () => [...shop.states.values()].every(state => state === 'paid'))
  await watch.until(async () => (await listStatuses(home, shop)).every(status => status === 'delivered'))
  await watch.stop()
  const calls = shop.calls()
  const refused = calls.indexOf(sent(shop)[11] as string)
  expect(calls.slice(refused + 1, refused + 6)).toEqual(Array(5).fill('probe'))
  expect(sent(shop)).toHaveLength(31)
  expect(watch.context.err()).toContain('the shop is away: maintenance')
})

test('what is refused for what it is does not stop the rest, and comes again after 10 minutes', async () => {
  const {states, events} = openPayments(9)
  const shop = await watchedShop(states)
  shop.away = ({body}) => (body.includes(eventId(2)) ? SHOP_ERROR : undefined)
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home})
  await watch.until(() => new Set(sent(shop)).size === 9)
  const isDone = async () =>
    (await listStatuses(home, shop)).filter(status => status === 'delivered').length === 8
  await watch.until(isDone)
  shop.away = () => undefined
  await watch.until(() => shop.states.get(transactionId(2)) === 'paid')
  await watch.stop()
  expect(sent(shop).filter(id => id === eventId(2)).length).toBeLessThan(4)
})

test('an event behind one that was refused waits with it', async () => {
  const {states} = openPayments(5)
  const shop = await watchedShop(states)
  const events = [
    event(1, {final: false, amount: '4.00'}),
    event(2, {transaction: 1, final: false, amount: '5.00'}),
    event(3, {transaction: 2}),
  ]
  shop.away = ({body}) => (body.includes(eventId(1)) ? SHOP_ERROR : undefined)
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home})
  await watch.until(() => shop.states.get(transactionId(2)) === 'paid')
  await importEvents([event(4)], {home, host: watch.context.host})
  await watch.until(() => shop.states.get(transactionId(4)) === 'paid')
  await watch.stop()
  expect(sent(shop)).not.toContain(eventId(2))
})

test('a refused token is no reason to send on: the watch waits until the shop takes it', async () => {
  const {states, events} = openPayments(3)
  const shop = await watchedShop(states)
  shop.tokens.clear()
  const watch = startWatch(shop, {home: await homeWith(shop, events)})
  await watch.until(() => shop.calls().length >= 5)
  expect(sent(shop)).toEqual([])
  expect(watch.context.err()).toContain('the shop is away: refused the webhook token')
  shop.tokens.add(shop.env.STORECTL_WEBHOOK_TOKEN as string)
  await watch.until(() => sent(shop).length === 3)
  expect((await watch.stop()).exit).toBe(0)
})

test('a webhook token that is stored anew while the watch runs is used from then on', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const context = testContext({env: {STORECTL_TOKEN: 'signed-in'}})
  const {home} = context
  const store = (token: string) =>
    storectl(['profile', 'set', 'shop', '--url', shop.url, '--webhook-token-stdin'], {home, stdin: token})
  await store('Cd34'.repeat(8))
  await importEvents(events, {
    ...context,
    host: {...context.host, env: {...context.host.env, STORECTL_PROFILE: 'shop'}},
  })
  const watch = startWatch(
    {...shop, env: {STORECTL_TOKEN: 'signed-in'}},
    {home, words: ['--yes', '--profile', 'shop', '--include-wrong-token']},
  )
  await watch.until(() => shop.calls().length >= 3)
  expect(sent(shop)).toEqual([])
  expect((await store([...shop.tokens][0] as string)).exit).toBe(0)
  await watch.until(() => sent(shop).length === 2)
  await watch.stop()
})

test('half of the routes away: while states cannot be looked up nothing is sent', async () => {
  const {states, events} = openPayments(3)
  const shop = await watchedShop(states)
  let lookups = 0
  shop.failsToFind = () => ++lookups < 5
  const watch = startWatch(shop, {home: await homeWith(shop, events)})
  await watch.until(() => sent(shop).length === 3)
  await watch.stop()
  expect(lookups).toBeGreaterThanOrEqual(5)
  const gaps = shop.calls().indexOf(sent(shop)[0] as string)
  expect(gaps).toBeGreaterThanOrEqual(10)
})

test('what may have been applied is looked up again when its time is there, and then sent', async () => {
  const {states, events} = openPayments(1)
  const shop = await watchedShop(states)
  let isFirst = true
  shop.away = ({body}) => {
    if (body === '{}' || !isFirst) return undefined
    isFirst = false
    return {status: 504, body: '<h1>gateway</h1>'}
  }
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home})
  await watch.until(() => shop.states.get(transactionId(0)) === 'paid')
  await watch.stop()
  expect(sent(shop)).toHaveLength(2)
  const runs = await listRuns(home)
  expect(runs.map(({counts}: {counts: object}) => counts)).toEqual([{applied: 1}, {unknown: 1}])
  const [later, earlier] = runs.map(({startedAt}: {startedAt: string}) => Date.parse(startedAt))
  expect(later - earlier).toBeGreaterThanOrEqual(600_000)
})

test('an event of five days ago is sent: a watch holds what is older than seven', async () => {
  const shop = await watchedShop({[transactionId(1)]: 'open', [transactionId(2)]: 'open'})
  const days = (count: number) => timeAgo(count * 86_400_000)
  const events = [event(1, {createdAt: days(5)}), event(2, {createdAt: days(8)})]
  const watch = startWatch(shop, {home: await homeWith(shop, events)})
  await watch.until(() => watch.context.err().includes('1 held (expired)'))
  await watch.until(() => sent(shop).length === 1)
  await watch.stop()
  expect(sent(shop)).toEqual([eventId(1)])
})

test('what a person has to decide is held, leaves no run, and does not stop the rest', async () => {
  const shop = await watchedShop({[transactionId(1)]: 'open'})
  const old = event(5, {transaction: 1, createdAt: '2024-01-01T00:00:00.000Z'})
  const home = await homeWith(shop, [old, event(7, {transaction: 7})])
  const watch = startWatch(shop, {home})
  await watch.until(() => shop.calls().length >= 2)
  await watch.until(async () => watch.context.err().includes('held'))
  expect(await listRuns(home)).toEqual([])
  const recent = event(1, {createdAt: timeAgo(6 * 86_400_000)})
  await importEvents([recent], {home, host: {...watch.context.host}})
  await watch.until(() => sent(shop).length === 1)
  await watch.stop()
  expect(sent(shop)).toEqual([eventId(1)])
})

test('a watch of an inbox with nothing to send makes no request', async () => {
  const shop = await watchedShop({})
  const watch = startWatch(shop, {home: await homeWith(shop, [])})
  await watch.until(() => watch.context.host.clock.now().getTime() > currentTime().getTime() + 3_600_000)
  await watch.stop()
  expect(shop.calls()).toEqual([])
})

test('what rounds have to say of the same events is said once', async () => {
  const {states, events} = openPayments(4)
  const shop = await watchedShop(states)
  const context = testContext({env: shop.env})
  const {home} = context
  const file = join(home, 'bare.ndjson')
  writeFileSync(file, bareNdjson(events.slice(0, 2)))
  await storectl(['webhook', 'import', file], {home, env: shop.env})
  const watch = startWatch(shop, {home})
  await watch.until(() => watch.context.err().includes('2 held (unverified)'))
  for (const each of events.slice(2)) {
    await importEvents([each], context)
    await watch.until(() => shop.calls().includes(each.id))
  }
  await watch.stop()
  expect(watch.context.err().match(/senders not checked/g)).toHaveLength(1)
  expect(watch.context.err().match(/2 held \(unverified\)/g)).toHaveLength(1)
})

test('a paused watch sends nothing until it is resumed, and a stop ends it with 0', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, [])
  const watch = startWatch(shop, {home})
  await watch.until(() => watch.context.err().includes('Watch '))
  const [, id] = /Watch (\w+):/.exec(watch.context.err()) as RegExpExecArray
  await storectl(['run', 'set', id as string, '--paused'], {home})
  await watch.until(() => watch.context.err().includes('paused by'))
  await importEvents(events, {home, host: watch.context.host})
  const {clock} = watch.context.host
  const pausedMs = clock.now().getTime()
  await watch.until(() => clock.now().getTime() - pausedMs > 60_000)
  expect(shop.calls()).toEqual([])
  await storectl(['run', 'set', id as string, '--no-paused'], {home})
  await watch.until(() => sent(shop).length === 2)
  expect((await storectl(['run', 'stop', id as string], {home})).exit).toBe(0)
  expect((await watch.stop()).exit).toBe(0)
})

test.each([
  ['its run is stopped', ['run', 'stop', 'last']],
  ['it is paused', ['run', 'set', 'WATCH', '--paused']],
])('where %s, a watch is paused and sends the rest as soon as it is resumed', async (_, words) => {
  const {states, events} = openPayments(40)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, events)
  const intercept = shop.intercept
  shop.intercept = async (request, count) => {
    if (request.body !== '{}') await new Promise(resolve => setTimeout(resolve, 80))
    return intercept(request, count)
  }
  const watch = startWatch(shop, {
    home,
    words: ['--yes', '--concurrency', '1', '--canary', '0'],
    clock: new QuickClock(),
  })
  await watch.until(() => sent(shop).length >= 2)
  const [, id = ''] = /Watch (\w+):/.exec(watch.context.err()) ?? []
  const pause = words.map(word => (word === 'WATCH' ? id : word))
  expect((await storectl(pause, {home})).exit).toBe(0)
  await watch.until(() => watch.context.err().includes('paused by'))
  await watch.until(() => watch.context.err().includes('(run '))
  const stoppedAt = sent(shop).length
  expect(stoppedAt).toBeLessThan(40)
  const resumedMs = watch.context.host.clock.now().getTime()
  await storectl(['run', 'set', id, '--no-paused'], {home})
  await watch.until(() => sent(shop).length === 40)
  expect(watch.context.host.clock.now().getTime() - resumedMs).toBeLessThan(60_000)
  await watch.stop()
})

test('a watch that is paused while it sends ends its requests in flight, and sends the rest once it is resumed', async () => {
  const {states, events} = openPayments(20)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, events)
  const intercept = shop.intercept
  shop.intercept = async (request, count) => {
    if (request.body !== '{}') await new Promise(resolve => setTimeout(resolve, 60))
    return intercept(request, count)
  }
  const words = ['--yes', '--concurrency', '1', '--canary', '0']
  const watch = startWatch(shop, {home, words, clock: new QuickClock()})
  await watch.until(() => sent(shop).length >= 2)
  const [, id = ''] = /Watch (\w+):/.exec(watch.context.err()) ?? []
  await storectl(['run', 'set', id, '--paused'], {home})
  await watch.until(async () => (await listRuns(home))[0].state !== 'running')
  const atPause = sent(shop).length
  expect(atPause).toBeLessThan(20)
  await storectl(['run', 'set', id, '--no-paused'], {home})
  await watch.until(() => sent(shop).length === 20)
  await watch.stop()
  expect(new Set(sent(shop)).size).toBe(20)
})

test('two watches send each event once', async () => {
  const {states, events} = openPayments(20)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, events)
  const watches = [startWatch(shop, {home}), startWatch(shop, {home})]
  await watches[0]?.until(() => sent(shop).length >= 20)
  for (const watch of watches) await watch.stop()
  expect(sent(shop).sort()).toEqual(events.map(({id}) => id).sort())
})

test.each([
  [['--dry-run'], '--dry-run: a watch sends'],
  [['--since', '6h'], '--since: a watch goes on'],
  [['--via', 'provider'], '--via provider: the provider delivers again by itself'],
  [['--include-unknown'], '--include-unknown: an unknown result is for a person to decide'],
  [['--include-resolved'], '--include-resolved: a resolved event is for a person to decide'],
  [['--include-delivered'], '--include-delivered: a watch would send delivered events again and again'],
  [['-'], 'ids, files and -: a watch is about the whole inbox'],
])('--watch does not go with %s', async (words, why) => {
  const shop = await watchedShop({})
  const {exit, stderr} = await storectl(['webhook', 'replay', '--watch', '--yes', ...words], {env: shop.env})
  expect(exit).toBe(2)
  expect(stderr).toContain(`--watch does not go with ${why}`)
})

test('a watch is agreed to once: without a terminal it needs --yes', async () => {
  const shop = await watchedShop({})
  const {exit, stderr} = await storectl(['webhook', 'replay', '--watch'], {env: shop.env})
  expect(exit).toBe(2)
  expect(stderr).toContain('--yes')
})

test('a watch of a protected profile needs its name once, and then sends', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const context = testContext({env: {STORECTL_TOKEN: 'signed-in'}})
  const {home} = context
  const set = ['profile', 'set', 'shop', '--url', shop.url, '--protected', '--webhook-token-stdin']
  await storectl(set, {home, stdin: [...shop.tokens][0] as string})
  const env = {STORECTL_TOKEN: 'signed-in', STORECTL_PROFILE: 'shop'}
  await importEvents(events, {...context, host: {...context.host, env: {...context.host.env, ...env}}})
  const refused = await storectl(['webhook', 'replay', '--watch', '--yes'], {home, env})
  expect(refused.exit).toBe(7)
  const watch = startWatch({...shop, env}, {home, words: ['--confirm', 'shop']})
  await watch.until(() => sent(shop).length === 2)
  expect((await watch.stop()).exit).toBe(0)
})

test('a watch stays with the shop that was agreed to, whichever is the default meanwhile', async () => {
  const {states, events} = openPayments(2)
  const [shop, other] = [await watchedShop(states), await watchedShop(states)]
  const context = testContext({env: {STORECTL_TOKEN: 'signed-in'}})
  const {home} = context
  for (const [name, {url, tokens}] of Object.entries({shop, other})) {
    const set = ['profile', 'set', name, '--url', url, '--webhook-token-stdin']
    await storectl(set, {home, stdin: [...tokens][0] as string})
    const env = {...context.host.env, STORECTL_PROFILE: name}
    await importEvents(name === 'shop' ? [] : events, {home, host: {...context.host, env}})
  }
  await storectl(['profile', 'use', 'shop'], {home})
  const watch = startWatch({...shop, env: {STORECTL_TOKEN: 'signed-in'}}, {home})
  await watch.until(() => watch.context.err().includes('sends events to shop'))
  await storectl(['profile', 'use', 'other'], {home})
  const env = {...context.host.env, STORECTL_PROFILE: 'shop'}
  await importEvents(events, {home, host: {...context.host, env}})
  await watch.until(() => sent(shop).length === 2)
  await watch.stop()
  expect(other.calls()).toEqual([])
})

test("a person's replay makes a watch's run give way, and the watch sends the rest afterwards", async () => {
  const {states, events} = openPayments(40)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, events)
  const intercept = shop.intercept
  shop.intercept = async (request, count) => {
    if (request.body !== '{}') await new Promise(resolve => setTimeout(resolve, 40))
    return intercept(request, count)
  }
  const words = ['--yes', '--concurrency', '1', '--canary', '0']
  const watch = startWatch(shop, {home, words, clock: new QuickClock()})
  await watch.until(() => sent(shop).length >= 2)
  const dryRun = await storectl(['webhook', 'replay', '--dry-run'], {home, env: shop.env})
  expect(dryRun.exit).toBe(0)
  const ids = events.slice(-3).map(({id}) => id)
  const byPerson = await storectl(['webhook', 'replay', ...ids, '--yes', '--rate', '0'], {
    home,
    env: shop.env,
  })
  expect(byPerson.exit).toBe(0)
  expect(byPerson.stderr).toContain('gives way: its requests in flight end first')
  await watch.until(() => sent(shop).length === 40)
  await watch.stop()
  expect(new Set(sent(shop)).size).toBe(40)
  const runs = (await listRuns(home)) as {stopCode: string | null; watchId: string | null}[]
  const ended = runs.map(({stopCode, watchId}) => `${watchId === null ? 'person' : 'watch'} ${stopCode}`)
  expect(new Set(ended)).toEqual(new Set(['watch null', 'person null', 'watch stopped.gave_way']))
})

test('while the run of a person is under way the watch waits, and does not stop it', async () => {
  const {states, events} = openPayments(6)
  const shop = await watchedShop(states)
  const home = await homeWith(shop, events)
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const byPerson = await begun(records.runs, new SkippingClock(), {
    target: shop.url,
    machine: describeMachine({}),
  })
  const watch = startWatch(shop, {home})
  await watch.until(() => watch.context.err().includes('is already running'))
  expect(sent(shop)).toEqual([])
  expect((await records.runs.find(byPerson.id))[0]?.stopCode).toBeNull()
  await byPerson.end({isComplete: true})
  await watch.until(() => sent(shop).length === 6)
  await watch.stop()
  await records.close()
})
