// `npm test`: everything that has to hold, ending with one line of counts; `-- PATH…` runs the tests of these paths alone.
import process from 'node:process'
import {readFlags} from '../bin/build/read-flags.js'
import {conclude, installed, run, vitest} from './vitest-counts.js'

const HELP = `Checks format, lint and types, and runs the fast and the end-to-end tests. The last line has the counts.

  npm test [-- PATH…]

  PATH   only the tests below it, and no other check
`

const {positionals: paths} = readFlags(HELP, {allowPositionals: true})

/** TypeScript 7's own; `.bin/tsc` may be that of version 5, which is here for its interface. */
const TYPES = 'node_modules/typescript-native/bin/tsc'

/** A check that holds or does not: one test. */
async function check(name, command, argv) {
  const holds = await run(name, command, argv)
  return {passed: holds ? 1 : 0, failed: holds ? 0 : 1}
}

const some = paths.length > 0 ? ['--passWithNoTests', ...paths] : []
const checks = () =>
  Promise.all([
    check('format and lint', installed('biome'), ['ci', '--error-on-warnings']),
    check('types', process.execPath, [TYPES, '-p', '.', '--singleThreaded']),
  ])

conclude([
  ...(paths.length > 0 ? [] : await checks()),
  await vitest('tests', 'vitest.config.ts', {}, some),
  await vitest('end to end', 'test/vitest.e2e.config.ts', {}, some),
])
