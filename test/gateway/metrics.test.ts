import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openMetrics} from '../../src/gateway/metrics.js'
import {StoppedClock} from '../support/clock.js'

/** Counters over an inbox that the test decides about. */
async function countersOf(countByStatus: () => Promise<ReadonlyMap<string, number>>) {
  const clock = new StoppedClock()
  const now = () => clock.now()
  const state = {isWritable: true}
  const disk = {usedBytes: 7, limitBytes: 9, notStored: 3}
  const metrics = await openMetrics({countByStatus, now, isWritable: () => state.isWritable, disk})
  const page = async () => Buffer.from((await metrics.renderPage()).body).toString()
  return {metrics, page, clock, state}
}

test('the page has each counter with its help, its labels and what was counted', async () => {
  const {metrics, page, state} = await countersOf(async () => new Map([['failed', 2]]))
  metrics.countEvent('delivered', 200)
  metrics.countEvent('failed', 503)
  metrics.countEvent('failed', 400)
  metrics.countRefusal('path')
  metrics.countRefusal('loop')
  for (const ms of [5, 6, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 30_001])
    metrics.observeForward(ms)
  expect((await page()).trimEnd().split('\n\n')).toEqual([
    `# HELP storectl_capture_events_total Webhook calls by result and by response status.
# TYPE storectl_capture_events_total counter
storectl_capture_events_total{status="delivered",answered="200"} 1
storectl_capture_events_total{status="failed",answered="503"} 1
storectl_capture_events_total{status="failed",answered="400"} 1`,
    `# HELP storectl_capture_refused_total Calls refused before they were stored.
# TYPE storectl_capture_refused_total counter
storectl_capture_refused_total{reason="path"} 1
storectl_capture_refused_total{reason="loop"} 1`,
    `# HELP storectl_capture_forward_seconds Response time of the shop, time-outs included.
# TYPE storectl_capture_forward_seconds histogram
storectl_capture_forward_seconds_bucket{le="0.005"} 1
storectl_capture_forward_seconds_bucket{le="0.01"} 3
storectl_capture_forward_seconds_bucket{le="0.025"} 4
storectl_capture_forward_seconds_bucket{le="0.05"} 5
storectl_capture_forward_seconds_bucket{le="0.1"} 6
storectl_capture_forward_seconds_bucket{le="0.25"} 7
storectl_capture_forward_seconds_bucket{le="0.5"} 8
storectl_capture_forward_seconds_bucket{le="1"} 9
storectl_capture_forward_seconds_bucket{le="2.5"} 10
storectl_capture_forward_seconds_bucket{le="5"} 11
storectl_capture_forward_seconds_bucket{le="10"} 12
storectl_capture_forward_seconds_bucket{le="30"} 13
storectl_capture_forward_seconds_bucket{le="+Inf"} 14
storectl_capture_forward_seconds_sum 79.447
storectl_capture_forward_seconds_count 14`,
    `# HELP storectl_capture_inbox_events Events in the inbox of this shop by status.
# TYPE storectl_capture_inbox_events gauge
storectl_capture_inbox_events{status="pending"} 0
storectl_capture_inbox_events{status="delivered"} 0
storectl_capture_inbox_events{status="failed"} 2
storectl_capture_inbox_events{status="unknown"} 0
storectl_capture_inbox_events{status="resolved"} 0`,
    `# HELP storectl_capture_inbox_writable 1 if the last write to the inbox succeeded, else 0.
# TYPE storectl_capture_inbox_writable gauge
storectl_capture_inbox_writable 1`,
    `# HELP storectl_capture_not_stored_calls Calls without a known token, forwarded and not stored.
# TYPE storectl_capture_not_stored_calls gauge
storectl_capture_not_stored_calls 3`,
    `# HELP storectl_capture_disk_bytes Size of captured events.
# TYPE storectl_capture_disk_bytes gauge
storectl_capture_disk_bytes 7`,
    `# HELP storectl_capture_max_disk_bytes Max size of captured events (--max-disk).
# TYPE storectl_capture_max_disk_bytes gauge
storectl_capture_max_disk_bytes 9`,
  ])
  state.isWritable = false
  expect(await page()).toContain('storectl_capture_inbox_writable 0')
})

test('the inbox is counted once in 15 seconds at most, and an inbox that cannot be read keeps its last counts', async () => {
  let counted = 0
  let isReadable = true
  const {page, clock} = await countersOf(async () => {
    counted++
    if (!isReadable) throw new Error('locked')
    return new Map([['pending', counted]])
  })
  const pending = async () => /inbox_events\{status="pending"\} (\d+)/.exec(await page())?.[1]
  expect(await pending()).toBe('1')
  clock.advance(14_999)
  expect([await pending(), counted]).toEqual(['1', 1])
  clock.advance(1)
  expect([await pending(), counted]).toEqual(['2', 2])
  isReadable = false
  clock.advance(15_000)
  expect([await pending(), counted]).toEqual(['2', 3])
})

test('every metric of the rules for Prometheus is one of a capture', async () => {
  const {metrics, page} = await countersOf(async () => new Map())
  metrics.countEvent('failed', 503)
  metrics.countRefusal('no-room')
  const known = new Set((await page()).match(/^storectl_\w+/gm))
  const rules = readFileSync(join(import.meta.dirname, '../../units/storectl.rules.yml'), 'utf8')
  const named = new Set(rules.match(/\bstorectl_\w+/g))
  expect([...named].filter(name => !known.has(name))).toEqual([])
  expect([...known].filter(name => !named.has(name) && !/_(sum|count)$/.test(name))).toEqual([])
})
