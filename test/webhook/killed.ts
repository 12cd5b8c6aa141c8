import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {openRecords} from '../../src/records/index.js'
import {verifyChain} from '../../src/runs/journal/hash-chain.js'
import type {JournalEntry} from '../../src/runs/journal/journal-entry.js'
import {currentTime} from '../support/clock.js'
import {presumeLostAtOnce, warmHome} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import {apply, event, ndjson, replay, type TestShop, testShop, transactionId} from './support.js'

const WORDS = ['--yes', '--rate', '0', '--concurrency', '8', '--max', 'none', '--canary', '0', '-o', 'ndjson']
const UNSTOPPED = ['--breaker-failures', 'none', '--breaker-rate', 'none']
const HOOK = join(import.meta.dirname, '../support/kill-at.cjs')

/** A sequence of numbers from 0 up to 1 that is the same for every run of the test. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

export const MOMENTS = ['before intent', 'after intent', 'after send', 'before result'] as const

/** Something that happened at the shop, in its order. */
interface Step {
  readonly what: 'send' | 'look'
  readonly transaction: string
}

export interface Killed {
  readonly events: number
  /** How often a replay is killed before one is left alone. */
  readonly kills: number
  readonly seed: number
}

/**
 * Replays events, kills the process at moments that the seed chooses, carries on each time, and holds against the shop
 * and the records what a replay promises.
 */
export async function killedAgainAndAgain({events: count, kills, seed}: Killed): Promise<void> {
  const random = seeded(seed)
  const {states, events} = mixed(count, random)
  const [shop, clean] = [await testShop(states), await testShop(states)]
  const home = presumeLostAtOnce(warmHome(), shop.url)
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const story: Step[] = []
  const effects = watched(shop, story)
  const died = new Map<string, number>()
  let words = ['webhook', 'replay', file, ...UNSTOPPED, ...WORDS]
  for (;;) {
    const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] as (typeof MOMENTS)[number]
    const at = 1 + Math.floor((random() * 1.4 * count) / kills)
    const hook = {NODE_OPTIONS: `--require=${JSON.stringify(HOOK)}`, KILL_AT: `${moment} ${at}`}
    const isLeft = died.size > 0 && sum(died) >= kills
    const child = startProcess(words, {
      env: {...shop.env, STORECTL_HOME: home, ...(isLeft || moment === 'after send' ? {} : hook)},
    })
    effects.left = isLeft || moment !== 'after send' ? 0 : at
    effects.atLast = () => child.kill('SIGKILL')
    const {exit, stderr} = await ended(child)
    if (exit !== 137) {
      expect(exit, stderr).toBe(0)
      break
    }
    died.set(moment, (died.get(moment) ?? 0) + 1)
    words = ['run', 'resume', 'last', '--yes', '-o', 'ndjson']
  }
  expect(sum(died), 'it was killed as often as it should be').toBe(kills)
  expect((await replay(clean, [file, ...UNSTOPPED, '--max', 'none', '--canary', '0'])).exit).toBe(0)
  expect([...shop.states]).toEqual([...clean.states])
  expectLookBeforeSecondSend(story)
  const ids = events.map(({id}) => id)
  await expectHonestRecords(home, shop.url, ids)
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0)
}

/** Captures, refunds and denials; of some payments several. None that is sent in its order is refused. */
export function mixed(count: number, random: () => number) {
  const states: Record<string, string> = {}
  const events = []
  for (let index = 0; index < count; ) {
    const transaction = index
    states[transactionId(transaction)] = 'open'
    const steps = STORIES[Math.floor(random() * STORIES.length)] as readonly object[]
    for (const step of steps.slice(0, count - index)) events.push(event(index++, {...step, transaction}))
  }
  return {states, events}
}

const STORIES = [
  [{}],
  [{}],
  [{type: 'PAYMENT.CAPTURE.DENIED'}],
  [{final: false, amount: '4.00'}, {amount: '6.00'}],
  [{}, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'}],
  [{}, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'}, {type: 'PAYMENT.CAPTURE.REFUNDED'}],
]

function watched(shop: TestShop, story: Step[]) {
  const effects = {left: 0, atLast: () => {}}
  shop.searched = ids => {
    for (const transaction of ids) story.push({what: 'look', transaction})
  }
  shop.intercept = request => {
    const reply = apply(request, shop.states)
    story.push({what: 'send', transaction: JSON.parse(request.body).resource.custom_id})
    if (effects.left > 0 && --effects.left === 0) effects.atLast()
    return reply
  }
  return effects
}

/** Between two sendings about one transaction stands a look at it. */
function expectLookBeforeSecondSend(story: readonly Step[]): void {
  const since = new Map<string, string>()
  for (const {what, transaction} of story) {
    if (what === 'send') expect(since.get(transaction), transaction).not.toBe('send')
    since.set(transaction, what)
  }
}

async function expectHonestRecords(home: string, target: string, ids: readonly string[]): Promise<void> {
  const records = await openRecords(join(home, 'records.db'), currentTime)
  try {
    const runs = []
    for await (const run of records.runs.list({})) runs.unshift(run)
    const last = new Map<string, JournalEntry>()
    for (const run of runs) {
      const {id} = run
      const written: JournalEntry[] = []
      for await (const record of records.runs.listRecords(id)) written.push(record)
      expect((await verifyChain(written, run)).damage).toEqual([])
      // What was settled about a dead run was written last, by another worker.
      written.sort((one, other) => Number(one.worker !== id) - Number(other.worker !== id))
      for (const record of written) expectAllowed(record, last)
    }
    const ledger = await records.runs.findLedgerEntries('replay', target, ids)
    expect([...ledger.values()].filter(({resultClass}) => resultClass === 'done')).toHaveLength(ids.length)
  } finally {
    await records.close()
  }
}

/** An intent comes first, or after a word that it was not applied, or that nobody knows. */
function expectAllowed(record: JournalEntry, last: Map<string, JournalEntry>): void {
  const before = last.get(record.item)
  if (record.kind === 'intent' && before) {
    expect(before.kind, `${record.item} has no word on its sending before`).not.toBe('intent')
    expect(before.resultClass, `${record.item} was sent after its result`).not.toBe('done')
  }
  last.set(record.item, record)
}
