import {describe, test} from 'vitest'
import {ENGINES} from '../support/engines.js'
import {sharedReplay} from './shared.js'

describe.each(ENGINES)('a replay of 4,000 that four processes share, on $name', engine => {
  const clocksApartMs = engine.name === 'PostgreSQL' ? 1_200_000 : 0

  test.each([1, 2])(
    'of which ten are killed: nothing is lost, sent twice or overtaken (seed %i)',
    async seed => {
      await sharedReplay({engine, events: 4000, joiners: 3, kills: 10, seed, clocksApartMs})
    },
  )
})
