import {test} from 'vitest'
import {expectIncidentSolved, runIncident} from './incident.js'

test('the runbook of a rotated token solves an incident of 4,000 events', async () => {
  const few = {'unknown-transaction': 300, 'already-final': 200, 'out-of-order': 200, forged: 300}
  const eventsPerCause = {...few, 'shop-unavailable': 500, 'token-mismatch': 2500}
  await expectIncidentSolved(await runIncident({eventsPerCause, replayFlags: []}))
})
