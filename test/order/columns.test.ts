import {expect, test} from 'vitest'
import {findField, type OrderColumn} from '../../src/order/draft/columns.js'

test('capitals do not matter, unless they tell fields apart', () => {
  const known = new Map(['note', 'Hold', 'hold'].map(path => [path, {path} as OrderColumn]))
  expect(findField('NOTE', known)?.path).toBe('note')
  expect(findField('Hold', known)?.path).toBe('Hold')
  expect(findField('HOLD', known)).toBeUndefined()
})
