import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {manifest} from '../support/manifest.js'
import {listFlags, readFlagTests} from './flag-tests.js'

const TESTS = join(import.meta.dirname, '..')

test('every flag of every command has a test that fails where the flag has no effect', () => {
  const listed = readFlagTests().map(({id, flag}) => `${id} ${flag}`)
  expect(listed.sort()).toEqual(listFlags().sort())
})

test('that test is a fast one: no other can be told to do without a flag', () => {
  expect(readFlagTests().filter(({file}) => /\.(e2e|long)\.test\.ts$/.test(file))).toEqual([])
})

test('that test is in a file that types the flag, itself or by what it imports', () => {
  const wrong = readFlagTests().filter(({id, flag, file}) => {
    const text = readWithImports(join(import.meta.dirname, '../..', file))
    const char = manifest.commands[id === '*' ? 'profile:list' : id]?.flags[flag]?.char
    const spellings = [`--${flag}`, `--no-${flag}`, ...(char ? [`-${char}`] : [])]
    // A table of flags has their names alone.
    return !spellings.some(each => text.includes(each)) && !/`--\$\{/.test(text)
  })
  expect(wrong).toEqual([])
})

/** A test with the parts of tests that it imports. */
function readWithImports(file: string): string {
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(
    ([, path = '']) => `${join(file, '..', path)}.ts`,
  )
  const parts = imported.filter(each => each.startsWith(TESTS) && existsSync(each))
  const scripts = file.endsWith('/scripts.test.ts') ? listScripts(join(file, '..')) : []
  return [text, ...[...parts, ...scripts].map(each => readFileSync(each, 'utf8'))].join('\n')
}

function listScripts(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.txt'))
    .map(name => join(folder, name))
}
