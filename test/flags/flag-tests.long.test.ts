import {expect, test} from 'vitest'
import {readFlagTests} from './flag-tests.js'
import {findPassing} from './without-flags.js'

test('each fast test of the list fails when its flag is taken out of what is typed', () => {
  const fast = readFlagTests().filter(({file}) => !file.endsWith('.e2e.test.ts'))
  expect(fast.length).toBeGreaterThan(300)
  expect(findPassing(fast)).toEqual([])
})
