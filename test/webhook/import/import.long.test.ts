import {type ChildProcess, spawn} from 'node:child_process'
import {createWriteStream, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {ended} from '../../support/process.js'
import {brokenLines, lostLines, manyLines} from '../many-lines.js'

const ROOT = join(import.meta.dirname, '../../..')
const LINES = 1_000_000

/** The most memory that a process has used so far, bytes; as the system counts it. */
function peakOf({pid}: ChildProcess): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

test('a million lines with 1 % broken: the good are kept, each kind of bad ones is named once, memory does not grow', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'many.ndjson')
  await pipeline(Readable.from(manyLines(LINES)), createWriteStream(file))
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), 'webhook', 'import', file, '-o', 'json'], {
    env: {PATH: process.env.PATH, STORECTL_HOME: join(folder, 'home'), STORECTL_URL: 'https://shop.example'},
  })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child))
  }, 250)
  const began = performance.now()
  const {exit, stdout, stderr} = await ended(child)
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  process.stdout.write(`${LINES} lines in ${seconds.toFixed(1)} s, ${(peak / 2 ** 20).toFixed(0)} MiB\n`)
  const broken = brokenLines(LINES)
  expect(exit).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    added: LINES - broken.length,
    unusable: lostLines(LINES).length,
    known: 0,
  })
  const kinds = [...stderr.matchAll(/many\.ndjson:(\d+): .*/g)].map(([, first]) => Number(first))
  expect(kinds).toContain(lostLines(LINES)[0])
  expect(kinds.filter(line => line % 100 !== 0)).toEqual([])
  expect(peak).toBeLessThan(300 * 2 ** 20)
}, 600_000)
