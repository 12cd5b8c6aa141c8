import {existsSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {rolldown} from 'rolldown'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {nameOf} from '../../support/skipped.js'

const require = createRequire(import.meta.url)
const {nativeSqlite} = require('../../../bin/build/native-sqlite.js')

const NAME = '@photostructure/sqlite'
const SYSTEM = `${process.platform}-${process.arch}`
const installed = join(import.meta.dirname, '../../../node_modules', NAME)
const library = existsSync('/etc/alpine-release') ? 'musl' : 'glibc'

/** A bundle that hands on what the package has. */
async function bundle(folder: string): Promise<string> {
  const entry = join(folder, 'entry.js')
  writeFileSync(entry, `export {DatabaseSync} from '${NAME}'`)
  const bundled = await rolldown({input: entry, platform: 'node', plugins: [nativeSqlite(NAME)]})
  const file = join(folder, 'dist/parts/sqlite.cjs')
  await bundled.write({file, format: 'cjs', exports: 'named'})
  await bundled.close()
  return file
}

/** What a bundle in a folder of a package gives, beside an installed one with these parts. */
async function load(parts: readonly string[]): Promise<unknown> {
  const root = temporaryFolder()
  const home = join(root, 'node_modules', NAME)
  mkdirSync(home, {recursive: true})
  writeFileSync(join(home, 'package.json'), JSON.stringify({name: NAME, version: '1.0.0', main: 'index.js'}))
  writeFileSync(join(home, 'index.js'), "exports.DatabaseSync = 'of the package'")
  for (const part of parts) {
    mkdirSync(join(home, part, '..'), {recursive: true})
    symlinkSync(join(installed, part.startsWith('prebuilds') ? 'prebuilds' : 'src'), join(home, part))
  }
  return require(await bundle(root)).DatabaseSync
}

const binary = join(installed, 'prebuilds', SYSTEM, `@photostructure+sqlite.${library}.node`)

const hasBinary = existsSync(binary)
const direct = 'the binary for this machine is loaded as it is'
test.skipIf(!hasBinary)(nameOf(direct, !hasBinary && 'a binary of SQLite'), async () => {
  expect(await load(['prebuilds'])).toBe(require(binary).DatabaseSync)
})

test('without one, and where one was compiled here, the package itself is loaded', async () => {
  expect(await load([])).toBe('of the package')
  expect(await load(['prebuilds', 'build'])).toBe('of the package')
})
