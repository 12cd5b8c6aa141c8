import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {Calls} from '../../src/gateway/gateway.js'

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}))
afterEach(() => void vi.useRealTimers())

/** Whether a stop that waits so long is over, as time goes on. */
function stop(calls: Calls, limitMs: number) {
  const stopped = {isOver: false}
  void calls.areOver(limitMs).then(() => {
    stopped.isOver = true
  })
  return async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return stopped.isOver
  }
}

/** A call that goes on until a test ends it. */
function begin(calls: Calls) {
  let end = () => {}
  const ended = calls.run(
    () =>
      new Promise<string>(resolve => {
        end = () => resolve('answered')
      }),
  )
  return {end: () => end(), ended}
}

test('where no call is under way a stop waits for nothing', async () => {
  const calls = new Calls()
  expect(calls.count).toBe(0)
  expect(await stop(calls, 1000)(0)).toBe(true)
})

test('a stop waits for the last call that is under way', async () => {
  const calls = new Calls()
  const [first, second] = [begin(calls), begin(calls)]
  const isOver = stop(calls, 1000)
  expect([calls.count, await isOver(500)]).toEqual([2, false])
  first.end()
  expect(await first.ended).toBe('answered')
  expect([calls.count, await isOver(0)]).toEqual([1, false])
  second.end()
  await second.ended
  expect([calls.count, await isOver(0)]).toEqual([0, true])
  expect(vi.getTimerCount()).toBe(0)
})

test('a stop waits no longer than it may, and not at all where the time is over', async () => {
  const calls = new Calls()
  begin(calls)
  const isOver = stop(calls, 1000)
  expect([await isOver(999), await isOver(1)]).toEqual([false, true])
  expect(await stop(calls, -5)(1)).toBe(true)
  expect(calls.count).toBe(1)
})

test('a call that fails is over too', async () => {
  const calls = new Calls()
  await expect(calls.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(calls.count).toBe(0)
})
