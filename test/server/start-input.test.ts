import {expect, test} from 'vitest'
import {refuseRemoteHost} from '../../src/server/start-input.js'

test.each(['127.0.0.1', '127.0.0.2', 'localhost', 'LocalHost', '::1'])('%s is this machine', host => {
  expect(() => refuseRemoteHost(host, false)).not.toThrow()
})

test.each(['0.0.0.0', '::', '0', '10.0.0.1', 'shop.test', 'localhost.shop.test', '127.0.0.1.shop.test', ''])(
  '%s is refused unless that is wanted',
  host => {
    expect(() => refuseRemoteHost(host, false)).toThrow(/other machines could reach the shop/)
    expect(() => refuseRemoteHost(host, true)).not.toThrow()
  },
)
