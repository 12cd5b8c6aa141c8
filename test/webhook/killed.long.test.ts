import {test} from 'vitest'
import {killedAgainAndAgain} from './killed.js'

test.each([1, 2, 3])(
  'a replay of 1,000 that is killed at 20 moments: nothing with a result is sent twice (seed %i)',
  seed => killedAgainAndAgain({events: 1000, kills: 20, seed}),
)
