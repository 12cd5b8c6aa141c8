import {copyFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {openSeenStore} from '../../../src/app/seen/seen-store.js'
import {watchRecords} from '../../../src/app/seen/watch-records.js'
import {openRecords} from '../../../src/records/index.js'
import {openRun} from '../../../src/runs/open-run.js'
import {intent, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {restoreFile} from './support.js'

async function watchedAt(home: string, clock: StoppedClock) {
  const file = join(home, 'records.db')
  const opened = await openRecords(file, () => clock.now())
  const records = await watchRecords(opened, openSeenStore({state: home}, file), () => clock.now())
  onTestFinished(() => records.close())
  return records
}

test.each([
  ['entries that are noted every second', 1500, true],
  ['entries of the last second before the end', 10, false],
])('a copy of the file made while a run goes on lacks %s', async (_, waitMs, isNoticed) => {
  const home = temporaryFolder()
  const clock = new StoppedClock()
  const file = join(home, 'records.db')
  const records = await watchedAt(home, clock)
  const deps = {store: records.runs, machine: thisMachine, clock, random: Math.random}
  const run = await openRun({...intent, total: 3}, deps)
  const send = async (item: string) => {
    const entry = {item, orderingKey: item, contentHash: 'c0ffee', attempt: 1}
    await run.journal.write({kind: 'intent', ...entry})
    await run.journal.write({kind: 'result', ...entry, resultClass: 'done', result: 'applied', status: 200})
  }
  await send('a')
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${file}.backup${end}`)
  clock.advance(waitMs)
  await send('b')
  // As if it was killed: nothing is noted at its end.
  const seen = openSeenStore({state: home}, file)
  const known = seen.read()
  await run.fail()
  await records.close()
  await seen.update(() => known)
  restoreFile(file, `${file}.backup`)
  copyFileSync(`${file}.backup-wal`, `${file}-wal`)

  const {restored} = await watchedAt(home, clock)
  if (isNoticed)
    expect(restored).toMatch(/^this home has seen entry \d+ of run \w+, and the records end at entry \d+$/)
  else expect(restored).toBeUndefined()
})
