import {expect, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
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

test('the bar of a run shows the calls that are in doubt', async () => {
  const shown: string[] = []
  const waitForBar = () => until('the bar is drawn', () => shown.length > 0)
  const idle = createIdleRun({
    ...{summary: new RunSummary({done: [], failed: [], held: []} as never), total: 2},
    presentation: {
      ...{view: {columns: []}, show: (rows: AsyncIterable<never[]>) => rows, summarize: () => ''},
      ...{describeUnknown: () => '', resumeCommand: () => ''},
    } as never,
    rows: async function* () {
      await waitForBar()
      yield []
    },
  })
  const run = {...idle, id: '1', target: 'shop', inDoubt: '3 in doubt until 12:01:07Z'}
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
  expect(shown[0]).toBe('0/2, 3 in doubt until 12:01:07Z, run 1, shop')
})
