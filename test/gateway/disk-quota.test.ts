import {expect, test} from 'vitest'
import {DiskQuota} from '../../src/gateway/disk-quota.js'
import {StoppedClock} from '../support/clock.js'

const KIB = 1024

/** A quota over an inbox whose size the test decides about. */
async function quotaOf(limitBytes: number, stored = 0) {
  const clock = new StoppedClock()
  const notes: string[] = []
  const inbox = {bytes: stored, counts: 0, isReadable: true}
  const countBytes = async () => {
    inbox.counts++
    if (!inbox.isReadable) throw new Error('locked')
    return inbox.bytes
  }
  const deps = {countBytes, now: () => clock.now(), note: (text: string) => void notes.push(text)}
  return {quota: await DiskQuota.open(limitBytes, undefined, deps), clock, notes, inbox}
}

test('calls without a known token fill three quarters to the last byte, the others all', async () => {
  const {quota} = await quotaOf(8 * KIB)
  expect(await quota.reserve(6 * KIB + 1, false)).toBe(false)
  expect(await quota.reserve(6 * KIB, false)).toBe(true)
  expect(await quota.reserve(1, false)).toBe(false)
  expect(await quota.reserve(2 * KIB + 1, true)).toBe(false)
  expect(await quota.reserve(2 * KIB, true)).toBe(true)
  expect(quota.usedBytes).toBe(8 * KIB)
  quota.release(3 * KIB)
  expect(quota.usedBytes).toBe(5 * KIB)
  expect(await quota.reserve(KIB, false)).toBe(true)
})

test('it is full where no row fits or the last known call did not, and degraded where no row of a stranger does', async () => {
  const {quota} = await quotaOf(8 * KIB)
  expect(quota.health).toBe('ok')
  await quota.reserve(5 * KIB, true)
  expect(quota.health).toBe('ok')
  await quota.reserve(1, true)
  expect(quota.health).toBe('degraded')
  await quota.reserve(2 * KIB - 1, true)
  expect(quota.health).toBe('degraded')
  await quota.reserve(1, true)
  expect(quota.health).toBe('full')
  quota.release(5 * KIB)
  expect(quota.health).toBe('ok')
  // A stranger that finds no room says nothing of those that are known.
  expect([await quota.reserve(8 * KIB, false), quota.health]).toEqual([false, 'ok'])
  expect([await quota.reserve(8 * KIB, true), quota.health]).toEqual([false, 'full'])
  expect([await quota.reserve(1, true), quota.health]).toEqual([true, 'ok'])
})

test('a call that was not stored shows for an hour, and is told once until there is room again', async () => {
  const MIB = 1024 * KIB
  const {quota, clock, notes, inbox} = await quotaOf(8 * MIB, 7 * MIB)
  quota.countNotStored()
  quota.countNotStored()
  expect([quota.notStored, quota.health]).toEqual([2, 'degraded'])
  expect(notes).toEqual([
    'Calls without a known token are forwarded, but no longer stored: three quarters of --max-disk (6 MiB) are in use. storectl webhook prune makes room.',
  ])
  inbox.bytes = 0
  clock.advance(15_001)
  expect(await quota.reserve(1, false)).toBe(true)
  clock.advance(3_600_000 - 15_001)
  expect(quota.health).toBe('degraded')
  clock.advance(1)
  expect(quota.health).toBe('ok')
  quota.countNotStored()
  expect([notes.length, quota.notStored]).toEqual([2, 3])
})

test('what is stored is counted again after 15 s without room, and after 5 minutes in any case', async () => {
  const {quota, clock, inbox} = await quotaOf(8 * KIB, 8 * KIB)
  inbox.bytes = 0
  clock.advance(15_000)
  expect([await quota.reserve(1, true), inbox.counts]).toEqual([false, 1])
  clock.advance(1)
  expect([await quota.reserve(1, true), inbox.counts]).toEqual([true, 2])
  inbox.bytes = 8 * KIB
  clock.advance(300_000)
  expect([await quota.reserve(1, true), inbox.counts]).toEqual([true, 2])
  clock.advance(1)
  expect([await quota.reserve(1, true), inbox.counts]).toEqual([false, 3])
})

test('an inbox that cannot be counted keeps its last count', async () => {
  const {quota, clock, inbox} = await quotaOf(8 * KIB, 6 * KIB)
  inbox.isReadable = false
  clock.advance(300_001)
  expect([await quota.reserve(1, false), quota.usedBytes]).toEqual([false, 6 * KIB])
  expect(inbox.counts).toBe(2)
})
