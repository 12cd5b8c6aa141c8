import {beforeEach, onTestFinished} from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The mutants that a test, or a file outside its tests, came by. */
    reached?: number[]
    /** The processor time of a test, in milliseconds, with that of the shop in its process. */
    cpuMs?: number
  }
}

const outside = new Set<number>()
let reached = outside

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    reached.add(id)
    return false
  },
})

beforeEach(({task}) => {
  const ofTest = new Set<number>()
  reached = ofTest
  const begun = process.cpuUsage()
  onTestFinished(() => {
    const {user, system} = process.cpuUsage(begun)
    task.meta.cpuMs = Math.ceil((user + system) / 1000)
    task.meta.reached = [...ofTest]
    task.file.meta.reached = [...outside]
    reached = outside
  })
})
