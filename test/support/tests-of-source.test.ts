import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from './home.js'
import {findTestsOfSource} from './tests-of-source.js'

test('a saved source runs the test of its name, else those of the nearest folder that has some', () => {
  const tests = temporaryFolder()
  for (const name of [
    'runs/pool.test.ts',
    'runs/pool.long.test.ts',
    'runs/deep/own.test.ts',
    'top.test.ts',
  ]) {
    mkdirSync(dirname(join(tests, name)), {recursive: true})
    writeFileSync(join(tests, name), '')
  }
  const find = (source: string) => findTestsOfSource(source, tests).map(path => path.slice(tests.length + 1))
  expect(find('runs/deep/own.ts')).toEqual(['runs/deep/own.test.ts'])
  expect(find('runs/deep/other.ts')).toEqual(['runs/deep/own.test.ts'])
  expect(find('runs/workers/control.ts')).toEqual(['runs/pool.test.ts'])
  expect(find('new/folder/file.ts')).toEqual(['top.test.ts'])
})
