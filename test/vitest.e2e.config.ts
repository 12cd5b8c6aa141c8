import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {defineConfig} from 'vitest/config'
import {changedPackages} from './support/changed-packages.js'
import {useMemoryDisk} from './support/memory-disk.js'

useMemoryDisk()

/** What is about the package of npm, when the tests are of an executable. */
const NPM_ALONE = ['test/pack.e2e.test.ts', 'test/bin/code-cache.e2e.test.ts', 'test/bin/loads.e2e.test.ts']

/** What runs the packed and installed command line as processes. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/**/*.e2e.test.ts'],
    exclude: process.env.STORECTL_EXECUTABLE ? NPM_ALONE : [],
    globalSetup: ['test/support/packed.ts', 'test/support/postgres/global.ts'],
    // Many tests wait for processes, sockets and the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
