import {expect, test} from 'vitest'
import {testContext} from '../support/context.js'
import {temporaryFolder} from '../support/home.js'
import {Screen} from '../support/screen.js'
import {storectl} from '../support/storectl.js'
import {until} from '../support/until.js'
import {event, eventId, file, ndjson, openPayments, testShop, transactionId} from './support.js'

/** 30 events to send, 12 of payments that are paid, and 8 of unknown ones, and a terminal of 80 × 24. */
async function inboxOfKinds() {
  const {states, events} = openPayments(30)
  const paid = Array.from({length: 12}, (_, at) => 100 + at)
  const unknown = Array.from({length: 8}, (_, at) => event(200 + at))
  const shop = await testShop({
    ...states,
    ...Object.fromEntries(paid.map(index => [transactionId(index), 'paid'])),
  })
  const all = [...events, ...paid.map(index => event(index)), ...unknown]
  const given = {home: temporaryFolder(), env: shop.env, terminal: true, columns: 80}
  await storectl(['webhook', 'import', file(ndjson(all))], given)
  const run = async (words: string) => {
    const {stdout, stderr, exit} = await storectl(words.split(' '), given)
    const screen = new Screen(80, 24)
    screen.write(`${stdout}${stderr}`.replaceAll('\n', '\r\n'))
    return {stdout, stderr, exit, lines: screen.lines}
  }
  return {shop, run, given}
}

const ids = (text: string) => text.match(/WH-\S+/g) ?? []

test('a dry run on a terminal shows five events of each action and reason, and one line with count and amount', async () => {
  const {run, given} = await inboxOfKinds()
  const {lines, stdout} = await run('webhook replay --dry-run')
  expect(ids(stdout)).toHaveLength(15)
  const at = lines.findIndex(line => /^ACTION +REASON/.test(line))
  expect(lines.slice(at, at + 4)).toEqual([
    'ACTION  REASON               EVENTS      AMOUNT',
    'send                             30  300.00 EUR',
    'skip    already-applied          12  120.00 EUR',
    'hold    unknown-transaction       8   80.00 EUR',
  ])
  expect(lines.slice(-24)).toContain('15 of 50 events; --all for all; nothing was sent')
  expect(ids((await run('webhook replay --dry-run --all')).stdout)).toHaveLength(50)
  expect(ids((await run('webhook replay --dry-run --fields id')).stdout)).toHaveLength(50)
  const piped = await storectl(['webhook', 'replay', '--dry-run'], {...given, terminal: false})
  expect(ids(piped.stdout)).toHaveLength(50)
  expect(piped.stdout).not.toContain('EVENTS')
})

test('a replay on a terminal shows five events of each result and reason, and names the command that lists all', async () => {
  const {run} = await inboxOfKinds()
  const {lines, stdout} = await run('webhook replay --yes --rate none')
  expect(ids(stdout)).toHaveLength(15)
  const at = lines.findIndex(line => /^RESULT +REASON/.test(line))
  expect(lines.slice(at + 1, at + 4).map(line => line.split(/ {2,}/))).toEqual([
    ['applied', 'open → paid', '30', '300.00 EUR'],
    ['skipped', 'already-applied', '12', '120.00 EUR'],
    ['held', 'unknown-transaction', '8', '80.00 EUR'],
  ])
  expect(lines.join(' ')).toMatch(/15 of 50 events; --all for all, or storectl run show \w+ --results/)
})

test('webhook resolve on a terminal shows five events of each result; --all lists them all', async () => {
  const {run} = await inboxOfKinds()
  const {lines, stdout} = await run('webhook resolve --status pending --reason old --yes')
  expect(ids(stdout)).toHaveLength(5)
  expect(lines.find(line => line.startsWith('resolved ') && line.includes('50'))).toBeDefined()
  expect(lines.join(' ')).toContain('5 of 50 events')
  const undone = await run('webhook resolve --undo last --yes --all')
  expect(ids(undone.stdout)).toHaveLength(50)
})

test('rows that fit on a screen are not grouped', async () => {
  const {run} = await inboxOfKinds()
  const {stdout} = await run(
    `webhook replay --dry-run ${Array.from({length: 20}, (_, at) => eventId(at)).join(' ')}`,
  )
  expect(ids(stdout)).toHaveLength(20)
  expect(stdout).not.toContain('EVENTS')
})

test('the progress of a replay counts what is sent, and not the events that are held or skipped', async () => {
  const {shop, given} = await inboxOfKinds()
  const context = testContext({...given, env: {...given.env, TERM: 'xterm'}})
  const bars = () => [...context.err().matchAll(/ (\d+)% {2}(\d+)\/(\d+)/g)].map(each => each.slice(1))
  let reachedShop = 0
  shop.intercept = async () => {
    reachedShop++
    await until('the bar is drawn', () => bars().length > 0)
    return undefined
  }
  const {exit} = await storectl(
    ['webhook', 'replay', '--yes', '--rate', 'none', '--concurrency', '1'],
    context,
  )
  expect([exit, reachedShop]).toEqual([3, 30])
  expect(bars()[0]).toEqual(['0', '0', '30'])
})

test('on a higher terminal as many rows are listed as fit on it', async () => {
  const {given} = await inboxOfKinds()
  const list = async (rows: number) =>
    ids((await storectl(['webhook', 'replay', '--dry-run'], {...given, rows})).stdout)
  expect(await list(54)).toHaveLength(50)
  expect(await list(53)).toHaveLength(15)
})
