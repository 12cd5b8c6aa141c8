import {expect, test} from 'vitest'
import type {WatchRow} from '../../src/runs/journal/watch-store.js'
import {changeWatch} from '../../src/runs/workers/control-run.js'
import {StoppedClock} from '../support/clock.js'
import {thisMachine} from './support.js'

const {host, pid, processStart} = thisMachine
const HEARD = new Date('2026-11-21T11:00:00Z')
const WATCH = {id: 'w1', host, pid, processStart, endedAt: null, heartbeatAt: HEARD, heartbeatAgeMs: 0}

/** Stops a watch that ends itself once it was looked at so often. @returns when it was ended in its name */
async function stop(looksUntilEnd: number, isAlive: () => boolean) {
  const ended: Date[] = []
  const clock = new StoppedClock()
  let looks = 0
  await changeWatch(
    WATCH as unknown as WatchRow,
    {stopReason: 'moving'},
    {
      ...{clock, machine: {...thisMachine, isAlive}, signal: new AbortController().signal},
      watches: {
        changeControl: async () => true,
        find: async () => {
          const endedAt = ++looks < looksUntilEnd ? null : clock.now()
          return [{...WATCH, endedAt} as unknown as WatchRow]
        },
        end: async (_, at) => void ended.push(at),
      },
    },
  )
  return {ended, looks}
}

test('a stop waits for the end of a watch whose process lives', async () => {
  expect(await stop(5, () => true)).toEqual({ended: [], looks: 5})
})

test('a watch whose process is gone, or goes meanwhile, ends with its last heartbeat', async () => {
  expect(await stop(5, () => false)).toEqual({ended: [HEARD], looks: 0})
  let lives = 3
  expect(await stop(5, () => lives-- > 0)).toEqual({ended: [HEARD], looks: 3})
})
