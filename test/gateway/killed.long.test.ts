import {test} from 'vitest'
import {killedUnderLoad} from './killed.js'

test.each([1, 2, 3])(
  '100 connections, killed 20 times: what was answered 2xx is in the inbox, and once (seed %i)',
  seed => killedUnderLoad({connections: 100, kills: 20, answersApart: 600, seed}),
)
