import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import {currentTime} from '../../support/clock.js'
import {warmHome} from '../../support/home.js'
import {ended, startProcess} from '../../support/process.js'
import {sized} from '../../support/sized.js'
import {killedAgainAndAgain} from '../killed.js'
import {event, eventId, ndjson, openPayments, testShop, transactionId} from '../support.js'

const WORDS = ['webhook', 'replay', '--yes', '--rate', '0', '--concurrency', '8', '-o', 'ndjson']

test('a replay that is killed again and again: nothing with a result is sent twice', () =>
  killedAgainAndAgain({events: sized(150, 300), kills: sized(3, 6), seed: 11}))

/** A process that replays sixty events of open payments. */
async function replaySixty(...words: string[]) {
  const {states, events} = openPayments(60)
  const shop = await testShop(states)
  const home = warmHome()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const child = startProcess([...WORDS, ...words, file], {env: {...shop.env, STORECTL_HOME: home}})
  return {shop, home, child}
}

test('a plan that nobody reads to its end is only a look, and ends with 0', async () => {
  const {shop, child} = await replaySixty('--dry-run')
  child.stdout?.destroy()
  expect((await ended(child)).exit).toBe(0)
  expect(shop.received).toEqual([])
})

test('a closed output starts nothing new, records what was in flight, and ends with 141', async () => {
  const {shop, home, child} = await replaySixty()
  shop.intercept = () => {
    child.stdout?.destroy()
    return undefined
  }
  const {exit} = await ended(child)
  expect(exit).toBe(141)
  expect(shop.received.length).toBeLessThan(60)
  await expectRecorded(home, shop.url, shop.received.length)
})

test('Ctrl-C finishes what is in flight, records it, and ends with 130', async () => {
  const {shop, home, child} = await replaySixty()
  shop.intercept = (_, count) => {
    if (count === 10) child.kill('SIGINT')
    return undefined
  }
  const {exit, stdout, stderr} = await ended(child)
  expect(exit).toBe(130)
  expect(stdout.trim().split('\n')).toHaveLength(shop.received.length)
  expect(stderr).toContain('interrupted')
  await expectRecorded(home, shop.url, shop.received.length)
})

async function expectRecorded(home: string, target: string, count: number): Promise<void> {
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const ids = Array.from({length: 60}, (_, index) => eventId(index))
  const ledger = await records.runs.findLedgerEntries('replay', target, ids)
  await records.close()
  expect([...ledger.values()].filter(({resultClass}) => resultClass === 'done')).toHaveLength(count)
}

test('a second process is told who holds the lease', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = warmHome()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson([event(1)]))
  const env = {...shop.env, STORECTL_HOME: home}
  const second: {exit: number; stderr: string}[] = []
  shop.intercept = async () => {
    second.push(await ended(startProcess([...WORDS, file], {env})))
    return undefined
  }
  const first = await ended(startProcess([...WORDS, file], {env}))
  expect(first.exit).toBe(0)
  expect(second[0]?.exit).toBe(8)
  expect(second[0]?.stderr).toMatch(/run \w{16} by \S+ on \S+ \(pid \d+\)/)
})
