// `npm run test:conformance`: the protocol's rows against the bundled server, or against any shop by `--url`.
import {readFileSync} from 'node:fs'
import process from 'node:process'
import {vitest} from '../vitest-counts.js'
import {askVersion, understand} from './flags.js'

const {help, mistake, rows, environment, asks} = understand(process.argv.slice(2), process.env, file =>
  readFileSync(file, 'utf8'),
)
const said = asks && (await askVersion(asks).catch(error => error))
if (help) process.stdout.write(help)
else if (mistake || said instanceof Error) {
  process.stderr.write(`${mistake ?? said.message}\nSee npm run test:conformance -- --help\n`)
  process.exitCode = 2
} else {
  const version = said ?? environment.CONFORMANCE_VERSION
  process.stdout.write(`The rows of ${version}.\n`)
  const only = rows === undefined ? [] : ['-t', rows]
  const {passed, failed, skipped} = await vitest(
    'conformance',
    'test/vitest.conformance.config.ts',
    {...environment, CONFORMANCE_VERSION: version},
    only,
  )
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`)
}
