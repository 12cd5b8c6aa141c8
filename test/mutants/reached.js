// Which test reaches which mutant, noted in one run of all fast tests, and the tests that a mutant is run against.
import {existsSync, readFileSync} from 'node:fs'
import {relative} from 'node:path'
import {createRelatedTests} from './related-tests.js'
import {hashFiles, keptFile, listFiles, MUTANTS, writeKept} from './sample.js'
import {openTests} from './test-runs.js'

/** Files that are run where it cannot be noted whether they reach a mutant, and first where it can. */
const NEAREST = 6

/** So many files of tests are noted before what they reach is kept. */
const FILES_AT_ONCE = 8

/** Of the tests that reach a mutant, the first are run, so long as they take no more processor time than this together. */
const MOST_MS = 20_000

/** Tests of the rules and of the bundled shop come by none of what is mutated, or by the commands of other tests. */
const LEFT_OUT = /\/test\/((shop|conformance|bench|bin|simulation)\/|[^/]+$)/

/**
 * What a file's tests reach.
 * @typedef {object} Reached
 * @property {string} file
 * @property {number} ms
 * @property {number[]} outside mutants that are reached outside of a test, so that all tests of the file count
 * @property {{id: string, ms: number, cpuMs: number, reached: number[]}[]} tests
 * @property {string[]} failed tests that fail without a mutant
 */

/**
 * Runs the fast tests whose file is not known from before.
 *
 * @param {string} root
 * @param {import('./sample.js').Sampled[]} mutants
 * @param {ReadonlyMap<string, string>} sources
 * @param {string[]} [named] each file that counts has one of these in its path; all without it
 * @returns {Promise<Reached[]>}
 */
export async function noteReached(root, mutants, sources, named = ['']) {
  const common = hashFiles(root, [...MUTANTS, 'test/mutants/reach.ts', 'test/support'])
  const names = mutants.map(({name}) => name)
  const keptAs = file =>
    keptFile(root, ['reached', common, names, file, hashFiles(root, [relative(root, file)])])
  const tests = await openTests(root, sources, {setup: 'reach.ts', maxWorkers: 1, testTimeout: 120_000})
  try {
    const files = (await tests.findFiles())
      .filter(file => !LEFT_OUT.test(file) && named.some(part => file.slice(root.length).includes(part)))
      .sort(byFolder(root, mutants))
    const unknown = files.filter(file => !existsSync(keptAs(file)))
    for (let from = 0; from < unknown.length; from += FILES_AT_ONCE) {
      console.log(`noting what tests reach: ${unknown.length - from} files left`)
      const some = unknown.slice(from, from + FILES_AT_ONCE)
      const {testModules} = await tests.run(
        some.map(file => ({file})),
        {byTest: {}, all: -1},
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

/** The tests of the folders with mutants first. */
function byFolder(root, mutants) {
  const folders = [...new Set(mutants.map(({folder}) => folder))]
  const rank = file => {
    const at = folders.findIndex(folder => file.startsWith(`${root}/test/${folder}/`))
    return at < 0 ? folders.length : at
  }
  return (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1)
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
        cpuMs: test.meta().cpuMs ?? 0,
        reached: test.meta().reached ?? [],
      })),
    failed: all.filter(test => test.result().state === 'failed').map(({fullName}) => fullName),
  }
}

/**
 * @typedef {{file: string, id: string, ms: number, cpuMs: number}} Pair a test that a mutant is tried against
 * @param {string} root
 * @param {import('./sample.js').Sampled[]} mutants all of the sample
 * @param {Reached[]} reached
 * @returns {(mutant: import('./sample.js').Sampled, killers: string[]) => {isAlone: boolean, pairs: Pair[], files: string[]}}
 *   `isAlone`: it works outside of tests, too, while modules are loaded for instance, which is noted for the first file
 *   alone that loads them: the tests that import its source, or come by other mutants of it, are tried with it; `pairs`: what it is
 *   tried against, the likeliest first: tests of `killers`, then those whose file imports its source by the fewest files
 *   between, then those of its own folder, then the fastest; `files`: all that reach it
 */
export function createChoice(root, mutants, reached) {
  const findNearest = createRelatedTests(
    [...listFiles(`${root}/src`), ...listFiles(`${root}/test`)].filter(file => file.endsWith('.ts')),
  )
  const nearestOf = memoize(file => findNearest(file, NEAREST))
  return (mutant, killers) => {
    const nearest = new Set(nearestOf(mutant.file))
    const inTests = reached.flatMap(each => listTests(each, ({reached}) => reached.includes(mutant.id)))
    const isAlone = mutant.isStatic || inTests.length === 0
    const beside = new Set(mutants.filter(({file}) => isAlone && file === mutant.file).map(({id}) => id))
    const all = isAlone
      ? reached.flatMap(each =>
          listTests(
            each,
            ({reached}) =>
              nearest.has(each.file) ||
              each.outside.includes(mutant.id) ||
              reached.some(id => beside.has(id)),
          ),
        )
      : inTests
    const own = `${root}/test/${mutant.folder}/`
    const rank = ({file}) => {
      if (killers.includes(file)) return killers.indexOf(file)
      return killers.length + (nearest.has(file) ? 0 : 2) + (file.startsWith(own) ? 0 : 1)
    }
    all.sort((one, other) => rank(one) - rank(other) || one.ms - other.ms)
    let cpuMs = 0
    const pairs = all.filter((each, at) => {
      cpuMs += each.cpuMs
      return at === 0 || cpuMs <= MOST_MS
    })
    return {isAlone, pairs, files: [...new Set(all.map(({file}) => file))].sort()}
  }
}

function memoize(find) {
  const found = new Map()
  return key => {
    if (!found.has(key)) found.set(key, find(key))
    return found.get(key)
  }
}

function listTests({file, tests}, isChosen) {
  return tests.filter(isChosen).map(({id, ms, cpuMs}) => ({file, id, ms, cpuMs}))
}
