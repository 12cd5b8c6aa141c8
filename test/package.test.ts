import {execFile} from 'node:child_process'
import {cpSync, existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {PARTS} from './long-parts.js'
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

test('a clone gets neither Biome for musl, nor what compresses CSS or uploads to S3', () => {
  const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const platforms = (pattern: RegExp) =>
    Object.keys(packages).flatMap(name => (pattern.test(name) ? packages[name].os : []))
  // No system has these names, so npm installs none of them. It keeps the names; an entry that is missing it adds again.
  expect(new Set(platforms(/@biomejs\/.*-musl$/))).toEqual(new Set(['linux-musl']))
  expect(new Set(platforms(/lightningcss-/))).toEqual(new Set(['css']))
  const uploading = Object.keys(packages).filter(name => /@(?:aws-sdk|smithy)\//.test(name))
  expect(uploading.map(name => packages[name].name)).toEqual(['tslib', 'tslib'])
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

test('the weekly jobs run each part of the long tests, and the oldest Node that the package allows', () => {
  const {jobs} = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'))
  expect(jobs.long.strategy.matrix.part.sort()).toEqual(Object.keys(PARTS).sort())
  const lists = [...String(jobs.test.strategy.matrix.node).matchAll(/'(\[.*?\])'/g)]
  const [weekly, pushed] = lists.map(([, list]) => JSON.parse(String(list)))
  expect(weekly).toEqual(['20.19.0', '22', '24', '26'])
  expect(pushed).toEqual([weekly[0], weekly.at(-1)])
  expect(metadata.engines.node).toBe(`>=${weekly[0]}`)
})

test('the parts of the long tests are folders, of which none is in two', () => {
  const folders = Object.values(PARTS).flat()
  expect(new Set(folders).size).toBe(folders.length)
  for (const folder of folders) expect(existsSync(join(root, 'test', folder)), folder).toBe(true)
})
