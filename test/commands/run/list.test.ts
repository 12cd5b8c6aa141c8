import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
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
  expect(await listed('--state', 'unresponsive')).toEqual([silent.id])
  expect(await listed('--state', 'running')).toEqual([running.id])
  expect(await listed('--state', 'completed')).toEqual(ended)
  expect(await listed('--state', 'completed', '--limit', '2')).toEqual(ended.slice(0, 2))
  expect(await listed('--limit', '4')).toEqual([...ended, running.id])
  expect(await listed('--all')).toHaveLength(5)
  expect(await listed('--all', '--kind', 'submit')).toEqual([])
  expect(await listed('--all', '--kind', 'replay')).toHaveLength(5)
  const oldest = [silent.id, running.id]
  expect(await listed('--sort', 'startedAt', '--limit', '2')).toEqual(oldest)
  expect(await listed('--where', 'target ends "c.example" and counts.failed = 0')).toEqual(ended)
  expect(await listed('--where', 'state != "completed"', '--sort', 'target', '--limit', '1')).toEqual([
    silent.id,
  ])
  expect((await storectl(['run', 'list', '--where', 'shop = "a"'], {home})).stderr).toContain('in a run')
  const groups = await storectl(['run', 'list', '--group-by', 'state', '-o', 'json'], {home, clock})
  expect(JSON.parse(groups.stdout)).toMatchObject([
    {key: 'completed', count: 3, counts: {}},
    {key: expect.stringMatching(/running|unresponsive/), count: 1},
    {key: expect.stringMatching(/running|unresponsive/), count: 1},
  ])
  const most = ['run', 'list', '--group-by', 'state', '--limit', '1', '-o', 'json']
  expect(JSON.parse((await storectl(most, {home, clock})).stdout)).toMatchObject([
    {key: 'completed', count: 3},
  ])
  const day = clock.now().toISOString().slice(0, 10)
  const days = await storectl(['run', 'list', '--group-by', 'day', '--where', 'kind = "replay"'], {
    home,
    clock,
  })
  expect(days.stdout).toContain(`${day}\t5\t`)
  const heading = await storectl(['run', 'list', '--group-by', 'day', '-o', 'table'], {
    home,
    clock,
    terminal: true,
  })
  expect(heading.stdout).toMatch(/^DAY +RUNS /)
  expect(heading.stderr).toBe('1 day\n')
  const table = await storectl(['run', 'list', '-o', 'csv', '--limit', '1'], {home, clock})
  expect(table.stdout.split('\r\n').map(line => line.split(',')[0])).toEqual(['id', ended[0], ''])
})

test('silent runs before it leave a running one within the limit', async () => {
  const home = temporaryFolder()
  const clock = new StoppedClock()
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const machine = {...thisMachine, host: 'elsewhere'}
  const running = await begun(records.runs, clock, {target: 'https://a.example', machine})
  clock.advance(1)
  await begun(records.runs, clock, {target: 'https://b.example', machine})
  clock.advance(60_000)
  await running.writeHeartbeat()
  await records.close()
  const words = ['run', 'list', '--state', 'running', '--limit', '1', '-o', 'id']
  expect((await storectl(words, {home, clock})).stdout).toBe(`${running.id}\n`)
})

test('the beginning of an id that several runs share is none of them', async () => {
  const home = temporaryFolder()
  const clock = new StoppedClock()
  const records = await openRecords(join(home, 'records.db'), () => clock.now())
  const ids: string[] = []
  for (const target of ['https://a.example', 'https://b.example']) {
    const run = await begun(records.runs, clock, {target})
    await run.end({isComplete: true})
    ids.push(run.id)
  }
  await records.close()
  const [one, other] = ids as [string, string]
  let shared = 0
  while (one[shared] === other[shared]) shared++
  expect(shared).toBeGreaterThan(0)
  for (const words of [['show'], ['verify'], ['resume', '--yes']]) {
    const {exit, stdout, stderr} = await storectl(['run', ...words, one.slice(0, shared)], {home, clock})
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain('Several runs begin with')
  }
  const beginning = one.slice(0, shared + 1)
  for (const word of [beginning, beginning.toUpperCase()]) {
    const shown = await storectl(['run', 'show', word, '-o', 'id'], {home, clock})
    expect(shown.stdout).toBe(`${one}\n`)
  }
})
