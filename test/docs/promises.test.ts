import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {cutFigures} from '../figures.js'
import {
  hasTest,
  joinSpace,
  listPromisingPages,
  listStrongSentences,
  readPromises,
  readText,
} from './promises.js'

const promises = readPromises()

test('every strong sentence of a page has its test, or the reason why it promises nothing', () => {
  const missing = listPromisingPages().flatMap(page => {
    const listed = new Set(promises.filter(each => each.page === page).map(({sentence}) => sentence))
    return listStrongSentences(cutFigures(readText(page)))
      .filter(sentence => !listed.has(sentence))
      .map(sentence => `${page}: ${sentence}`)
  })
  const toDo =
    'Weaken the sentence, or list it in test/promises.json: {"page": {"sentence": {"test file": "title"}}}, with {"why": "…"} only where it promises nothing about storectl'
  expect(missing, toDo).toEqual([])
})

test('every sentence that is listed stands in its page, and each of its tests in its file', () => {
  const wrong = promises.flatMap(({page, sentence, tests, why}) => {
    const problems = tests
      .filter(([file, title]) => !hasTest(file, title))
      .map(([file, title]) => `${file} has no test '${title}'`)
    if (!listPromisingPages().includes(page) || !joinSpace(cutFigures(readText(page))).includes(sentence))
      problems.push('it does not stand there')
    if (tests.length === 0 && !why) problems.push('it has neither a test nor a reason')
    if (tests.length > 0 && why) problems.push('it has a test and a reason')
    return problems.map(problem => `${page}: ${sentence}: ${problem}`)
  })
  expect(wrong, 'Change test/promises.json as the page or the test was changed').toEqual([])
})

test('a new strong sentence is found in a text, a list and a table, and not in code', () => {
  const text =
    '# It never\n\nOne. It is never\nsent. `never` is code.\n\n- always (*so*.) Then\n\n```\nnever\n```\n| a | twice |\n'
  expect(listStrongSentences(text)).toEqual(['It never', 'It is never sent.', 'always (*so*.)', 'a | twice'])
})

test('a test is found by its title as it is written, and by no part of it', () => {
  const file = 'test/docs/promises.test.ts'
  expect(hasTest(file, 'a test is found by its title as it is written, and by no part of it')).toBe(true)
  expect(hasTest(file, 'a test is found by its title')).toBe(false)
  expect(hasTest('test/docs/gone.test.ts', 'a test')).toBe(false)
})

const PARTS = [
  'capture',
  'import',
  'list',
  'verify',
  'replay',
  'via provider',
  'repair',
  'prune',
  'restore',
  'triage',
]

test('every two parts have a row in docs/reliability.md, with what holds where they meet', () => {
  const rows = [...readText('docs/reliability.md').matchAll(/^\| ([a-z ]+ × [a-z ]+) \| (.+) \| (.*)\|$/gm)]
  const pairs = PARTS.flatMap((one, at) => PARTS.slice(at + 1).map(other => `${one} × ${other}`))
  expect(rows.map(([, pair]) => pair)).toEqual(pairs)
})

test('every test that a table of docs/reliability.md names is there', () => {
  const named = [...readText('docs/reliability.md').matchAll(/`(test\/[^`]+\.ts)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(path => !existsSync(join(import.meta.dirname, '../..', path)))).toEqual([])
})
