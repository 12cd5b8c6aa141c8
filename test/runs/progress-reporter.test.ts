import {expect, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {showProgress} from '../../src/runs/report/progress-reporter.js'

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
