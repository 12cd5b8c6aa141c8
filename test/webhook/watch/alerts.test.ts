import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {nameAlerts as names, openReceiver} from '../../support/alerts.js'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'
import {event, eventId, openPayments, SHOP_ERROR, transactionId} from '../support.js'
import {AWAY, importEvents, QuickClock, startWatch, type WatchedShop, watchedShop} from './support.js'

async function homeWith(shop: WatchedShop, events: Iterable<object>): Promise<string> {
  const context = testContext({env: shop.env})
  await importEvents(events, context)
  return context.home
}

test('a shop that is away for longer than --away-after is alerted to once, and so is its return', async () => {
  const {states, events} = openPayments(3)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  shop.away = () => AWAY
  const words = ['--yes', '--notify', receiver.url, '--away-after', '3m']
  const watch = startWatch(shop, {home: await homeWith(shop, events), words})
  await watch.until(() => names(receiver).length > 0)
  const [alert] = receiver.taken
  expect(alert).toMatchObject({
    ...{kind: 'shop-away', state: 'open', shop: shop.url, profile: 'url', until: null},
    ...{cause: 'answered 503', counts: {pending: 3, failed: 0, unknown: 0}},
    ...{command: `storectl doctor --url ${shop.url}`, amounts: [{currency: 'EUR'}]},
  })
  expect(Object.keys(alert ?? {})).toEqual(
    'id kind state shop profile since until counts amounts cause command text'.split(' '),
  )
  const awayMs = watch.context.host.clock.now().getTime() - Date.parse(String(alert?.since))
  expect(awayMs).toBeGreaterThanOrEqual(180_000)
  shop.away = () => undefined
  await watch.until(() => names(receiver).length > 1)
  await watch.stop()
  expect(names(receiver)).toEqual(['shop-away open', 'shop-away over'])
  expect(receiver.taken[1]).toMatchObject({id: alert?.id, since: alert?.since})
  expect(JSON.stringify(receiver.taken)).not.toContain(shop.env.STORECTL_WEBHOOK_TOKEN)
})

test('a shorter outage alerts nobody', async () => {
  const {states, events} = openPayments(3)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  let failures = 6
  shop.away = () => (failures-- > 0 ? AWAY : undefined)
  const words = ['--yes', '--notify', receiver.url]
  const watch = startWatch(shop, {home: await homeWith(shop, events), words})
  await watch.until(() => watch.context.err().includes('3 applied'))
  await watch.stop()
  expect(receiver.calls).toBe(0)
})

test('a refused token, and the end of that, are alerted to at once', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  shop.tokens.clear()
  const words = ['--yes', '--notify', receiver.url, '--away-after', '30d']
  const watch = startWatch(shop, {home: await homeWith(shop, events), words})
  await watch.until(() => names(receiver).length === 1)
  shop.tokens.add(shop.env.STORECTL_WEBHOOK_TOKEN as string)
  await watch.until(() => names(receiver).length === 2)
  await watch.stop()
  expect(names(receiver)).toEqual(['token-refused open', 'token-refused over'])
})

test('events that a person has to decide on are one alert with counts and amounts, and over when they are', async () => {
  const shop = await watchedShop({[transactionId(1)]: 'open'})
  const receiver = await openReceiver()
  const old = [1, 2].map(number => event(number, {transaction: 1, createdAt: '2024-01-01T00:00:00.000Z'}))
  const home = await homeWith(shop, old)
  const words = ['--yes', '--notify', receiver.url]
  const watch = startWatch(shop, {home, words})
  await watch.until(() => names(receiver).length === 1)
  expect(receiver.taken[0]).toMatchObject({
    cause: 'expired',
    counts: {expired: 2},
    amounts: [{currency: 'EUR'}],
  })
  expect(String(receiver.taken[0]?.text)).toContain('storectl webhook replay --dry-run --url')
  await storectl(['webhook', 'resolve', eventId(1), eventId(2), '--reason', 'seen', '--yes'], {
    home,
    env: shop.env,
  })
  await watch.until(() => names(receiver).length === 2)
  await watch.stop()
  expect(names(receiver)).toEqual(['events-held open', 'events-held over'])
})

test('Slack gets a text', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  shop.tokens.clear()
  const words = ['--yes', '--notify', receiver.url, '--notify-format', 'slack']
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home, words, clock: new QuickClock()})
  await watch.until(() => receiver.taken.length === 1)
  await watch.stop()
  const cause = 'the shop refuses the token: refused the webhook token (2 pending'
  expect(Object.keys(receiver.taken[0] ?? {})).toEqual(['text'])
  expect(receiver.taken[0]?.text).toContain(`${shop.url}: ${cause}`)
})

test('too many failures stop a run, and that is one alert', async () => {
  const {states, events} = openPayments(12)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  shop.away = ({body}) => (body === '{}' ? undefined : SHOP_ERROR)
  const words = ['--yes', '--notify', receiver.url, '--canary', '0']
  const watch = startWatch(shop, {home: await homeWith(shop, events), words})
  await watch.until(() => names(receiver).includes('breaker-open open'))
  shop.away = () => undefined
  await watch.until(() => names(receiver).includes('breaker-open over'))
  await watch.stop()
  expect(names(receiver)).toEqual(['breaker-open open', 'breaker-open over'])
})

