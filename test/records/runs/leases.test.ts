import {describe, expect, test} from 'vitest'
import type {Records} from '../../../src/records/index.js'
import {verifyChain} from '../../../src/runs/journal/hash-chain.js'
import type {OpenRun} from '../../../src/runs/open-run.js'
import {takeOver} from '../../../src/runs/workers/take-over.js'
import {all, begun, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, makeSilent, recordsAt} from '../support.js'

const entry = (item: string) => ({item, orderingKey: item, contentHash: 'c0ffee', attempt: 1})
const intent = (item: string) => ({kind: 'intent', ...entry(item)}) as const
const result = (item: string) =>
  ({kind: 'result', ...entry(item), resultClass: 'done', result: 'applied', status: 200}) as const

/** Where the process that held a lease is seen to be gone. */
const gone = {...thisMachine, isAlive: () => false}

describe.each(ENGINES)('leases in $name', engine => {
  /** Two processes that share the records. */
  const two = async (): Promise<[Records, Records]> => {
    const place = await freshPlace(engine)
    return [await recordsAt(place), await recordsAt(place)]
  }

  test('of many who begin at once one has the lease', async () => {
    const both = await two()
    const clock = new StoppedClock()
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({length: 8}, (_, at) => begun((both[at % 2] as Records).runs, clock, {}))
      const outcomes = await Promise.allSettled(asked)
      const began = outcomes.filter(({status}) => status === 'fulfilled')
      expect(began).toHaveLength(1)
      for (const each of outcomes) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({code: 'conflict.lease_held'})
      }
      await (began[0] as PromiseFulfilledResult<OpenRun>).value.end({isComplete: true})
      clock.advance(1000)
    }
    expect((await all(both[0].runs.list({}))).map(({state}) => state)).toEqual(Array(5).fill('completed'))
  })

  test.each([
    ['replay', 'repair'],
    ['repair', 'replay'],
  ] as const)('while a %s is under way no %s begins, and a dead one is settled', async (kind, other) => {
    const [one, peer] = await two()
    const clock = new StoppedClock()
    const first = await begun(one.runs, clock, {kind})
    await expect(begun(peer.runs, clock, {kind: other})).rejects.toMatchObject({
      code: 'conflict.lease_held',
      message: expect.stringContaining(`A ${kind} to `),
    })
    await begun(peer.runs, clock, {kind: 'submit'})
    await first.journal.write(intent('a'))
    await first.journal.write(result('a'))
    await first.journal.write(intent('b'))
    clock.advance(1000)
    const second = await begun(peer.runs, clock, {kind: other, machine: gone})
    expect(second.interrupted?.id).toBe(first.id)
    const ended = await all(one.runs.listResults(first.id))
    expect(ended.map(({item, resultClass}) => [item, resultClass])).toEqual([
      ['a', 'done'],
      ['b', 'unknown'],
    ])
    await second.end({isComplete: true})
  })

  test('a run of a watch is asked to give way by a person, and by no watch and no preview', async () => {
    const [one, peer] = await two()
    const clock = new StoppedClock()
    const held = await begun(one.runs, clock, {watchId: '01a'})
    clock.advance(1000)
    await expect(begun(peer.runs, clock, {watchId: '01b'})).rejects.toMatchObject({
      code: 'conflict.lease_held',
    })
    expect((await one.runs.readControl(held.id)).stop).toBeNull()
    const asked = begun(peer.runs, clock, {kind: 'repair'})
    while ((await one.runs.readControl(held.id)).stop === null)
      await new Promise(resolve => setImmediate(resolve))
    expect((await one.runs.readControl(held.id)).stop).toEqual({
      code: 'stopped.gave_way',
      reason: 'gave way to ada on desk',
    })
    await held.end({isComplete: false})
    await (await asked).end({isComplete: true})
  })

  test('a write during a takeover of the lease is stored and recovered, or refused', async () => {
    const [one, other] = await two()
    const clock = new StoppedClock()
    for (let round = 0; round < 8; round++) {
      const first = await begun(one.runs, clock)
      const keys = Array.from({length: 40}, (_, at) => `${round}/${at}`)
      const kept = new Set<string>()
      const write = async (key: string) => {
        await first.journal.write(intent(key))
        kept.add(key)
        await first.journal.write(result(key))
      }
      const writing = Promise.allSettled(keys.map(write))
      for (let turn = 0; turn < round; turn++) await new Promise(resolve => setImmediate(resolve))
      const second = await begun(other.runs, clock, {machine: gone})
      await writing
      const records = await all(one.runs.listRecords(first.id))
      const ended = new Set(records.filter(({kind}) => kind === 'result').map(({item}) => item))
      for (const key of kept) expect(ended.has(key), key).toBe(true)
      for (const {kind, item} of records) expect(kind === 'intent' ? ended.has(item) : true, item).toBe(true)
      const [run] = await one.runs.find(first.id)
      expect(run?.state).toBe('interrupted')
      expect((await verifyChain(records, run as NonNullable<typeof run>)).damage).toEqual([])
      await second.end({isComplete: true})
      clock.advance(1000)
    }
  })

  test('of two who declare a run dead at once one settles what it left open', async () => {
    const [one, other] = await two()
    const run = await begun(one.runs, new StoppedClock())
    await run.journal.write(intent('a'))
    const [row] = await one.runs.find(run.id)
    const crash = ({runs}: Records, by: string) =>
      takeOver(row as NonNullable<typeof row>, true, {
        ...{store: runs, machine: {...gone, who: by}, clock: new StoppedClock()},
      })
    await Promise.allSettled([crash(one, 'ada'), crash(other, 'bob')])
    const words = (await all(one.runs.listRecords(run.id))).filter(({kind}) => kind === 'result')
    expect(words.map(({item, resultClass}) => [item, resultClass])).toEqual([['a', 'unknown']])
  })
})

describe.each(ENGINES.filter(({name}) => name === 'PostgreSQL'))('the clock of leases in $name', engine => {
  const blind = {...thisMachine, isAlive: () => undefined}

  test('is the database’s: machines ten minutes apart take nothing over, a missing heartbeat does', async () => {
    const place = await freshPlace(engine)
    const [early, late] = [new StoppedClock('2026-11-21T12:00:00Z'), new StoppedClock('2026-11-21T12:10:00Z')]
    const [one, other] = [await recordsAt(place, () => early.now()), await recordsAt(place, () => late.now())]
    const first = await begun(one.runs, early)
    await expect(begun(other.runs, late, {machine: blind})).rejects.toMatchObject({
      code: 'conflict.lease_held',
    })
    await makeSilent(place, 31_000)
    expect((await begun(other.runs, late, {machine: blind})).interrupted?.id).toBe(first.id)
  })
})
