// Which test reaches which mutant, noted in one run of all fast tests, and the tests that a mutant is run against.
import {existsSync, readFileSync} from 'node:fs'
import {relative} from 'node:path'
import {createRelatedTests} from './related-tests.js'
import {HARNESS, hashFiles, keptFile, listFiles, writeKept} from './sample.js'
import {NONE, openTests} from './test-runs.js'

/** Files that are run where it cannot be noted whether they reach a mutant. */
const NEAREST = 6

/** Of the tests that reach a mutant, the first are run, so long as they took no longer than this together. */
const MOST_MS = 90_000

/** Tests of the rules and of the bundled shop come by none of what is mutated, or by the commands of other tests. */
const LEFT_OUT = /\/test\/((shop|conformance|bench|bin|golden|simulation)\/|[^/]+$)/

/**
 * What a file's tests reach.
 * @typedef {object} Reached
 * @property {string} file
 * @property {number} ms
 * @property {number[]} outside mutants that are reached outside of a test, so that all tests of the file count
 * @property {{id: string, ms: number, reached: number[]}[]} tests
 * @property {string[]} failed tests that fail without a mutant
 */

/**
 * Runs the fast tests whose file is not known from before.
 *
 * @param {string} root
 * @param {import('./sample.js').Sampled[]} mutants
 * @param {ReadonlyMap<string, string>} sources
 * @returns {Promise<Reached[]>}
 */
export async function noteReached(root, mutants, sources) {
  const common = hashFiles(root, [...HARNESS, 'test/support'])
  const names = mutants.map(({name}) => name)
  const keptAs = file =>
    keptFile(root, ['reached', common, names, file, hashFiles(root, [relative(root, file)])])
  const tests = await openTests(root, sources, {bail: 0, maxWorkers: 2, testTimeout: 120_000})
  try {
    const files = (await tests.findFiles()).filter(file => !LEFT_OUT.test(file))
    const unknown = files.filter(file => !existsSync(keptAs(file)))
    if (unknown.length > 0) {
      console.log(`noting what ${unknown.length} files of tests reach`)
      const {testModules} = await tests.run(
        NONE,
        unknown.map(file => ({file})),
      )
      for (const module of testModules) writeKept(keptAs(module.moduleId), describeModule(module))
    }
    return files
      .filter(file => existsSync(keptAs(file)))
      .map(file => JSON.parse(readFileSync(keptAs(file), 'utf8')))
  } finally {
    await tests.close()
  }
}

function describeModule(module) {
  const all = [...module.children.allTests()]
  const {duration, collectDuration, setupDuration} = module.diagnostic()
  return {
    file: module.moduleId,
    ms: Math.ceil(duration + collectDuration + setupDuration),
    outside: module.meta().reached ?? [],
    tests: all
      .filter(test => test.result().state === 'passed')
      .map(test => ({
        id: test.id,
        ms: Math.ceil(test.diagnostic().duration),
        reached: test.meta().reached ?? [],
      })),
    failed: all.filter(test => test.result().state === 'failed').map(({fullName}) => fullName),
  }
}

/**
 * @param {string} root
 * @param {Reached[]} reached
 * @returns {(mutant: import('./sample.js').Sampled, wholeFiles: ReadonlySet<string>) => {file: string, ids: string[], ms: number}[]}
 *   tests in the order in which they are run: those of the mutant's own folder first, then the fastest
 */
export function createChoice(root, reached) {
  const findNearest = createRelatedTests(
    [...listFiles(`${root}/src`), ...listFiles(`${root}/test`)].filter(file => file.endsWith('.ts')),
  )
  return (mutant, wholeFiles) => {
    const nearest = new Set(findNearest(mutant.file, NEAREST))
    const own = `${root}/test/${mutant.folder}/`
    const found = reached
      .filter(({failed}) => failed.length === 0)
      .map(each => chooseTests(each, mutant, wholeFiles.has(each.file) || nearest.has(each.file)))
      .filter(({ids}) => ids.length > 0)
      .sort((one, other) => other.file.startsWith(own) - one.file.startsWith(own) || one.ms - other.ms)
    let ms = 0
    return found.filter((each, at) => {
      ms += each.ms
      return at === 0 || ms <= MOST_MS
    })
  }
}

/** A mutant that works while modules are loaded is noted for the first file alone that loads them. */
function chooseTests({file, outside, tests}, mutant, isWhole) {
  const reaching = tests.filter(each => each.reached.includes(mutant.id))
  const isAll = outside.includes(mutant.id) || (isWhole && (mutant.isStatic || reaching.length > 0))
  const chosen = isAll ? tests : reaching
  return {file, ids: chosen.map(({id}) => id), ms: chosen.reduce((sum, each) => sum + each.ms, 0)}
}
