import {expect, test} from 'vitest'
import {alignCells} from '../../../src/webhook/triage/screen/screen-lines.js'

test('cells stand below each other, two columns apart, numbers to the right', () => {
  const rows = [
    ['cause', '1,000', 'x'],
    ['日本', '7', ''],
  ]
  expect(alignCells(rows, new Set([1]))).toEqual(['cause  1,000  x', '日本       7'])
})
