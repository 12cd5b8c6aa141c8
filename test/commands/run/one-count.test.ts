import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import type {RunReads} from '../../../src/runs/journal/run-store.js'
import type {Machine} from '../../../src/runs/workers/liveness.js'
import {all, begun, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const ELSEWHERE: Machine = {...thisMachine, host: 'elsewhere'}
const ITEMS = ['a', 'b', 'c', 'd', 'e', 'f']
const entry = (item: string) => ({item, orderingKey: item, contentHash: 'c0ffee', attempt: 1})

async function* planned() {
  for (const item of ITEMS) yield {item, orderingKey: item, isUnsure: false, metadata: null}
}

/** A run whose process gave no heartbeat since its first results: two applied, one rejected, one in flight, two left. */
async function underWay(clock: StoppedClock) {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const run = await begun(records.runs, clock, {machine: ELSEWHERE})
  await run.storePlan(ITEMS.length, ITEMS.length, planned())
  for (const item of ['a', 'b', 'c', 'd']) await run.journal.write({kind: 'intent', ...entry(item)})
  for (const item of ['a', 'b'])
    await run.journal.write({kind: 'result', ...entry(item), resultClass: 'done', result: 'applied'})
  await run.journal.write({kind: 'result', ...entry('c'), resultClass: 'failed', result: 'rejected'})
  return {home, run, close: () => records.close()}
}

const COUNTS = {applied: 2, rejected: 1}
const TOTALS = {sent: 2, failed: 1, unknown: 1, 'not-sent': 2, held: 0, skipped: 0}

/** What each command says of the run. */
async function readEverywhere(home: string, clock: StoppedClock) {
  const read = async (...words: string[]) =>
    JSON.parse((await storectl(['run', ...words, '-o', 'json'], {home, clock})).stdout)
  const [listed] = await read('list')
  const shown = await read('show', 'last')
  const files = await Promise.all(
    ['json', 'html', 'markdown', 'csv'].map(async format => {
      const file = join(home, `report.${format}`)
      const {stderr} = await storectl(['run', 'export', 'last', file, '--format', format], {home, clock})
      return {stderr, text: readFileSync(file, 'utf8')}
    }),
  )
  return {listed, shown, report: JSON.parse(files[0]?.text ?? ''), files}
}

test.each([
  ['under way', 0, 'Running: 2 of 6 events delivered, 1 failed, 1 in flight, 2 not sent yet.', null],
  [
    'whose process is gone',
    31_000,
    'Unresponsive: 2 of 6 events delivered, 1 failed, 1 unknown, 2 not sent.',
    'no result: the run ended during the request',
  ],
])('of a run %s every command has the count of its journal', async (_, passedMs, verdict, detail) => {
  const clock = new StoppedClock()
  const {home, run, close} = await underWay(clock)
  clock.advance(passedMs)
  const {listed, shown, report, files} = await readEverywhere(home, clock)
  expect(listed).toMatchObject({id: run.id, counts: COUNTS, total: 6})
  expect(shown).toMatchObject({counts: COUNTS, totals: TOTALS, verdict})
  expect(report).toMatchObject({totals: TOTALS, verdict, run: {counts: COUNTS}})
  for (const {stderr} of files) expect(stderr).toContain(verdict)
  const inFlight = report.items.find(({item}: {item: string}) => item === 'd')
  expect(inFlight).toMatchObject({group: 'unknown', detail})
  await close()
})

test('a report of a run under way adds up, whatever is written meanwhile', async () => {
  const clock = new StoppedClock()
  const {home, run, close} = await underWay(clock)
  const reader = await openRecords(join(home, 'records.db'), () => clock.now())
  const read = await reader.runs.readSnapshot(async runs => {
    const before = await listItems(run.id, runs)
    await run.journal.write({kind: 'result', ...entry('d'), resultClass: 'done', result: 'applied'})
    return {before, after: await listItems(run.id, runs), row: (await runs.find(run.id))[0]}
  })
  expect(read.after).toEqual(read.before)
  expect(read.row?.counts).toEqual(COUNTS)
  expect((await reader.runs.find(run.id))[0]?.counts).toEqual({...COUNTS, applied: 3})
  await reader.close()
  await close()
})

async function listItems(id: string, runs: RunReads): Promise<string[]> {
  const results = await all(runs.listResults(id))
  return [...results.map(({item, result}) => `${item} ${result}`), ...(await all(runs.listUnsent(id)))]
}

test('what a dead run is resumed with is what it is listed with', async () => {
  const clock = new StoppedClock()
  const {home, close} = await underWay(clock)
  clock.advance(31_000)
  const taken = await storectl(['run', 'resume', 'last', '--take-over', '-o', 'json'], {home, clock})
  expect(JSON.parse(taken.stdout).counts).toEqual({...COUNTS, unknown: 1})
  const {listed, shown} = await readEverywhere(home, clock)
  expect(listed.counts).toEqual({...COUNTS, unknown: 1})
  expect(shown.totals).toEqual(TOTALS)
  await close()
})
