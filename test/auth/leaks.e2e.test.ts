import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, beforeEach, expect, inject, test} from 'vitest'
import {canary, expectNowhere, plainCanary} from '../support/canaries.js'
import {runProcess, startProcess} from '../support/process.js'
import {nameOf} from '../support/skipped.js'
import {until} from '../support/until.js'
import {
  type CanaryHouse,
  COMMANDS,
  canaryHouse,
  HEALTHY,
  MOODS,
  type Mood,
  withEndedTokens,
} from './canary-house.js'
import {PROCESS_MATRIX} from './leak-matrix.js'

/** The whole matrix is tried in one process: `leaks.test.ts`. */
let house: CanaryHouse
beforeAll(async () => {
  house = await canaryHouse(
    (argv, env, cwd, stdin) => runProcess(argv, {env, cwd, ...(stdin !== undefined && {stdin})}),
    false,
  )
})
beforeEach(() => {
  house.mood = HEALTHY
  house.tokenMood = undefined
})
afterAll(() => house.close())

test.each(PROCESS_MATRIX)('%s comes out nowhere of processes %s', (_secret, _channel, tryIt) => tryIt(house))

test('what is kept comes out nowhere when Node is asked to tell all that it does', async () => {
  house.mood = MOODS['refuses (400)'] as Mood
  const env = {NODE_DEBUG: '*', NODE_DEBUG_NATIVE: '*'}
  await house.expectSilence([...COMMANDS, ['auth', 'status', '-o', 'json']], {env, change: withEndedTokens})
})

test('a secret in what nothing has caught is taken out of the last line too', async () => {
  const file = join(house.work, 'crash.cjs')
  writeFileSync(file, "setTimeout(() => { throw new Error('crash ' + process.env.STORECTL_TOKEN) }, 1500)")
  house.mood = () => undefined
  const env = {
    NODE_OPTIONS: `--require=${JSON.stringify(file)}`,
    STORECTL_TOKEN: plainCanary(),
    STORECTL_URL: house.url,
  }
  const {exit, stderr} = await house.run(['customer', 'search', 'ada'], house.copy(), env)
  expect(exit).toBe(1)
  expect(stderr).toContain('error: crash ***\n')
  expectNowhere({token: env.STORECTL_TOKEN}, {stderr})
})

test.skipIf(process.platform !== 'linux')(
  nameOf('no process shows a secret while a command runs', process.platform !== 'linux' && 'Linux'),
  async () => {
    house.mood = () => undefined
    const secret = canary()
    const env = {STORECTL_HOME: house.copy(), STORECTL_PROFILE: 'shop'}
    const runs = [
      startProcess(['customer', 'search', 'ada'], {env}),
      startProcess(['login', '--url', `${house.url}/us`, '--client-id', 'SWIAX', '--client-secret-stdin'], {
        env,
      }),
      startProcess(['login', '--url', `${house.url}/us`, '--client-id', 'SWIAX', '--store', 'keyring'], {
        env: {...env, STORECTL_CLIENT_SECRET: secret},
      }),
    ]
    runs[1]?.stdin?.write(secret)
    runs[1]?.stdin?.end()
    const begun = house.calls
    await until('all three have called the shop', () => house.calls >= begun + 3)
    const shown = Object.fromEntries(runs.flatMap(({pid = 0}) => seenIn(pid)))
    for (const run of runs) run.kill('SIGKILL')
    expect(Object.keys(shown)).toHaveLength(3)
    expectNowhere({...house.secrets, secret}, shown)
  },
)

/** The words of a process and its children as anybody sees them, and the environment that it gave to its children. */
function seenIn(pid: number, isChild = false): [string, string][] {
  const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  const children = read(`task/${pid}/children`).split(' ').filter(Boolean)
  const own = `${read('cmdline')}${isChild ? read('environ') : ''}`
  return [[`process ${pid}`, own], ...children.flatMap(each => seenIn(Number(each), true))]
}

test('a build in an environment full of secrets holds none of them', () => {
  const packed = gunzipSync(readFileSync(inject('tarball'))).toString('utf8')
  expect(packed).toContain('package/dist/start.cjs')
  expect(packed).toContain('package/oclif.manifest.json')
  expectNowhere(inject('builtAmong'), {packed})
})
