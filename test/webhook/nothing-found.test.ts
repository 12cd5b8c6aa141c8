import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, ndjson, openPayments, replay, testShop, transactionId} from './support.js'

test('an empty list names the shop that was asked', async () => {
  const shop = await testShop()
  const list = ['webhook', 'list', '--status', 'failed', '--fail-if-any']
  const other = await storectl(list, {env: shop.env})
  expect(other.exit).toBe(0)
  expect(other.stderr).toBe(`No failed events in the inbox of ${shop.url}\n`)
  const local = await storectl(['webhook', 'list', '--type', 'A.*'])
  expect(local.stderr).toBe(
    'No events that match in the inbox of local (the bundled shop); not your shop? storectl login\n',
  )
  const diagnosed = await storectl(['webhook', 'diagnose', '--summary'], {env: shop.env})
  expect(diagnosed.stderr).toBe(`No events to diagnose in the inbox of ${shop.url}\n`)
})

test('a replay without any event names the shop that was asked', async () => {
  const shop = await testShop()
  expect((await replay(shop, [])).stderr).toContain(`No events to send to ${shop.url}`)
  expect((await replay(shop, ['--dry-run'])).stderr).toContain(`No events to send to ${shop.url}`)
})

test('two profiles of one shop share one inbox', async () => {
  const {states, events} = openPayments(1)
  const {url} = await testShop(states)
  const home = temporaryFolder()
  for (const [name, address] of [
    ['day', url],
    ['night', `${url}/`],
  ] as const)
    await storectl(['profile', 'set', name, '--url', address], {home})
  await storectl(['webhook', 'import', file(ndjson(events)), '--profile', 'day'], {home})
  const {stdout} = await storectl(['webhook', 'list', '--profile', 'night', '-o', 'id'], {home})
  expect(stdout.trim()).toBe(eventId(0))
})

test('what is known to be held is no news; what is newly held ends with 7 or 3', async () => {
  const shop = await testShop({[transactionId(1)]: 'refunded', [transactionId(2)]: 'open'})
  const home = temporaryFolder()
  const first = await replay(shop, [file(ndjson([event(1), event(3)]))], {home})
  expect([first.exit, first.outcomes.map(([, result]) => result)]).toEqual([7, ['held', 'held']])
  const again = await replay(shop, [], {home})
  expect([again.exit, again.outcomes.map(([, result]) => result)]).toEqual([0, ['held', 'held']])
  const withNew = await replay(shop, [file(ndjson([event(2), event(4)]))], {home})
  expect(withNew.exit).toBe(3)
  expect((await replay(shop, [], {home})).exit).toBe(0)
  shop.states.set(transactionId(3), 'refunded')
  expect((await replay(shop, [], {home})).exit).toBe(7)
})

test('resolving many asks with their number, and a protected profile wants its name for one', async () => {
  const {states, events} = openPayments(3)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const set = ['profile', 'set', 'prod', '--url', shop.url]
  await storectl(set, {home})
  await storectl(['webhook', 'import', file(ndjson(events)), '--profile', 'prod'], {home})
  const resolve = (words: string[], stdin = '') =>
    storectl(['webhook', 'resolve', ...words, '--reason', 'by hand', '--profile', 'prod'], {home, stdin})
  const ids = `${eventId(0)}\n${eventId(1)}\n`
  const many = await resolve(['-'], ids)
  expect([many.exit, many.stdout]).toEqual([2, ''])
  expect(many.stderr).toContain(`mark 2 events of prod (${shop.url}) as resolved`)
  expect((await resolve(['-', '--yes'], ids)).stdout.trim().split('\n')).toHaveLength(3)
  await storectl([...set, '--protected'], {home})
  expect((await resolve([eventId(2), '--yes'])).exit).toBe(7)
  expect((await resolve([eventId(2), '--confirm', 'prod'])).stdout).toContain('resolved')
})

test.each([['stop'], ['status'], ['seed']])('server %s refuses an unknown profile', async command => {
  const {exit, stderr} = await storectl(['server', command, '--profile', 'nope'])
  expect(exit).toBe(2)
  expect(stderr).toContain('nope')
})
