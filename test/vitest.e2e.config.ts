import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {defineConfig} from 'vitest/config'
import {changedPackages} from './support/changed-packages.js'
import {useMemoryDisk} from './support/memory-disk.js'

useMemoryDisk()

/** What runs the packed and installed command line as processes. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/**/*.e2e.test.ts'],
    globalSetup: ['test/support/packed.ts', 'test/support/postgres/global.ts'],
    // Many tests wait for processes, sockets and the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
