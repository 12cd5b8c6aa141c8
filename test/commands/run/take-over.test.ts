import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import type {Machine} from '../../../src/runs/workers/liveness.js'
import {begun, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const ELSEWHERE: Machine = {...thisMachine, host: 'elsewhere'}
const entry = (item: string) => ({item, orderingKey: item, contentHash: 'c0ffee', attempt: 1})

/** A run of another machine with one item done and one in flight; the records stay open, as the run's process does. */
async function underWay(clock: StoppedClock, machine = ELSEWHERE) {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const run = await begun(records.runs, clock, {machine, total: 3})
  await run.journal.write({kind: 'intent', ...entry('a')})
  await run.journal.write({kind: 'result', ...entry('a'), resultClass: 'done', result: 'applied'})
  await run.journal.write({kind: 'intent', ...entry('b')})
  return {home, run, close: () => records.close()}
}

test('a silent run is ended, what it had in flight is unknown, and it can write nothing more', async () => {
  const clock = new StoppedClock()
  const {home, run, close} = await underWay(clock)
  clock.advance(31_000)
  const {exit, stdout, stderr} = await storectl(['run', 'resume', 'last', '--take-over', '-o', 'json'], {
    home,
    clock,
  })
  expect(JSON.parse(stdout)).toMatchObject({
    id: run.id,
    state: 'interrupted',
    counts: {applied: 1, unknown: 1},
  })
  expect(stderr).toContain(`storectl run resume ${run.id}`)
  expect(exit).toBe(0)
  const late = run.journal.write({kind: 'result', ...entry('b'), resultClass: 'done', result: 'applied'})
  await expect(late).rejects.toMatchObject({code: 'conflict.lease_lost'})
  await close()
  const verified = await storectl(['run', 'verify', 'last', '-o', 'json'], {home})
  expect(JSON.parse(verified.stdout)).toMatchObject([{auditLog: 'verified', records: 4}])
})

test('a run of another machine that gave a sign of life is left alone, unless it is forced', async () => {
  const clock = new StoppedClock()
  const {home, run, close} = await underWay(clock)
  clock.advance(20_000)
  const refused = await storectl(['run', 'resume', run.id, '--take-over'], {home, clock})
  expect(refused.exit).toBe(8)
  expect(refused.stderr).toMatch(/ada on elsewhere \(pid 4711\).*1 of 3 done/)
  expect(refused.stderr).toContain(`storectl run resume ${run.id} --take-over --force`)
  expect((await storectl(['run', 'resume', run.id, '--take-over', '--force'], {home, clock})).exit).toBe(0)
  await close()
})

test('a run whose process is seen to live is not taken over, even by force', async () => {
  const {describeMachine: here} = await import('../../../src/platform/processes.js')
  const clock = new StoppedClock()
  const {home, close} = await underWay(clock, await here({}))
  clock.advance(3_600_000)
  const {exit, stderr} = await storectl(['run', 'resume', 'last', '--take-over', '--force'], {home, clock})
  expect(exit).toBe(8)
  expect(stderr).toContain('storectl run stop 01')
  await close()
})

test('a run that is over has nothing to take over', async () => {
  const clock = new StoppedClock()
  const {home, run, close} = await underWay(clock)
  await run.end({isComplete: true})
  const {exit, stderr} = await storectl(['run', 'resume', 'last', '--take-over'], {home, clock})
  expect(exit).toBe(2)
  expect(stderr).toMatch(/has completed/)
  await close()
})
