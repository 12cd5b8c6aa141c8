// One mutant against its tests, until the first that fails.
import {NONE} from './test-runs.js'

/** A process may use so much processor time, and so much more than its tests without a mutant. */
const LEAST_LIMIT_MS = 30_000
const SLOWER = 5

/** What says that vitest, and not a test, failed. */
const NO_START = /Timeout starting|Failed to start/

/** What says that a mutant goes on without end, or that something never comes. */
const HANGS = /does not end|Test timed out|Hook timed out|waited in vain|exited unexpectedly|emitted error/

/**
 * What came of a mutant: `killed` by a test that fails, `hangs` where the test fails for the mutant's not ending,
 * `survived` or, where no test reaches it, `untested`.
 * @typedef {{result: 'killed' | 'hangs' | 'survived' | 'untested', by?: string, file?: string, tests: number}} Result
 */

/** @param {Awaited<ReturnType<typeof import('./test-runs.js').openTests>>} tests */
export function createTrial(tests) {
  /** Tests that pass without the others of their file, and files whose tests need each other. */
  const alone = new Set()
  const wholeFiles = new Set()

  const run = async (id, chosen) => {
    const cpuMs = chosen.reduce((sum, each) => sum + each.cpuMs, 0)
    for (;;) {
      const {testModules, unhandledErrors} = await tests.run(id, chosen, LEAST_LIMIT_MS + SLOWER * cpuMs)
      if (!unhandledErrors.some(error => NO_START.test(String(error)))) return {testModules, unhandledErrors}
    }
  }

  /** Whether a test passes where the others of its file are left out. */
  const passesAlone = async (file, test) => {
    if (alone.has(test.id)) return true
    const {testModules} = await run(NONE, [{file, ids: [test.id], cpuMs: 0}])
    if (testModules.some(module => module.state() === 'failed')) return false
    alone.add(test.id)
    return true
  }

  /**
   * @param {import('./sample.js').Sampled} mutant
   * @param {(wholeFiles: ReadonlySet<string>) => import('./reached.js').Chosen[]} choose
   * @returns {Promise<Result>}
   */
  const tryMutant = async (mutant, choose) => {
    const chosen = choose(wholeFiles)
    const count = chosen.reduce((sum, {ids}) => sum + ids.length, 0)
    if (count === 0) return {result: 'untested', tests: 0}
    const {testModules, unhandledErrors} = await run(mutant.id, chosen)
    const module = testModules.find(each => each.state() === 'failed')
    if (module) {
      const failed = [...module.children.allTests('failed')][0]
      const file = module.moduleId
      if (failed && !wholeFiles.has(file) && !(await passesAlone(file, failed))) {
        wholeFiles.add(file)
        return tryMutant(mutant, choose)
      }
      return describeKill(failed?.fullName ?? file, {file, tests: count}, [
        ...(failed?.result().errors ?? []),
        ...module.errors(),
        ...unhandledErrors,
      ])
    }
    if (unhandledErrors.length === 0) return {result: 'survived', tests: count}
    return describeKill(String(unhandledErrors[0]), {file: chosen[0].file, tests: count}, unhandledErrors)
  }
  return tryMutant
}

function describeKill(by, where, errors) {
  const hangs = errors.some(error => HANGS.test(String(error?.message ?? error)))
  return {result: hangs ? 'hangs' : 'killed', by, ...where}
}
