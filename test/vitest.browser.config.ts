import {join} from 'node:path'
import {defineConfig} from 'vitest/config'

/** What drives a real browser against the packed command line; `test/browser/run.js` starts it. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/browser/*.browser.test.ts'],
    globalSetup: 'test/support/packed.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
