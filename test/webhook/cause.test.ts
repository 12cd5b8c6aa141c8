import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {
  bareNdjson,
  event,
  eventId,
  file,
  GENERIC,
  ndjson,
  refusal,
  testShop,
  transactionId,
} from './support.js'

/** A shop with two payments that are paid already, one that is open, and two events of payments that it does not know. */
async function inbox() {
  const shop = await testShop({
    [transactionId(1)]: 'paid',
    [transactionId(2)]: 'paid',
    [transactionId(3)]: 'open',
  })
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(['webhook', ...words], {home, env: shop.env})
  await run(['import', file(ndjson([1, 2, 3, 4, 5].map(index => event(index))))])
  return {shop, home, run}
}

test('diagnose groups by cause: count, amount, times, an example in full and one command for all', async () => {
  const {run} = await inbox()
  const groups = JSON.parse((await run(['diagnose', '--since', '1d', '-o', 'json'])).stdout)
  expect(
    groups.map(({cause, count, amounts, next}: Record<string, unknown>) => [cause, count, amounts, next]),
  ).toEqual([
    [
      'unknown-transaction',
      2,
      [{value: '20.00', currency: 'EUR'}],
      'storectl webhook resolve --since 1d --cause unknown-transaction --reason TEXT',
    ],
    [
      'already-applied',
      2,
      [{value: '20.00', currency: 'EUR'}],
      'storectl webhook resolve --since 1d --cause already-applied --reason TEXT',
    ],
    [
      'not-sent',
      1,
      [{value: '10.00', currency: 'EUR'}],
      'storectl webhook replay --since 1d --cause not-sent',
    ],
  ])
  expect(groups[0].firstAt < groups[0].lastAt).toBe(true)
  expect(groups[2].example).toMatchObject({
    id: eventId(3),
    evidence: expect.arrayContaining(['state now: open']),
  })
})

test('on a narrow terminal no command is cut', async () => {
  const {run} = await inbox()
  const {stdout} = await run(['diagnose', '--cause', 'unknown-transaction', '-o', 'table'])
  expect(stdout).toMatch(/Cause +unknown-transaction\nEvents +2\nAmount +20\.00 EUR\n/)
  expect(stdout).toMatch(/^Next +storectl webhook resolve --cause unknown-transaction --reason TEXT$/m)
  expect(stdout).not.toContain('already-applied')
})

