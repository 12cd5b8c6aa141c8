import {describe, expect, test} from 'vitest'
import type {RunRow} from '../../src/runs/journal/run-store.js'
import {freshPlace, makeSilent} from '../records/support.js'
import {StoppedClock} from '../support/clock.js'
import {ENGINES} from '../support/engines.js'
import {all, begun, store, thisMachine} from './support.js'

const entry = (
  kind: 'intent' | 'answer' | 'result',
  key: string,
  resultClass?: 'done' | 'failed' | 'unknown' | 'later',
) => ({
  kind,
  item: key,
  orderingKey: key,
  contentHash: 'c0ffee',
  attempt: 0,
  resultClass,
  result: resultClass && (resultClass === 'done' ? 'applied' : resultClass),
})

/** This machine, where the process that held the lease is gone. */
const gone = {...thisMachine, isAlive: () => false}

describe.each(ENGINES)('in $name', engine => {
  const opened = async () => {
    const clock = new StoppedClock()
    const place = await freshPlace(engine)
    const runs = await store(clock, place)
    const pass = async (ms: number) => {
      clock.advance(ms)
      if (engine.name === 'PostgreSQL') await makeSilent(place, ms)
    }
    return {clock, runs, pass}
  }

  describe('the lease', () => {
    test('a second run is told who holds it, where, since when and how far', async () => {
      const {clock, runs} = await opened()
      const first = await begun(runs, clock, {total: 40})
      await first.journal.write(entry('result', 'a', 'done'))
      await first.writeHeartbeat()
      const second = begun(runs, clock, {machine: {...thisMachine, pid: 1}})
      await expect(second).rejects.toMatchObject({code: 'conflict.lease_held', exit: 8})
      await expect(second).rejects.toThrow(
        /ada on desk \(pid 4711\) since 2026-11-21T12:00:00Z, 1 of 40 done/,
      )
    })

    test('is free again when its run has ended', async () => {
      const {clock, runs} = await opened()
      const first = await begun(runs, clock)
      await first.end({isComplete: true})
      const second = await begun(runs, clock)
      expect(second.interrupted).toBeUndefined()
      expect((await runs.find(first.id))[0]).toMatchObject({state: 'completed'})
    })

    test('of another shop, or of another kind of run, is another lease', async () => {
      const {clock, runs} = await opened()
      await begun(runs, clock)
      await begun(runs, clock, {target: 'https://other.example'})
      await begun(runs, clock, {kind: 'submit'})
    })

    test.each([
      ['a repair', 'replay'],
      ['a replay', 'repair'],
    ] as const)('%s and a %s of a shop have one', async (_, kind) => {
      const {clock, runs} = await opened()
      await begun(runs, clock, {kind: kind === 'replay' ? 'repair' : 'replay'})
      await expect(begun(runs, clock, {kind})).rejects.toMatchObject({code: 'conflict.lease_held'})
    })

    test('is taken over at once when its process is gone', async () => {
      const clock = new StoppedClock()
      const place = await freshPlace(engine)
      const first = await begun(await store(clock, place), clock)
      const second = await begun(await store(clock, place), clock, {machine: gone})
      expect(second.interrupted?.id).toBe(first.id)
    })

    test('of another machine is taken over half a minute after its last sign of life', async () => {
      const {clock, runs, pass} = await opened()
      const elsewhere = {...thisMachine, host: 'elsewhere', isAlive: () => false}
      const first = await begun(runs, clock)
      await pass(29_000)
      await expect(begun(runs, clock, {machine: elsewhere})).rejects.toMatchObject({exit: 8})
      await pass(2_000)
      expect((await begun(runs, clock, {machine: elsewhere})).interrupted?.id).toBe(first.id)
    })

    test('of a process that is seen to live stays its own, however long it is silent', async () => {
      const {clock, runs, pass} = await opened()
      await begun(runs, clock)
      await pass(3_600_000)
      const second = begun(runs, clock)
      await expect(second).rejects.toMatchObject({exit: 8})
      await expect(second).rejects.toMatchObject({
        nextSteps: [expect.anything(), expect.stringMatching(/^storectl run stop 01/)],
      })
    })

    test('of a process that nobody can see is taken over half a minute after its last sign of life', async () => {
      const {clock, runs, pass} = await opened()
      const blind = {...thisMachine, isAlive: () => undefined}
      const first = await begun(runs, clock)
      await pass(29_000)
      await expect(begun(runs, clock, {machine: blind})).rejects.toMatchObject({exit: 8})
      await pass(2_000)
      expect((await begun(runs, clock, {machine: blind})).interrupted?.id).toBe(first.id)
    })

    test('once lost lets nothing more be written', async () => {
      const {clock, runs} = await opened()
      const first = await begun(runs, clock)
      await begun(runs, clock, {machine: gone})
      await expect(first.journal.write(entry('intent', 'a'))).rejects.toMatchObject({
        code: 'conflict.lease_lost',
      })
      expect(await all(runs.listRecords(first.id))).toEqual([])
    })
  })

  describe('what a silent run left open', () => {
    test('is unknown where something may have been applied, and unbegun where surely nothing was', async () => {
      const {clock, runs} = await opened()
      const first = await begun(runs, clock)
      const {journal} = first
      await journal.write(entry('intent', 'ended'))
      await journal.write(entry('result', 'ended', 'done'))
      await journal.write(entry('intent', 'in flight'))
      await journal.write(entry('intent', 'lost answer'))
      await journal.write(entry('answer', 'lost answer', 'unknown'))
      await journal.write(entry('intent', 'refused'))
      await journal.write(entry('answer', 'refused', 'later'))
      const second = await begun(runs, clock, {machine: gone})
      expect(second.interrupted?.id).toBe(first.id)
      const ledger = await runs.findLedgerEntries('replay', 'https://shop.example', [
        'ended',
        'in flight',
        'lost answer',
        'refused',
      ])
      expect([...ledger].map(([key, {resultClass}]) => [key, resultClass]).sort()).toEqual([
        ['ended', 'done'],
        ['in flight', 'unknown'],
        ['lost answer', 'unknown'],
      ])
      const {verifyChain} = await import('../../src/runs/journal/hash-chain.js')
      const row = (await runs.find(first.id))[0] as RunRow
      expect(await verifyChain(await all(runs.listRecords(first.id)), row)).toMatchObject({
        checked: 9,
        damage: [],
      })
      expect(row).toMatchObject({
        state: 'interrupted',
        counts: {applied: 1, unknown: 2},
      })
      const recovered = (await all(runs.listRecords(first.id))).filter(({worker}) => worker === second.id)
      expect(recovered.map(({item, detail}) => [item, detail])).toEqual([
        ['in flight', 'the run ended before the response came'],
        ['lost answer', 'the run ended before the response came'],
      ])
    })
  })

  describe('the ledger', () => {
    test('keeps the last word, and what was once delivered and fails later stays delivered', async () => {
      const {clock, runs} = await opened()
      const run = await begun(runs, clock)
      for (const resultClass of ['unknown', 'failed', 'done', 'failed'] as const)
        await run.journal.write(entry('result', 'a', resultClass))
      const ledger = await runs.findLedgerEntries('replay', 'https://shop.example', ['a', 'b'])
      expect([...ledger.keys()]).toEqual(['a'])
      expect(ledger.get('a')).toMatchObject({resultClass: 'done', result: 'applied', runId: run.id})
      // It was sent again on purpose, and may stand or not.
      await run.journal.write(entry('result', 'a', 'unknown'))
      expect(
        (await runs.findLedgerEntries('replay', 'https://shop.example', ['a'])).get('a')?.resultClass,
      ).toBe('unknown')
    })

    test('knows nothing of an item whose answers are no result yet', async () => {
      const {clock, runs} = await opened()
      const run = await begun(runs, clock)
      const readLedger = async () =>
        [...(await runs.findLedgerEntries('replay', 'https://shop.example', ['a'])).values()].map(
          ({resultClass}) => resultClass,
        )
      for (const resultClass of ['unknown', 'failed', 'later'] as const)
        await run.journal.write(entry('answer', 'a', resultClass))
      expect(await readLedger()).toEqual([])
      await run.journal.write(entry('result', 'a', 'later'))
      expect(await readLedger()).toEqual([])
      await run.journal.write(entry('result', 'a', 'failed'))
      expect(await readLedger()).toEqual(['failed'])
    })

    test('what was known before an attempt stays stored while its result is unknown', async () => {
      const {clock, runs} = await opened()
      const {journal} = await begun(runs, clock)
      const readFacts = async () =>
        (await runs.findLedgerEntries('replay', 'https://shop.example', ['a'])).get('a')?.facts
      await journal.write({...entry('result', 'a', 'unknown'), facts: {before: 'open'}})
      await journal.write(entry('result', 'a', 'unknown'))
      expect(await readFacts()).toEqual({before: 'open'})
      await journal.write(entry('result', 'a', 'failed'))
      expect(await readFacts()).toBeUndefined()
    })
  })

  test('runs are listed newest first and found by the beginning of their id', async () => {
    const {clock, runs} = await opened()
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const run = await begun(runs, clock)
      ids.unshift(run.id)
      await run.end({isComplete: true})
      clock.advance(1000)
    }
    expect((await all(runs.list({}))).map(({id}) => id)).toEqual(ids)
    expect((await all(runs.list({limit: 1}))).map(({id}) => id)).toEqual([ids[0]])
    expect((await runs.find((ids[1] as string).slice(0, 10))).map(({id}) => id)).toContain(ids[1])
  })
})
