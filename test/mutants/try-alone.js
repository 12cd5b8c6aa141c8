// One mutant against whole files of tests, in a process of its own: it works while modules are loaded, or once in a process.

/**
 * @param {{id: number}} mutant
 * @param {import('./reached.js').Pair[]} pairs tests that reach it, or load its module, the likeliest first
 * @param {Awaited<ReturnType<typeof import('./test-runs.js').openTests>>} tests
 * @returns {Promise<import('./rounds.js').Result>}
 */
export async function tryAlone(mutant, pairs, tests) {
  const files = [...new Set(pairs.map(({file}) => file))]
  const idsOf = file => pairs.filter(pair => pair.file === file).map(({id}) => id)
  let tried = 0
  for (const file of files) {
    const ids = idsOf(file)
    tried += ids.length
    const failed = await findFailed(tests, {file, ids}, mutant.id)
    if (failed && !(await findFailed(tests, {file, ids}, -1)))
      return {result: 'killed', by: failed, file, tests: tried}
  }
  return {result: tried === 0 ? 'untested' : 'survived', tests: tried}
}

async function findFailed(tests, asked, all) {
  const {testModules} = await tests.run([asked], {byTest: {}, all})
  const module = testModules.find(each => each.state() === 'failed')
  return module && ([...module.children.allTests('failed')][0]?.fullName ?? module.moduleId)
}
