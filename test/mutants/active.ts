import {Worker} from 'node:worker_threads'
import {beforeEach, inject, onTestFinished} from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant that works in each test, by the test's id, and in all the others; -1 is none. */
    readonly active: {readonly byTest: Readonly<Record<string, number>>; readonly all: number}
  }
  interface TaskMeta {
    /** Whether a test came by its mutant. */
    wasReached?: boolean
  }
}

/** A loop that comes by its mutant so often in a test will not end. */
const MOST_TURNS = 3_000_000

/** Processor time that a test may take, milliseconds. */
const MOST_CPU_MS = 30_000

const {byTest, all} = inject('active')
let active = all
let turns = 0

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    if (id !== active) return false
    if (++turns > MOST_TURNS) throw new Error('the mutant does not end')
    return true
  },
})

const begun = watch(globalThis as {begunCpuMs?: Float64Array})

beforeEach(({task}) => {
  active = byTest[task.id] ?? all
  turns = 0
  begun[0] = readCpuMs()
  onTestFinished(() => {
    task.meta.wasReached = turns > 0
    active = all
  })
})

function readCpuMs(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Ends this process where a test is in a loop that never comes by its mutant.
 *
 * @returns where the processor time at the beginning of a test is written to
 */
function watch(state: {begunCpuMs?: Float64Array}): Float64Array {
  if (state.begunCpuMs) return state.begunCpuMs
  const memory = new SharedArrayBuffer(8)
  const source = `const begun = new Float64Array(require('node:worker_threads').workerData)
  begun[0] = Infinity
  setInterval(() => {
    const {user, system} = process.cpuUsage()
    if ((user + system) / 1000 - begun[0] > ${MOST_CPU_MS}) process.kill(${process.pid}, 'SIGKILL')
  }, 500)`
  new Worker(source, {eval: true, workerData: memory}).unref()
  state.begunCpuMs = new Float64Array(memory)
  return state.begunCpuMs
}
