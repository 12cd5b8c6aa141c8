import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {runProcess} from '../support/process.js'
import {onTerminal} from '../support/terminal.js'
import {eventId, ndjson, openPayments, type TestShop, testShop} from './support.js'

const COUNT = 24
const WORDS = ['--yes', '--rate', '16', '--concurrency', '2', '--canary', '0']

async function payments() {
  const {states, events} = openPayments(COUNT)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  return {shop, env: {...shop.env, STORECTL_HOME: home}, words: ['webhook', 'replay', file, ...WORDS]}
}

const BAR = /\[=* *\] +\d+% \d+ sent, .*\d+ applied/

/** What stands on the terminal in the end, of what went back to the beginning of its line and over it again. */
function screenOf(raw: string): string[] {
  const lines = ['']
  let column = 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what moves the cursor
  for (const [piece] of raw.matchAll(/\u001b\[[0-9;?]*[A-Za-z]|\r|\n|[^\u001b\r\n]+/g)) {
    const at = lines.length - 1
    const line = lines[at] ?? ''
    if (piece === '\n') lines.push('')
    else if (piece === '\r' || piece === '\u001b[1G') column = 0
    else if (piece === '\u001b[2K') lines[at] = ''
    else if (piece === '\u001b[K' || piece === '\u001b[0K') lines[at] = line.slice(0, column)
    else if (!piece.startsWith('\u001b')) {
      lines[at] = line.padEnd(column).slice(0, column) + piece + line.slice(column + piece.length)
      column += piece.length
    }
    if (piece === '\n') column = 0
  }
  return lines
}

test('a bar on a terminal says how far a replay is, and leaves nothing behind, between rows neither', async () => {
  const {env, words} = await payments()
  const {exit, shown, raw} = await onTerminal([...words, '-o', 'ndjson'], [], env)
  expect(exit).toBe(0)
  expect(shown).toMatch(BAR)
  expect(shown).toMatch(/\d+(\.\d)?\/s, \d+ s left/)
  const screen = screenOf(raw).filter(line => line !== '')
  const rows = screen.filter(line => line.startsWith('{')).map(line => JSON.parse(line).id)
  expect(rows.sort()).toEqual(Array.from({length: COUNT}, (_, index) => eventId(index)))
  expect(screen.filter(line => !line.startsWith('{'))).toEqual([
    expect.stringMatching(/^24 applied \(run \w{16}\)$/),
  ])
})

test('Ctrl-C takes the bar away, and the terminal is as it was', async () => {
  const {env, words, shop} = await payments()
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  // What is in flight waits until the program has said that it stops, however long it takes to hear of it.
  shop.intercept = async (_, count) => {
    if (count > 3) await released
    return undefined
  }
  const {exit, raw, shown} = await onTerminal(
    words,
    [
      ['3 applied', '\u0003'],
      ['stopping', release],
    ],
    env,
  )
  expect(exit).toBe(130)
  expect(shown).toMatch(BAR)
  const screen = screenOf(raw)
  expect(screen.join('\n')).not.toMatch(BAR)
  expect(screen.join('\n')).toContain(`${COUNT - shop.received.length} not sent`)
  // Neither the cursor nor the wrapping of lines was switched off.
  expect(raw).not.toContain('\u001b[?25l')
  expect(raw).not.toContain('\u001b[?7l')
})

test.each([{CI: '1'}, {TERM: 'dumb'}])('no bar with %j', async more => {
  const {env, words} = await payments()
  const {exit, shown} = await onTerminal(words, [], {...env, ...more})
  expect(exit).toBe(0)
  expect(shown).not.toMatch(/\[=* *\]/)
})

test('elsewhere a line every few seconds with -v, and nothing without', async () => {
  const one = await payments()
  one.shop.intercept = slowly()
  const quiet = await runProcess(one.words, {env: one.env})
  expect(quiet.stderr.trim().split('\n')).toHaveLength(1)
  const other = await payments()
  other.shop.intercept = slowly()
  const told = await runProcess([...other.words, '-v'], {env: other.env})
  expect(told.stderr).toMatch(/^\d+ of 24: \d+ sent, \d+ applied, \d+(\.\d)?\/s, \d+ s left$/m)
  expect(told.stderr).not.toContain('[=')
})

/** Each answer takes a fifth of a second. */
function slowly(): TestShop['intercept'] {
  return async () => {
    await new Promise(resolve => setTimeout(resolve, 200))
    return undefined
  }
}
