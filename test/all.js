// `npm test`: everything that has to hold, ending with one line of counts.
import {spawn} from 'node:child_process'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const reports = await mkdtemp(join(tmpdir(), 'storectl-test-'))
const bin = name => join(root, 'node_modules', '.bin', name)

/** Runs a program to its end, its output going where ours goes. */
function run(name, command, argv) {
  process.stdout.write(`\n── ${name}\n`)
  return new Promise(resolve => {
    const child = spawn(command, argv, {cwd: root, stdio: 'inherit'})
    child.on('error', () => resolve(false))
    child.on('close', code => resolve(code === 0))
  })
}

/** A check that holds or does not: one test. */
async function check(name, command, argv) {
  const holds = await run(name, command, argv)
  return {passed: holds ? 1 : 0, failed: holds ? 0 : 1}
}

/** The tests of one Vitest configuration, counted by Vitest; a file that does not even load counts as a failure. */
async function tests(name, config) {
  const report = join(reports, `${name}.json`)
  const argv = [
    'run',
    '--config',
    `test/${config}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const holds = await run(name, bin('vitest'), argv)
  const counted = await readFile(report, 'utf8').then(JSON.parse, () => ({testResults: []}))
  const unloaded = counted.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const failed = (counted.numFailedTests ?? 0) + unloaded.length
  return {passed: counted.numPassedTests ?? 0, failed: holds ? failed : Math.max(failed, 1)}
}

const results = [
  await check('format and lint', bin('biome'), [
    'ci',
    '--config-path',
    'test/style.json',
    'src',
    'test',
    'bin',
  ]),
  await check('types', bin('tsc'), ['--noEmit', '-p', '.']),
  await check('manifest', process.execPath, ['bin/build.js', '--check']),
  await tests('tests', 'vitest.config.ts'),
  await tests('end to end', 'vitest.e2e.config.ts'),
]
await rm(reports, {recursive: true, force: true})
const sum = key => results.reduce((total, result) => total + result[key], 0)
process.exitCode = sum('failed') > 0 ? 1 : 0
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`)
