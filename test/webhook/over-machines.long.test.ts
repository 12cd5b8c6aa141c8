import {test} from 'vitest'
import {overMachines} from './over-machines.js'

test('four replayers and four gateways on one PostgreSQL, killed, restarted and with clocks apart, lose and double nothing', () =>
  overMachines({events: 20_000, kills: 12, restarts: 2, seed: 1}))
