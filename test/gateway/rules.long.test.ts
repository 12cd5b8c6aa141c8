import {execFileSync} from 'node:child_process'
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {nameOf} from '../support/skipped.js'

const promtool = '/usr/bin/promtool'
const missing = existsSync(promtool) ? false : promtool
const rules = join(import.meta.dirname, '../../units/storectl.rules.yml')

/** Series of a capture, a sample a minute. */
const SERIES = {
  'up{job="storectl",instance="a"}': '1x20 0x100',
  'storectl_capture_inbox_writable{instance="a"}': '1x20 0x100',
  'storectl_capture_disk_bytes{instance="a"}': '10x20 80x100',
  'storectl_capture_max_disk_bytes{instance="a"}': '100x120',
  'storectl_capture_not_stored_calls{instance="a"}': '0x20 1+1x100',
  'storectl_capture_events_total{instance="a",status="delivered",answered="200"}': '0+5x20 100x100',
  'storectl_capture_events_total{instance="a",status="failed",answered="503"}': '0x20 0+5x100',
  'storectl_capture_inbox_events{instance="a",status="failed"}': '0x20 9x100',
  'storectl_capture_inbox_events{instance="a",status="delivered"}': '5x120',
  'storectl_capture_forward_seconds_bucket{instance="a",le="10"}': '0+60x20 1200x100',
  'storectl_capture_forward_seconds_bucket{instance="a",le="30"}': '0+60x120',
  'storectl_capture_forward_seconds_bucket{instance="a",le="+Inf"}': '0+60x120',
  'storectl_capture_refused_total{instance="a",reason="no-room"}': '0x20 0+5x100',
}

const ALERTS = [
  ...['CaptureDown', 'InboxNotWritable', 'DiskNearlyFull', 'CallsNotStored', 'ShopAway', 'EventsWait'],
  ...['ShopSlow', 'CallsRefused'],
]

/** A test of promtool: what fires at a minute. */
function buildTests(expected: Readonly<Record<number, readonly string[]>>): string {
  const queries = Object.entries(expected).map(([minute, names]) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: names.map(name => ({labels: `{alertname="Storectl${name}"}`, value: 1})),
  }))
  const input_series = Object.entries(SERIES).map(([series, values]) => ({series, values}))
  return JSON.stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [{interval: '1m', input_series, promql_expr_test: queries}],
  })
}

test.skipIf(missing)(
  nameOf('the rules for Prometheus fire when they are to, and not before', missing),
  () => {
    const file = join(temporaryFolder(), 'rules-test.yml')
    writeFileSync(file, buildTests({18: [], 115: ALERTS}))
    execFileSync(promtool, ['check', 'rules', rules], {stdio: 'pipe'})
    expect(String(execFileSync(promtool, ['test', 'rules', file], {stdio: 'pipe'}))).toContain('SUCCESS')
    writeFileSync(file, buildTests({18: ALERTS}))
    expect(() => execFileSync(promtool, ['test', 'rules', file], {stdio: 'pipe'})).toThrow('FAILED')
  },
)
