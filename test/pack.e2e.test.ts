import {execFile} from 'node:child_process'
import {mkdirSync, readFileSync, statSync, symlinkSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {promisify} from 'node:util'
import {expect, inject, test} from 'vitest'
import {PROMISED} from '../src/contract/promised.js'
import {temporaryFolder} from './support/home.js'
import {environmentOfNpm} from './support/npm.js'
import {runProcess} from './support/process.js'
import {tokenShop} from './support/shop-endpoint.js'

const run = promisify(execFile)
const {version} = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))

test('the manifest and the pages of commands are what the commands declare', () => {
  expect(inject('stale')).toBe('')
})

test('installs globally into an empty prefix where there is no compiler, and says nothing of engines', async () => {
  const folder = temporaryFolder()
  const env = {...environmentOfNpm(), PATH: await bareTools(join(folder, 'bin'))}
  const prefix = join(folder, 'prefix')
  const {stderr} = await run(
    'npm',
    ['install', '--global', '--prefix', prefix, '--prefer-offline', inject('tarball')],
    {env},
  )
  expect(stderr).not.toMatch(/EBADENGINE|gyp ERR/)
  const installed = join(prefix, 'bin', 'storectl')
  const {stdout} = await run(inject('node'), [installed, '--version'], {env})
  expect(stdout).toMatch(`storectl/${version} `)
  const help = await run(inject('node'), [installed, 'completion', '--help'], {env})
  expect(help.stdout).toMatch(/^EXAMPLES\n.*\n {2}\$ eval "\$\(storectl completion bash\)"\n/)
})

test('without the packages that are optional it works, and a sign-in says what is missing', async () => {
  const folder = temporaryFolder()
  await run('npm', ['install', '--prefix', folder, '--omit=optional', '--prefer-offline', inject('tarball')])
  const installed = join(folder, 'node_modules', '.bin', 'storectl')
  const {url} = await tokenShop()
  const env = {PATH: process.env.PATH, STORECTL_HOME: temporaryFolder(), STORECTL_CLIENT_SECRET: 'secret'}
  const argv = ['login', '--url', url, '--client-id', 'SWIAX', '--store', 'keyring']
  const {stderr} = await run(inject('node'), [installed, ...argv], {env})
  expect(stderr).toMatch(/^Signed in to /m)
  expect(stderr).toMatch(/^warning: the OS keyring cannot be used: .*@napi-rs\/keyring.* instead\.$/m)
})

test('the tarball holds what runs and nothing of the sources', async () => {
  const {stdout} = await run('tar', ['-tzf', inject('tarball')])
  const top = new Set(
    stdout
      .trim()
      .split('\n')
      .map(path => path.split('/').slice(1, 2).join('/')),
  )
  expect([...top].sort()).toEqual(
    expect.arrayContaining(['LICENSE', 'bin', 'dist', 'oclif.manifest.json', 'package.json']),
  )
  for (const name of ['src', 'test', 'node_modules', '.ci']) expect(top).not.toContain(name)
})

test('every link of a page in the tarball leads to a file in the tarball', async () => {
  const packed = (await run('tar', ['-tzf', inject('tarball')])).stdout.trim().split('\n')
  const pages = packed.filter(path => path.endsWith('.md'))
  expect(pages).toEqual(
    expect.arrayContaining(['package/README.md', 'package/docs/runbooks/shop-was-down.md']),
  )
  const broken = pages.flatMap(page => {
    const text = readFileSync(join(import.meta.dirname, '..', page.replace('package/', '')), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target)
    const leads = (target: string) => packed.includes(join(dirname(page), target))
    return targets.filter(target => !leads(target)).map(target => `${page}: ${target}`)
  })
  expect(broken).toEqual([])
})

test('the licences of what is in the bundle are handed on', async () => {
  const {stdout} = await run('tar', ['-xzOf', inject('tarball'), 'package/dist/third-party-licences.txt'])
  for (const name of ['@oclif/core', 'undici', 'pino', 'kysely']) expect(stdout).toContain(`\n${name} `)
  const texts = stdout.split('-'.repeat(80)).slice(1)
  expect(texts.filter(text => !/Permission|Redistribution|Apache License/.test(text))).toEqual([])
})

test("the page's files are handed on, its licences too, and no more than it needs", async () => {
  const {stdout} = await run('tar', ['-tzf', inject('tarball'), 'package/dist/viewer'])
  const files = stdout
    .trim()
    .split('\n')
    .map(path => path.replace('package/dist/viewer/', ''))
  expect(files.sort()).toEqual([
    'commands.js',
    'favicon.svg',
    'files.json',
    'index.html',
    'page.css',
    'start.js',
    'swagger-ui-bundle.js',
    'swagger-ui.css',
  ])
  const licences = await run('tar', ['-xzOf', inject('tarball'), 'package/dist/third-party-licences.txt'])
  for (const text of ['\nswagger-ui-dist ', 'Apache License', 'SmartBear Software', 'Licensed under the MIT'])
    expect(licences.stdout).toContain(text)
  const {size} = statSync(inject('tarball'))
  expect(size).toBeLessThan(2.25 * 1024 * 1024)
})

test('the schemas are handed on, as help prints them', async () => {
  const {stdout} = await run('tar', ['-tzf', inject('tarball'), 'package/dist/schemas'])
  const files = stdout.trim().split('\n')
  expect(files.map(file => basename(file, '.json')).sort()).toEqual(Object.keys(PROMISED).sort())
  const {stdout: packed} = await run('tar', ['-xzOf', inject('tarball'), 'package/dist/schemas/error.json'])
  const help = await run(inject('node'), [inject('storectl'), 'help', 'schema', 'error'])
  expect(help.stdout).toBe(packed)
})

test('every command of the manifest loads and prints its help', async () => {
  const {commands} = JSON.parse(readFileSync(join(import.meta.dirname, '../oclif.manifest.json'), 'utf8'))
  const home = temporaryFolder()
  const left = Object.keys(commands).values()
  const lane = async () => {
    for (const id of left) {
      const {exit, stdout, stderr} = await runProcess([...id.split(':'), '--help'], {
        env: {STORECTL_HOME: home},
      })
      expect({id, exit, stderr}).toEqual({id, exit: 0, stderr: ''})
      expect(stdout, id).toMatch(/^(?:ABOUT\n|EXAMPLES\n {2}(#|\$ ))/)
    }
  }
  await Promise.all([lane(), lane()])
})

test('a command runs from a folder that is not its own', async () => {
  const home = temporaryFolder()
  const {exit, stdout} = await runProcess(['completion', 'bash'], {env: {STORECTL_HOME: home}, cwd: home})
  expect(exit).toBe(0)
  expect(stdout).toContain('storectl')
})

/** A PATH with nothing on it but Node, npm and a shell. */
async function bareTools(folder: string): Promise<string> {
  mkdirSync(folder)
  // Not beside Node: that of another version may stand alone.
  const {stdout: npm} = await run('sh', ['-c', 'command -v npm'])
  for (const [name, target] of [
    ['node', inject('node')],
    ['npm', npm.trim()],
    ['sh', '/bin/sh'],
    ['env', '/usr/bin/env'],
  ] as const) {
    symlinkSync(target, join(folder, name))
  }
  return folder
}
