// Which fast tests import a source, directly or by way of others; the nearest first.
import {existsSync, readFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'

const IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g

/** @param {readonly string[]} files all sources and tests, absolute */
export function createRelatedTests(files) {
  const importers = new Map()
  for (const file of files) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const path = resolve(dirname(file), name).replace(/\.js$/, '.ts')
      if (!existsSync(path)) continue
      if (!importers.has(path)) importers.set(path, new Set())
      importers.get(path).add(file)
    }
  }
  /** @returns {string[]} tests that import a file, those with the fewest files between first */
  return (file, most) => {
    const found = new Set()
    const seen = new Set([file])
    for (let level = [file]; level.length > 0 && found.size < most; ) {
      const next = level.flatMap(each => [...(importers.get(each) ?? [])]).filter(each => !seen.has(each))
      for (const each of next) seen.add(each)
      for (const test of next.filter(isFastTest)) found.add(test)
      // Tests start a command by its name.
      for (const test of files.filter(test => next.some(each => isTestOfCommand(test, each)))) found.add(test)
      level = [...new Set(next)]
    }
    return [...found].slice(0, most)
  }
}

function isFastTest(file) {
  return /(?<!\.(e2e|long|browser))\.test\.ts$/.test(file)
}

/** `test/commands/order/…` holds the tests of `src/commands/order/…`. */
function isTestOfCommand(test, file) {
  const command = /^(.*)\/src\/(commands\/.*)\.ts$/.exec(file)
  if (!command || !isFastTest(test)) return false
  const [, root, name] = command
  return dirname(test) === join(root, 'test', dirname(name)) || test === join(root, 'test', `${name}.test.ts`)
}

/** @param {string} root */
export function absolute(root, names) {
  return names.map(name => join(root, name))
}
