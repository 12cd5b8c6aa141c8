// Vitest, kept running: the sources have all mutants of the sample behind switches, and each test is told which one works.
import {join} from 'node:path'
import {createVitest} from 'vitest/node'

/**
 * @param {string} root
 * @param {ReadonlyMap<string, string>} sources with switches, by absolute path
 * @param {{setup: string, maxWorkers: number, testTimeout: number}} options `setup`: the file that answers the switches
 */
export async function openTests(root, sources, {setup, maxWorkers, testTimeout}) {
  const vitest = await createVitest(
    'test',
    {
      ...{root, config: join(root, 'vitest.config.ts'), watch: false, reporters: [{}]},
      ...{bail: 0, maxWorkers, testTimeout, hookTimeout: testTimeout},
      // Starts a server for each run, and shows little that SQLite does not.
      testNamePattern: /^(?!.*PostgreSQL)/,
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          load: id => sources.get(id.split('?')[0]) ?? null,
        },
      ],
      test: {setupFiles: [join(root, 'test/mutants', setup)]},
    },
  )
  const project = vitest.getRootProject()
  return {
    findFiles: async () => (await vitest.globTestSpecifications()).map(({moduleId}) => moduleId),
    /**
     * @param {{file: string, ids?: string[]}[]} asked files, whole or some of their tests
     * @param {{byTest: Record<string, number>, all: number}} active the mutant of each test, and of all others; -1 is none
     */
    run: async (asked, active) => {
      project.provide('active', active)
      const files = asked.map(({file}) => file)
      const specifications = asked.map(({file, ids}) =>
        project.createSpecification(file, ids && {testIds: ids}),
      )
      // Vitest reports files of earlier runs, too.
      vitest.state.clearFiles(project, files)
      const {testModules, unhandledErrors} = await vitest.runTestSpecifications(specifications)
      return {testModules: testModules.filter(({moduleId}) => files.includes(moduleId)), unhandledErrors}
    },
    close: () => vitest.close(),
  }
}
