import {defineConfig} from 'vitest/config'

/** What drives a real browser against the packed command line; `test/browser/run.js` starts it. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/browser/*.browser.test.ts'],
    globalSetup: 'test/support/packed.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
