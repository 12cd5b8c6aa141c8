import {expect, onTestFinished, test} from 'vitest'
import {AlertLoop} from '../../src/alerts/alert-loop.js'
import {formatSlack} from '../../src/alerts/format-alert.js'
import type {IncidentStore} from '../../src/alerts/incident.js'
import type {Alert} from '../../src/contract/status-rows.js'
import {freshPlace, recordsAt} from '../records/support.js'
import {StoppedClock} from '../support/clock.js'
import {ENGINES, type Engine} from '../support/engines.js'
import {until} from '../support/until.js'

const since = new Date('2026-11-20T12:00:00Z')

/** Alerts over records that can be away, with receivers that can be too. */
async function openLoop() {
  const {incidents} = await recordsAt(await freshPlace(ENGINES[0] as Engine))
  const state = {isStored: true, isFirstAway: false}
  const store = new Proxy(incidents, {
    get: (own, name: keyof IncidentStore) =>
      state.isStored
        ? own[name]
        : async () => {
            throw new Error('the disk is full')
          },
  })
  const sent: string[] = []
  const alerts: Alert[] = []
  const notes: string[] = []
  const receive = (receiver: string) => async (alert: Alert) => {
    if (receiver === 'first' && state.isFirstAway) throw new Error('away')
    sent.push(`${receiver} ${alert.kind} ${alert.state}`)
    alerts.push(alert)
  }
  const loop = new AlertLoop({
    ...{store, target: 'https://shop.example', profile: 'shop', awayAfterMs: 1000, clock: new StoppedClock()},
    receivers: [receive('first'), receive('second')],
    countEvents: async () => ({counts: {failed: 2}, amounts: []}),
    examine: async () => {},
    note: async text => void notes.push(text),
  })
  loop.start()
  onTestFinished(() => loop.close())
  return {loop, state, sent, alerts, notes}
}

test('a receiver that is away keeps no alert from another one', async () => {
  const {loop, state, sent} = await openLoop()
  state.isFirstAway = true
  loop.report('token-refused', {since, cause: 'refused'})
  loop.report('breaker-open', {since, cause: '5 failed in a row'})
  await until('the second has both', () => sent.length === 2)
  expect(sent.sort()).toEqual(['second breaker-open open', 'second token-refused open'])
  state.isFirstAway = false
  await until('the first has both', () => sent.length === 4)
  expect(sent.filter(each => each.startsWith('first'))).toHaveLength(2)
})

test('while the records cannot be written, an alert is sent, and not again when they can be', async () => {
  const {loop, state, sent, notes} = await openLoop()
  state.isStored = false
  loop.report('capture-degraded', {since, cause: 'the inbox cannot be written'})
  await until('it is sent', () => sent.length === 2)
  state.isStored = true
  loop.clear('capture-degraded')
  await until('the end is sent', () => sent.length === 4)
  expect(new Set(sent).size).toBe(4)
  expect(notes).toEqual(['Alerts wait for the records: the disk is full'])
})

test('what is found again and again is one alert, and what is not found is none', async () => {
  const {loop, sent} = await openLoop()
  for (let times = 0; times < 50; times++) {
    loop.report('events-held', {since, cause: 'expired', counts: {expired: 1}})
    loop.clear('breaker-open')
  }
  await until('it is sent', () => sent.length === 2)
  loop.clear('events-held')
  await until('the end is sent', () => sent.length === 4)
  expect(new Set(sent).size).toBe(4)
})

test('what another side said is short, without control characters and addresses of people, and no markup of Slack', async () => {
  const {loop, alerts} = await openLoop()
  const cause = `\u001b[31m<!channel> ada@example.com ${'x'.repeat(500)}`
  loop.report('token-refused', {since, cause})
  await until('it is sent', () => alerts.length > 0)
  const [alert] = alerts as [Alert]
  expect(alert.cause).toHaveLength(200)
  expect(alert.command).toBe('storectl doctor --profile shop')
  expect(JSON.stringify(alert)).not.toMatch(/ada@|\\u001b/)
  expect(JSON.parse(formatSlack(alert)).text).toContain('&lt;!channel&gt; ***')
  expect(Object.keys(JSON.parse(formatSlack(alert)))).toEqual(['text'])
})
