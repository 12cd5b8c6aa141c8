import {describe, expect, test} from 'vitest'
import {ENGINES} from '../support/engines.js'
import {everyNth, sized} from '../support/sized.js'
import {sharedReplay} from './shared.js'

const EVENTS = sized(160, 300)

describe.each(everyNth(2, ENGINES, 1))('a replay that several processes share, on $name', engine => {
  test('sends every event once, and never two of one transaction at once', async () => {
    const {run, ends} = await sharedReplay({engine, events: EVENTS, joiners: 3, kills: 0, seed: 1})
    expect(run.workers.map(({state}) => state)).toEqual(['left', 'left', 'left', 'left'])
    const shares = ends.map(({stdout}) => stdout.split('\n').filter(Boolean).length)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(EVENTS)
    expect(shares.filter(share => share > 0).length, 'more than one had a share').toBeGreaterThan(1)
  })

  test('goes on when the process that began it is killed, and others are', async () => {
    const {run} = await sharedReplay({engine, events: sized(100, 150), joiners: 2, kills: 2, seed: 2})
    expect(run.workers.filter(({state}) => state === 'gone').length).toBeGreaterThan(0)
  })
})
