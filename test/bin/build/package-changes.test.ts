import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {checkChanges} from '../../../bin/build/change-packages.js'
import {type PackageChange, packageChanges} from '../../../bin/build/package-changes.js'
import {temporaryFolder} from '../../support/home.js'

const root = join(import.meta.dirname, '../../..')
const {devDependencies} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Changes of packages: this limit is only lowered. */
const MOST = 20

const fileOf = (change: PackageChange) => ('file' in change ? change.file : change.importer)

/** `@oclif/core` of `@oclif/core/lib/command.js`. */
const packageOf = (file: string) => /^(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file

test('every change says why, and the installed packages are those that were read', () => {
  for (const {why} of packageChanges) expect(why).toMatch(/^\S.{15,}$/)
  checkChanges()
})

/** Whether a change says one thing that would be worse without it, and enough of it. */
function isWorthIt({gain, size, test: tests}: PackageChange): boolean {
  const found = [
    gain !== undefined && gain >= 1,
    size !== undefined && size >= 100,
    tests !== undefined &&
      ['.test.ts', '.e2e.test.ts'].some(ending => existsSync(join(root, 'test', tests + ending))),
  ]
  return found.filter(Boolean).length === 1
}

test('each change is worth a millisecond, 100 KiB or a test, and there are few', () => {
  expect(packageChanges.filter(change => !isWorthIt(change))).toEqual([])
  expect(packageChanges.length).toBeLessThanOrEqual(MOST)
  const [one] = packageChanges
  expect([{gain: 0.9}, {size: 99}, {test: 'bin/none'}, {}].map(worth => isWorthIt({...one, gain: undefined, ...worth} as PackageChange))).toEqual([false, false, false, false])
})

/** A `node_modules` with the package of one change, in version 8.0.0 and with another text. */
function installAnother(change: PackageChange, edit: (text: string) => string): string {
  const folder = join(temporaryFolder(), 'node_modules')
  const file = fileOf(change)
  mkdirSync(dirname(join(folder, file)), {recursive: true})
  writeFileSync(join(folder, packageOf(file), 'package.json'), '{"version": "8.0.0"}')
  writeFileSync(join(folder, file), edit(readFileSync(join(root, 'node_modules', file), 'utf8')))
  return folder
}

/** As a later version may have it: with the text twice, without the import, or different at all. */
function spoil(change: PackageChange, text: string): string {
  if ('module' in change) return text.replaceAll(change.module, 'another-module')
  return 'before' in change ? text.replace(change.before, found => found + found) : `${text} `
}

test.each(packageChanges.map(change => [fileOf(change), change] as const))(
  'the build refuses a version with another %s, by package and version',
  (file, change) => {
    checkChanges(
      [change],
      installAnother(change, text => text),
    )
    const folder = installAnother(change, text => spoil(change, text))
    const named = `${packageOf(file)} 8.0.0 has another ${file.slice(packageOf(file).length + 1)} than`
    expect(() => checkChanges([change], folder)).toThrow(named)
  },
)

test('the packages that are changed are pinned, and installed in that version', () => {
  const changed = packageChanges.flatMap(change => ('file' in change ? [packageOf(change.file)] : []))
  for (const name of new Set([...changed, 'string-width'])) {
    const {version} = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    expect({name, pinned: devDependencies[name]}).toEqual({name, pinned: version})
  }
})
