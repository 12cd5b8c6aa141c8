import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {brokenChains} from '../../src/run/chain.js'
import type {JournalRecord} from '../../src/run/record.js'
import {openRecords} from '../../src/store/records/open.js'
import {temporaryFolder} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import {apply, event, eventId, ndjson, openPayments, testShop, transactionId} from './support.js'

const WORDS = ['webhook', 'replay', '--yes', '--rate', '0', '--concurrency', '8', '-o', 'ndjson']

/** A sequence of numbers from 0 up to 1 that is the same for every run of the test. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

type Moment = 'before a look' | 'before the effect' | 'after the effect' | 'after the answer'
const MOMENTS: Moment[] = ['before a look', 'before the effect', 'after the effect', 'after the answer']

test.each([1, 2, 3])(
  'a replay of 100 that is killed again and again: nothing with a result is sent twice (seed %i)',
  async seed => {
    const random = seeded(seed)
    const {states, events} = openPayments(100)
    const shop = await testShop(states)
    const home = temporaryFolder()
    const file = join(home, 'events.ndjson')
    writeFileSync(file, ndjson(events))
    const story: {what: 'send' | 'look'; id: string}[] = []
    let kill = (_: Moment) => {}
    shop.searched = ids => {
      for (const id of ids) story.push({what: 'look', id})
      kill('before a look')
    }
    shop.intercept = request => {
      story.push({what: 'send', id: JSON.parse(request.body).resource.custom_id})
      kill('before the effect')
      const reply = apply(request, shop.states)
      kill('after the effect')
      setTimeout(() => kill('after the answer'), 1)
      return reply
    }
    let kills = 0
    for (let round = 0; ; round++) {
      const child = startProcess([...WORDS, file], {env: {...shop.env, STORECTL_HOME: home}})
      const moment = MOMENTS[Math.floor(random() * MOMENTS.length)]
      let left = 1 + Math.floor(random() * 25)
      kill = now => {
        if (round < 8 && now === moment && --left === 0) child.kill('SIGKILL')
      }
      const {exit, stderr} = await ended(child)
      if (exit === 137) kills++
      else {
        expect({exit, stderr}).toMatchObject({exit: 0})
        break
      }
    }
    expect(kills).toBeGreaterThan(2)
    expect([...shop.states.values()]).toEqual(Array.from({length: 100}, () => 'paid'))
    expectLookBeforeSecondSend(story)
    await expectHonestRecords(home, shop.url)
  },
  120_000,
)

/** Between two sendings of one event stands a look at its transaction. */
function expectLookBeforeSecondSend(story: readonly {what: string; id: string}[]): void {
  const since = new Map<string, string>()
  for (const {what, id} of story) {
    if (what === 'send') expect(since.get(id), id).not.toBe('send')
    since.set(id, what)
  }
}

async function expectHonestRecords(home: string, target: string): Promise<void> {
  const records = await openRecords(join(home, 'records.db'), () => new Date())
  try {
    const delivered = new Set<string>()
    const runs = []
    for await (const run of records.runs.list({})) runs.unshift(run)
    for (const {id} of runs) {
      const written: JournalRecord[] = []
      for await (const record of records.runs.records(id)) written.push(record)
      expect((await brokenChains(written)).damage).toEqual([])
      for (const {kind, item, grade} of written) {
        if (kind === 'intent') expect(delivered.has(item), `${item} was sent after its result`).toBe(false)
        if (kind === 'result' && grade === 'done') delivered.add(item)
      }
    }
    expect(delivered.size).toBe(100)
    const ids = Array.from({length: 100}, (_, index) => eventId(index))
    const ledger = await records.runs.ledger('replay', target, ids)
    expect([...ledger.values()].filter(({grade}) => grade === 'done')).toHaveLength(100)
  } finally {
    await records.close()
  }
}

test('a closed output starts nothing new, records what was in flight, and ends with 141', async () => {
  const {states, events} = openPayments(60)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const child = startProcess([...WORDS, file], {env: {...shop.env, STORECTL_HOME: home}})
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
  const {states, events} = openPayments(60)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const child = startProcess([...WORDS, file], {env: {...shop.env, STORECTL_HOME: home}})
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
  const records = await openRecords(join(home, 'records.db'), () => new Date())
  const ids = Array.from({length: 60}, (_, index) => eventId(index))
  const ledger = await records.runs.ledger('replay', target, ids)
  await records.close()
  expect([...ledger.values()].filter(({grade}) => grade === 'done')).toHaveLength(count)
}

test('a second process is told who holds the lease', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const home = temporaryFolder()
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
