import {describe, expect, test} from 'vitest'
import {computeChainOrigin} from '../../../src/runs/journal/hash-chain.js'
import type {RunRow} from '../../../src/runs/journal/run-store.js'
import type {NewWatch, WatchRow} from '../../../src/runs/journal/watch-store.js'
import {all, begun, thisMachine} from '../../runs/support.js'
import {currentTime, StoppedClock} from '../../support/clock.js'
import {ENGINES} from '../../support/engines.js'
import {freshPlace, recordsAt} from '../support.js'

const {who, host, pid, processStart} = thisMachine

const watch = (id: string, target = 'https://shop.example'): NewWatch => ({
  ...{id, target, profile: 'shop', who, host, pid, processStart, reason: 'nights'},
  options: {command: 'storectl webhook replay --watch'},
  startedAt: new Date('2026-11-20T12:00:00Z'),
})

describe.each(ENGINES)('watches in $name', engine => {
  test('a watch is read as it was begun, and as its heartbeats changed it', async () => {
    const {watches} = await recordsAt(await freshPlace(engine))
    await watches.begin(watch('01a'))
    const [first] = await watches.find('01')
    expect(first).toMatchObject({
      ...watch('01a'),
      ...{endedAt: null, probe: null, awaySince: null, runId: null},
      ...{isPaused: false, stopReason: null, askedBy: null},
    })
    expect((first as WatchRow).heartbeatAgeMs).toBeLessThan(60_000)
    const probe = {at: new Date('2026-11-20T12:01:00Z'), isGood: false, answer: 'answered 503'}
    const progress = {probe, awaySince: new Date('2026-11-20T12:00:59Z'), runId: 'run'}
    await watches.writeHeartbeat('01a', progress)
    expect((await watches.find('01a'))[0]).toMatchObject(progress)
    const endedAt = new Date('2026-11-20T13:00:00Z')
    await watches.end('01a', endedAt)
    expect((await watches.find('01a'))[0]).toMatchObject({endedAt, runId: null, probe})
  })

  test('what a person asks of a watch is kept, and asked of no watch that has ended', async () => {
    const {watches} = await recordsAt(await freshPlace(engine))
    await watches.begin(watch('01a'))
    expect(await watches.readControl('01a')).toEqual({isPaused: false, stopReason: null, askedBy: null})
    expect(await watches.changeControl('01a', {isPaused: true}, 'bea on pi')).toBe(true)
    expect(await watches.changeControl('01a', {stopReason: 'enough'}, 'ada on desk')).toBe(true)
    const asked = {isPaused: true, stopReason: 'enough', askedBy: 'ada on desk'}
    expect(await watches.readControl('01a')).toEqual(asked)
    await watches.writeHeartbeat('01a', {probe: null, awaySince: null, runId: null})
    expect(await watches.readControl('01a')).toEqual(asked)
    await watches.end('01a', currentTime())
    expect(await watches.changeControl('01a', {isPaused: false}, 'ada on desk')).toBe(false)
  })

  test('watches are listed by shop and by whether they have ended, the newest first', async () => {
    const {watches} = await recordsAt(await freshPlace(engine))
    for (const id of ['01a', '01b', '01c']) await watches.begin(watch(id))
    await watches.begin(watch('02a', 'local'))
    await watches.end('01b', currentTime())
    const list = async (query: Parameters<typeof watches.list>[0]) =>
      (await all(watches.list(query))).map(({id}) => id)
    expect(await list({})).toEqual(['02a', '01c', '01b', '01a'])
    expect(await list({target: 'https://shop.example', isOpen: true})).toEqual(['01c', '01a'])
    expect(await list({isOpen: false})).toEqual(['01b'])
  })

  test('a run names the watch that began it, and its chain begins with it', async () => {
    const {runs} = await recordsAt(await freshPlace(engine))
    const clock = new StoppedClock()
    const byWatch = await begun(runs, clock, {watchId: '01a'})
    await byWatch.end({isComplete: true})
    clock.advance(1000)
    const byPerson = await begun(runs, clock, {})
    await byPerson.end({isComplete: true})
    expect((await all(runs.list({watchId: '01a'}))).map(({id}) => id)).toEqual([byWatch.id])
    expect((await all(runs.list({watchId: null}))).map(({id}) => id)).toEqual([byPerson.id])
    expect(await runs.count({watchId: '01a'})).toBe(1)
    const [run] = await runs.find(byWatch.id)
    expect(run?.watchId).toBe('01a')
    const byNobody = computeChainOrigin({...(run as RunRow), watchId: null})
    expect(computeChainOrigin(run as RunRow)).not.toBe(byNobody)
  })
})
