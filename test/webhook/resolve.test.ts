import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, GENERIC, ndjson, refusal, replay, testShop, transactionId} from './support.js'

async function failedOne() {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = temporaryFolder()
  const run = (words: string[], more = {}) => storectl(words, {home, env: shop.env, ...more})
  const json = async (words: string[]) => JSON.parse((await run([...words, '-o', 'json'])).stdout)
  shop.intercept = () => refusal(GENERIC)
  await replay(shop, [file(ndjson([event(1)])), '--retries', '0'], {home})
  shop.intercept = () => undefined
  const status = async () => (await json(['webhook', 'list']))[0].status
  return {shop, home, run, json, status}
}

test('what was resolved is off the failed list, and says by whom, when and why', async () => {
  const {run, json, status} = await failedOne()
  expect(await status()).toBe('failed')
  const {exit, stdout} = await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand', '-o', 'json'])
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toEqual([{id: eventId(1), result: 'resolved'}])
  expect(await json(['webhook', 'list', '--status', 'failed'])).toEqual([])
  expect(await json(['webhook', 'list', '--status', 'resolved'])).toHaveLength(1)
})

test('a resolved event is not replayed, by filters or by name, unless a flag says so', async () => {
  const {shop, home, run, status} = await failedOne()
  await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand'])
  const before = shop.received.length
  expect((await replay(shop, [], {home})).rows).toEqual([])
  expect((await replay(shop, [eventId(1)], {home})).outcomes).toEqual([[eventId(1), 'skipped']])
  expect((await replay(shop, ['--status', 'resolved'], {home})).outcomes).toEqual([[eventId(1), 'skipped']])
  expect(shop.received.length).toBe(before)
  expect((await replay(shop, ['--include-resolved'], {home})).outcomes).toEqual([[eventId(1), 'applied']])
  expect(await status()).toBe('delivered')
})

test('a resolved event that is sent again and fails stays resolved', async () => {
  const {shop, home, run, status} = await failedOne()
  await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand'])
  shop.intercept = () => refusal(GENERIC)
  await replay(shop, ['--include-resolved', '--retries', '0'], {home})
  expect(await status()).toBe('resolved')
})

test('--undo gives the status back, once', async () => {
  const {run, status} = await failedOne()
  await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand'])
  const undo = async () =>
    JSON.parse((await run(['webhook', 'resolve', eventId(1), '--undo', '-o', 'json'])).stdout)[0].result
  expect(await undo()).toBe('reopened')
  expect(await status()).toBe('failed')
  expect(await undo()).toBe('not-resolved')
})

test('filters of --undo choose among what is resolved, and a filter that chooses nothing says so', async () => {
  const {run, status} = await failedOne()
  const where = `id = "${eventId(1)}"`
  const none = await run(['webhook', 'resolve', '--where', 'amount > 1000', '--reason', 'x'])
  expect([none.exit, none.stderr]).toEqual([
    0,
    expect.stringContaining('No events to resolve in the inbox of'),
  ])
  const early = await run(['webhook', 'resolve', '--undo', '--where', where])
  expect(early.stderr).toContain('No resolved events in the inbox of')
  await run(['webhook', 'resolve', '--where', where, '--reason', 'by hand'])
  const undone = await run(['webhook', 'resolve', '--undo', '--where', where, '-o', 'json'])
  expect(JSON.parse(undone.stdout)).toEqual([{id: eventId(1), result: 'reopened'}])
  expect(await status()).toBe('failed')
  const cause = await run(['webhook', 'resolve', '--undo', '--cause', 'temporary'])
  expect([cause.exit, cause.stderr]).toEqual([2, expect.stringContaining('--cause')])
})

test('a reason is needed, and an id that is not there is said and ends with 3', async () => {
  const {run, status} = await failedOne()
  const without = await run(['webhook', 'resolve', eventId(1)])
  expect(without.exit).toBe(2)
  expect(without.stderr).toContain('--reason')
  expect(await status()).toBe('failed')
  const some = await run(['webhook', 'resolve', '-', '--reason', 'x', '--yes', '-o', 'tsv'], {
    stdin: `id\tstatus\n${eventId(1)}\tfailed\n${eventId(9)}\n`,
  })
  expect(some.exit).toBe(3)
  expect(some.stdout).toBe(`result\tid\nresolved\t${eventId(1)}\nnot-found\t${eventId(9)}\n`)
})

test('what was delivered needs no resolving and stays delivered', async () => {
  const {shop, home, run, status} = await failedOne()
  await replay(shop, [], {home})
  const {stdout, exit} = await run(['webhook', 'resolve', eventId(1), '--reason', 'x', '-o', 'json'])
  expect([exit, JSON.parse(stdout)[0].result]).toEqual([0, 'was-delivered'])
  expect(await status()).toBe('delivered')
})

test('more events than memory is meant for are resolved by a filter, each once', async () => {
  const home = temporaryFolder()
  const file = join(home, 'events.ndjson')
  const count = 2300
  const events = Array.from({length: count}, (_, seed) => captureCompleted({seed: seed + 1}).body)
  writeFileSync(file, events.join('\n'))
  const run = (...words: string[]) => storectl(words, {home})
  expect((await run('webhook', 'import', file)).exit).toBe(0)
  const words = ['--status', 'pending', '--reason', 'test data', '--profile', 'local', '--yes', '-o', 'id']
  const ended = await run('webhook', 'resolve', ...words)
  expect(new Set(ended.stdout.split('\n').filter(Boolean)).size).toBe(count)
  expect(readdirSync(home).filter(name => name.startsWith('spool-'))).toEqual([])
  const left = await run('webhook', 'list', '--status', 'pending', '--all', '-o', 'id')
  expect(left.stdout).toBe('')
})
