import {describe, expect, test} from 'vitest'
import {FAULT_KEYS, parseFaultRule} from '../../../src/shop/faults/parse.js'

describe('a rule', () => {
  test.each([
    [
      'route=webhook,status=503,rate=0.2,count=10,seed=7',
      {route: 'webhook', effects: [{kind: 'status', status: 503}], rate: 0.2, count: 10, after: 0, seed: 7},
    ],
    [
      'route=order, reset=after-commit, rate=5%',
      {
        route: 'order',
        effects: [{kind: 'reset', when: 'after-commit'}],
        rate: 0.05,
        count: undefined,
        seed: undefined,
      },
    ],
    ['latency=200ms', {route: 'any', effects: [{kind: 'latency', ms: 200}], rate: 1}],
    [
      'latency=1.5s,slow-body=1m',
      {
        effects: [
          {kind: 'latency', ms: 1500},
          {kind: 'slow-body', ms: 60_000},
        ],
      },
    ],
    ['status=429,retry-after=2', {effects: [{kind: 'status', status: 429, retryAfterSeconds: 2}]}],
    ['route=/api/_info,status=500,after=3', {route: '/api/_info', after: 3}],
    ['token=expired', {effects: [{kind: 'token'}]}],
    ['throttle=1m', {effects: [{kind: 'throttle', seconds: 60}]}],
    [
      'events=late,work-after=1s',
      {
        effects: [
          {kind: 'events', how: 'late'},
          {kind: 'work-after', ms: 1000},
        ],
      },
    ],
    ['provider=not-found', {effects: [{kind: 'provider', answer: 'not-found'}]}],
  ])('%s', (text, expected) => {
    expect(parseFaultRule(text)).toMatchObject({text, ...expected})
  })

  test('takes every key that the help names', () => {
    const values: Record<string, string> = {
      route: 'any',
      status: '500',
      'retry-after': '1',
      latency: '1ms',
      token: 'expired',
      throttle: '1s',
      reset: 'before-commit',
      'slow-body': '1ms',
      'work-after': '1ms',
      provider: 'down',
      events: 'pending',
      reference: 'not-unique',
      rate: '1',
      count: '1',
      after: '0',
      seed: '0',
    }
    const needsOther = ['route', 'retry-after', 'work-after', 'rate', 'count', 'after', 'seed']
    for (const {key} of FAULT_KEYS) {
      const effect = needsOther.includes(key) ? ',status=500' : ''
      expect(() => parseFaultRule(`${key}=${values[key]}${effect}`), key).not.toThrow()
    }
  })
})

test.each([
  ['route=webhook,statu=503', 'column 15: unknown key "statu". Did you mean "status"?'],
  ['latency=1s,work-after=1s', 'column 23: work-after needs status, reset=before-commit or events=late'],
  ['status=503,status=500', 'column 12: "status" appears twice'],
  ['status', 'column 1: "status" is not key=value'],
  ['', 'column 1: "" is not key=value'],
  ['status=200', 'column 8: "200" is not an error status: use 400 to 599'],
  ['status=503,rate=0', 'column 17: "0" is not a share: use more than 0 up to 1, or up to 100%'],
  ['status=503,rate=120%', 'column 17: "120%" is not a share: use more than 0 up to 1, or up to 100%'],
  ['latency=200', 'column 9: "200" is not a duration: use 200ms, 2s or 1m'],
  ['latency=2h', 'column 9: "2h" is not a duration: use 200ms, 2s or 1m'],
  ['latency=61m', 'column 9: "61m" is longer than 60m'],
  [
    'reset=after-comit',
    'column 7: "after-comit" is not one of before-commit, after-commit. Did you mean "after-commit"?',
  ],
  ['status=503,count=0', 'column 18: "0" is not a whole number from 1'],
  [
    'status=503,route=webhok',
    'column 18: "webhok" is not a route: use any, token, webhook, order, provider, search, transition or a path. Did you mean "webhook"?',
  ],
  ['route=webhook', 'column 14: no effect; add status=503, latency=2s, reset=after-commit or slow-body=2s'],
  ['latency=1s,retry-after=2', 'column 24: retry-after needs a status'],
  ['provider=down,latency=1s', 'column 10: provider cannot be combined with another effect'],
  ['status=503,events=newer', 'column 19: events cannot be combined with another effect'],
  ['events=late', 'column 8: events=late needs work-after'],
  ['events=newer,work-after=1s', 'column 25: work-after needs status, reset=before-commit or events=late'],
])('%s is refused', (text, message) => {
  expect(() => parseFaultRule(text)).toThrow(`Fault rule "${text}", ${message}`)
})
