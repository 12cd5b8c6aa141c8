import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {defineConfig} from 'vitest/config'
import {changedPackages} from './support/changed-packages.js'

/** Fast tests that try more here. */
const SIZED = (readdirSync(import.meta.dirname, {recursive: true}) as string[])
  .filter(name => name.endsWith('.test.ts'))
  .filter(name => readFileSync(join(import.meta.dirname, name), 'utf8').includes('/support/sized.js'))
  .map(name => `test/${name}`)

/** What takes minutes: many seeds, much data, long fuzzing. */
export default defineConfig({
  plugins: [changedPackages()],
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/**/*.long.test.ts', ...SIZED],
    env: {TEST_SIZE: 'long'},
    globalSetup: ['test/support/packed.ts', 'test/support/postgres/global.ts'],
    passWithNoTests: true,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
})
