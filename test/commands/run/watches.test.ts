import {join} from 'node:path'
import {expect, test} from 'vitest'
import {describeMachine} from '../../../src/platform/processes.js'
import {recordsAt} from '../../records/support.js'
import {begun} from '../../runs/support.js'
import {currentTime, SkippingClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {storectl} from '../../support/storectl.js'

const here = describeMachine({})

/** A home whose records hold a run of a person, and a watch of this process with a run of its own. */
async function watchedHome({pid = here.pid} = {}) {
  const home = temporaryFolder()
  const records = await recordsAt(join(home, 'records.db'))
  const id = '01zzzzzzzzzzzzz1'
  const {who, host, processStart} = here
  const byPerson = await begun(records.runs, new SkippingClock(), {machine: here})
  await byPerson.end({isComplete: true})
  await records.watches.begin({
    ...{id, target: 'https://shop.example', profile: 'shop', who, host, pid, processStart, reason: null},
    ...{options: {command: 'storectl webhook replay --watch'}, startedAt: currentTime()},
  })
  const byWatch = await begun(records.runs, new SkippingClock(5000), {watchId: id, machine: here})
  await byWatch.end({isComplete: true})
  const read = async (...argv: string[]) =>
    JSON.parse((await storectl([...argv, '-o', 'json'], {home})).stdout)
  return {home, records, id, byPerson: byPerson.id, byWatch: byWatch.id, read}
}

test('a watch is one line of the list, and its runs are below it with --all', async () => {
  const {home, id, byPerson, byWatch, read} = await watchedHome()
  const ids = async (...flags: string[]) =>
    (await read('run', 'list', ...flags)).map((row: {id: string}) => row.id)
  expect(await ids()).toEqual([id, byPerson])
  expect(await ids('--all')).toEqual([id, byWatch, byPerson])
  expect(await ids('--kind', 'watch')).toEqual([id])
  expect(await ids('--kind', 'replay')).toEqual([byWatch, byPerson])
  expect(await ids('--limit', '1')).toEqual([id])
  const {stderr} = await storectl(['run', 'list', '--limit', '1'], {home, terminal: true})
  expect(stderr).toContain('1 of 2 runs')
  expect((await read('run', 'list'))[0]).toMatchObject({kind: 'watch', state: 'watching', runs: 1, atWork: 1})
})

test('a watch that has ended is listed by its time', async () => {
  const {id, byPerson, records, read} = await watchedHome()
  await records.watches.end(id, currentTime())
  const rows = await read('run', 'list')
  expect(rows.map((row: {id: string}) => row.id)).toEqual([id, byPerson])
  expect(rows[0]).toMatchObject({state: 'ended', endedAt: expect.any(String)})
})

test('a watch is shown with its last probe, and how long its shop is away', async () => {
  const {id, records, read} = await watchedHome()
  const at = new Date('2026-11-20T12:00:00Z')
  const probe = {at, isGood: false, answer: 'answered 503'}
  await records.watches.writeHeartbeat(id, {probe, awaySince: at, runId: null})
  expect(await read('run', 'show', id.slice(0, 8))).toMatchObject({
    ...{id, kind: 'watch', state: 'away', awaySince: at.toISOString()},
    probe: {at: at.toISOString(), isGood: false, answer: 'answered 503'},
  })
})

test('a watch is paused, resumed and stopped by its id, and a stop waits for its end', async () => {
  const {id, records, home, read} = await watchedHome()
  expect(await read('run', 'set', id, '--paused')).toMatchObject({state: 'paused', isPaused: true})
  expect(await read('run', 'set', id, '--no-paused')).toMatchObject({state: 'watching', isPaused: false})
  const stopping = storectl(['run', 'stop', id, '--reason', 'moving', '-o', 'json'], {home})
  while ((await records.watches.readControl(id)).stopReason === null)
    await new Promise(resolve => setImmediate(resolve))
  await records.watches.end(id, currentTime())
  const {exit, stdout} = await stopping
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({state: 'ended', stopReason: 'moving'})
  const again = await storectl(['run', 'stop', id], {home})
  expect(again.exit).toBe(2)
  expect(again.stderr).toContain(`Watch ${id} has ended. Nothing was changed.`)
})

test('a watch whose process is gone is unresponsive, and a stop ends it', async () => {
  const {id, home, read} = await watchedHome({pid: 999_999})
  expect(await read('run', 'show', id)).toMatchObject({state: 'unresponsive'})
  expect(await read('run', 'show', id, '--fields', 'silence')).toEqual({
    silence: expect.stringMatching(/^no heartbeat since 20/),
  })
  expect(await read('run', 'list')).toMatchObject([
    {id, state: 'unresponsive', atWork: 0},
    {kind: 'replay', state: 'completed'},
  ])
  expect((await storectl(['run', 'stop', id], {home})).exit).toBe(0)
  expect(await read('run', 'show', id)).toMatchObject({state: 'ended'})
})

test('a watch of a protected profile is changed with its name alone', async () => {
  const {id, home, read} = await watchedHome()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example', '--protected'], {home})
  for (const words of [
    ['stop', id],
    ['set', id, '--paused'],
  ])
    expect((await storectl(['run', ...words], {home})).exit, words.join(' ')).toBe(7)
  expect(await read('run', 'show', id)).toMatchObject({state: 'watching', stopReason: null})
  expect((await storectl(['run', 'set', id, '--paused', '--confirm', 'shop'], {home})).exit).toBe(0)
  expect(await read('run', 'show', id)).toMatchObject({state: 'paused'})
})
