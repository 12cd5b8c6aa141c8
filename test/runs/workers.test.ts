import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {StorectlError} from '../../src/errors.js'
import {machineClock} from '../../src/platform/clock.js'
import {createRunStore} from '../../src/records/runs/runs.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {Execution, type SharedItems} from '../../src/runs/execution.js'
import {verifyChain} from '../../src/runs/journal/hash-chain.js'
import type {Item, Result} from '../../src/runs/journal/item.js'
import type {JournalEntry} from '../../src/runs/journal/journal-entry.js'
import {recoverOpenItems} from '../../src/runs/journal/recover-open-items.js'
import type {OpenItem, RunRow, RunStore} from '../../src/runs/journal/run-store.js'
import type {ClassCounts} from '../../src/runs/journal/worker.js'
import {type OpenRun, openRun} from '../../src/runs/open-run.js'
import type {Operation} from '../../src/runs/pool/operation.js'
import {joinRun} from '../../src/runs/workers/join-run.js'
import type {Machine} from '../../src/runs/workers/liveness.js'
import {PeerMonitor} from '../../src/runs/workers/peer-monitor.js'
import {RunSignals} from '../../src/runs/workers/run-signals.js'
import {takeOver} from '../../src/runs/workers/take-over.js'
import {WorkClaimer} from '../../src/runs/workers/work-claimer.js'
import type {WorkerSession} from '../../src/runs/workers/worker-session.js'
import type {Database} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/index.js'
import {currentTime, StoppedClock} from '../support/clock.js'
import {ENGINES, type Fresh} from '../support/engines.js'
import {until} from '../support/until.js'
import {all, applied, emptySummary, failed, intent, thisMachine, UNHEARD, UNPRESENTED} from './support.js'

const ELSEWHERE: Machine = {...thisMachine, host: 'elsewhere', who: 'bob', isAlive: () => undefined}
/** Its clock is ten minutes ahead, which nobody's lease must feel. */
const AHEAD = new StoppedClock('2026-11-21T12:10:00.000Z')

/** Twelve items in lanes of two. */
const ITEMS = Array.from({length: 12}, (_, index) => ({
  item: `item ${String(index).padStart(2, '0')}`,
  orderingKey: `lane ${index % 6}`,
  isUnsure: false,
  metadata: null,
}))

