import {spawn} from 'node:child_process'
import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')

/** Runs a program to its end, its output going where ours goes. */
export function run(name, command, argv, env = {}) {
  process.stdout.write(`\n── ${name}\n`)
  return new Promise(resolve => {
    const child = spawn(command, argv, {cwd: root, stdio: 'inherit', env: {...process.env, ...env}})
    child.on('error', () => resolve(false))
    child.on('close', code => resolve(code === 0))
  })
}

export function installed(name) {
  return join(root, 'node_modules', '.bin', name)
}

/** The name of a test that is left out says what for. */
const WANT = /\(skipped for want of (.*?)\)/

/**
 * The tests of one Vitest configuration, counted by Vitest; a file that does not even load counts as a failure.
 *
 * @returns {Promise<{passed: number, failed: number, skipped: string[]}>} `skipped` has the reason of each test left out
 */
export async function vitest(name, config, env = {}, more = []) {
  const folder = await mkdtemp(join(tmpdir(), 'storectl-report-'))
  const report = join(folder, 'report.json')
  const argv = ['run', '--config', config, '--reporter=default', '--reporter=json', ...more]
  const holds = await run(name, installed('vitest'), [...argv, `--outputFile.json=${report}`], env)
  const counted = await readFile(report, 'utf8').then(JSON.parse, () => ({testResults: []}))
  await rm(folder, {recursive: true, force: true})
  const {numPassedTests = 0, numFailedTests = 0, testResults} = counted
  const unloaded = testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = numFailedTests + unloaded.length
  const skipped = testResults
    .flatMap(file => file.assertionResults)
    .filter(({status}) => status !== 'passed' && status !== 'failed')
    .map(({fullName}) => WANT.exec(fullName)?.[1] ?? `a reason: ${fullName}`)
  return {passed: numPassedTests, failed: holds ? failed : Math.max(failed, 1), skipped}
}

/** @param {string[]} reasons of tests that were left out @returns {string} `6 for want of gnome-keyring-daemon; …` */
function countReasons(reasons) {
  const counts = new Map()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `${count} for want of ${reason}`).join('; ')
}

/** Prints what was skipped and why, then the counts as the last line, and sets the exit code by them. */
export function conclude(results) {
  const sum = key => results.reduce((total, result) => total + result[key], 0)
  process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
  const skipped = countReasons(results.flatMap(result => result.skipped ?? []))
  process.stdout.write(`\nskipped: ${skipped || 'nothing'}\n`)
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
}
