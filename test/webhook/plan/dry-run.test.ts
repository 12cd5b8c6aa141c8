import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {rewriteCommandLine} from '../../../src/flags/command-line.js'
import {runFlags} from '../../../src/flags/global-flags.js'
import {replayFlags} from '../../../src/flags/replay-flags.js'
import {timeAgo} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'
import {event, eventId, file, ndjson, openPayments, replay, testShop, transactionId} from '../support.js'

const DAY_MS = 86_400_000

test('a dry run names the flag for each kind of hold, what would stop it, and the command that sends', async () => {
  const states = {
    [transactionId(1)]: 'open',
    [transactionId(2)]: 'open',
    [transactionId(3)]: 'refunded_partially',
  }
  const shop = await testShop({...states, [transactionId(4)]: 'open'})
  const events = [event(1), event(2), event(3), event(4, {createdAt: timeAgo(9 * DAY_MS)}), event(5)]
  const home = temporaryFolder()
  const path = file(ndjson(events))
  const words = ['webhook', 'replay', path, '--dry-run', '--rate', '4', '--max', '1', '-o', 'ndjson']
  const {stderr, exit} = await storectl(words, {env: shop.env, home})
  expect(exit).toBe(0)
  expect(stderr.trim().split('\n').slice(-10)).toEqual([
    'Shop: Shopware 6.6.7.1, payment plugin 9.6.2',
    'Held (expired): release with --max-age none',
    'Held (out-of-order): release with --include-out-of-order',
    'Held (unknown-transaction): no flag releases them',
    'Flows run: customers may get e-mails; --skip-flows prevents them',
    'Amount: 20.00 EUR',
    'Speed: 4 requests/s, about 500 ms',
    'Would stop: 2 events exceed --max 1',
    'Would ask for confirmation (--yes skips the question)',
    `To send: storectl webhook replay --rate 4 --max 2 ${path}`,
  ])
})

test('the command of a dry run for a protected profile has the confirmation', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states)
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', shop.url, '--protected'], {home})
  const words = ['webhook', 'replay', file(ndjson(events)), '--dry-run', '--profile', 'shop']
  const {stderr} = await storectl(words, {env: {...shop.env, STORECTL_URL: undefined} as never, home})
  expect(stderr).toContain('Would stop: profile "shop" is protected and needs --confirm shop')
  expect(stderr).toMatch(/^To send: storectl webhook replay .*--confirm shop/m)
})

test('--plan sends nothing by itself, and the command that it names sends the plan', async () => {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const plan = join(temporaryFolder(), 'monday.plan')
  const {stderr, exit} = await replay(shop, [file(ndjson(events)), '--since', '1d', '--plan', plan], {home})
  expect([exit, shop.arrived()]).toEqual([0, []])
  const [, command = ''] = /^To send: storectl (.+)$/m.exec(stderr) ?? []
  expect(command).toBe(`webhook replay --yes --rate 0 --apply ${plan}`)
  expect((await storectl(command.split(' '), {home, env: shop.env})).exit).toBe(0)
  expect(shop.arrived().sort()).toEqual([eventId(0), eventId(1)])
})

test('a plan that could not be made leaves no file', async () => {
  const {states, events} = openPayments(1)
  const shop = await testShop(states)
  shop.failsToFind = () => true
  const folder = temporaryFolder()
  const {exit} = await replay(shop, [file(ndjson(events)), '--plan', join(folder, 'monday.plan')])
  expect(exit).toBe(6)
  expect(readdirSync(folder)).toEqual([])
})

test('a confirmation shows how many are sent, held and skipped, the amount, the rate and the time', async () => {
  const {states, events} = openPayments(3)
  const shop = await testShop({...states, [transactionId(9)]: 'paid'})
  const path = file(ndjson([...events, event(9), event(8)]))
  const words = ['webhook', 'replay', path, '--rate', '1']
  const home = temporaryFolder()
  const {stderr, exit} = await storectl(words, {env: shop.env, home, terminal: true, answers: [false]})
  expect(stderr.trim().split('\n').slice(-3)).toEqual([
    `Shop: ${shop.url}`,
    '1 held, 1 skipped; 1 request/s, about 3 s; flows run',
    'Cancelled; nothing was sent.',
  ])
  expect(exit).toBe(7)
  const unattended = await storectl(words, {env: shop.env, home})
  expect(unattended.stderr).toContain(`Cannot confirm: send 3 events (30.00 EUR) to ${shop.url}.`)
  expect(shop.arrived()).toEqual([])
})

test.each([
  [['--dry-run', 'a b.json', '--reason', "it's"], {}, "--reason 'it'\\''s' 'a b.json'"],
  [['-y', '--max=3', '-ojson', '--no-check-state', '-'], {max: '9'}, '-y --no-check-state --max 9 -'],
  [['--max', '3', '--dry-run', '--', '-odd'], {}, '--max 3 -- -odd'],
])('the command line %j is written anew with %j', (argv, set, expected) => {
  const change = {without: ['dry-run'], keepsArguments: true, set}
  expect(rewriteCommandLine('replay', argv, {...runFlags, ...replayFlags}, change)).toBe(`replay ${expected}`)
})
