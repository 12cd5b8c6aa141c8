import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {createChoice} from './reached.js'

const FILES = {
  'src/a/table.ts': '',
  'src/a/reader.ts': "import './table.js'",
  'test/a/first.test.ts': "import '../../src/a/reader.js'",
  'test/a/second.test.ts': "import '../../src/a/reader.js'",
  'test/b/other.test.ts': '',
  'src/commands/c/run.ts': "import '../../a/reader.js'",
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map(at => [`test/commands/c/${at}.test.ts`, ''])),
}

/** Which tests are tried with a mutant of `table.ts`, by the mutants that each test came by. */
function choose(reachedBy: Record<string, number[]>, outside: number[], isStatic: boolean) {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, name)), {recursive: true})
    writeFileSync(join(root, name), text)
  }
  const mutants = [0, 1].map(id => ({
    id,
    file: join(root, 'src/a/table.ts'),
    folder: 'a',
    isStatic: id === 0 && isStatic,
  }))
  const reached = ['a/first', 'a/second', 'b/other'].map(name => ({
    file: join(root, `test/${name}.test.ts`),
    outside: name === 'a/first' ? outside : [],
    tests: [{id: name, ms: 1, cpuMs: 1, reached: reachedBy[name] ?? []}],
  }))
  const {isAlone, pairs} = createChoice(root, mutants, reached)(mutants[0] as (typeof mutants)[0], [])
  return {isAlone, tests: pairs.map(({id}) => id)}
}

test('a mutant that tests come by is tried with those tests', () => {
  expect(choose({'a/second': [0], 'b/other': [0]}, [], false)).toEqual({
    ...{isAlone: false, tests: ['a/second', 'b/other']},
  })
})

test('a mutant that works while its module is loaded is tried with every test that imports it, and not the first alone', () => {
  for (const isStatic of [true, false])
    expect(choose({}, [0], isStatic)).toEqual({isAlone: true, tests: ['a/first', 'a/second']})
  expect(choose({'b/other': [1]}, [0], false)).toEqual({
    ...{isAlone: true, tests: ['a/first', 'a/second', 'b/other']},
  })
})