test('two watches alert once, and one that is begun again does not alert again', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  shop.tokens.clear()
  const home = await homeWith(shop, events)
  const words = ['--yes', '--notify', receiver.url]
  const begin = () => startWatch(shop, {home, words, clock: new QuickClock()})
  const watches = [begin(), begin()]
  for (const watch of watches) await watch.until(() => watch.context.err().includes('the shop is away'))
  await watches[0]?.until(() => names(receiver).length === 1)
  for (const watch of watches) await watch.stop()
  const again = begin()
  await again.until(() => again.context.err().includes('the shop is away'))
  expect(names(receiver)).toEqual(['token-refused open'])
  shop.tokens.add(shop.env.STORECTL_WEBHOOK_TOKEN as string)
  await again.until(() => names(receiver).length === 2)
  await again.stop()
  expect(names(receiver)).toEqual(['token-refused open', 'token-refused over'])
  expect(new Set(receiver.taken.map(({id}) => id)).size).toBe(1)
})

test('a receiver that is away gets the alert when it is back, and holds nothing up meanwhile', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  receiver.isAway = true
  shop.tokens.clear()
  const words = ['--yes', '--notify', receiver.url]
  const watch = startWatch(shop, {home: await homeWith(shop, events), words, clock: new QuickClock()})
  await watch.until(() => receiver.calls > 0)
  shop.tokens.add(shop.env.STORECTL_WEBHOOK_TOKEN as string)
  await watch.until(() => watch.context.err().includes('2 applied'))
  receiver.isAway = false
  await watch.until(() => names(receiver).length === 2)
  const {stderr} = await watch.stop()
  expect(names(receiver)).toEqual(['token-refused open', 'token-refused over'])
  expect(
    stderr.match(/An alert could not be sent, and is sent again: 127.0.0.1:\d+ answered 503/g),
  ).toHaveLength(1)
})

test('a command gets the alert on its stdin; one that fails is named, and run again', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const folder = temporaryFolder()
  shop.tokens.clear()
  writeFileSync(
    join(folder, 'tell.sh'),
    'cat >> "$1/alerts"; mkdir "$1/again" 2> /dev/null && echo broken >&2 && exit 3; true',
  )
  const command = `sh ${join(folder, 'tell.sh')} ${folder}`
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home, words: ['--yes', '--on-problem', command], clock: new QuickClock()})
  const read = () => readJsonLines(readFileSync(join(folder, 'alerts'), 'utf8'))
  await watch.until(() => watch.context.err().includes('the command ended with exit 3: broken'))
  await until('it is run again', () => read().length > 1)
  await watch.stop()
  expect(read()).toMatchObject([{kind: 'token-refused'}, {kind: 'token-refused'}])
  expect(read()[0]?.id).toBe(read()[1]?.id)
})

test('a command that does not end is killed with the watch, with what it started', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const folder = temporaryFolder()
  shop.tokens.clear()
  mkdirSync(join(folder, 'at'))
  const command = `echo $$ > ${folder}/at/pid; sleep 1000; true`
  const home = await homeWith(shop, events)
  const watch = startWatch(shop, {home, words: ['--yes', '--on-problem', command], clock: new QuickClock()})
  const readPid = () => Number(readFileSync(join(folder, 'at/pid'), 'utf8'))
  await until('it runs', () => readPid() > 0)
  expect((await watch.stop()).exit).toBe(0)
  await until('it is gone', () => {
    try {
      process.kill(readPid(), 0)
      return false
    } catch {
      return true
    }
  })
})

test('the URL to notify is in no output and in no run, from the command line and from the environment', async () => {
  const {states, events} = openPayments(2)
  const shop = await watchedShop(states)
  const receiver = await openReceiver()
  receiver.isAway = true
  const home = await homeWith(shop, events)
  shop.tokens.clear()
  const given = [
    {words: ['--yes', '--debug', '--notify', receiver.url, '--on-problem', 'exit 4 # hook-password']},
    {words: ['--yes', '--debug'], env: {STORECTL_NOTIFY_URL: receiver.url}},
  ]
  for (const each of given) {
    const before = receiver.calls
    const watch = startWatch(shop, {home, ...each, clock: new QuickClock()})
    await watch.until(() => receiver.calls > before)
    await watch.until(() => watch.context.err().includes('An alert could not be sent'))
    const {stdout, stderr} = await watch.stop()
    const runs = await storectl(['run', 'list', '--all', '-o', 'json'], {home})
    for (const text of [stdout, stderr, runs.stdout]) expect(text).not.toMatch(/secret-path|hook-password/)
    expect(runs.stdout).toContain('webhook replay')
  }
})

test.each([
  [['--notify', 'http://127.0.0.1:1/x'], '--watch'],
  [['--watch', '--notify', 'ftp://secret-host/x'], 'The URL to notify must begin with https:// or http://.'],
  [
    ['--watch', '--notify', 'https://ops:5%zz@127.0.0.1:1/x'],
    'The user or password in the URL to notify has a % that no two hex digits follow.',
  ],
])('%s is refused', async (words, why) => {
  const shop = await watchedShop({})
  const {exit, stderr} = await storectl(['webhook', 'replay', '--yes', ...words], {env: shop.env})
  expect(exit).toBe(2)
  expect(stderr).toContain(why)
  expect(stderr).not.toContain('secret-host')
})
