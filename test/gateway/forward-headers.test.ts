import {expect, test} from 'vitest'
import {
  buildForwardedHeaders,
  endToEnd,
  hasBeenHere,
  selectAnsweredHeaders,
  selectStoredHeaders,
} from '../../src/gateway/forward-headers.js'

/** Of one connection alone, or made anew for the next. */
const OF_THE_CONNECTION = [
  ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Proxy-Authenticate', 'Proxy-Authorization'],
  ...['TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect', 'Host', 'Content-Length'],
  ...['HTTP2-Settings'],
]

test.each(OF_THE_CONNECTION)('%s is of one connection, on the way there and back', name => {
  expect(endToEnd([name, 'x', 'X-Kept', 'y'])).toEqual([['X-Kept', 'y']])
  expect(selectAnsweredHeaders({headers: {[name.toLowerCase()]: 'x', 'x-kept': 'y'}})).toEqual([
    ['x-kept', 'y'],
  ])
})

test('headers that Connection names are of the connection, on the way there and back', () => {
  expect(endToEnd(['connection', 'close, X-Hop', 'x-hop', '1', 'X-Hops', '2', 'X-Hop', '3'])).toEqual([
    ['X-Hops', '2'],
  ])
  const headers = {connection: 'x-hop , close', 'x-hop': '1', 'x-list': ['2', '3'], 'x-none': undefined}
  expect(selectAnsweredHeaders({headers})).toEqual([
    ['x-list', '2'],
    ['x-list', '3'],
  ])
})

test('a header that comes several times goes on as often, in its order', () => {
  const headers = [
    ['X-A', '1'],
    ['Accept-Encoding', 'gzip'],
    ['x-a', '2'],
    ['X-a', '3'],
    ['Via', '1.0 proxy'],
  ] as const
  expect(buildForwardedHeaders(headers, 'us')).toEqual({
    'x-a': ['1', '2', '3'],
    via: ['1.0 proxy', '1.1 us'],
  })
})

test('what has been here before says so in Via, and nowhere else', () => {
  expect(hasBeenHere([['VIA', '1.0 other, 1.1 us']], 'us')).toBe(true)
  expect(hasBeenHere([['Via', '1.0 other']], 'us')).toBe(false)
  expect(hasBeenHere([['X-Via', '1.1 us']], 'us')).toBe(false)
})

const PRIVATE = [
  ...['Authorization', 'Cookie', 'Via', 'Forwarded', 'X-Forwarded', 'X-Forwarded-For', 'X-Real-IP'],
  ...['X-Original-URI', 'X-Request-Id', 'Accept-Encoding', 'CF-Ray', 'CDN-Loop', 'Traceparent', 'Tracestate'],
  ...['X-Amzn-Trace-Id'],
]

test.each(PRIVATE)('%s is not written down', name => {
  const [kept, more] = [
    [name, 'x'],
    [`${name}-2x`, 'y'],
  ] as const
  expect(selectStoredHeaders([kept], [])).toEqual([])
  const isFamily = /^(x-forwarded|x-original|cf)/i.test(name)
  expect(selectStoredHeaders([more], [])).toEqual(isFamily ? [] : [more])
})

test('no header is written down that holds a secret', () => {
  const headers = [
    ['Referer', '/?sw-token=secret'],
    ['X-Plain', 'secre'],
  ] as const
  expect(selectStoredHeaders(headers, ['other', 'secret'])).toEqual([['X-Plain', 'secre']])
})
