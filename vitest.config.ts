import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {defineConfig} from 'vitest/config'
import {BaseSequencer, type TestSpecification} from 'vitest/node'
import {changedPackages} from './test/support/changed-packages.js'
import {useMemoryDisk} from './test/support/memory-disk.js'
import {findTestsOfSource} from './test/support/tests-of-source.js'

useMemoryDisk()

/** Files that take longest begin first, so that no worker waits for one of them at the end. */
const LONGEST = ['simulation/simulation', 'auth/leaks', 'runs/workers', 'webhook/replay', 'commands/order']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({moduleId}: TestSpecification) => {
      const found = LONGEST.findIndex(part => moduleId.includes(`/test/${part}`))
      return found < 0 ? LONGEST.length : found
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

/** By a seed in `TEST_SEED`, as `.ci/run` gives that of the day, the files are shuffled. */
function chooseOrder() {
  const {TEST_SEED: seed} = process.env
  if (seed) return {shuffle: {files: true, tests: false}, seed: Number(seed)}
  return process.argv.some(word => word.includes('shuffle')) ? {} : {sequencer: LongestFirst}
}

/** The fast tests, which `npx vitest` and editors find here; the other suites are `test/vitest.*.config.ts`. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.e2e.test.ts', 'test/**/*.long.test.ts', 'test/**/*.browser.test.ts'],
    // Many tests wait for processes, sockets and the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Most functions run a few times only: compiling them at once (Sparkplug) costs less than interpreting them.
    execArgv: ['--always-sparkplug'],
    // `npm run test:watch` has loaded nothing, so it does not know which tests import a file that is saved.
    watchTriggerPatterns: [
      {
        pattern: /\/src\/(.+\.ts)$/,
        testsToRun: (_path, [, source = '']) => findTestsOfSource(source, join(import.meta.dirname, 'test')),
      },
    ],
    globalSetup: 'test/support/postgres/global.ts',
    sequence: chooseOrder(),
    setupFiles: ['test/support/seeded.ts', 'test/support/left-as-found.ts'],
    // No promise: a net for what hangs. Whoever waits says so sooner, and for what.
    testTimeout: 60_000,
    // Files share a process and its modules: each cleans up behind itself.
    isolate: false,
    // The first that asks for PostgreSQL waits for its start.
    hookTimeout: 60_000,
  },
})
