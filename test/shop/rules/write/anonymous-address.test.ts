import {expect, test} from 'vitest'
import {anonymizeAddress} from '../../../../src/shop/rules/write/values.js'

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['10.0.0.0', '10.0.0.0'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:8d3::'],
  ['2001:DB8::7348', '2001:db8::'],
  ['::1', '::'],
  ['fe80::a:b:c:d', 'fe80::'],
  ['2001:db8:0:1::5', '2001:db8:0:1::'],
  ['::ffff:203.0.113.77', '::'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['next door', 'next door'],
])('of %s the network is %s', (address, network) => {
  expect(anonymizeAddress(address)).toBe(network)
})
