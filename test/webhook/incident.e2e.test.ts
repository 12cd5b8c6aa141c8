import {test} from 'vitest'
import {expectIncidentSolved, runIncident} from './incident.js'

test('the runbook of a rotated token solves an incident of six causes, behind a capture', async () => {
  const few = {'unknown-transaction': 10, 'already-final': 10, 'out-of-order': 10, forged: 10}
  const eventsPerCause = {...few, 'shop-unavailable': 10, 'token-mismatch': 10}
  await expectIncidentSolved(await runIncident({eventsPerCause, replayFlags: ['--rate', 'none']}))
})
