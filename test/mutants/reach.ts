import {Worker} from 'node:worker_threads'
import {beforeEach, inject, onTestFinished} from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The mutant that works; none while it is noted which test reaches which. */
    readonly mutant: number
    /** The processor time that a process with a mutant may take. */
    readonly limitMs: number
  }
  interface TaskMeta {
    /** The mutants that a test, or a file outside its tests, came by. */
    reached?: number[]
    /** The processor time of a test, in milliseconds, with that of the shop in its process. */
    cpuMs?: number
  }
}

/** A loop that comes by its mutant so often will not end. */
const MOST_TURNS = 3_000_000

const mutant = inject('mutant')
const outside = new Set<number>()
let reached = outside
let turns = 0

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    if (mutant < 0) {
      reached.add(id)
      return false
    }
    if (id !== mutant) return false
    if (++turns > MOST_TURNS) throw new Error('the mutant does not end')
    return true
  },
})

beforeEach(({task}) => {
  const ofTest = new Set<number>()
  reached = ofTest
  turns = 0
  const begun = process.cpuUsage()
  onTestFinished(() => {
    const {user, system} = process.cpuUsage(begun)
    task.meta.cpuMs = Math.ceil((user + system) / 1000)
    task.meta.reached = [...ofTest]
    task.file.meta.reached = [...outside]
    reached = outside
  })
})

if (mutant >= 0) watch(globalThis as {isWatched?: boolean})

/** Ends this process when it has used up its processor time, also when it is in a loop. */
function watch(state: {isWatched?: boolean}): void {
  if (state.isWatched) return
  state.isWatched = true
  const source = `setInterval(() => {
    const {user, system} = process.cpuUsage()
    if (user + system > ${1000 * inject('limitMs')}) process.kill(${process.pid}, 'SIGKILL')
  }, 500)`
  new Worker(source, {eval: true}).unref()
}
