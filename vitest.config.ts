import {availableParallelism} from 'node:os'
import {defineConfig} from 'vitest/config'
import {changedPackages} from './test/support/changed-packages.js'

/** The fast tests, which `npx vitest` and editors find here; the other suites are `test/vitest.*.config.ts`. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.e2e.test.ts', 'test/**/*.long.test.ts', 'test/**/*.browser.test.ts'],
    // Many tests wait for processes, sockets and the disk.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    globalSetup: 'test/support/postgres/global.ts',
    setupFiles: ['test/support/seeded.ts'],
    // No promise: a net for what hangs. Whoever waits says so sooner, and for what.
    testTimeout: 60_000,
    // Files share a process and its modules: each cleans up behind itself.
    isolate: false,
    // The first that asks for PostgreSQL waits for its start.
    hookTimeout: 60_000,
  },
})
