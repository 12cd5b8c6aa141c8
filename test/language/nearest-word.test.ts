import {expect, test} from 'vitest'
import {didYouMean, nearest} from '../../src/language/nearest-word.js'

test('finds the word that was most likely meant', () => {
  expect(nearest('replya', ['replay', 'list', 'show'])).toBe('replay')
  expect(nearest('--forat', ['--format', '--fields'])).toBe('--format')
  expect(nearest('Customer', ['customer', 'order'])).toBe('customer')
})

test('suggests nothing when everything is far', () => {
  expect(nearest('xyz', ['replay', 'list'])).toBeUndefined()
  expect(didYouMean('xyz', ['replay'])).toBe('')
})
