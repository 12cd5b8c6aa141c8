import {spawnSync} from 'node:child_process'
import {join} from 'node:path'
import {expect, test} from 'vitest'

/** How many mutants of `runs/` are tried against the tests of that folder alone; `npm run test:mutants` tries them all. */
const SAMPLE = 12

test('the tests of runs/ notice most mutants of a small sample', () => {
  const words = ['--folder', 'runs', '--tests', '/test/runs/', '--sample', String(SAMPLE)]
  const {stdout, stderr} = spawnSync(process.execPath, [join(import.meta.dirname, 'run.js'), ...words], {
    encoding: 'utf8',
    env: {...process.env, VITEST: undefined, VITEST_WORKER_ID: undefined, TEST_SIZE: undefined},
  })
  const [, all, killed, hangs] =
    /^src\/runs: (\d+) mutants that compile .*; (\d+) killed, (\d+) more did not end;/m.exec(stdout) ?? []
  expect(Number(all), stderr).toBe(SAMPLE)
  process.stdout.write(`${stdout.trim().split('\n').at(-1)}\n`)
  expect(Number(killed) + Number(hangs)).toBeGreaterThanOrEqual(SAMPLE / 2)
})
