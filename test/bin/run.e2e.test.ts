import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {closeSync, openSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, inject, test} from 'vitest'
import {temporaryFolder, warmHome} from '../support/home.js'
import {ended, runProcess} from '../support/process.js'
import {nameOf} from '../support/skipped.js'
import {programOnTerminal} from '../support/terminal.js'

const COMMANDS = [['--version'], ['--help'], ['completion', 'bash'], ['webhook', 'replay', '--help']]

test.each(COMMANDS.map(argv => [argv]))('%j ends with exit 1 and a message on a full disk', async argv => {
  const full = openSync('/dev/full', 'w')
  const {exit, stderr} = await ended(start(argv, full))
  closeSync(full)
  expect({exit, stderr}).toEqual({
    exit: 1,
    stderr: expect.stringMatching(/^error: .*ENOSPC.*\n( {2}next: .*\n)*$/),
  })
})

test.each(COMMANDS.map(argv => [argv]))('%j ends well when its reader has gone', async argv => {
  const child = start(argv, 'pipe')
  child.stdout?.destroy()
  const errors: Buffer[] = []
  child.stderr?.on('data', chunk => errors.push(chunk))
  expect(await once(child, 'close')).toEqual([0, null])
  expect(Buffer.concat(errors).toString()).toBe('')
})

test('the stack under --debug names lines of the sources', async () => {
  const clone = join(import.meta.dirname, '../../bin/run.js')
  const child = spawn(inject('node'), [clone, 'api', '--debug'], {env: {STORECTL_HOME: temporaryFolder()}})
  const {stderr} = await ended(child)
  expect(stderr).toMatch(/^ {4}at .*\/src\/commands\/api\.ts:\d+:\d+\)$/m)
})

test('stdin, stdout and stderr that are closed are no crash', async () => {
  const script = `"$0" "$@" <&- >&- 2>&-; echo $?`
  const child = spawn('sh', ['-c', script, inject('node'), inject('storectl'), 'completion', 'bash'], {
    env: {PATH: process.env.PATH ?? '', STORECTL_HOME: temporaryFolder()},
  })
  expect((await ended(child)).stdout).toMatch(/^[01]\n$/)
})

/** Options of Node that print what an expression is when the process ends. */
function printAtExit(expression: string): string {
  const file = join(temporaryFolder(), 'hook.cjs')
  writeFileSync(file, `process.on('exit', () => require('node:fs').writeSync(2, String(${expression})))`)
  return `--require=${file}`
}

test('a command that has written settings still listens to signals by itself alone', async () => {
  const count = "['SIGHUP', 'SIGINT', 'SIGTERM'].map(name => process.listenerCount(name)).join()"
  const env = {STORECTL_HOME: temporaryFolder(), NODE_OPTIONS: printAtExit(count)}
  expect(await runProcess(['config', 'set', 'timeout', '20s'], {env})).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/1,1,1$/),
  })
})

const asNameless = ['--user', '--map-user=12345']
const nameless = spawnSync('unshare', [...asNameless, 'true']).status === 0 ? [] : ['users without a name']
test.skipIf(nameless.length > 0)(
  nameOf(
    'a container whose user has neither a home nor a name works in STORECTL_HOME, and asks for it',
    nameless,
  ),
  async () => {
    const start = (env: NodeJS.ProcessEnv, argv: readonly string[]) => {
      const words = [...asNameless, inject('node'), inject('storectl'), ...argv]
      return ended(spawn('unshare', words, {env: {PATH: process.env.PATH, ...env}, stdio: 'pipe'}))
    }
    expect(await start({}, ['profile', 'list'])).toMatchObject({
      exit: 2,
      stderr: 'error: No home folder found for the settings.\n  next: export STORECTL_HOME=/some/folder\n',
    })
    const env = {STORECTL_HOME: temporaryFolder()}
    for (const argv of [
      ['config', 'set', 'timeout', '20s'],
      ['config', 'list'],
      ['profile', 'list'],
    ])
      expect(await start(env, argv)).toMatchObject({exit: 0, stderr: expect.not.stringContaining('error')})
  },
)

test('a list of the inbox loads no cryptography of Node', async () => {
  const env = {
    ...{STORECTL_HOME: temporaryFolder(), STORECTL_URL: 'https://shop.example'},
    NODE_OPTIONS: printAtExit("process.moduleLoadList.includes('NativeModule crypto')"),
  }
  const list = () => runProcess(['webhook', 'list'], {env})
  expect((await list()).stderr, 'the first makes the database').toMatch(/true$/)
  expect((await list()).stderr).toMatch(/false$/)
})

test('stderr that nobody writes to is not opened: as a pipe, it loads the network code of Node', async () => {
  const hook = printAtExit("process.moduleLoadList.includes('NativeModule net')")
  const env = {STORECTL_HOME: temporaryFolder(), NODE_OPTIONS: hook}
  const file = openSync(join(temporaryFolder(), 'stdout'), 'w')
  const argv = [inject('storectl'), 'auth', 'status']
  const child = spawn(inject('node'), argv, {env, stdio: ['ignore', file, 'pipe']})
  expect(await ended(child)).toMatchObject({exit: 0, stderr: 'false'})
  closeSync(file)
})

function start(argv: readonly string[], stdout: 'pipe' | number) {
  return spawn(inject('node'), [inject('storectl'), ...argv], {
    env: {PATH: process.env.PATH ?? '', STORECTL_HOME: temporaryFolder()},
    stdio: ['ignore', stdout, 'pipe'],
  })
}

test('any terminal among the streams means that somebody is there', async () => {
  const env = {STORECTL_HOME: warmHome()}
  const search = ['customer', 'search', '--limit', '1', '-o', 'csv']
  const {exit, stderr} = await runProcess(search, {env})
  expect([exit, stderr]).toEqual([2, expect.stringContaining('no shop is chosen')])
  const words = (redirections: string) => [
    '-c',
    `exec "$0" "$@" ${redirections}`,
    inject('node'),
    inject('storectl'),
  ]
  const seen = await Promise.all(
    ['</dev/null 2>/dev/null', '>/dev/null 2>&1', '</dev/null >/dev/null'].map(streams =>
      programOnTerminal('sh', [...words(streams), ...search], [], env),
    ),
  )
  expect(seen.map(each => each.exit)).toEqual([0, 0, 0])
  const inCi = await programOnTerminal(inject('node'), [inject('storectl'), ...search], [], {
    STORECTL_HOME: warmHome(),
    CI: 'true',
  })
  expect([inCi.exit, inCi.shown]).toEqual([2, expect.stringContaining('no shop is chosen')])
})
