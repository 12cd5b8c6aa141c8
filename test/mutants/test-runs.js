// Vitest, kept running: the sources have all mutants of the sample behind switches, and a run of tests is told which one works.
import {join} from 'node:path'
import {createVitest} from 'vitest/node'

/** No mutant works; it is noted which tests reach which mutants. */
export const NONE = -1

/**
 * @param {string} root
 * @param {ReadonlyMap<string, string>} sources with switches, by absolute path
 * @param {{bail: number, maxWorkers: number, testTimeout: number}} options
 */
export async function openTests(root, sources, options) {
  const vitest = await createVitest(
    'test',
    {root, config: join(root, 'vitest.config.ts'), watch: false, reporters: [{}], ...options},
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          load: id => sources.get(id.split('?')[0]) ?? null,
        },
      ],
      test: {setupFiles: [join(root, 'test/mutants/reach.ts')]},
    },
  )
  const project = vitest.getRootProject()
  return {
    findFiles: async () => (await vitest.globTestSpecifications()).map(({moduleId}) => moduleId),
    /**
     * @param {number} mutant
     * @param {{file: string, ids?: string[]}[]} asked files in their order, whole or some of their tests
     * @param {number} limitMs after which a process with a mutant is ended
     */
    run: async (mutant, asked, limitMs = 0) => {
      project.provide('mutant', mutant)
      project.provide('limitMs', limitMs)
      const files = asked.map(({file}) => file)
      const specifications = asked.map(({file, ids}) =>
        project.createSpecification(file, ids && {testIds: ids}),
      )
      vitest.config.sequence.sequencer = inGivenOrder(files)
      // Vitest reports files of earlier runs, too.
      vitest.state.clearFiles(project, files)
      const {testModules, unhandledErrors} = await vitest.runTestSpecifications(specifications)
      return {testModules: testModules.filter(({moduleId}) => files.includes(moduleId)), unhandledErrors}
    },
    close: () => vitest.close(),
  }
}

function inGivenOrder(files) {
  return class {
    sort = specifications =>
      [...specifications].sort((one, other) => files.indexOf(one.moduleId) - files.indexOf(other.moduleId))
    shard = specifications => specifications
  }
}
