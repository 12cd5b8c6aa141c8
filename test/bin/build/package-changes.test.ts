import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {type PackageChange, packageChanges} from '../../../bin/build/package-changes.js'

const root = join(import.meta.dirname, '../../..')
const {devDependencies} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const textOf = (file: string) => readFileSync(join(root, 'node_modules', file), 'utf8')
const subjectOf = (change: PackageChange) => ('file' in change ? change.file : change.module)

/** `@oclif/core` of `@oclif/core/lib/command.js`. */
const packageOf = (file: string) => /^(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file

/** How often the installed package has what the change is about. */
function countMatches(change: PackageChange): number {
  if ('module' in change) {
    const imports = new RegExp(`(?:require\\(|import\\(|from )["']${change.module}["']`)
    return imports.test(textOf(change.importer)) ? 1 : 0
  }
  const text = textOf(change.file)
  if ('before' in change) return text.split(change.before).length - 1
  return createHash('sha256').update(text).digest('hex').startsWith(change.sha256) ? 1 : 0
}

test.each(packageChanges.map(change => [subjectOf(change), change.why, change] as const))(
  'the build changes %s because %s, and the installed text is the one that was read',
  (_subject, why, change) => {
    expect(why).toMatch(/^\S.{15,}$/)
    expect(countMatches(change)).toBe(1)
  },
)

test('the packages that are changed are pinned, and installed in that version', () => {
  const changed = packageChanges.flatMap(change => ('file' in change ? [packageOf(change.file)] : []))
  for (const name of new Set([...changed, 'string-width'])) {
    const {version} = JSON.parse(textOf(`${name}/package.json`))
    expect({name, pinned: devDependencies[name]}).toEqual({name, pinned: version})
  }
})
