// One mutant against its tests, until the first that fails.
import {NONE} from './test-runs.js'

/** A run may take so long, and so much longer than without a mutant. */
const LEAST_LIMIT_MS = 60_000
const SLOWER = 20

/** What says that vitest, and not a test, failed. */
const NO_START = /Timeout starting|Failed to start/

/**
 * @param {Awaited<ReturnType<typeof import('./test-runs.js').openTests>>} tests
 * @param {ReturnType<typeof import('./reached.js').createChoice>} choose
 */
export function createTrial(tests, choose) {
  /** Tests that pass without the others of their file, and files whose tests need each other. */
  const alone = new Set()
  const wholeFiles = new Set()

  const run = async (id, chosen) => {
    const ms = chosen.reduce((sum, each) => sum + each.ms, 0)
    for (;;) {
      const {testModules, unhandledErrors} = await tests.run(id, chosen, LEAST_LIMIT_MS + SLOWER * ms)
      if (!unhandledErrors.some(error => NO_START.test(String(error)))) return {testModules, unhandledErrors}
    }
  }

  /** Whether a test passes where the others of its file are left out. */
  const passesAlone = async (file, test) => {
    if (alone.has(test.id)) return true
    const {testModules} = await run(NONE, [{file, ids: [test.id], ms: 1000}])
    if (testModules.some(module => module.state() === 'failed')) return false
    alone.add(test.id)
    return true
  }

  /** @returns {Promise<{result: 'killed' | 'survived' | 'untested', by: string, tests: number}>} */
  const tryMutant = async mutant => {
    const chosen = choose(mutant, wholeFiles)
    const count = chosen.reduce((sum, {ids}) => sum + ids.length, 0)
    if (count === 0) return {result: 'untested', by: '', tests: 0}
    const {testModules, unhandledErrors} = await run(mutant.id, chosen)
    for (const module of testModules.filter(each => each.state() === 'failed')) {
      const failed = [...module.children.allTests('failed')][0]
      const file = module.moduleId
      if (failed && !wholeFiles.has(file) && !(await passesAlone(file, failed))) {
        wholeFiles.add(file)
        return tryMutant(mutant)
      }
      return {result: 'killed', by: `${failed?.fullName ?? file}`, tests: count}
    }
    if (unhandledErrors.length > 0) return {result: 'killed', by: String(unhandledErrors[0]), tests: count}
    return {result: 'survived', by: '', tests: count}
  }
  return tryMutant
}
