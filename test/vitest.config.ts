import {availableParallelism} from 'node:os'
import {defineConfig} from 'vitest/config'
import {changedPackages} from './support/changed-packages.js'

export default defineConfig({
  plugins: [changedPackages()],
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.e2e.test.ts', 'test/**/*.long.test.ts', 'test/**/*.browser.test.ts'],
    // Many tests wait for processes, sockets and the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: 'test/support/postgres/global.ts',
    setupFiles: ['test/support/seeded.ts'],
    testTimeout: 20_000,
  },
})
