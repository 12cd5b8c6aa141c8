import {expect, test} from 'vitest'
import {matchesType} from '../../../src/webhook/provider/provider-import.js'

test.each([
  ['PAYMENT.CAPTURE.COMPLETED', true],
  ['PAYMENT.CAPTURE.*', true],
  ['PAYMENT.CAPTURE.*COMPLETED', true],
  ['PAYMENT.CAPTURE.COMPLETED*', true],
  ['*', true],
  ['*.COMPLETED', true],
  ['P*.C*.*D', true],
  ['PAYMENT*CAPTURE*COMPLETED', true],
  ['PAYMENT.CAPTURE', false],
  ['PAYMENT.CAPTURE.COMPLETED*COMPLETED', false],
  ['payment.*', false],
  ['*.DENIED', false],
  ['', false],
])('%s', (pattern, fits) => {
  expect(matchesType('PAYMENT.CAPTURE.COMPLETED', pattern)).toBe(fits)
})

test('a pattern of many stars costs no time', () => {
  expect(matchesType('A'.repeat(5000), `${'*A'.repeat(50)}B`)).toBe(false)
})
