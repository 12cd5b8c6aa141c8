import {execFile} from 'node:child_process'
import {cpSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {temporaryFolder} from './support/home.js'
import {environmentOfNpm} from './support/npm.js'

const root = join(import.meta.dirname, '..')
const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test('a clone installs from the lock file as it stands, with no word about engines', async () => {
  const folder = temporaryFolder()
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(folder, file))
  const argv = ['ci', '--dry-run', '--offline', '--ignore-scripts']
  const {stdout, stderr} = await promisify(execFile)('npm', argv, {env: environmentOfNpm(), cwd: folder})
  expect(stdout).toMatch(/added \d+ packages/)
  expect(stderr).not.toContain('EBADENGINE')
})

test('no npm takes something out of the lock file: npm 10 would take out "libc", which npm 11 writes', () => {
  const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  // `npx npm@10 install --package-lock-only` writes it as both leave it.
  expect(Object.keys(packages).filter(name => packages[name].libc)).toEqual([])
})

test('only what cannot be bundled is installed with storectl', () => {
  expect(Object.keys(metadata.dependencies)).toEqual(['@photostructure/sqlite'])
})

test('the packages that the build leaves outside are those that are installed', () => {
  const bundle = readFileSync(join(root, 'bin/build/bundle.js'), 'utf8')
  for (const name of Object.keys(metadata.dependencies)) expect(bundle).toContain(`'${name}'`)
})

test('every topic of commands says what it is', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const topics = new Set(
    Object.keys(manifest.commands)
      .filter(id => id.includes(':'))
      .map(id => id.split(':')[0]),
  )
  for (const topic of topics) expect(metadata.oclif.topics).toHaveProperty(topic ?? '')
})