describe.each(ENGINES)('a run that is shared, on $name', engine => {
  let fresh: Fresh
  let database: Database<RecordsTables>
  let store: RunStore

  beforeEach(async () => {
    fresh = await engine.fresh()
    database = await openDatabase<RecordsTables>(fresh.place, {
      migrations: recordsMigrations,
      now: currentTime,
    })
    store = createRunStore(database, UNHEARD)
  })

  afterEach(async () => {
    await database.close()
    await fresh.drop()
  })

  async function founded(machine = thisMachine): Promise<OpenRun> {
    const run = await openRun(intent, {store, machine, clock: machineClock, random: Math.random})
    await run.storePlan(ITEMS.length, ITEMS.length, planned())
    return run
  }

  const find = async (id: string) => (await store.find(id))[0] as RunRow

  async function joined(id: string, machine = ELSEWHERE, clock = AHEAD): Promise<WorkerSession> {
    const deps = {store, machine, clock, random: Math.random, stopping: new AbortController().signal}
    return joinRun(await find(id), {...deps, note: async () => {}})
  }

  /** As if the worker had given no sign of life for so long. */
  async function silence(worker: string, ms: number) {
    await database.writes.run(async db => {
      await db
        .updateTable('run_worker')
        .set(({eb}) => ({heartbeat_at_ms: eb('heartbeat_at_ms', '-', ms)}))
        .where('worker', '=', worker)
        .execute()
    })
  }

  test('gives nobody a block before it is open, then each block to one worker', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    expect((await store.claim(other.ref, [])).block).toBeUndefined()
    const first = (await store.claim(founder.ref, [])).block?.number as number
    await store.finish(founder.ref, [-1])
    const blocks = [first]
    for (const at of [other.ref, founder.ref, other.ref, founder.ref, other.ref])
      blocks.push((await store.claim(at, [])).block?.number as number)
    expect(blocks).toEqual([0, 1, 2, 3, 4, 5])
    expect(await store.claim(other.ref, [])).toEqual({others: 3})
    const lanes = await Promise.all(blocks.map(async block => store.readBlock(founder.id, block)))
    expect(lanes.map(items => new Set(items.map(({orderingKey}) => orderingKey)).size)).toEqual([
      1, 1, 1, 1, 1, 1,
    ])
    expect(lanes.flat().map(({item}) => item)).toHaveLength(12)
  })

  test('what is in flight has no clear response yet', async () => {
    const {journal, inFlight} = await founded()
    const seen: string[][] = []
    const write = async (item: string, more: Partial<JournalEntry>) => {
      await journal.write({...entry(item), ...more} as never)
      seen.push([...inFlight])
    }
    await write('a', {kind: 'answer', resultClass: 'unknown', result: 'unknown'})
    await write('b', {kind: 'intent'})
    await write('b', {kind: 'answer', resultClass: 'unknown', result: 'unknown'})
    await write('b', {kind: 'answer', resultClass: 'later', result: 'later'})
    await write('c', {kind: 'intent'})
    await write('c', {kind: 'result', resultClass: 'unknown', result: 'unknown'})
    expect(seen).toEqual([[], ['b'], ['b'], [], ['c'], []])
  })

  test('takes from a worker that is gone what it has, and what it had in flight is looked up', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await store.finish(founder.ref, [-1])
    const {block} = await store.claim(other.ref, [])
    const [one, two] = await store.readBlock(founder.id, block?.number as number)
    await other.journal.write({...entry(one?.item as string), kind: 'intent'})
    const recover = (await import('../../src/runs/journal/recover-open-items.js')).releaseOpenItems
    const gone = await store.declareGone(
      {id: founder.id, kind: 'replay', target: intent.target},
      ({id}) => id === other.worker,
      (open, worker) => recover(open, worker, currentTime()),
    )
    expect(gone).toEqual([other.worker])
    await expect(other.journal.write({...entry(two?.item as string), kind: 'intent'})).rejects.toMatchObject({
      code: 'conflict.lease_lost',
    })
    await expect(store.claim(other.ref, [])).rejects.toMatchObject({code: 'conflict.lease_lost'})
    expect((await store.claim(founder.ref, [])).block).toEqual({number: block?.number, isAgain: true})
    const before = await store.findEarlierAttempts(founder.id, [one?.item as string, two?.item as string])
    const ended = {facts: {endedAt: expect.any(String)}}
    expect([...before]).toEqual([[one?.item, {isOver: false, isUnsure: true, hasFailed: false, ...ended}]])
    const facts = {before: 'open'}
    const lost = {kind: 'answer', resultClass: 'unknown', result: 'unknown', facts} as const
    await founder.journal.write({...entry(two?.item as string), ...lost})
    expect(
      (await store.findEarlierAttempts(founder.id, [two?.item as string])).values().next().value,
    ).toEqual({
      ...{isOver: false, isUnsure: true, hasFailed: false},
      facts,
    })
    await founder.journal.write({
      ...entry(two?.item as string),
      ...{kind: 'result', resultClass: 'done', result: 'applied'},
    })
    expect(await all(store.listPlanned(founder.id))).toContain(two?.item)
    const run = await find(founder.id)
    expect(await verifyChain(store.listRecords(run.id), run)).toMatchObject({checked: 4, damage: []})
  })

  test('what had its answer when its worker ended gets no other', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await store.finish(founder.ref, [-1])
    const {block} = await store.claim(other.ref, [])
    const [open, refused] = (await store.readBlock(founder.id, block?.number as number)).map(({item}) => item)
    await other.journal.write({...entry(open as string), kind: 'intent'})
    await other.journal.write({...entry(refused as string), kind: 'intent'})
    await other.journal.write({
      ...entry(refused as string),
      kind: 'answer',
      resultClass: 'later',
      result: 'later',
    })
    await silence(other.worker, 31_000)
    await takeOver(await find(founder.id), false, {store, machine: thisMachine, clock: AHEAD})
    const records = await all(store.listRecords(founder.id))
    expect(records.map(({item, kind, resultClass}) => [item, kind, resultClass ?? null]).sort()).toEqual([
      [open, 'answer', 'unknown'],
      [open, 'intent', null],
      [refused, 'answer', 'later'],
      [refused, 'intent', null],
    ])
  })

  test('one that was declared gone and then fails leaves the run to those at work', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await store.declareGone(
      {id: founder.id, kind: 'replay', target: intent.target},
      ({id}) => id === other.worker,
      () => [],
    )
    await other.fail()
    expect(await find(founder.id)).toMatchObject({state: 'running'})
    await founder.journal.write({...entry('a'), kind: 'intent'})
    expect(await founder.end({isComplete: false})).toMatchObject({isOver: true})
  })

  describe.each([
    ['earlier', new StoppedClock('2000-01-01T00:00:00.000Z')],
    ['later', new StoppedClock('2099-01-01T00:00:00.000Z')],
  ])('beside a worker whose clock is %s', (_, clock) => {
    const later = {kind: 'answer', resultClass: 'later', result: 'later'} as const
    const listClasses = async (id: string) =>
      (await all(store.listResults(id))).map(({item, resultClass}) => [item, resultClass])

    test('what another left open stays so at the end, whatever this one was answered about it', async () => {
      const founder = await founded()
      const other = await joined(founder.id, ELSEWHERE, clock)
      await store.finish(founder.ref, [-1])
      const {block} = await store.claim(founder.ref, [])
      const [open] = await store.readBlock(founder.id, block?.number as number)
      await founder.journal.write({...entry(open?.item as string), kind: 'intent'})
      await silence(founder.worker, 31_000)
      await takeOver(await find(founder.id), false, {store, machine: ELSEWHERE, clock})
      await other.journal.write({...entry(open?.item as string), ...later})
      expect(await other.end({isComplete: false})).toMatchObject({isOver: true})
      expect(await listClasses(founder.id)).toEqual([[open?.item, 'unknown']])
    })

    test('what another has in flight, or was told nothing about, is unknown when all are gone at once', async () => {
      const founder = await founded()
      const other = await joined(founder.id, ELSEWHERE, clock)
      for (const item of ['a', 'b']) await founder.journal.write({...entry(item), kind: 'intent'})
      await founder.journal.write({...entry('b'), ...later, resultClass: 'unknown', result: 'unknown'})
      for (const item of ['a', 'b']) await other.journal.write({...entry(item), ...later})
      for (const {worker} of [founder, other]) await silence(worker, 31_000)
      await takeOver(await find(founder.id), true, {store, machine: ELSEWHERE, clock})
      expect(await listClasses(founder.id)).toEqual([
        ['a', 'unknown'],
        ['b', 'unknown'],
      ])
    })
  })

  test('what the others have ended counts once, however often a worker looks', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    const noted: ClassCounts[] = []
    const signals = new RunSignals()
    signals.peerResults.listen(news => void noted.push(news))
    const monitor = new PeerMonitor(founder, signals, {store, machine: thisMachine, now: currentTime})
    await monitor.begin()
    const end = async (item: string, resultClass: 'done' | 'failed') => {
      await other.journal.write({...entry(item), kind: 'result', resultClass, result: resultClass})
    }
    await end('before the first look', 'failed')
    await monitor.check()
    await end('a', 'failed')
    await end('b', 'failed')
    await end('c', 'done')
    for (let looks = 0; looks < 3; looks++) await monitor.check()
    await end('d', 'failed')
    await monitor.check()
    await monitor.stop()
    expect(noted).toEqual([
      {done: 1, failed: 2},
      {done: 0, failed: 1},
    ])
  })

  test('is held as long as one of its workers lives, whatever their clocks say', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await silence(founder.worker, 600_000)
    const third = {...thisMachine, host: 'third', isAlive: () => undefined}
    const another = () => openRun(intent, {store, machine: third, clock: AHEAD, random: Math.random})
    await silence(other.worker, 20_000)
    await expect(another()).rejects.toMatchObject({code: 'conflict.lease_held'})
    await silence(other.worker, 15_000)
    expect((await another()).interrupted?.id).toBe(founder.id)
    await expect(other.journal.write({...entry('x'), kind: 'intent'})).rejects.toMatchObject({
      code: 'conflict.lease_lost',
    })
    expect((await find(founder.id)).workers.map(({state}) => state)).toEqual(['gone', 'gone'])
  })

  test.each([
    ['after', new StoppedClock('2036-01-01T00:00:00.000Z'), {}],
    ['before', new StoppedClock('2025-01-01T00:00:00.000Z'), {unknown: 1}],
  ])(
    'is whole where two that went away had sent one item different numbers of times, whichever is read first: the later one %s',
    async (_, clock, counts) => {
      const founder = await founded()
      const other = await joined(founder.id, ELSEWHERE, clock)
      await store.finish(founder.ref, [-1])
      const {block} = await store.claim(founder.ref, [])
      const [first] = await store.readBlock(founder.id, block?.number as number)
      const write = async (worker: WorkerSession, attempt: number, hasAnswer: boolean) => {
        const sent = {...entry(first?.item as string), attempt}
        await worker.journal.write({...sent, kind: 'intent'})
        if (hasAnswer)
          await worker.journal.write({...sent, kind: 'answer', resultClass: 'later', result: 'failed'})
      }
      await write(founder, 1, true)
      await write(founder, 2, false)
      await silence(founder.worker, 31_000)
      const machine = {...ELSEWHERE, host: 'third'}
      await takeOver(await find(founder.id), false, {store, machine, clock: AHEAD})
      expect((await store.claim(other.ref, [])).block).toEqual({number: block?.number, isAgain: true})
      await write(other, 1, true)
      const recover = (open: readonly OpenItem[]) => recoverOpenItems(open, 'taken over', currentTime())
      await store.interrupt(await find(founder.id), recover, 'ada on desk')
      founder.stopHeartbeat()
      other.stopHeartbeat()
      const run = await find(founder.id)
      expect(run).toMatchObject({state: 'interrupted', counts})
      const {verifyRun} = await import('../../src/runs/ledger/verify-run.js')
      expect(await verifyRun(run, store)).toMatchObject({isWhole: true, differences: []})
    },
  )

  test('lets the dead of its workers be taken over while others go on', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await silence(other.worker, 31_000)
    const run = await takeOver(await find(founder.id), false, {store, machine: thisMachine, clock: AHEAD})
    expect(run.state).toBe('running')
    expect(run.workers.map(({id, state}) => [id === founder.id, state])).toEqual([
      [true, 'working'],
      [false, 'gone'],
    ])
    await expect(takeOver(run, true, {store, machine: thisMachine, clock: AHEAD})).rejects.toMatchObject({
      code: 'conflict.lease_held',
    })
  })

  test('is ended by the last to leave, with what all of them counted', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    await founder.journal.write({...entry('a'), kind: 'result', resultClass: 'done', result: 'applied'})
    await other.journal.write({...entry('b'), kind: 'result', resultClass: 'done', result: 'applied'})
    await other.journal.write({...entry('c'), kind: 'result', resultClass: 'held', result: 'held'})
    expect(await founder.end({isComplete: false})).toEqual({isOver: false, counts: {applied: 2, held: 1}})
    expect(await find(founder.id)).toMatchObject({state: 'running'})
    expect(await other.end({isComplete: false})).toEqual({isOver: true, counts: {applied: 2, held: 1}})
    const run = await find(founder.id)
    expect(run).toMatchObject({state: 'stopped', counts: {applied: 2, held: 1}})
    const {verifyRun} = await import('../../src/runs/ledger/verify-run.js')
    expect(await verifyRun(run, store)).toMatchObject({isWhole: true, checked: 3})
    const elsewhere = run.workers.map(worker => ({...worker, host: 'forged'}))
    const forged = await verifyChain(store.listRecords(run.id), {...run, workers: elsewhere})
    expect(forged.damage).toEqual([{worker: other.worker, sequence: 1, what: 'changed'}])
  })

  test('is ended by whoever leaves when nothing is left, though others are still at work by their own word', async () => {
    const founder = await founded()
    const other = await joined(founder.id)
    const result = {kind: 'result', resultClass: 'done', result: 'applied'} as const
    await store.finish(founder.ref, [-1])
    await other.journal.write({...entry('a'), ...result})
    const blocks: number[] = []
    for (let more = await store.claim(founder.ref, []); more.block; more = await store.claim(founder.ref, []))
      blocks.push(more.block.number)
    for (const {item} of ITEMS) await founder.journal.write({...entry(item), ...result})
    const ended = await founder.end({isComplete: true, finished: blocks})
    expect(ended).toEqual({isOver: true, counts: {applied: 13}})
    const run = await find(founder.id)
    expect(run).toMatchObject({state: 'completed', counts: {applied: 13}})
    expect(run.workers.map(({state}) => state)).toEqual(['left', 'left'])
    expect(await store.claim(other.ref, []), 'nothing to do, and no error').toEqual({others: 0})
    await expect(other.journal.write({...entry('c'), ...result})).rejects.toMatchObject({
      code: 'conflict.lease_lost',
    })
    expect(await other.end({isComplete: true})).toEqual({isOver: true, counts: {applied: 13}})
    expect((await find(founder.id)).workers.map(({counts}) => counts)).toEqual([{applied: 12}, {applied: 1}])
    const next = await openRun(intent, {store, machine: ELSEWHERE, clock: AHEAD, random: Math.random})
    expect(next.interrupted).toBeUndefined()
    await next.discard()
  })

  test('is not ended by one that leaves while another has yet to open it', async () => {
    const founder = await openRun(intent, {
      ...{store, machine: thisMachine, clock: machineClock, random: Math.random},
    })
    await founder.storePlan(1, 0, (async function* () {})())
    const other = await joined(founder.id)
    expect(await other.end({isComplete: false})).toEqual({isOver: false, counts: {}})
    expect(await find(founder.id)).toMatchObject({state: 'running'})
    expect(await founder.end({isComplete: true})).toEqual({isOver: true, counts: {}})
  })

  test('cannot be joined once it is over or being stopped, nor without a plan', async () => {
    const unplanned = await openRun(
      {...intent, target: 'https://b.example'},
      {
        ...{store, machine: thisMachine, clock: machineClock, random: Math.random},
      },
    )
    await expect(joined(unplanned.id)).rejects.toMatchObject({code: 'usage.not_shared'})
    const founder = await founded()
    await store.halt(founder.id, {code: 'stopped.breaker_open', reason: '5 failed in a row'})
    await expect(joined(founder.id)).rejects.toThrow(/is being stopped \(stopped.breaker_open\)/)
    await founder.end({isComplete: false})
    expect(await find(founder.id)).toMatchObject({state: 'stopped', stopCode: 'stopped.breaker_open'})
    await expect(joined(founder.id)).rejects.toMatchObject({
      code: 'usage.run_is_over',
      nextSteps: [`storectl run show ${founder.id}`, `storectl run resume ${founder.id}`],
    })
    await unplanned.discard()
  })

  describe('in the hands of two', () => {
    interface Part {
      readonly execution: Execution<string, string>
      readonly sent: string[]
      readonly ended: Promise<unknown>
      readonly stop: () => void
    }

    /** Sends what a worker gets of the run. */
    function part(own: WorkerSession, isFounder: boolean, options: Options = {}): Part {
      const {canary = 0, ratePerSecond = 0, limits = {}} = options
      const sent: string[] = []
      const stopping = new AbortController()
      const operation: Operation<string, string> = {
        prepare: async () => 'send',
        execute: async item => {
          sent.push(item.key)
          return (await options.act?.(item)) ?? applied
        },
        probe: async () => 'cannot-tell',
        toRow: ({item}) => item.key,
      }
      const read: SharedItems<string>['read'] = async items =>
        items.map(({item, orderingKey, isUnsure, blockedBy}) => ({
          ...{key: item, orderingKey, contentHash: 'c0ffee', unsure: isUnsure, blockedBy, value: item},
        }))
      const execution = new Execution(
        own,
        {
          ...{operation, blocksKey: true, items: {isFounder, read}, total: ITEMS.length},
          settings: {concurrency: 2, retries: 0, ratePerSecond, canary, ...limits},
          ...{summary: emptySummary(), presentation: UNPRESENTED},
        },
        {
          ...{store, machine: thisMachine, clock: machineClock, random: Math.random},
          ...{stopping: stopping.signal, note: async () => {}},
        },
      )
      return {execution, sent, ended: all(execution.start()), stop: () => stopping.abort()}
    }

    interface Options {
      readonly canary?: number
      readonly ratePerSecond?: number
      readonly limits?: object
      readonly act?: (item: Item<string>) => Promise<Result | undefined> | Result
    }

    const slow = async () => {
      await machineClock.sleep(30)
      return undefined
    }

    test('sends each item once, by one of them', async () => {
      const founder = await founded()
      const [one, two] = [
        part(founder, true, {act: slow, canary: 2}),
        part(await joined(founder.id), false, {act: slow, canary: 2}),
      ]
      await Promise.all([one.ended, two.ended])
      expect([...one.sent, ...two.sent].sort()).toEqual(ITEMS.map(({item}) => item))
      expect(one.sent.length, 'the canary is the founder’s').toBeGreaterThan(1)
      expect(await find(founder.id)).toMatchObject({state: 'completed', counts: {applied: 12}})
    })

    test('sends by both as soon as the canary of whoever began it has come back whole', async () => {
      const founder = await founded()
      const rest = gate()
      const one = part(founder, true, {
        canary: 2,
        act: async () => {
          if (one.sent.length > 2) await rest.promise
          return applied
        },
      })
      const two = part(await joined(founder.id), false, {canary: 2})
      await until('the other has sent something', () => two.sent.length > 0)
      expect(one.sent.length).toBeGreaterThanOrEqual(2)
      rest.open()
      await Promise.all([one.ended, two.ended])
      expect([...one.sent, ...two.sent].sort()).toEqual(ITEMS.map(({item}) => item))
    })

    test('is opened by another when whoever began it is gone before that', async () => {
      const founder = await founded()
      const [other, third] = [await joined(founder.id), await joined(founder.id)]
      await store.declareGone(
        {id: founder.id, kind: 'replay', target: intent.target},
        ({id}) => id === founder.worker,
        () => [],
      )
      let claim: ReturnType<typeof store.claim> | undefined
      const two = part(other, false, {
        act: async () => {
          claim ??= store.claim(third.ref, [])
          await claim
          two.stop()
          return applied
        },
      })
      await two.ended
      expect((await claim)?.block?.isAgain).toBe(false)
      await third.end({isComplete: false})
    })

    test('has one canary: what fails for a worker who joins later does not count as its first', async () => {
      const founder = await founded()
      const other = await joined(founder.id)
      await store.finish(founder.ref, [-1])
      const two = part(other, false, {canary: 2, act: ({key}) => (key === 'item 00' ? failed : applied)})
      await two.ended
      expect(two.execution.halt).toBeUndefined()
      expect(two.sent).toHaveLength(11)
      await founder.end({isComplete: false})
    })

    test('leaves to others what a worker does not soon come to', async () => {
      const founder = await founded()
      const other = await joined(founder.id)
      await store.finish(founder.ref, [-1])
      const held = gate()
      const one = part(founder, true, {act: () => held.promise})
      await until('two are sent', () => one.sent.length === 2)
      const two = part(other, false)
      await until('the other has sent two lanes', () => two.sent.length >= 4)
      for (const each of [one, two]) each.stop()
      held.open()
      await Promise.all([one.ended, two.ended])
    })

    test('stops for both when one of them meets a limit', async () => {
      const founder = await founded()
      const held = gate()
      const bad = part(founder, true, {act: () => failed, limits: {failuresInARow: 2}})
      const good = part(await joined(founder.id), false, {act: () => held.promise})
      await bad.ended
      await until('the other worker is stopped', () => good.execution.halt !== undefined)
      held.open()
      await good.ended
      expect(good.execution.halt).toMatchObject({code: 'stopped.breaker_open'})
      expect(await find(founder.id)).toMatchObject({state: 'stopped', stopCode: 'stopped.breaker_open'})
      expect(bad.sent.length + good.sent.length).toBeLessThan(12)
    })

    test('stops where failures of both make too many in a row', async () => {
      const founder = await founded()
      const [own, rest] = [gate(), gate()]
      const one = part(founder, true, {
        act: async () => {
          const isFirst = one.sent.length <= 2
          await own.promise
          return isFirst ? failed : applied
        },
        limits: {failuresInARow: 4},
      })
      await until('two are sent', () => one.sent.length >= 2)
      const two = part(await joined(founder.id), false, {
        act: async () => {
          // The first look only learns how far the other is.
          await until('the first knows of the second', () => one.execution.activeWorkers >= 2)
          return two.sent.length <= 2 ? failed : rest.promise
        },
      })
      await until('the first knows of two refusals', () => one.execution.peerCounts.rejected === 2)
      own.open()
      await one.ended
      rest.open()
      await two.ended
      expect(one.execution.halt).toMatchObject({code: 'stopped.breaker_open'})
      expect(one.execution.halt?.message).toContain('4 failed in a row')
    })

    test('goes on with the other when one is interrupted', async () => {
      const founder = await founded()
      const held = gate()
      const one = part(founder, true, {act: () => held.promise})
      await until('one is sent', () => one.sent.length > 0)
      const two = part(await joined(founder.id), false)
      one.stop()
      held.open()
      await one.ended
      expect(one.execution.hasActivePeers).toBe(true)
      await two.ended
      expect([...one.sent, ...two.sent].sort()).toEqual(ITEMS.map(({item}) => item))
      expect(await find(founder.id)).toMatchObject({state: 'completed', counts: {applied: 12}})
    })

    test('a lane of which an item failed stays blocked in the hands of the next', async () => {
      const founder = await founded()
      const first = (item: Item<string>) => {
        if (item.key !== 'item 00') return applied
        one.stop()
        return failed
      }
      const one = part(founder, true, {act: first})
      const other = await joined(founder.id)
      await one.ended
      const two = part(other, false)
      await two.ended
      expect([...one.sent, ...two.sent]).not.toContain('item 06')
      const results = await all(store.listResults(founder.id))
      expect(results.find(({item}) => item === 'item 06')).toMatchObject({
        ...{worker: other.worker, resultClass: 'held'},
        detail: 'blocked: item 00 of the same ordering key failed before it',
      })
    })

    test('who is stopped before the first check begins nothing and waits for nobody', async () => {
      const founder = await founded()
      const own = await joined(founder.id)
      const claims: string[] = []
      const signals = new RunSignals()
      const claimer = new WorkClaimer<string>(own.ref, signals, {
        store: {
          ...store,
          claim: (ref, finished) => {
            claims.push(ref.worker)
            return store.claim(ref, finished)
          },
        },
        ...{isFounder: false, readConcurrency: () => 2, canary: 0, waitsForPeers: true},
        ...{note: async () => {}, read: async () => []},
      })
      signals.close()
      expect(await all(claimer.claimItems())).toEqual([])
      expect(claims).toEqual([])
      await own.end({isComplete: false})
    })

    test('is not opened by a canary that has come back whole once something else has stopped it', async () => {
      const founder = await founded()
      const signals = new RunSignals()
      const finished: (readonly number[])[] = []
      const claimer = new WorkClaimer<string>(founder.ref, signals, {
        store: {
          ...store,
          finish: (at, blocks) => {
            finished.push(blocks)
            return store.finish(at, blocks)
          },
        },
        ...{isFounder: true, readConcurrency: () => 2, canary: 2, waitsForPeers: false},
        ...{note: async () => {}, read: async () => []},
      })
      await signals.canaryEnded.tellAndWait()
      signals.stop(new StorectlError('stopped.by_request', 'enough'))
      await signals.canaryEnded.tellAndWait()
      expect([finished, signals.isOpening, claimer.canary]).toEqual([[], true, 2])
      await founder.end({isComplete: false})
    })

    test('has one rate for both', async () => {
      const founder = await founded()
      const held = gate()
      const one = part(founder, true, {act: () => held.promise, ratePerSecond: 1000})
      const other = part(await joined(founder.id), false, {act: () => held.promise, ratePerSecond: 1000})
      await until(
        'both know of each other',
        () => one.execution.activeWorkers >= 2 && other.execution.activeWorkers >= 2,
      )
      expect([one.execution.ratePerSecond, other.execution.ratePerSecond]).toEqual([500, 500])
      held.open()
      await Promise.all([one.ended, other.ended])
    })
  })
})

/** Something that is waited for until it is opened. */
function gate() {
  let open = () => {}
  const promise = new Promise<undefined>(resolve => {
    open = () => resolve(undefined)
  })
  return {promise, open: () => open()}
}

async function* planned() {
  yield* ITEMS
}

function entry(item: string) {
  return {item, orderingKey: item, contentHash: 'c0ffee', attempt: 0}
}
