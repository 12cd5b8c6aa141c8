import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {warmHome} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {everyNth} from '../support/sized.js'
import {type Answer, onTerminal, type Terminal} from '../support/terminal.js'
import {eventId, ndjson, openPayments, SHOP_ERROR, type TestShop, testShop} from './support.js'

const COUNT = 24
const WORDS = ['--yes', '--rate', '16', '--concurrency', '2', '--canary', '0']

async function payments() {
  const {states, events} = openPayments(COUNT)
  const shop = await testShop(states)
  const home = warmHome()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  return {shop, env: {...shop.env, STORECTL_HOME: home}, words: ['webhook', 'replay', file, ...WORDS]}
}

/** Of all events, or of those that an earlier replay has left. */
const BAR = /(\[=* *\])? +\d+% {2}\d+\/\d\d {2}/

const SIZES = [
  [80, 24],
  [40, 10],
] as const

test.each(everyNth(2, SIZES))(
  'a bar at %d x %d leaves every row where it was printed, and nothing behind',
  async (columns, rows) => {
    const {env, words} = await payments()
    const {exit, shown, raw, lines} = await onTerminal([...words, '-o', 'id'], [], env, [columns, rows])
    expect(exit).toBe(0)
    expect(shown).toMatch(BAR)
    expect(shown).toMatch(/\d+(\.\d)?\/s {2}\d+ s left/)
    expect(lines.slice(0, COUNT).sort()).toEqual(Array.from({length: COUNT}, (_, index) => eventId(index)))
    expect(lines.slice(COUNT).join('')).toMatch(/^24 applied \(run \w{16}\)$/)
    expect(lines.at(-1)).toBe('')
    expectUntouched(raw)
  },
)

test('the bar names failures, run and shop where the terminal has room', async () => {
  const {env, words, shop} = await payments()
  shop.intercept = async (_, count) => (count === 1 ? SHOP_ERROR : undefined)
  const {shown} = await onTerminal([...words, '--breaker-failures', '0'], [], env, [200, 24])
  expect(shown).toMatch(/s left {2}1 failed {2}run \w{16} {2}127\.0\.0\.1:\d+/)
})

test('a terminal that becomes narrower in the middle keeps no piece of the bar', async () => {
  const {env, words, shop} = await payments()
  // Nothing is on its way at the old width while the terminal becomes narrower.
  const release = holdAfter(shop, 5)
  const becomeNarrow = (terminal: Terminal) => {
    terminal.resize(40, 10)
    release()
  }
  const {exit, lines} = await onTerminal([...words, '-o', 'id'], [['5/24', becomeNarrow]], env, [120, 24])
  expect(exit).toBe(0)
  expect(lines.join('\n')).not.toMatch(BAR)
  expect(lines.filter(line => line.startsWith('WH-'))).toHaveLength(COUNT)
})

test('Ctrl-C and a breaker take the bar away, and the terminal is as it was', async () => {
  const {env, words, shop} = await payments()
  // What is in flight waits until the program has said that it stops, however long it takes to hear of it.
  const release = holdAfter(shop, 3)
  const answers: Answer[] = [
    ['3/24', '\u0003'],
    ['stopping', release],
  ]
  const interrupted = await onTerminal(words, answers, env, [80, 10])
  expect(interrupted.exit).toBe(130)
  expect(interrupted.shown).toMatch(BAR)
  expect(interrupted.lines.join('\n')).not.toMatch(BAR)
  expect(interrupted.lines.join('')).toContain(`${COUNT - shop.received.length} not sent`)
  expectUntouched(interrupted.raw)
  shop.intercept = async () => SHOP_ERROR
  const stopped = await onTerminal([...words, '--breaker-failures', '6'], [], env, [80, 10])
  expect(stopped.exit).not.toBe(0)
  expect(stopped.shown).toMatch(BAR)
  expect(stopped.lines.join('\n')).not.toMatch(BAR)
  expect(stopped.lines.at(-1)).toBe('')
})

test.each([
  ['SIGHUP takes the bar away, and the terminal is as it was', false],
  ['a terminal that is closed ends the run as Ctrl-C does', true],
])('%s', async (_, isClosed) => {
  const {env, words, shop} = await payments()
  const release = holdAfter(shop, 3)
  const hangUp = (terminal: Terminal) => {
    if (isClosed) terminal.close()
    else process.kill(terminal.pid, 'SIGHUP')
    release()
  }
  const {exit, lines, raw} = await onTerminal(words, [['3/24', hangUp]], env, [80, 10])
  expect(exit).toBe(129)
  if (!isClosed) expect(lines.join('\n')).not.toMatch(BAR)
  expectUntouched(raw)
  const {stdout} = await runProcess(['run', 'show', 'last', '-o', 'json'], {env})
  const {state, counts, workers, totals} = JSON.parse(stdout)
  expect({state, worker: workers[0].state, unknown: totals.unknown}).toEqual({
    state: 'stopped',
    worker: 'left',
    unknown: 0,
  })
  expect(counts.applied).toBe(shop.received.length)
  expect(shop.received.length).toBeLessThan(COUNT)
})

/** Has the shop answer so many calls, and no other until what is returned is called. */
function holdAfter(shop: TestShop, calls: number): () => void {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  shop.intercept = async (_, count) => {
    if (count > calls) await released
    return undefined
  }
  return release
}

/** Neither was the cursor saved or hidden nor the wrapping of lines switched off. */
function expectUntouched(raw: string): void {
  for (const sequence of ['7', '8', '[?25l', '[?7l', '[s', '[u'])
    expect(raw).not.toContain(`\u001b${sequence}`)
}

test.each(everyNth(2, [{CI: '1'}, {TERM: 'dumb'}]))('no bar with %j', async more => {
  const {env, words} = await payments()
  const {exit, shown} = await onTerminal(words, [], {...env, ...more})
  expect(exit).toBe(0)
  expect(shown).not.toMatch(BAR)
})

test('elsewhere a line every few seconds with -v, and nothing without', async () => {
  const one = await payments()
  one.shop.intercept = slowly()
  const other = await payments()
  other.shop.intercept = slowly()
  const [quiet, told] = await Promise.all([
    runProcess(one.words, {env: one.env}),
    runProcess([...other.words, '-v'], {env: other.env}),
  ])
  expect(quiet.stderr.trim().split('\n')).toHaveLength(1)
  expect(told.stderr).toMatch(/^\d+\/24, \d+(\.\d)?\/s, \d+ s left, run \w+, 127\.0\.0\.1:\d+$/m)
  expect(told.stderr).not.toContain('[=')
})

/** Each answer takes a fifth of a second. */
function slowly(): TestShop['intercept'] {
  return async () => {
    await new Promise(resolve => setTimeout(resolve, 200))
    return undefined
  }
}
