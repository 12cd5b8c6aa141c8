import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {captureCompleted} from '../support/events.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, GENERIC, ndjson, refusal, replay, testShop, transactionId} from './support.js'

async function failedOne() {
  const open = [1, 2, 3, 4].map(at => [transactionId(at), 'open'] as const)
  const shop = await testShop(Object.fromEntries(open))
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
  expect(JSON.parse(stdout)).toEqual([
    {id: eventId(1), result: 'resolved', orderNumber: null, amount: {value: '10.00', currency: 'EUR'}},
  ])
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

/** The run that a command noted on stderr. */
const runOf = (stderr: string) => /\(run (\w+)\)/.exec(stderr)?.[1] as string

test('a resolve is a run, with who, why, the status before, a report and a verified audit log', async () => {
  const {run, json, home, shop} = await failedOne()
  await replay(shop, [file(ndjson([event(2)]))], {home})
  const words = ['webhook', 'resolve', eventId(1), eventId(2), 'WH-GONE', '--reason', 'ticket 7', '--yes']
  const {stderr, exit} = await run(words)
  const id = runOf(stderr)
  expect([exit, stderr]).toEqual([
    3,
    expect.stringContaining(
      `1 resolved, 1 was-delivered, 1 not-found (run ${id}). Undo: storectl webhook resolve --undo ${id}`,
    ),
  ])
  const [listed] = await json(['run', 'list', '--kind', 'resolve'])
  expect(listed).toMatchObject({id, kind: 'resolve', state: 'completed', total: 3, reason: 'ticket 7'})
  expect(await json(['run', 'show', id])).toMatchObject({
    verdict: 'Completed: 1 of 3 events resolved, 1 failed, 1 skipped.',
    command: expect.stringContaining('webhook resolve'),
  })
  expect(await json(['run', 'show', id, '--results'])).toMatchObject([
    {item: eventId(1), result: 'resolved', facts: {statusBefore: 'failed', statusAfter: 'resolved'}},
    {item: eventId(2), result: 'was-delivered'},
    {item: 'WH-GONE', result: 'not-found'},
  ])
  expect((await run(['run', 'verify', '--all'])).exit).toBe(0)
  const report = await run(['run', 'export', id, '--format', 'markdown'])
  expect(report.stdout).toContain('# Completed: 1 of 3 events resolved, 1 failed, 1 skipped.')
  const page = await run(['run', 'export', id, '--format', 'html'])
  expect([page.exit, page.stdout]).toEqual([0, expect.stringContaining('ticket 7')])
  for (const more of [[], ['--join']]) {
    const resumed = await run(['run', 'resume', id, '--yes', ...more])
    expect([resumed.exit, resumed.stderr]).toEqual([2, expect.stringContaining('nothing to resume')])
  }
  const undone = await run(['webhook', 'resolve', '--undo', id, '-o', 'json'])
  expect([undone.exit, JSON.parse(undone.stdout)]).toMatchObject([0, [{id: eventId(1), result: 'reopened'}]])
})

test('lists and conditions show who resolved what, when and why', async () => {
  const {run, json} = await failedOne()
  const id = runOf((await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand'])).stderr)
  const [row] = await json(['webhook', 'list', '--status', 'resolved'])
  const {who} = await json(['run', 'show', id])
  expect(row).toMatchObject({resolvedBy: who, resolvedReason: 'by hand', resolvedRun: id})
  const shown = await json(['webhook', 'show', eventId(1), '--no-check-state'])
  expect(shown).toMatchObject({resolvedAt: row.resolvedAt, resolvedReason: 'by hand', resolvedRun: id})
  const find = async (where: string) => (await json(['webhook', 'list', '--where', where])).length
  const found = [
    `resolvedRun = "${id}"`,
    'resolvedReason contains "HAND"',
    'resolvedAt > "2020-01-01T00:00:00Z"',
  ]
  for (const where of found) expect(await find(where), where).toBe(1)
  expect(await find('resolvedBy = "nobody"')).toBe(0)
  await run(['webhook', 'resolve', '--undo', id])
  expect((await json(['webhook', 'list']))[0]).toMatchObject({status: 'failed', resolvedBy: null})
  expect(await find('resolvedBy is null')).toBe(1)
})

test('--undo gives the events of a run the status back, in a run of its own', async () => {
  const {run, json, status} = await failedOne()
  const id = runOf((await run(['webhook', 'resolve', eventId(1), '--reason', 'by hand'])).stderr)
  const undo = (...more: string[]) => run(['webhook', 'resolve', '--undo', id, '-o', 'json', ...more])
  const undone = await undo('--reason', 'too early')
  expect([undone.exit, JSON.parse(undone.stdout)]).toMatchObject([0, [{id: eventId(1), result: 'reopened'}]])
  expect(await status()).toBe('failed')
  const shown = await json(['run', 'show', runOf(undone.stderr)])
  expect(shown).toMatchObject({
    ...{kind: 'undo', reason: 'too early', options: {undo: id}},
    verdict: 'Completed: the only event reopened.',
  })
  const again = await undo()
  expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([3, [{id: eventId(1), result: 'changed'}]])
  expect(again.stderr).toContain('1 changed')
  expect((await run(['webhook', 'resolve', '--undo', runOf(undone.stderr)])).stderr).toContain(
    'of the kind undo',
  )
  expect((await run(['run', 'verify', '--all'])).exit).toBe(0)
})

test('an undo leaves what was sent again, or resolved by another run, since', async () => {
  const {shop, home, run, json} = await failedOne()
  shop.intercept = () => refusal(GENERIC)
  await replay(shop, [file(ndjson([event(2), event(3), event(4)])), '--retries', '0'], {home})
  const reason = ['--reason', 'old', '--yes']
  const first = runOf((await run(['webhook', 'resolve', '--status', 'failed', ...reason])).stderr)
  await replay(shop, [eventId(2), '--include-resolved', '--retries', '0'], {home})
  shop.intercept = () => undefined
  await replay(shop, [eventId(3), '--include-resolved'], {home})
  const other = runOf((await run(['webhook', 'resolve', '--undo', first, '--yes'])).stderr)
  const second = runOf((await run(['webhook', 'resolve', eventId(1), ...reason])).stderr)
  const undone = await run(['webhook', 'resolve', '--undo', first, '--yes', '-o', 'json'])
  expect(undone.exit).toBe(3)
  expect(new Set(JSON.parse(undone.stdout).map(({result}: {result: string}) => result))).toEqual(
    new Set(['changed']),
  )
  expect((await json(['run', 'show', other])).counts).toEqual({reopened: 2, changed: 2})
  const results: {item: string; facts: object}[] = await json(['run', 'show', other, '--results'])
  expect(Object.fromEntries(results.map(({item, facts}) => [item, facts]))).toEqual({
    [eventId(1)]: {statusBefore: 'resolved', statusAfter: 'failed'},
    [eventId(2)]: {statusBefore: 'resolved', statusAfter: 'resolved'},
    [eventId(3)]: {statusBefore: 'delivered', statusAfter: 'delivered'},
    [eventId(4)]: {statusBefore: 'resolved', statusAfter: 'failed'},
  })
  const statuses = async () =>
    Object.fromEntries(
      (await json(['webhook', 'list'])).map(({id, status}: {id: string; status: string}) => [id, status]),
    )
  expect(await statuses()).toEqual({
    ...{[eventId(1)]: 'resolved', [eventId(2)]: 'resolved', [eventId(3)]: 'delivered'},
    [eventId(4)]: 'failed',
  })
  await run(['webhook', 'resolve', '--undo', second])
  expect((await statuses())[eventId(1)]).toBe('failed')
})

test('--undo without a run says what to type, and nothing goes beside it', async () => {
  const {run, status} = await failedOne()
  const id = runOf((await run(['webhook', 'resolve', eventId(1), '--reason', 'x'])).stderr)
  const last = (await run(['run', 'list', '--kind', 'replay', '-o', 'id'])).stdout.trim()
  const refused: [string[], string][] = [
    [[eventId(1), '--undo'], '--undo takes the run'],
    [['--undo', '--where', 'amount > 1'], '--undo takes the run'],
    [['--undo', eventId(1)], '--undo takes the run'],
    [['--undo', id, eventId(1)], '--undo takes back a whole run'],
    [['--undo', id, '--status', 'resolved'], '--undo takes back a whole run'],
    [['--undo', last], `Run ${last} resolved nothing: it is of the kind replay.`],
    [['--undo', id, '--url', 'https://other.example'], 'another shop is chosen'],
  ]
  for (const [words, message] of refused) {
    const {exit, stderr} = await run(['webhook', 'resolve', ...words, '--yes'])
    expect([exit, stderr], words.join(' ')).toEqual([2, expect.stringContaining(message)])
  }
  expect(await status()).toBe('resolved')
})

test('a filter that chooses nothing says so, and begins no run', async () => {
  const {run, json} = await failedOne()
  const none = await run(['webhook', 'resolve', '--where', 'amount > 1000', '--reason', 'x'])
  expect([none.exit, none.stderr]).toEqual([
    0,
    expect.stringContaining('No events to resolve in the inbox of'),
  ])
  expect(await json(['run', 'list', '--kind', 'resolve'])).toEqual([])
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
  expect(some.stdout).toBe(
    `result\tid\torderNumber\tamount.value\tamount.currency\nresolved\t${eventId(1)}\t\t10.00\tEUR\nnot-found\t${eventId(9)}\t\t\t\n`,
  )
})

test('one event is resolved without a question, but of a protected profile with its name alone', async () => {
  const {shop, home, status} = await failedOne()
  const [token] = shop.tokens
  const set = ['profile', 'set', 'shop', '--url', shop.url, '--protected', '--webhook-token-stdin']
  await storectl(set, {home, stdin: token as string})
  const env = {STORECTL_TOKEN: 'signed-in', STORECTL_PROFILE: 'shop'}
  const words = ['webhook', 'resolve', eventId(1), '--reason', 'x']
  const mark = async (...more: string[]) => (await storectl([...words, ...more], {home, env})).exit
  expect([await mark(), await mark('--yes'), await status()]).toEqual([7, 7, 'failed'])
  expect([await mark('--confirm', 'shop'), await status()]).toEqual([0, 'resolved'])
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
