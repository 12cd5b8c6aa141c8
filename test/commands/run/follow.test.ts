import {join} from 'node:path'
import {expect, test} from 'vitest'
import {machineClock} from '../../../src/platform/clock.js'
import {describeMachine} from '../../../src/platform/processes.js'
import {openRecords} from '../../../src/records/index.js'
import {begun} from '../../runs/support.js'
import {currentTime} from '../../support/clock.js'
import {type TestContext, testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

/** A run under way in this process, and somebody who follows it. */
async function followed(words: readonly string[]) {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {machine: await describeMachine({}), total: 3})
  const write = async (item: string) => {
    await run.journal.write({
      ...{kind: 'result', item, orderingKey: item, contentHash: 'c0ffee', attempt: 0},
      ...{resultClass: 'done', result: 'applied'},
    })
  }
  await write('a')
  const follower = testContext({home})
  const ended = storectl(['run', 'show', 'last', '--follow', ...words], follower)
  const end = async () => {
    await run.end({isComplete: true})
    await records.close()
    return ended
  }
  return {write, end, follower, ended, close: () => records.close()}
}

const says = (follower: TestContext, part: string) =>
  until(`it prints ${part}`, () => `${follower.out()}${follower.err()}`.includes(part))

test('results come as they are written, and the following ends with the run', async () => {
  const {write, end, follower} = await followed(['--results', '-o', 'ndjson'])
  await says(follower, '"a"')
  await write('b')
  await says(follower, '"b"')
  await write('c')
  const {exit, stdout} = await end()
  const rows = readJsonLines(stdout).map(row => row.item)
  expect(rows).toEqual(['a', 'b', 'c'])
  expect(exit).toBe(0)
})

test('how far the run has come is said on stderr, and its end is the result', async () => {
  const {write, end, follower} = await followed(['-o', 'json'])
  await says(follower, 'running: 1 applied of 3')
  await write('b')
  await says(follower, 'running: 2 applied of 3')
  const {exit, stdout, stderr} = await end()
  expect(JSON.parse(stdout)).toMatchObject({state: 'completed', counts: {applied: 2}})
  expect(stderr).toContain('completed: 2 applied of 3')
  expect(exit).toBe(0)
})

test('whoever stops following leaves the run alone', async () => {
  const {end, follower, ended} = await followed(['--results', '-o', 'ndjson'])
  await says(follower, '"a"')
  follower.interruption.stop('SIGINT')
  expect((await ended).exit).toBe(130)
  await end()
})