/** Each command that filters choose the events of, with the words that it needs beside them. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  list: ['-o', 'json'],
  diagnose: ['--no-summary', '-o', 'json'],
  verify: ['--offline', '--no-summary', '-o', 'json'],
  replay: ['--dry-run', '-o', 'json'],
  resolve: ['--reason', 'by hand', '--yes', '-o', 'json'],
}
const NAMES = Object.keys(COMMANDS)

const CHOICES = [
  [
    ['--cause', 'unknown-transaction'],
    [4, 5],
  ],
  [
    ['--cause', 'unknown-transaction', '--cause', 'not-sent'],
    [3, 4, 5],
  ],
  [['--where', 'amount >= 10 and id ends "3"'], [3]],
  [['--cause', 'unknown-transaction', '--where', 'id ends "5"'], [5]],
  [['--cause', 'unknown-transaction', '--where', 'id ends "3"'], []],
  [['--cause', 'already-applied', '--type', 'PAYMENT.CAPTURE.REFUNDED'], []],
] as const

test.each(NAMES)('%s takes the events that --cause and --where choose', async name => {
  const {run} = await inbox()
  for (const [flags, chosen] of CHOICES) {
    const {exit, stdout} = await run([name, ...flags, ...(COMMANDS[name] ?? [])])
    const rows: {readonly id?: string}[] = JSON.parse(stdout || '[]')
    expect([flags, exit, rows.flatMap(({id}) => id ?? []).sort()]).toEqual([flags, 0, chosen.map(eventId)])
    if (name === 'resolve') await run(['resolve', '--undo', 'last', '--yes'])
  }
})

const WRONG = [
  [['--cause', 'no-such'], '--cause: expected one of delivered, '],
  [['--where', 'no-such = 1'], '--where, column '],
  [['--where', 'noSuch = 1'], 'unknown field'],
  [['--cause', 'not-sent', '--where', 'amount >'], '--where, column 9'],
] as const

const FILTERS = [
  ['--cause', 'not-sent'],
  ['--where', 'amount > 100'],
  ['--status', 'failed'],
  ['--since', '1h'],
] as const

test.each([...NAMES, 'triage'])('%s refuses what it cannot take, and sends nothing', async name => {
  const {run, shop} = await inbox()
  const beside = ['diagnose', 'verify', 'replay', 'resolve'].includes(name) ? FILTERS : []
  const wrong = [
    ...WRONG,
    ...beside.map(flags => [[eventId(1), ...flags], 'Use event ids or filters, not both.'] as const),
    ...(name === 'resolve' ? ([[[], 'No events selected']] as const) : []),
  ]
  for (const [flags, message] of wrong) {
    const {exit, stdout, stderr} = await run([name, ...flags, ...(COMMANDS[name] ?? [])])
    expect([flags, exit, stdout, stderr]).toEqual([flags, 2, '', expect.stringContaining(message)])
  }
  expect(shop.arrived()).toEqual([])
})

test('ids from stdin are not narrowed by filters either', async () => {
  const {shop, home} = await inbox()
  const options = {home, env: shop.env, stdin: `${eventId(3)}\n`}
  for (const flags of [
    ['--cause', 'not-sent'],
    ['--where', 'amount > 100'],
  ]) {
    const {exit, stderr} = await storectl(['webhook', 'replay', '-', ...flags, '--yes'], options)
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Use event ids or filters, not both.')])
  }
  expect(shop.arrived()).toEqual([])
})

test('a status and a cause do not narrow events of files', async () => {
  const {run, shop} = await inbox()
  for (const [flag, value] of [
    ['--cause', 'not-sent'],
    ['--status', 'failed'],
  ] as const) {
    const {exit, stderr} = await run(['replay', file(ndjson([event(3)])), flag, value, '--yes'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`${flag} selects events of the inbox`)])
    expect(stderr).toContain('storectl webhook import FILE')
  }
  expect(shop.arrived()).toEqual([])
})

test('without a terminal, triage names commands with the causes that were chosen', async () => {
  const {run} = await inbox()
  const {exit, stderr} = await run(['triage', '--cause', 'not-sent', '--where', 'amount > 5'])
  expect(exit).toBe(2)
  const chosen = "--cause not-sent --where 'amount > 5'"
  for (const how of ['diagnose', 'replay', 'resolve'])
    expect(stderr).toContain(`storectl webhook ${how} ${chosen}`)
})

test('where each event of a group needs commands of its own, diagnose names the command that lists them', async () => {
  const shop = await testShop({[transactionId(1)]: 'reminded', [transactionId(2)]: 'reminded'})
  const run = async (words: string[]) => {
    const {stdout} = await storectl(['webhook', ...words, '-o', 'json'], {home, env: shop.env})
    return JSON.parse(stdout)
  }
  const home = temporaryFolder()
  await run(['import', file(ndjson([event(1), event(2)]))])
  const [group] = await run(['diagnose', '--since', '1d'])
  const command = 'storectl webhook diagnose --since 1d --cause invalid-transition --no-summary'
  expect([group.cause, group.next]).toEqual(['invalid-transition', command])
  const rows: {readonly id: string; readonly next: string}[] = await run(command.split(' ').slice(2))
  expect(
    rows.map(({id, next}) => next.endsWith(`/state/reopen, then storectl webhook replay ${id}`)),
  ).toEqual([true, true])
})

test('a partial refund in its target state is not to be resolved as applied', async () => {
  const shop = await testShop({[transactionId(1)]: 'refunded_partially'})
  shop.intercept = () => refusal(GENERIC)
  const home = temporaryFolder()
  const refund = event(1, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'})
  await storectl(['webhook', 'import', file(ndjson([refund]))], {home, env: shop.env})
  const {stdout} = await storectl(['webhook', 'diagnose', eventId(1), '-o', 'json'], {home, env: shop.env})
  expect(JSON.parse(stdout)).toMatchObject({next: `storectl webhook replay ${eventId(1)}`})
})

test('an id and a file together are refused', async () => {
  const {run} = await inbox()
  const {exit, stderr} = await run(['replay', eventId(1), file(ndjson([event(3)])), '--yes'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('Use event ids or event files, not both.')])
})

test('a group of unverified events says what sending them would come to', async () => {
  const open = Object.fromEntries([1, 2, 3].map(index => [transactionId(index), 'open']))
  const shop = await testShop({...open, [transactionId(4)]: 'refunded_partially'})
  const refund = event(4, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'})
  const given = {home: temporaryFolder(), env: shop.env}
  const events = [...[1, 2, 3].map(index => event(index)), refund]
  await storectl(['webhook', 'import', file(bareNdjson(events))], given)
  const {stdout} = await storectl(['webhook', 'diagnose', '-o', 'json'], given)
  expect(JSON.parse(stdout)).toMatchObject([
    {cause: 'unverified', count: 4, ifSent: {'would apply': 3, 'already refunded partially': 1}},
  ])
  const table = await storectl(['webhook', 'diagnose', '-o', 'table'], given)
  expect(table.stdout).toMatch(/^If sent +3 would apply, 1 already refunded partially$/m)
})
