import {expect, test} from 'vitest'
import {findNearest, suggestNearest} from '../../src/language/nearest-word.js'

test('finds the word that was most likely meant', () => {
  expect(findNearest('replya', ['replay', 'list', 'show'])).toBe('replay')
  expect(findNearest('--forat', ['--format', '--fields'])).toBe('--format')
  expect(findNearest('Customer', ['customer', 'order'])).toBe('customer')
})

test('suggests nothing when everything is far', () => {
  expect(findNearest('xyz', ['replay', 'list'])).toBeUndefined()
  expect(suggestNearest('xyz', ['replay'])).toBe('')
})
