import {defineConfig} from 'vitest/config'
import {changedPackages} from './support/changed-packages.js'

/** What takes minutes: many seeds, much data, long fuzzing. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.long.test.ts'],
    globalSetup: ['test/support/packed.ts', 'test/support/postgres/global.ts'],
    passWithNoTests: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
})
