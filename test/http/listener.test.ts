import {expect, test} from 'vitest'
import {isLoopback, parseListenAddress} from '../../src/http/listener.js'

test.each([
  ['127.0.0.1:8443', '127.0.0.1', 8443],
  ['localhost:0', 'localhost', 0],
  ['[::1]:8080', '::1', 8080],
  ['[fe80::1%eth0]:1', 'fe80::1%eth0', 1],
  [':8080', '::', 8080],
  ['8080', '127.0.0.1', 8080],
  ['0.0.0.0:65535', '0.0.0.0', 65_535],
])('%s is port and address', (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({host, port})
})

test.each([
  '',
  ':',
  'localhost',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '::1:80',
  'http://x:80',
  'a b:80',
  '1:2:3',
])('"%s" is not an address', text => {
  expect(() => parseListenAddress(text)).toThrow(/^Invalid listen address/)
})

test.each([':8080', '[::]:1', '0.0.0.0:1'])('%s can be reached by others', text => {
  expect(isLoopback(parseListenAddress(text).host)).toBe(false)
})

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.0.9', '::1', new URL('http://[::1]:8000').hostname])(
  '%s is reached from this machine only',
  host => {
    expect(isLoopback(host)).toBe(true)
  },
)

test.each(['127.0.0.1.example.com', 'localhost.example.com', '::11', '10.127.0.0'])(
  '%s is not this machine',
  host => {
    expect(isLoopback(host)).toBe(false)
  },
)
