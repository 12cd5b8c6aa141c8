import {expect, test} from 'vitest'
import {formatBytes, formatSeconds} from '../../src/output/cell.js'

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [5 * 1024 ** 4 * 1024, '5120.0 TiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '0s'],
  [59.9, '59s'],
  [60, '1m 0s'],
  [3725, '1h 2m'],
  [86_400, '1d 0h'],
  [86_400 * 12 + 3600 * 5 + 59, '12d 5h'],
  [-3, '0s'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
