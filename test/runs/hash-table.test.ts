import {expect, test} from 'vitest'
import {HashTable} from '../../src/runs/pool/hash-table.js'

test('every name keeps its number, however many come after it', () => {
  const table = new HashTable()
  const names = Array.from({length: 5000}, (_, index) => `id:${index.toString(16)}`)
  for (const [index, name] of names.entries()) {
    expect(table.get(name)).toBeUndefined()
    table.set(name, index)
  }
  expect(names.map(name => table.get(name))).toEqual(names.map((_, index) => index))
  expect(table.size).toBe(5000)
})

test('a name that is set again has its new number and counts once', () => {
  const table = new HashTable()
  table.set('a', 0)
  table.set('b', 7)
  table.set('a', 1)
  expect([table.get('a'), table.get('b'), table.get('c'), table.size]).toEqual([1, 7, undefined, 2])
})
