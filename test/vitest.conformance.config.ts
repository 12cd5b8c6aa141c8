import {join} from 'node:path'
import {defineConfig} from 'vitest/config'

/** The protocol's rows, against the bundled server or the shop that `test/conformance/run.js` aims them at. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/conformance/**/*.test.ts'],
    setupFiles: ['test/support/seeded.ts'],
    // One caller at a time: a shop of somebody else is not ours to load.
    fileParallelism: !process.env.STORECTL_CONFORMANCE,
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
