import {expect, test} from 'vitest'
import {LruCache} from '../../../src/storage/engine/lru-cache.js'

test('what is asked for again is made once', () => {
  const recent = new LruCache<object>(2)
  const first = recent.getOrCreate('a', () => ({}))
  expect(recent.getOrCreate('a', () => ({}))).toBe(first)
})

test('the one that was not asked for the longest goes first', () => {
  const recent = new LruCache<string>(2)
  const made: string[] = []
  const ask = (key: string) =>
    recent.getOrCreate(key, () => {
      made.push(key)
      return key
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) ask(key)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})
