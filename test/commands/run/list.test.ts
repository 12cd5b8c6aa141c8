import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/store/records/open.js'
import {begun, thisMachine} from '../../runs/support.js'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

test('runs are listed by their state, and a silent one is no running one', async () => {
  const home = temporaryFolder()
  const clock = new StoppedClock()
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const machine = {...thisMachine, host: 'elsewhere'}
  const silent = await begun(records.runs, clock, {target: 'https://a.example', machine})
  clock.advance(60_000)
  const running = await begun(records.runs, clock, {target: 'https://b.example', machine})
  const ended: string[] = []
  for (let count = 0; count < 3; count++) {
    clock.advance(1)
    const run = await begun(records.runs, clock, {target: 'https://c.example', machine})
    await run.end({isComplete: true})
    ended.unshift(run.id)
  }
  await records.close()
  const listed = async (...words: string[]) =>
    (await storectl(['run', 'list', '-o', 'id', ...words], {home, clock})).stdout.split('\n').filter(Boolean)
  expect(await listed('--state', 'silent')).toEqual([silent.id])
  expect(await listed('--state', 'running')).toEqual([running.id])
  expect(await listed('--state', 'ended')).toEqual(ended)
  expect(await listed('--state', 'ended', '--limit', '2')).toEqual(ended.slice(0, 2))
  expect(await listed('--limit', '4')).toEqual([...ended, running.id])
  expect(await listed('--all')).toHaveLength(5)
})
