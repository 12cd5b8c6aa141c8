import {createHash} from 'node:crypto'
import {expect, test} from 'vitest'
import {testContext} from '../support/context.js'
import {storectl} from '../support/storectl.js'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Checks an installation with these files, which were built as `built`. */
function checkInstalled(
  installed: Readonly<Record<string, string>>,
  built: Readonly<Record<string, string>>,
  about: object = {
    kind: 'npm',
    commit: 'a'.repeat(40),
    committedAt: '2026-11-27T10:00:00Z',
    isModified: false,
  },
  ...more: readonly string[]
) {
  const files = Object.fromEntries(Object.entries(built).map(([path, text]) => [path, digest(text)]))
  const all: Record<string, string> = {...installed, 'dist/build.json': JSON.stringify({...about, files})}
  const context = testContext()
  const readPackageFile = (path: string) => {
    const text = all[path]
    if (text === undefined) throw new Error(`no ${path}`)
    return Buffer.from(text)
  }
  return storectl(['version', '--check', '-o', 'json', ...more], {
    ...context,
    host: {...context.host, readPackageFile},
  })
}

test('version prints a row in the format of a flag, and else its line', async () => {
  const context = testContext()
  const host = {...context.host, userAgent: 'storectl/1.2.3 linux-x64 node-v24.1.0'}
  const run = async (...words: string[]) => (await storectl(['version', ...words], {...context, host})).stdout
  expect(await run('--no-input')).toBe('storectl/1.2.3 linux-x64 node-v24.1.0\n')
  const row = {version: '0.0.0-test', platform: 'linux-x64', node: 'v24.1.0'}
  for (const words of [['-o', 'json'], ['--json']]) expect(JSON.parse(await run(...words))).toEqual(row)
  expect(await run('--fields', 'node', '--no-header')).toBe('v24.1.0\n')
})

test('version --check names the commit that was built', async () => {
  const files = {'bin/run.js': 'run', 'dist/start.cjs': 'start'}
  const {exit, stdout, stderr} = await checkInstalled(files, files)
  expect({exit, stderr}).toEqual({exit: 0, stderr: ''})
  expect(JSON.parse(stdout)).toEqual({
    version: '0.0.0-test',
    kind: 'npm',
    commit: 'a'.repeat(40),
    committedAt: '2026-11-27T10:00:00Z',
    modified: false,
    files: 2,
    changed: [],
  })
})

test('version --check ends with exit 3 where a file is missing or has other bytes', async () => {
  const built = {'bin/run.js': 'run', 'dist/lost.cjs': 'lost', 'dist/start.cjs': 'start'}
  const {exit, stdout, stderr} = await checkInstalled({'bin/run.js': 'ran', 'dist/start.cjs': 'start'}, built)
  expect([exit, stderr]).toEqual([3, expect.stringContaining('Missing or changed: 2 of 3 files.')])
  expect(JSON.parse(stdout)).toMatchObject({files: 3, changed: ['bin/run.js', 'dist/lost.cjs']})
  for (const path of Object.keys(built)) {
    const one = await checkInstalled({...built, [path]: 'other'}, built)
    expect([one.exit, JSON.parse(one.stdout).changed]).toEqual([3, [path]])
  }
})

test('version --check refuses a wrong field where files were changed, too', async () => {
  const {exit, stdout, stderr} = await checkInstalled(
    {},
    {'bin/run.js': 'run'},
    undefined,
    '--fields',
    'nope',
  )
  expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining('unknown field')])
})

test('version --check names changes that are in no commit', async () => {
  const about = {kind: 'npm', commit: 'a'.repeat(40), committedAt: '2026-11-27T10:00:00Z', isModified: true}
  const {exit, stdout} = await checkInstalled({}, {}, about)
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, {modified: true}])
})

test('version --check says where sources without a commit were built', async () => {
  const {exit, stdout} = await checkInstalled({}, {}, {kind: 'executable'})
  expect(exit).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'executable',
    commit: null,
    committedAt: null,
    modified: false,
  })
})

test('version --check of an installation without a record is a usage error', async () => {
  const context = testContext()
  const readPackageFile = () => {
    throw new Error('not there')
  }
  const host = {...context.host, readPackageFile}
  const {exit, stderr} = await storectl(['version', '--check'], {...context, host})
  expect(exit).toBe(2)
  expect(stderr).toContain('has no record of its build (dist/build.json)')
})
