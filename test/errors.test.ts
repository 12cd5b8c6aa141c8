import {expect, test} from 'vitest'
import {StorectlError, strongestExit, usageError} from '../src/errors.js'

test('an error ends with the exit that its code begins with', () => {
  expect(new StorectlError('auth.not_signed_in', 'x').exit).toBe(4)
  expect(usageError('unknown_flag', 'x').exit).toBe(2)
  expect(new StorectlError('guard.canary', 'x').exitName).toBe('guard')
})

test('of several exits the one that asks for most attention wins', () => {
  expect(strongestExit(['partial', 'unavailable', 'auth', 'guard'])).toBe('auth')
  expect(strongestExit(['partial', 'guard', 'unavailable'])).toBe('guard')
  expect(strongestExit(['rejected', 'partial'])).toBe('partial')
  expect(strongestExit(['conflict', 'guard'])).toBe('conflict')
  expect(strongestExit(['ok', 'empty'])).toBe('empty')
  expect(strongestExit([])).toBe('ok')
})
