import {describe, expect, test} from 'vitest'
import type {RecordsTables} from '../../../src/records/schema/schema.js'
import {appendToChain, computeChainOrigin} from '../../../src/runs/journal/hash-chain.js'
import type {NewEntry} from '../../../src/runs/journal/journal-entry.js'
import {recoverOpenItems, releaseOpenItems} from '../../../src/runs/journal/recover-open-items.js'
import type {RunRow} from '../../../src/runs/journal/run-store.js'
import {verifyRun} from '../../../src/runs/ledger/verify-run.js'
import type {OpenRun} from '../../../src/runs/open-run.js'
import type {Database} from '../../../src/storage/engine/database.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import {all, begun, intent, openMarking} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt, tablesAt} from '../support.js'

const CONTRADICTION = {code: 'internal.records_contradict', exit: 1}

const entry = (item: string, attempt = 1) => ({item, orderingKey: item, contentHash: 'c0ffee', attempt})
const DONE = {kind: 'result', resultClass: 'done', result: 'applied'} as const

async function* planned() {
  for (const item of ['a', 'b']) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

describe.each(ENGINES)('records that contradict themselves, in $name', engine => {
  async function opened() {
    const place = await freshPlace(engine)
    const records = await recordsAt(place)
    const tables = await tablesAt(place)
    const run = await begun(records.runs, new StoppedClock())
    await run.storePlan(2, 2, planned())
    return {...records, run, tables}
  }

  /** The first block of the run's own, with its item. */
  async function claimed(runs: Awaited<ReturnType<typeof opened>>['runs'], run: OpenRun) {
    await runs.finish(run.ref, [-1])
    const {block} = await runs.claim(run.ref, [])
    const number = block?.number as number
    const [first] = await runs.readBlock(run.id, number)
    return {number, item: first?.item as string}
  }

  /** Somebody writes to the database behind our back. */
  const edit = (
    {writes}: Database<RecordsTables>,
    change: Parameters<Database<RecordsTables>['writes']['run']>[0],
  ) => writes.run(change)

  test.each([
    ['result', {...DONE, ...entry('a')}],
    ['answer', {...entry('a'), kind: 'answer', resultClass: 'unknown', result: 'unknown'}],
    ['second result', {...DONE, ...entry('b')}],
    ['result of another attempt', {...DONE, ...entry('c', 2)}],
  ] as const)('a %s without an intent is not stored', async (_, written: NewEntry) => {
    const {runs, run} = await opened()
    await run.journal.write({kind: 'intent', ...entry('b')})
    await run.journal.write({...DONE, ...entry('b')})
    await run.journal.write({kind: 'intent', ...entry('c')})
    await expect(run.journal.write(written)).rejects.toMatchObject(CONTRADICTION)
    expect(await all(runs.listRecords(run.id))).toHaveLength(3)
    // What was never sent has no intent, and the chain goes on.
    await run.journal.write({...entry('d', 0), kind: 'result', resultClass: 'held', result: 'held'})
    await run.end({isComplete: false})
    const [row] = await runs.find(run.id)
    expect(await verifyRun(row as RunRow, runs)).toMatchObject({isWhole: true, checked: 4})
  })

  test('a whole chain with a result of an attempt that never began is named', async () => {
    const {runs, run} = await opened()
    const [row] = await runs.find(run.id)
    const at = {runId: run.id, worker: run.worker, sequence: 1, at: currentTime()}
    const forged = appendToChain({...DONE, ...entry('a')}, at, computeChainOrigin(row as RunRow))
    const progress = {done: 1, failed: 0, counts: {applied: 1}, amounts: {}}
    await runs.append(run.ref, () => ({
      entries: [forged],
      progress: {...progress, sequence: 1, hash: forged.hash},
    }))
    const [now] = await runs.find(run.id)
    expect(await verifyRun(now as RunRow, runs)).toMatchObject({
      ...{isWhole: false, damage: []},
      differences: [`entry 1 of ${run.worker} records an attempt of a that has no intent`],
    })
  })

  test('what was recovered belongs to its intent, also where it is read first', async () => {
    const {runs, run} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    const recovered = '00 by a clock that is behind'
    await runs.interrupt(run.ref, open => recoverOpenItems(open, recovered, currentTime()), 'ada on desk')
    run.stopHeartbeat()
    const [row] = await runs.find(run.id)
    expect((await all(runs.listRecords(run.id))).map(({worker}) => worker)).toEqual([recovered, run.id])
    expect(await verifyRun(row as RunRow, runs)).toMatchObject({isWhole: true, differences: []})
  })

  test('two outcomes of one attempt are read in any order', async () => {
    const {runs, run} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    const at = currentTime()
    await runs.interrupt(
      run.ref,
      open => [...releaseOpenItems(open, run.id, at), ...recoverOpenItems(open, `${run.id}-end`, at)],
      'ada on desk',
    )
    run.stopHeartbeat()
    const [row] = await runs.find(run.id)
    const read = await all(runs.listRecords(run.id))
    expect(read.map(({kind}) => kind)).toEqual(['intent', 'result', 'answer'])
    expect(await verifyRun(row as RunRow, runs)).toMatchObject({isWhole: true, differences: []})
  })

  test('of two attempts that others wrote about, the one without an intent is named', async () => {
    const {runs, run} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    const at = currentTime()
    await runs.interrupt(
      run.ref,
      open => {
        const never = open.map(({last, ...more}) => ({...more, last: {...last, attempt: 2}}))
        return [...releaseOpenItems(never, '0', at), ...recoverOpenItems(open, '1', at)]
      },
      'ada on desk',
    )
    run.stopHeartbeat()
    const [row] = await runs.find(run.id)
    expect((await verifyRun(row as RunRow, runs)).differences).toEqual([
      'entry 1 of 0-gone records an attempt of a that has no intent',
    ])
  })

  test('a second result in the chain of a worker is named', async () => {
    const {runs, run} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    await run.journal.write({...DONE, ...entry('a')})
    const last = (await all(runs.listRecords(run.id))).at(-1)
    const at = {runId: run.id, worker: run.worker, sequence: 3, at: currentTime()}
    const again = appendToChain({...DONE, ...entry('a')}, at, last?.hash as string)
    const progress = {done: 2, failed: 0, counts: {applied: 2}, amounts: {}}
    await runs.append(run.ref, () => ({
      entries: [again],
      progress: {...progress, sequence: 3, hash: again.hash},
    }))
    const [row] = await runs.find(run.id)
    expect((await verifyRun(row as RunRow, runs)).differences).toEqual([
      `entry 3 of ${run.worker} records an attempt of a that has no intent`,
    ])
  })

  test('a block that another worker has is not finished by this one', async () => {
    const {runs, run, tables} = await opened()
    const {number, item} = await claimed(runs, run)
    await run.journal.write({kind: 'intent', ...entry(item)})
    await run.journal.write({...DONE, ...entry(item)})
    await edit(tables, db =>
      db.updateTable('run_block').set({worker: 'another'}).where('block', '=', number).execute(),
    )
    await expect(runs.claim(run.ref, [number])).rejects.toMatchObject(CONTRADICTION)
    await expect(run.end({isComplete: true, finished: [number]})).rejects.toMatchObject(CONTRADICTION)
    expect(
      await tables.reads.selectFrom('run_block').select('state').where('block', '=', number).execute(),
    ).toEqual([{state: 'taken'}])
  })

  test('a block that is open, yet claimed, is claimed by nobody', async () => {
    const {runs, run, tables} = await opened()
    await runs.finish(run.ref, [-1])
    await edit(tables, db =>
      db.updateTable('run_block').set({worker: 'another'}).where('block', '=', 0).execute(),
    )
    await expect(runs.claim(run.ref, [])).rejects.toMatchObject(CONTRADICTION)
  })

  test('a block is finished only where each of its items has a result', async () => {
    const {runs, run} = await opened()
    const {number, item} = await claimed(runs, run)
    await run.journal.write({kind: 'intent', ...entry(item)})
    const early = runs.claim(run.ref, [number])
    await expect(early).rejects.toMatchObject({
      ...CONTRADICTION,
      message: expect.stringContaining(`no result of ${item}`),
    })
    await run.journal.write({...DONE, ...entry(item)})
    expect((await runs.claim(run.ref, [number])).block?.number).toBe(number + 1)
  })

  test('an item whose last result has an unknown class is not judged by it', async () => {
    const {runs, run, tables} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    await run.journal.write({...DONE, ...entry('a')})
    await edit(tables, db => db.updateTable('ledger').set({result_class: 'sent'}).execute())
    await expect(runs.findLedgerEntries('replay', intent.target, ['a'])).rejects.toMatchObject(CONTRADICTION)
  })

  test('what an earlier worker wrote is not taken for something else', async () => {
    const {runs, run, tables} = await opened()
    await run.journal.write({kind: 'intent', ...entry('a')})
    await run.journal.write({...DONE, ...entry('a')})
    await edit(tables, db =>
      db.updateTable('run_record').set({kind: 'note'}).where('kind', '=', 'result').execute(),
    )
    await expect(runs.findEarlierAttempts(run.id, ['a'])).rejects.toMatchObject(CONTRADICTION)
  })

  test('an event moves along its statuses only', async () => {
    const {inbox, runs, tables} = await opened()
    const body = {
      id: 'WH-1',
      create_time: currentTime().toISOString(),
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
    }
    const event = readEvent(Buffer.from(JSON.stringify(body)), 'file', currentTime())
    if ('unusable' in event) throw new Error(event.unusable)
    await inbox.add('shop', [event])
    const word = await openMarking(runs, 'shop')
    await inbox.resolve('shop', ['WH-1'], word)
    await edit(tables, db => db.updateTable('webhook_resolution').set({status_before: 'delivered'}).execute())
    await expect(inbox.reopen('shop', ['WH-1'], {...word, resolvedBy: word.run.id})).rejects.toMatchObject(
      CONTRADICTION,
    )
    expect((await inbox.find('shop', ['WH-1'])).get('WH-1')?.status).toBe('resolved')
    await edit(tables, db => db.updateTable('webhook_event').set({status: 'sent'}).execute())
    await expect(inbox.find('shop', ['WH-1'])).rejects.toMatchObject(CONTRADICTION)
    await expect(inbox.resolve('shop', ['WH-1'], word)).rejects.toMatchObject(CONTRADICTION)
  })
})
