import {expect, test} from 'vitest'
import {parseByteSize} from '../../src/language/quantities.js'

test.each([
  ['1', 1],
  ['100b', 100],
  ['512KiB', 524_288],
  ['10mib', 10_485_760],
  ['64k', 65_536],
  [' 2M ', 2_097_152],
  ['256MiB', 268_435_456],
])('%s', (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes)
})

test.each(['', '0', '-1', '1.5MiB', '10 MiB', '1GiB', '257MiB', '9999999999', 'x', '1e3'])(
  '%j is not a size',
  text => {
    expect(() => parseByteSize(text)).toThrow(/is not a size/)
  },
)
