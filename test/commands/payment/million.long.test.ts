import {type ChildProcess, spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {countDifferent, startComputedSides} from '../../support/computed-sides.js'
import {temporaryFolder} from '../../support/home.js'
import {ended} from '../../support/process.js'

const ROOT = join(import.meta.dirname, '../../..')
const PAYMENTS = 1_000_000

/** Memory that a process has now, MiB; as the system counts it. */
function readMemory({pid}: ChildProcess): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

test('a million payments are compared at flat memory, with one call of the shop for 250', async () => {
  const sides = await startComputedSides(PAYMENTS)
  const home = temporaryFolder()
  const env = {PATH: process.env.PATH, STORECTL_HOME: home, ...sides.env}
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), 'payment', 'reconcile', '-o', 'ndjson'], {
    ...{env, cwd: home},
  })
  const samples: {readonly calls: number; readonly memory: number}[] = []
  const watch = setInterval(() => {
    samples.push({calls: sides.calls.reports + sides.calls.searches, memory: readMemory(child)})
  }, 200)
  const {exit, stdout, stderr} = await ended(child)
  clearInterval(watch)
  sides.stop()
  const {searches, reports, orders} = sides.calls
  // The report of the provider is the first half, the payments of the shop are the second.
  const peaks = [0, 1, 2, 3, 4].map(fifth => {
    const some = samples.filter(({calls}) => Math.floor((5 * calls) / (reports + searches + 1)) === fifth)
    return Math.round(Math.max(...some.map(({memory}) => memory)))
  })
  process.stdout.write(`MiB by fifths: ${peaks.join(', ')}; calls: ${JSON.stringify(sides.calls)}\n`)
  expect(stderr).toMatch(/^999,900 payments compared with 990,000 movements of the provider/)
  expect([exit, stdout.split('\n').filter(Boolean).length]).toEqual([3, countDifferent(PAYMENTS)])
  expect(searches).toBeLessThanOrEqual(PAYMENTS / 250)
  expect(reports + orders).toBeLessThanOrEqual(PAYMENTS)
  // Node takes what it needs within the first fifths; nothing is added for the payments after them.
  const early = Math.max(...peaks.slice(0, 2))
  expect(Math.max(...peaks.slice(2))).toBeLessThan(1.25 * early)
  expect(Math.max(...peaks)).toBeLessThan(256)
}, 3_600_000)
