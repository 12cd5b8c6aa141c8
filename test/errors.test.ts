import {expect, test} from 'vitest'
import {createUsageError, StorectlError, selectStrongestExit} from '../src/errors.js'

test('an error ends with the exit that its code begins with', () => {
  expect(new StorectlError('auth.not_signed_in', 'x').exit).toBe(4)
  expect(createUsageError('unknown_flag', 'x').exit).toBe(2)
  expect(new StorectlError('stopped.canary', 'x').exitName).toBe('stopped')
})

test('of several exits the one that asks for most attention wins', () => {
  expect(selectStrongestExit(['partial', 'unavailable', 'auth', 'stopped'])).toBe('auth')
  expect(selectStrongestExit(['partial', 'stopped', 'unavailable'])).toBe('stopped')
  expect(selectStrongestExit(['rejected', 'partial'])).toBe('partial')
  expect(selectStrongestExit(['conflict', 'stopped'])).toBe('conflict')
  expect(selectStrongestExit(['ok', 'empty'])).toBe('empty')
  expect(selectStrongestExit([])).toBe('ok')
})
