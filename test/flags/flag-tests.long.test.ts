import {expect, test} from 'vitest'
import {readFlagTests} from './flag-tests.js'
import {findPassing} from './without-flags.js'

test('each test of the list fails when its flag is taken out of what is typed', () => {
  const flagTests = readFlagTests()
  expect(flagTests.length).toBeGreaterThan(300)
  expect(findPassing(flagTests)).toEqual([])
})
