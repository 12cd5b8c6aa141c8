import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {openResults} from './results.js'

const createMutant = (name: string) => ({name, file: 'src/a.ts'})
const survived = {result: 'survived', tests: 3} as const

/** A folder with tests. */
function createRoot() {
  const root = temporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(root, name), text)
    return join(root, name)
  }
  return {root, write, files: ['one.test.ts', 'other.test.ts'].map(name => write(name, name))}
}

test('two runs at once keep the results of each other', () => {
  const {root, files} = createRoot()
  const [one, other] = [openResults(root, 'a', 'common'), openResults(root, 'a', 'common')]
  one.note(createMutant('first'), survived, files)
  other.note(createMutant('second'), survived, files)
  one.note(createMutant('third'), survived, files)
  const next = openResults(root, 'a', 'common')
  for (const name of ['first', 'second', 'third'])
    expect(next.find(createMutant(name), files)).toEqual(survived)
})

test('a survival holds while no test that reaches the mutant changes, a kill while its own test does not', () => {
  const {root, write, files} = createRoot()
  const results = openResults(root, 'a', 'common')
  const killed = {result: 'killed', by: 'a test', file: files[0] as string, tests: 1} as const
  results.note(createMutant('survivor'), survived, files)
  results.note(createMutant('killed'), killed, files)
  write('other.test.ts', 'changed')
  const next = openResults(root, 'a', 'common')
  expect(next.find(createMutant('survivor'), files)).toBeUndefined()
  expect(next.find(createMutant('killed'), files)).toEqual(killed)
  expect(next.listKillers(createMutant('new'))).toEqual([files[0]])
  write('one.test.ts', 'changed')
  expect(openResults(root, 'a', 'common').find(createMutant('killed'), files)).toBeUndefined()
  expect(openResults(root, 'a', 'other').find(createMutant('killed'), files)).toBeUndefined()
})
