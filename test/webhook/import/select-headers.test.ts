import {expect, test} from 'vitest'
import {selectProviderHeaders} from '../../../src/webhook/import/select-headers.js'

test('a provider’s header is stored without the webhook token of an address in it', () => {
  const address = (query: string) => `https://shop.example/webhook/execute${query}`
  const values = [
    [address('?sw-token=canary'), address('?')],
    [address('?a=1&sw-token=canary&b=2'), address('?a=1&&b=2')],
    [address('?My.Own-Token[0]=canary#end'), address('?#end')],
    ['b7fb38b0-1', 'b7fb38b0-1'],
  ] as const
  for (const [given, stored] of values)
    expect(selectProviderHeaders([['PayPal-Original-Url', given]])).toEqual([['PayPal-Original-Url', stored]])
})

test('headers of what stands in between are not stored', () => {
  expect(
    selectProviderHeaders([
      ['Authorization', 'Basic canary'],
      ['X-Original-Uri', '/webhook/execute?sw-token=canary'],
      ['X-PayPal-Transmission-Id', '1'],
    ]),
  ).toEqual([])
})
