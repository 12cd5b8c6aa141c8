import {type ChildProcess, spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords} from '../../src/records/index.js'
import {noteFigures} from '../figures.js'
import {currentTime} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {begun} from './support.js'

const ROOT = join(import.meta.dirname, '../..')
const ITEMS = 1_000_000
const AT_ONCE = 2000

/** A home with a run of a million results. */
async function homeWithRun(): Promise<string> {
  const home = temporaryFolder()
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const run = await begun(records.runs, machineClock, {reason: 'a long one', total: ITEMS})
  for (let from = 0; from < ITEMS; from += AT_ONCE) {
    const writes = Array.from({length: AT_ONCE}, (_, at) => {
      const [item, orderingKey] = [`item ${from + at}`, `${from + at}`]
      const entry = {
        item,
        orderingKey,
        contentHash: 'c0ffee',
        attempt: 0,
        facts: {before: 'open', after: 'paid'},
      }
      return run.journal.write({
        kind: 'result',
        ...entry,
        resultClass: 'done',
        result: 'applied',
        status: 200,
      })
    })
    await Promise.all(writes)
  }
  await run.end({isComplete: true})
  await records.close()
  return home
}

/** Memory that a process has now, MiB; as the system counts it. */
function readMemory({pid}: ChildProcess): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** What an export writes, in lines, and the most memory that it had in each fifth of it, MiB. */
async function measureExport(home: string, format: string) {
  const argv = [join(ROOT, 'bin/run.js'), 'run', 'export', 'last', '--format', format]
  const child = spawn(process.execPath, argv, {
    ...{cwd: home, env: {PATH: process.env.PATH, STORECTL_HOME: home}},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const samples: {readonly bytes: number; readonly memory: number}[] = []
  let [bytes, lines] = [0, 0]
  let next = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    if (bytes < next) continue
    samples.push({bytes, memory: readMemory(child)})
    next = bytes + 1024 * 1024
  }
  const peaks = [0, 1, 2, 3, 4].map(fifth => {
    const some = samples.filter(sample => Math.floor((5 * sample.bytes) / (bytes + 1)) === fifth)
    return Math.round(Math.max(...some.map(({memory}) => memory)))
  })
  process.stdout.write(`${format}: MiB by fifths: ${peaks.join(', ')}; ${lines} lines, ${bytes} bytes\n`)
  return {lines, peaks}
}

test('a run of a million items is exported with flat memory, whatever the format', async () => {
  const home = await homeWithRun()
  const measured: (string | number)[][] = []
  for (const format of ['csv', 'json', 'html']) {
    const {lines, peaks} = await measureExport(home, format)
    expect(lines, format).toBeGreaterThan(format === 'html' ? 0 : ITEMS)
    expect(Math.max(...peaks.slice(2)), format).toBeLessThan(1.25 * Math.max(...peaks.slice(0, 2)))
    expect(Math.max(...peaks), format).toBeLessThan(256)
    measured.push([`\`run export\` of ${ITEMS} items, ${format}`, peaks.join(', ')])
  }
  noteFigures('export', 'test/runs/million', ['export', 'peak MiB, by fifths of the output'], measured)
}, 3_600_000)
