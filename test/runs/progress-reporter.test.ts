import {expect, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import type {Result} from '../../src/runs/journal/item.js'
import {presentRun} from '../../src/runs/report/present-run.js'
import {showProgress} from '../../src/runs/report/progress-reporter.js'
import {createIdleRun} from '../../src/runs/run.js'
import {RunSummary} from '../../src/runs/run-summary.js'
import {until} from '../support/until.js'

test('somebody who asked for an end is told what is waited for, and what a second time would do', async () => {
  const stop = new AbortController()
  const notes: string[] = []
  let heard = () => {}
  const said = new Promise<void>(resolve => {
    heard = resolve
  })
  const output = {
    openBar: async () => undefined,
    note: async (text: string) => {
      notes.push(text)
      heard()
    },
    verbose: false,
    clock: machineClock,
    stopping: stop.signal,
    setLastMessage: () => () => {},
  }
  const progress = {total: 1, countDone: () => 0, listParts: () => [], describeEnd: () => ''}
  const hideProgress = showProgress(progress, output)
  stop.abort()
  await said
  hideProgress()
  expect(notes).toEqual([expect.stringContaining('a second Ctrl-C leaves them unknown')])
})

const FAILED: Result = {resultClass: 'failed', result: 'rejected'}
const HELD: Result = {resultClass: 'held', result: 'held'}
const DONE: Result = {resultClass: 'done', result: 'applied'}

/** What the bar of a run shows first beside its speed, which has results and how often each was sent. */
async function readBar(results: readonly (readonly [Result, number])[], more: object = {}): Promise<string> {
  const shown: string[] = []
  const waitForBar = () => until('the bar is drawn', () => shown.length > 0)
  const summary = new RunSummary({done: ['applied'], failed: ['rejected'], held: ['held'], skipped: []})
  for (const [result, attempts] of results) summary.add('item', result, attempts)
  const idle = createIdleRun({
    ...{summary, total: 2},
    presentation: {
      ...{view: {columns: []}, show: (rows: AsyncIterable<never[]>) => rows, summarize: () => ''},
      ...{describeUnknown: () => '', resumeCommand: () => ''},
    } as never,
    rows: async function* () {
      await waitForBar()
      yield []
    },
  })
  const run = {...idle, id: '1', target: 'shop', ...more}
  await presentRun(run, {
    openBar: async () => ({
      update: ({parts}) => void shown.push(parts.join(', ')),
      stop: () => {},
    }),
    note: async () => {},
    print: async rows => {
      for await (const _ of rows);
    },
    ...{verbose: false, clock: machineClock, isBrief: false, wasInterrupted: () => false},
    ...{stopping: new AbortController().signal, setLastMessage: () => () => {}},
  })
  return (shown[0] ?? '').replace(/, [\d.]+\/s, [^,]* left/, '')
}

test('the bar of a run shows the calls that are in doubt', async () => {
  const bar = await readBar([], {inDoubt: '3 in doubt until 12:01:07Z'})
  expect(bar).toBe('0/2, 3 in doubt until 12:01:07Z, run 1, shop')
})

test('the bar of a run counts what failed, was held, was sent again and was ended by others, of what is to be sent', async () => {
  expect(await readBar([[DONE, 1]])).toBe('1/2, run 1, shop')
  expect(await readBar([[FAILED, 1]])).toBe('1/2, 1 failed, run 1, shop')
  expect(await readBar([[HELD, 0]])).toBe('1/2, 1 held, run 1, shop')
  expect(await readBar([[DONE, 2]])).toBe('1/2, 1 retries, run 1, shop')
  expect(await readBar([], {peerCounts: {applied: 1}})).toBe('1/2, 1 by other workers, run 1, shop')
  const withHeld = {total: 3, unsentTotal: 1}
  expect(await readBar([], withHeld)).toBe('0/2, run 1, shop')
  expect(await readBar([[HELD, 0]], withHeld)).toBe('0/2, 1 held, run 1, shop')
  expect(
    await readBar(
      [
        [HELD, 0],
        [DONE, 1],
      ],
      withHeld,
    ),
  ).toBe('1/2, 1 held, run 1, shop')
  const control = {isPaused: true, askedBy: 'ada on desk'}
  expect(await readBar([], {control})).toBe('0/2, paused by ada on desk, run 1, shop')
})
