import {defineConfig} from 'vitest/config'

/** What runs the packed and installed command line as processes. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.e2e.test.ts'],
    globalSetup: 'test/support/packed.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
