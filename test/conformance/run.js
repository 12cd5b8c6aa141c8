// `npm run test:conformance`: the protocol's rows against the bundled server, or against any shop by `--url`.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {vitest} from '../vitest-counts.js'
import {understand} from './flags.js'

const {help, mistake, rows, environment} = understand(process.argv.slice(2), process.env, file =>
  readFileSync(file, 'utf8'),
)
if (help) process.stdout.write(help)
else if (mistake) {
  process.stderr.write(`${mistake}\nSee npm run test:conformance -- --help\n`)
  process.exitCode = 2
} else {
  const only = rows === undefined ? [] : ['-t', rows]
  const {passed, failed, skipped} = await vitest(
    'conformance',
    'test/vitest.conformance.config.ts',
    environment,
    only,
  )
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`)
}
