import {expect, test} from 'vitest'
import {createUsageError, StorectlError, selectStrongestExit} from '../src/errors.js'

test('an error ends with the exit that its code begins with', () => {
  expect(new StorectlError('auth.not_signed_in', 'x').exit).toBe(4)
  expect(createUsageError('unknown_flag', 'x').exit).toBe(2)
  expect(new StorectlError('guard.canary', 'x').exitName).toBe('guard')
})

test('of several exits the one that asks for most attention wins', () => {
  expect(selectStrongestExit(['partial', 'unavailable', 'auth', 'guard'])).toBe('auth')
  expect(selectStrongestExit(['partial', 'guard', 'unavailable'])).toBe('guard')
  expect(selectStrongestExit(['rejected', 'partial'])).toBe('partial')
  expect(selectStrongestExit(['conflict', 'guard'])).toBe('conflict')
  expect(selectStrongestExit(['ok', 'empty'])).toBe('empty')
  expect(selectStrongestExit([])).toBe('ok')
})
