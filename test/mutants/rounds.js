// Mutants against the tests that reach them, in rounds: in one run of the tests each test has a mutant of its own.

/** How many tests of each mutant the first round has; each round after it has twice as many. */
const FIRST_TESTS = 2

/** Processor time that the tests of a round take without mutants, milliseconds. */
const ROUND_MS = 40_000

/** So many rounds without any outcome are no accident. */
const MOST_EMPTY = 3

/** What says that a mutant goes on without end, or that something never comes. */
const HANGS = /does not end|timed out|waited in vain/

/** What says that vitest, and not a test, failed. */
const NO_START = /Timeout starting|Failed to start/

/**
 * What came of a mutant: `killed` by a test that fails, `hangs` where it fails for the mutant's not ending, `survived`
 * or, where no test reaches it, `untested`.
 * @typedef {{result: 'killed' | 'hangs' | 'survived' | 'untested', by?: string, file?: string, tests: number}} Result
 */

/**
 * A mutant under way: the tests that are left to try, how many were tried, and the test that has failed once.
 * @typedef {object} Trial
 * @property {import('./sample.js').Sampled} mutant
 * @property {import('./reached.js').Pair[]} pairs
 * @property {number} tried
 * @property {import('./reached.js').Pair} [suspect]
 * @property {boolean} [isMissed] whether a test did not come by it that did when it was noted
 */

/**
 * Tries mutants. A test has to fail twice, in two rounds, and to pass without the mutant in a third: neither what a mutant
 * leaves behind for the tests of others nor a busy machine passes for a kill.
 *
 * @param {import('./sample.js').Sampled[]} mutants
 * @param {(mutant: import('./sample.js').Sampled) => import('./reached.js').Pair[]} listPairs the likeliest first
 * @param {Awaited<ReturnType<typeof import('./test-runs.js').openTests>>} tests
 * @param {(mutant: import('./sample.js').Sampled, result: Result) => void} note told of each mutant, unless it is returned
 * @returns {Promise<import('./sample.js').Sampled[]>} those that a test came by only as the first of its process: they
 *   have to be tried alone
 */
export async function tryInRounds(mutants, listPairs, tests, note) {
  const unsound = new Set()
  const missed = []
  /** @type {Trial[]} */
  let left = mutants.map(mutant => ({mutant, pairs: listPairs(mutant), tried: 0}))
  let noticed = []
  let empty = 0
  for (let most = FIRST_TESTS; left.length + noticed.length > 0; most *= 2) {
    const controls = noticed.map(({pair}) => pair)
    const round = assignTests(left, most, new Set([...unsound, ...controls.map(({id}) => id)]))
    const outcomes = await runRound(tests, round, controls)
    empty = outcomes.size === 0 ? empty + 1 : 0
    if (empty > MOST_EMPTY) throw new Error('the tests do not start')
    for (const {id} of controls) if (outcomes.get(id)?.state === 'failed') unsound.add(id)
    for (const {trial, pair, result} of noticed)
      if (outcomes.get(pair.id)?.state === 'passed') note(trial.mutant, result)
      else left.push(trial)
    noticed = judgeRound(round, outcomes)
    const found = new Set(noticed.map(({trial}) => trial))
    const isOpen = ({pairs}) => pairs.some(({id}) => !unsound.has(id))
    for (const trial of left.filter(each => !found.has(each) && !isOpen(each)))
      if (trial.isMissed) missed.push(trial.mutant)
      else note(trial.mutant, {result: trial.tried === 0 ? 'untested' : 'survived', tests: trial.tried})
    left = left.filter(trial => !found.has(trial) && isOpen(trial))
  }
  return missed
}

/**
 * A mutant for each of some tests: each mutant gets one test after the other as long as there is time, and one that was
 * noticed once gets that test again.
 *
 * @param {ReadonlySet<string>} taken tests that are needed otherwise
 */
function assignTests(left, most, taken) {
  const round = new Map()
  let cpuMs = 0
  let given = -1
  for (let turn = 0; turn < most && cpuMs < ROUND_MS && round.size > given; turn++) {
    given = round.size
    for (const trial of left) {
      const isFree = ({id}) => !round.has(id) && !taken.has(id)
      const pair = trial.suspect
        ? [trial.suspect].find(each => turn === 0 && isFree(each))
        : trial.pairs.find(isFree)
      if (!pair || cpuMs >= ROUND_MS) continue
      round.set(pair.id, {trial, pair})
      cpuMs += pair.cpuMs
    }
  }
  return round
}

/**
 * @returns {Promise<Map<string, {state: string, name: string, wasReached: boolean, errors: string[]}>>} by the test's id;
 *   what did not come to an end is left out
 */
async function runRound(tests, round, controls) {
  const byFile = new Map()
  for (const {file, id} of [...[...round.values()].map(({pair}) => pair), ...controls])
    byFile.set(file, [...(byFile.get(file) ?? []), id])
  const byTest = Object.fromEntries([...round].map(([id, {trial}]) => [id, trial.mutant.id]))
  const asked = [...byFile].map(([file, ids]) => ({file, ids}))
  const {testModules, unhandledErrors} = await tests.run(asked, {byTest, all: -1})
  const outcomes = new Map()
  const all = testModules.flatMap(module => [...module.children.allTests()])
  for (const test of all) {
    const {state, errors = []} = test.result()
    if (state === 'passed' || state === 'failed')
      outcomes.set(test.id, {
        ...{state, name: test.fullName, wasReached: test.meta().wasReached === true},
        errors: errors.map(({message}) => String(message)),
      })
  }
  // Where the process has ended, the first test without an outcome is what ended it.
  const broken = all.find(
    ({id}) => (id in byTest || controls.some(each => each.id === id)) && !outcomes.has(id),
  )
  if (broken && !unhandledErrors.some(error => NO_START.test(String(error))))
    outcomes.set(broken.id, {
      ...{state: 'failed', name: broken.fullName, wasReached: true, errors: ['does not end']},
    })
  return outcomes
}

/** Takes what was tried out of what is to be tried. @returns what was noticed for the second time */
function judgeRound(round, outcomes) {
  const noticed = []
  for (const [id, {trial, pair}] of round) {
    const outcome = outcomes.get(id)
    if (!outcome) continue
    const isSuspect = trial.suspect?.id === id
    const hasFailed = outcome.state === 'failed' && outcome.wasReached
    if (hasFailed && !isSuspect) {
      trial.suspect ??= pair
      continue
    }
    trial.pairs = trial.pairs.filter(each => each.id !== id)
    if (outcome.wasReached) trial.tried++
    else trial.isMissed = true
    if (isSuspect) trial.suspect = undefined
    if (!hasFailed) continue
    const result = outcome.errors.some(error => HANGS.test(error)) ? 'hangs' : 'killed'
    noticed.push({trial, pair, result: {result, by: outcome.name, file: pair.file, tests: trial.tried}})
  }
  return noticed
}
