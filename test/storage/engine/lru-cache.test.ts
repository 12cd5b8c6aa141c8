import {expect, test} from 'vitest'
import {Recent} from '../../../src/storage/engine/lru-cache.js'

test('what is asked for again is made once', () => {
  const recent = new Recent<object>(2)
  const first = recent.of('a', () => ({}))
  expect(recent.of('a', () => ({}))).toBe(first)
})

test('the one that was not asked for the longest goes first', () => {
  const recent = new Recent<string>(2)
  const made: string[] = []
  const ask = (key: string) =>
    recent.of(key, () => {
      made.push(key)
      return key
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) ask(key)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
