import {join} from 'node:path'
import {expect, test, vi} from 'vitest'
import {formerValues, functionsWithoutVerb, privateNames, repeatedExports} from './support/names.js'
import {type Sources, sourcesBelow} from './support/sources.js'

const sources = sourcesBelow(join(import.meta.dirname, '../src'))

const planted = (file: string, code: string): Sources => new Map([[file, code]])

/** Limits at today's figures: they may be lowered, never raised. They are to end at 0, 10 % and 10. */
const MOST_PRIVATE_NAMES = 0
const MOST_WITHOUT_VERB_PERCENT = 2
const MOST_REPEATED_EXPORTS = 2

// Reads all sources, on a machine that may do much else.
vi.setConfig({testTimeout: 240_000})

test('names use the words of the field', () => {
  const found = privateNames(sources)
  expect(found.length > MOST_PRIVATE_NAMES ? found : []).toEqual([])
})

test.each([
  ['const laneOf = 1', 'order/x.ts:1 laneOf'],
  ['\nfunction f(worlds: string) {}', 'order/x.ts:2 worlds'],
  ['interface A { readonly isSilent: boolean }', 'order/x.ts:1 isSilent'],
  ['const MAX_PACE = 1', 'order/x.ts:1 MAX_PACE'],
])('a planted private word is found: %s', (code, finding) => {
  expect(privateNames(planted('order/x.ts', code))).toEqual([finding])
})

test('a private word in the name of a file is found', () => {
  expect(privateNames(planted('order/big-world.ts', ''))).toEqual(['order/big-world.ts:0 big-world.ts'])
})

test('a word that only contains a private one is none', () => {
  expect(privateNames(planted('order/x.ts', 'const replaced = planes; const settled = 1'))).toEqual([])
})

test('results and run states have the values of the glossary', () => {
  expect(formerValues(sources)).toEqual([])
})

test('a planted former value is found', () => {
  const code = "const result = 'noop'\nconst state = `silent`\nconst text = 'a silent run'"
  expect(formerValues(planted('runs/x.ts', code))).toEqual(['runs/x.ts:1 noop', 'runs/x.ts:2 silent'])
})

test('functions begin with a verb', () => {
  const {count, without} = functionsWithoutVerb(sources)
  expect((without.length / count) * 100 > MOST_WITHOUT_VERB_PERCENT ? without : []).toEqual([])
})

test('a planted function without a verb is found', () => {
  const code = 'const rowOf = () => 1\nclass A { told() {} }\nfunction readRow() {}'
  expect(functionsWithoutVerb(planted('order/x.ts', code))).toEqual({
    count: 3,
    without: ['order/x.ts:1 rowOf', 'order/x.ts:2 told'],
  })
})

test('an exported name means one thing', () => {
  const found = repeatedExports(sources)
  expect(found.length > MOST_REPEATED_EXPORTS ? found : []).toEqual([])
})

test('a name that two files export is found', () => {
  const two = new Map([
    ['a/x.ts', 'export const read = 1'],
    ['b/y.ts', 'export function read() {}'],
  ])
  expect(repeatedExports(two)).toEqual(['read: a/x.ts, b/y.ts'])
})
